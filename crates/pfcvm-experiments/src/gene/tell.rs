//! What the gene experiment found, in tables and pictures.

use super::lists::{GeneLine, gene_lines, genes, most_frequent, occurrences};
use super::{Results, Row};
use crate::Finding;
use crate::paper::{self, Printed};
use pfcvm_report::charts::{Level, Lines, Series};
use pfcvm_report::page::{Block, Cell, Column, Section, Table};
use pfcvm_report::studies::{capital, or_dash, wide_figure};
use pfcvm_report::{fixed, percent};
use pfcvm_study::Summary;

pub(super) fn lead(all: &[Results]) -> String {
    let sets =
        all.iter().map(|results| format!("{} ({})", results.genes.name, results.genes.about));
    format!(
        "Leave-one-out with linear kernels on {}. Two protocols side by side. The paper's: samples and \
         then genes standardised over all samples, and of a grid of settings the one with the best \
         leave-one-out accuracy, which flatters. Nested: genes standardised and settings chosen \
         inside each training part.",
        Vec::from_iter(sets).join("; ")
    )
}

/// A printed accuracy as a share.
fn printed(results: &Results, method: &str) -> Option<f64> {
    let table = Printed::of(paper::GENE_ACCURACY);
    table.number(paper::name_of(method), results.genes.printed?).map(|percent| percent / 100.0)
}

pub(super) fn findings(all: &[Results]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for results in all.iter().filter(|results| results.genes.printed.is_some()) {
        let set = results.genes.name;
        let sample = 1.0 / results.genes.data.len() as f64;
        for row in &results.rows {
            let Some(paper) = printed(results, &row.name) else { continue };
            let name = paper::name_of(&row.name);
            let protocols = [("the paper's protocol", row.chosen()), ("nested", &row.nested)];
            // With one setting there is nothing to nest.
            let count = if row.points.len() > 1 { 2 } else { 1 };
            for (protocol, summary) in protocols.into_iter().take(count) {
                let claim = format!("gene: accuracy of {name} on {set}, {protocol}");
                let ours = summary.accuracy.map(|m| m.mean);
                let same = (1.001 * sample, "one sample");
                findings.push(Finding::figure(claim, paper, same, ours, percent));
            }
        }
        if let Some(row) = results.rows.iter().find(|row| row.name == "pfcvm-lp") {
            findings.extend(sizes_and_genes(results, row));
        }
    }
    if all.iter().all(|results| results.genes.printed.is_none()) {
        for (set, value) in [("colon", "96.77 %"), ("Duke", "95.24 %"), ("ALLAML", "98.61 %")] {
            let claim = format!("gene: accuracy of PFCVM_LP on {set}");
            findings.push(Finding::missing(claim, value, "the data set is not here"));
        }
    }
    findings
}

/// How many genes PFCVM_LP selects, and whether they are those of the paper.
fn sizes_and_genes(results: &Results, row: &Row) -> Vec<Finding> {
    let set = results.genes.name;
    let lines = gene_lines(results);
    let Some(size) = lines.first().and_then(|line| line.mean_size) else { return vec![] };
    let ours = row.chosen().features.map(|m| m.mean);
    let claim = format!("gene: mean number of genes that PFCVM_LP selects on {set}");
    let mut findings =
        vec![Finding::smaller_figure(claim, size, (1.0, "1"), ours, |v| fixed(v, 2))];
    let known: Vec<&GeneLine> = lines.iter().filter(|line| line.feature.is_some()).collect();
    if !known.is_empty() {
        let often = most_frequent(row.chosen(), 2 * known.len());
        let common = known.iter().filter(|line| often.iter().any(|(at, _)| line.is(*at))).count();
        findings.push(Finding {
            within: "half of them".into(),
            ..Finding::statement(
                format!(
                    "gene: genes the paper lists for {set} among our {} most frequent",
                    2 * known.len()
                ),
                known.len().to_string(),
                common.to_string(),
                2 * common > known.len(),
            )
        });
    }
    findings
}

