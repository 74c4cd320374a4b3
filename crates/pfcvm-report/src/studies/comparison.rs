//! The page of `compare`.

use super::{About, accuracy_boxes, methods_table, ranking_blocks, share, stability_table};
use pfcvm_report::Tile;
use pfcvm_report::page::{Block, Cell, Column, Mark, Page, Section, Table};
use pfcvm_study::{Comparison, Outcome, Ranking, Summary};

/// Several methods on one data set or more.
pub fn comparison(
    about: &About,
    comparisons: &[Comparison],
    outcomes: &[Vec<Vec<Outcome>>],
    ranking: Option<&Ranking>,
) -> Page {
    let mut sections = Vec::new();
    if comparisons.len() > 1 {
        sections.push(overview(comparisons));
    }
    if let Some(ranking) = ranking {
        let (text, blocks) = ranking_blocks("ranks", ranking, comparisons.len());
        sections.push(Section {
            id: "ranks".into(),
            heading: "Ranks over the data sets".into(),
            text,
            blocks,
        });
    }
    for (at, (comparison, outcomes)) in comparisons.iter().zip(outcomes).enumerate() {
        sections.push(data_set(at, comparison, outcomes));
    }
    Page {
        title: about.title.clone(),
        lead: about.protocol.clone(),
        tiles: tiles(comparisons),
        notes: about.notes.clone(),
        sections,
        footer: vec![about.program.clone()],
    }
}

/// Who came first on each data set.
fn tiles(comparisons: &[Comparison]) -> Vec<Tile> {
    const MOST: usize = 6;
    let tile = |comparison: &Comparison| {
        let best = &comparison.methods[comparison.best?];
        let near = (0..comparison.methods.len()).filter(|at| comparison.near_best(*at)).count();
        let accuracy = best.accuracy.as_ref().map(share).unwrap_or_default();
        Some(Tile {
            label: format!("Best on {}", comparison.data),
            value: best.method.clone(),
            remark: match near {
                0 => accuracy,
                n => format!("{accuracy}; {n} not told from it"),
            },
        })
    };
    comparisons.iter().take(MOST).filter_map(tile).collect()
}

fn overview(comparisons: &[Comparison]) -> Section {
    let mut columns = vec![Column::text("data")];
    let methods = comparisons.first().map_or(&[][..], |comparison| &comparison.methods);
    columns.extend(methods.iter().map(|summary| Column::number(summary.method.clone())));
    let row = |comparison: &Comparison| -> Vec<Cell> {
        let mut cells = vec![Cell::from(comparison.data.clone())];
        cells.extend(comparison.methods.iter().enumerate().map(|(at, summary)| {
            let cell = Cell::from(summary.accuracy.as_ref().map_or_else(|| "–".into(), share));
            match comparison.best {
                Some(best) if best == at => cell.marked(Mark::Best),
                _ if comparison.near_best(at) => cell.marked(Mark::Near),
                _ => cell,
            }
        }));
        cells
    };
    let table = Table {
        caption: "Accuracy of each method on each data set".into(),
        columns,
        rows: comparisons.iter().map(row).collect(),
        remark: Some(
            "Accuracy, ± standard deviation over the folds. Bold (*): the highest; a dot: not told \
             from it at 0.05."
                .into(),
        ),
    };
    Section {
        id: "overview".into(),
        heading: "Accuracy".into(),
        text: Vec::new(),
        blocks: vec![Block::Table(table)],
    }
}

fn data_set(at: usize, comparison: &Comparison, outcomes: &[Vec<Outcome>]) -> Section {
    let summaries: Vec<&Summary> = comparison.methods.iter().collect();
    let folds: Vec<&[Outcome]> = outcomes.iter().map(Vec::as_slice).collect();
    let mut blocks = vec![Block::Table(methods_table(comparison, outcomes))];
    // Over single rows accuracies are 0 or 1 and a box says nothing.
    let several = folds.iter().any(|all| {
        let tested = all.iter().flatten().map(|fold| fold.scores.counts.iter().sum::<usize>());
        tested.max().unwrap_or(0) > 1
    });
    if several {
        blocks.push(accuracy_boxes(&format!("boxes-{at}"), &summaries, &folds, |_| None));
    }
    blocks.extend(stability_table(&summaries).map(Block::Table));
    Section {
        id: format!("data-{}", at + 1),
        heading: format!("On {}", comparison.data),
        text: Vec::new(),
        blocks,
    }
}
