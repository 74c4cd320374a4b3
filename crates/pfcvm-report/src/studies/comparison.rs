//! The page of `compare`.

use super::{
    About, accuracy_boxes, accuracy_table, methods_table, ranking_blocks, share, stability_table,
};
use crate::name::quoted;
use crate::page::{Block, Page, Section, Tile};
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
        notes: about.notes.iter().map(|note| quoted(note)).collect(),
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
            label: format!("Best on {}", comparison.title),
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
    Section {
        id: "overview".into(),
        heading: "Accuracy".into(),
        text: Vec::new(),
        blocks: vec![Block::Table(accuracy_table(comparisons, false))],
    }
}

fn data_set(at: usize, comparison: &Comparison, outcomes: &[Vec<Outcome>]) -> Section {
    let summaries: Vec<&Summary> = comparison.methods.iter().collect();
    let folds: Vec<&[Outcome]> = outcomes.iter().map(Vec::as_slice).collect();
    let mut blocks = vec![Block::Table(methods_table(comparison, outcomes))];
    // Over single rows accuracies are 0 or 1 and a box says nothing.
    let several = folds.iter().any(|all| {
        let tested = all.iter().flatten().map(|fold| fold.scores.right_and_all().1);
        tested.max().unwrap_or(0) > 1
    });
    if several {
        blocks.push(accuracy_boxes(&format!("boxes-{at}"), &summaries, &folds, |_| None));
    }
    blocks.extend(stability_table(&summaries).map(Block::Table));
    Section {
        id: format!("data-{}", at + 1),
        heading: format!("On {}", comparison.title),
        text: Vec::new(),
        blocks,
    }
}