pub(super) fn sections(results: &Results) -> Vec<Section> {
    let set = results.genes.name;
    let id: String = set.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let mut blocks = vec![Block::Table(accuracies(results))];
    blocks.extend(filter_curves(results, &id).map(Block::Wide));
    for row in
        results.rows.iter().filter(|row| ["pfcvm-lp", "pfcvm-em"].contains(&row.name.as_str()))
    {
        blocks.push(occurrences(results, row, &id));
    }
    if let Some(row) = results.rows.iter().find(|row| row.name == "pfcvm-lp") {
        blocks.push(Block::Table(genes(results, row)));
        if row.points.len() > 1 {
            let heading = format!("The {} points of the grid", row.points.len());
            blocks.push(Block::Folded(heading, grid(row)));
        }
    }
    vec![Section {
        id: format!("gene-{}", id.to_lowercase()),
        heading: capital(set),
        text: vec![format!("{}.", capital(results.genes.about))],
        blocks,
    }]
}

fn accuracies(results: &Results) -> Table {
    let row = |row: &Row| {
        let chosen = row.chosen();
        let accuracy = |summary: &Summary| or_dash(&summary.accuracy, |m| percent(m.mean));
        let size = |summary: &Summary| or_dash(&summary.features, |m| fixed(m.mean, 2));
        let stability = or_dash(&row.nested.stability, |s| fixed(s.jaccard, 2));
        let failed = row.nested.failed.len() + chosen.failed.len();
        vec![
            Cell::from(row.name.clone()),
            or_dash(&printed(results, &row.name), |share| percent(*share)).into(),
            Cell::with_remark(accuracy(chosen), format!("best of {}", row.points.len())),
            accuracy(&row.nested).into(),
            size(chosen).into(),
            size(&row.nested).into(),
            stability.into(),
            failed.to_string().into(),
        ]
    };
    Table {
        caption: format!("Leave-one-out accuracy on {}", results.genes.name),
        columns: Column::numbers(
            "method",
            &[
                "printed",
                "paper's protocol",
                "nested",
                "genes (paper's)",
                "genes (nested)",
                "Jaccard (nested)",
                "failed",
            ],
        ),
        rows: results.rows.iter().map(row).collect(),
        remark: Some(
            "A method behind a plus works on the genes that the one before it selects in the same \
             training part. Under the paper's protocol the setting was chosen by the very figure \
             shown: read it as an upper end. Methods with one setting differ between the two \
             columns by the preprocessing alone."
                .into(),
        ),
    }
}

fn filter_curves(results: &Results, id: &str) -> Option<pfcvm_report::page::Figure> {
    if results.filters.is_empty() {
        return None;
    }
    let series: Vec<Series> = results
        .filters
        .iter()
        .map(|(name, points)| Series {
            name: name.clone(),
            points: points
                .iter()
                .map(|(size, accuracy)| (*size as f64, 100.0 * accuracy.unwrap_or(f64::NAN)))
                .collect(),
            ..Series::default()
        })
        .collect();
    let ours = results.rows.iter().find(|row| row.name == "pfcvm-lp");
    let mut levels = Vec::new();
    if let Some(row) = ours {
        let level = |name: &str, summary: &Summary| {
            Some(Level { name: name.into(), value: 100.0 * summary.accuracy?.mean })
        };
        levels.extend(level("pfcvm-lp", row.chosen()));
        levels.extend(level("pfcvm-lp nested", &row.nested));
    }
    let paper = printed(results, "pfcvm-lp");
    levels
        .extend(paper.map(|share| Level { name: "PFCVM_LP printed".into(), value: 100.0 * share }));
    let lines = Lines {
        series: &series,
        levels: &levels,
        x_label: "features that the filter selects",
        y_label: "leave-one-out accuracy, %",
        logarithmic: false,
    };
    let heading = format!("Filters on {}", results.genes.name);
    Some(wide_figure(
        &format!("gene-filters-{id}"),
        heading.clone(),
        "Accuracy of a classifier on as many features as a filter is asked for, under the paper's \
         preprocessing; the filter is fitted inside each training part.",
        |width, id| lines.draw(width, id, &heading, "A line for each filter."),
    ))
}

fn grid(row: &Row) -> Table {
    let cells = |summary: &Summary| {
        vec![
            Cell::from(summary.method.clone()),
            or_dash(&summary.accuracy, |m| percent(m.mean)).into(),
            or_dash(&summary.features, |m| fixed(m.mean, 2)).into(),
            or_dash(&summary.samples, |m| fixed(m.mean, 1)).into(),
        ]
    };
    Table {
        caption: "All points of the grid under the paper's protocol".into(),
        columns: Column::numbers("settings", &["accuracy", "genes", "samples"]),
        rows: row.points.iter().map(cells).collect(),
        remark: None,
    }
}
