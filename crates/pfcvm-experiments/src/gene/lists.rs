//! Which genes are selected, beside those that the paper lists.

use super::{Results, Row};
use crate::paper::{self, Printed};
use pfcvm_report::charts::{Columns, Stem};
use pfcvm_report::page::{Block, Cell, Column, Table};
use pfcvm_report::studies::wide_figure;
use pfcvm_study::{Summary, by_frequency};

/// Genes listed.
const LISTED: usize = 10;

/// A line of the paper's list of genes.
pub(super) struct GeneLine {
    pub mean_size: Option<f64>,
    /// From 1.
    pub feature: Option<usize>,
    occurrences: String,
    runs: String,
    description: String,
}

impl GeneLine {
    pub fn is(&self, at: usize) -> bool {
        self.feature == Some(at + 1)
    }
}

/// The paper's list for a data set.
pub(super) fn gene_lines(results: &Results) -> Vec<GeneLine> {
    let Some(printed) = results.genes.printed else { return vec![] };
    let table = Printed::of(paper::GENE_FEATURES);
    let of_set = table.rows.into_iter().filter(|(set, _)| set == printed);
    let line = |cells: Vec<String>| GeneLine {
        mean_size: cells.first().and_then(|cell| cell.parse().ok()),
        feature: cells.get(1).and_then(|cell| cell.parse().ok()),
        occurrences: cells.get(2).cloned().unwrap_or_default(),
        runs: cells.get(3).cloned().unwrap_or_default(),
        description: cells.get(5).cloned().unwrap_or_default(),
    };
    of_set.map(|(_, cells)| line(cells)).collect()
}

/// The features selected most often, with their numbers of folds.
pub(super) fn most_frequent(summary: &Summary, count: usize) -> Vec<(usize, usize)> {
    let fitted = summary.folds - summary.failed.len();
    let Some(shares) = &summary.selection_frequencies else { return vec![] };
    let folds = |at: usize| (shares[at] * fitted as f64).round() as usize;
    by_frequency(shares).into_iter().take(count).map(|at| (at, folds(at))).collect()
}

/// The paper's Figure 7: how often each gene was selected.
pub(super) fn occurrences(results: &Results, row: &Row, id: &str) -> Block {
    let summary = row.chosen();
    let often = most_frequent(summary, usize::MAX);
    let mut counts = vec![0usize; results.genes.names.len()];
    often.iter().for_each(|(at, folds)| counts[*at] = *folds);
    let named: Vec<usize> = often.iter().take(6).map(|(at, _)| *at).collect();
    let stems: Vec<Stem> = counts
        .iter()
        .enumerate()
        .map(|(at, count)| Stem {
            name: format!("{} {}", at + 1, results.genes.names[at]),
            value: *count as f64,
            second: false,
            named: named.contains(&at),
        })
        .collect();
    let runs = summary.folds;
    let label = format!("{runs} runs");
    let columns = Columns {
        stems: &stems,
        kinds: ["", ""],
        guide: Some((runs as f64, &label)),
        x_label: "gene",
        y_label: "runs that selected it",
    };
    let heading = format!("Genes that {} selects on {}", row.name, results.genes.name);
    let about = format!("{} genes were selected at least once.", often.len());
    Block::Wide(wide_figure(
        &format!("gene-occurrences-{}-{id}", row.name),
        heading.clone(),
        format!("{about} The dashed line is the number of runs."),
        |width, id| columns.draw(width, id, &heading, &about),
    ))
}

/// The genes selected most often, and those of the paper's list.
pub(super) fn genes(results: &Results, row: &Row) -> Table {
    let lines = gene_lines(results);
    let paper = most_frequent(row.chosen(), usize::MAX);
    let nested = most_frequent(&row.nested, usize::MAX);
    let mut shown: Vec<usize> = paper.iter().take(LISTED).map(|(at, _)| *at).collect();
    let listed = lines.iter().filter_map(|line| line.feature).map(|feature| feature - 1);
    for at in listed.filter(|at| *at < results.genes.names.len()) {
        if !shown.contains(&at) {
            shown.push(at);
        }
    }
    let folds = |all: &[(usize, usize)], at: usize| {
        all.iter().find(|(feature, _)| *feature == at).map_or(0, |(_, folds)| *folds)
    };
    let cells = |&at: &usize| {
        let line = lines.iter().find(|line| line.is(at));
        let genbank = results.genes.genbank.as_ref().and_then(|all| all.get(at));
        vec![
            Cell::from((at + 1).to_string()),
            genbank.cloned().unwrap_or_else(|| results.genes.names[at].clone()).into(),
            folds(&paper, at).to_string().into(),
            folds(&nested, at).to_string().into(),
            line.map_or_else(
                || "–".into(),
                |line| format!("{} of {}", line.occurrences, line.runs),
            )
            .into(),
            line.map_or_else(String::new, |line| line.description.clone()).into(),
        ]
    };
    Table {
        caption: format!("Genes of {}", results.genes.name),
        columns: vec![
            Column::text("gene"),
            Column::text("GenBank or name"),
            Column::number("runs (paper's protocol)"),
            Column::number("runs (nested)"),
            Column::number("printed"),
            Column::text("description in the paper"),
        ],
        rows: shown.iter().map(cells).collect(),
        remark: Some(format!(
            "The genes that pfcvm-lp selects most often in {} runs, then those of the paper's list \
             that are not among them. Genes count from 1.",
            row.chosen().folds
        )),
    }
}
