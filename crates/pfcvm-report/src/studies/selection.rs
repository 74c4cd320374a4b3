//! Which features are selected, and how steadily.

use super::About;
use super::words::{or_dash, wide_figure};
use crate::charts::{Bar, Bars, Columns, Stem};
use crate::page::{Block, Cell, Column, Figure, Section, Table};
use crate::{counted, fixed, percent};
use pfcvm_study::{MachineSummary, Summary, by_frequency};

/// Most features listed by name.
const LISTED: usize = 30;
/// Features named for each machine.
const NAMED: usize = 5;

/// How alike the selections of each method are; nothing if no method selects.
pub fn stability_table(summaries: &[&Summary]) -> Option<Table> {
    let rows: Vec<Vec<Cell>> = summaries
        .iter()
        .filter_map(|summary| {
            let stability = summary.stability.as_ref()?;
            let (low, high) = stability.interval;
            let pm = |mean, sd| format!("{} ± {}", fixed(mean, 3), fixed(sd, 3));
            Some(vec![
                summary.method.clone().into(),
                pm(stability.jaccard, stability.jaccard_sd).into(),
                pm(stability.pearson, stability.pearson_sd).into(),
                fixed(stability.nogueira, 3).into(),
                format!("{} to {}", fixed(low, 3), fixed(high, 3)).into(),
                or_dash(&summary.features, |m| fixed(m.mean, 1)).into(),
            ])
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        caption: "Stability of the selections".into(),
        columns: Column::numbers(
            "method",
            &["Jaccard", "Pearson", "Nogueira", "95 % interval", "features"],
        ),
        rows,
        remark: Some(
            "Means over all pairs of splits, ± standard deviation over the pairs. 1: always the \
             same features; about 0: as if drawn at random (Jaccard: never the same). The interval \
             is Nogueira's, cut at 1."
                .into(),
        ),
    })
}

/// How often each feature was selected; `noise` says which carry nothing.
pub fn frequencies(
    id: &str,
    heading: &str,
    summary: &Summary,
    names: &[String],
    noise: Option<&dyn Fn(usize) -> bool>,
    guide: Option<(f64, &str)>,
) -> Option<Figure> {
    let shares = summary.selection_frequencies.as_ref()?;
    let few = shares.len() <= 60;
    let top: Vec<usize> = by_frequency(shares).into_iter().take(10).collect();
    let stems: Vec<Stem> = (0..shares.len())
        .map(|at| Stem {
            name: names[at].clone(),
            value: shares[at],
            second: noise.is_some_and(|noise| noise(at)),
            named: few || top.contains(&at),
        })
        .collect();
    let kinds = if noise.is_some() { ["signal", "noise"] } else { ["", ""] };
    let (x_label, y_label) = ("feature", "share of the splits");
    let columns = Columns { stems: &stems, kinds, guide, x_label, y_label };
    let about = format!("How often each of {} features was selected.", shares.len());
    Some(wide_figure(
        id,
        heading,
        "The share of splits in which the method selected each feature.",
        |width, id| columns.draw(width, id, heading, &about),
    ))
}

/// The section of a page about one method; nothing if it uses all features.
pub(super) fn selection(about: &About, summary: &Summary) -> Option<Section> {
    let shares = summary.selection_frequencies.as_ref()?;
    let order = by_frequency(shares);
    let mut blocks = Vec::new();
    blocks.extend(stability_table(&[summary]).map(Block::Table));
    blocks.extend(most_often(about, shares, &order));
    if !order.is_empty() {
        let row = |&at: &usize| {
            let name = Cell::from(about.feature_names[at].clone());
            vec![name, (at + 1).to_string().into(), percent(shares[at]).into()]
        };
        let table = Table {
            caption: "Features by how often they were selected".into(),
            columns: Column::numbers("feature", &["column", "folds"]),
            rows: order.iter().take(LISTED).map(row).collect(),
            remark: None,
        };
        blocks.push(Block::Folded("The same in numbers".into(), table));
    }
    if !summary.machines.is_empty() {
        blocks.push(Block::Table(machines(about, &summary.machines)));
    }
    let heading = "Selection of each feature";
    let all = frequencies("frequency", heading, summary, &about.feature_names, None, None);
    blocks.extend(all.map(Block::Wide));
    let by = if summary.machines.is_empty() { "" } else { "some machine in " };
    Some(Section {
        id: "selection".into(),
        heading: "Which features, and how steadily".into(),
        text: vec![format!(
            "{} of {} were selected by {by}some fold, {} by {by}every fold.",
            order.len(),
            counted(shares.len(), "feature"),
            shares.iter().filter(|share| **share == 1.0).count(),
        )],
        blocks,
    })
}

fn most_often(about: &About, shares: &[f64], order: &[usize]) -> Option<Block> {
    let bar = |&at: &usize| Bar {
        name: about.feature_names[at].clone(),
        value: 100.0 * shares[at],
        ..Bar::default()
    };
    let bars: Vec<Bar> = order.iter().take(LISTED).map(bar).collect();
    let heading = "Features selected most often";
    let chart = Bars { rows: &bars, label: "% of the folds", share_label: "" };
    (!bars.is_empty()).then(|| {
        Block::Wide(wide_figure(
            "often",
            heading,
            "A feature that matters is selected whatever rows are left out.",
            |width, id| chart.draw(width, id, heading, "Bars from the most frequent feature down."),
        ))
    })
}

fn machines(about: &About, machines: &[MachineSummary]) -> Table {
    let row = |machine: &MachineSummary| -> Vec<Cell> {
        let against = machine.negative.as_deref().unwrap_or("all others");
        let often = machine.selection_frequencies.as_deref().unwrap_or_default();
        let names = by_frequency(often)
            .into_iter()
            .take(NAMED)
            .map(|at| format!("{} ({})", about.feature_names[at], percent(often[at])));
        vec![
            format!("{} against {against}", machine.positive).into(),
            or_dash(&machine.features, |m| fixed(m.mean, 1)).into(),
            or_dash(&machine.stability, |s| fixed(s.nogueira, 2)).into(),
            Vec::from_iter(names).join(", ").into(),
        ]
    };
    Table {
        caption: "Machine by machine".into(),
        columns: vec![
            Column::text("machine"),
            Column::number("features"),
            Column::number("stability"),
            Column::text("most often"),
        ],
        rows: machines.iter().map(row).collect(),
        remark: Some("In brackets the share of folds; stability is Nogueira's.".into()),
    }
}
