//! How good the probabilities are on new rows.

use crate::charts::Tone;
use crate::number::{count, counted, fixed, number, percent};
use crate::page::{Block, Cell, Column, Content, Figure, Section, Table, Tile};
use crate::probability::{in_sentences, probability_figures};
use crate::report::Test;
use pfcvm_eval::{
    Confusion, ProbabilityCurves, accuracy, brier_score, log_loss, wilson_interval,
};

pub fn section(test: &Test) -> Section {
    let curves = ProbabilityCurves::of(&test.truth, &test.probability);
    let test = &Test { classes: in_sentences(&test.classes), ..test.clone() };
    let rows = test.truth.len();
    let positives = test.truth.iter().filter(|&&truth| truth).count();
    let [negative, positive] = &test.classes;
    let text = format!(
        "{} of test data: {} of class {positive}, {} of class {negative}. All \
         probabilities below are for class {positive}.",
        counted(rows, "row"),
        count(positives),
        count(rows - positives),
    );
    let mut figures = probability_figures(&curves, &test.classes);
    let mut paragraphs = vec![text];
    if curves.roc.is_none() {
        paragraphs.push(
            "There is no ROC curve: it compares the two classes, and the test data hold only one \
             of them."
                .into(),
        );
    }
    figures.push(matrix(test, &curves.confusion));
    Section {
        id: "test".into(),
        heading: "How good it is on the test data".into(),
        text: paragraphs,
        blocks: vec![Block::Tiles(tiles(test, curves.auc)), Block::Figures(figures)],
    }
}

fn tiles(test: &Test, auc: Option<f64>) -> Vec<Tile> {
    let (truth, p) = (&test.truth, &test.probability);
    let tile =
        |label: &str, value: String, remark: String| Tile { label: label.into(), value, remark };
    let right = (accuracy(truth, p) * truth.len() as f64).round() as usize;
    let (low, high) = wilson_interval(right, truth.len());
    let interval = format!("95\u{202f}% interval {} to {}", percent(low), percent(high));
    let mut tiles = vec![
        tile("Accuracy", percent(accuracy(truth, p)), interval),
        tile("Log loss", fixed(log_loss(truth, p), 3), "knowing nothing costs 0.693".into()),
        tile("Brier score", fixed(brier_score(truth, p), 3), "knowing nothing costs 0.250".into()),
    ];
    if let Some(area) = auc {
        tiles.push(tile("AUC", fixed(area, 3), "guessing gives 0.500".into()));
    }
    tiles
}

fn matrix(test: &Test, counts: &Confusion) -> Figure {
    let [negative, positive] = &test.classes;
    let row = |name: &str, calls: [usize; 2], right: usize| -> Vec<Cell> {
        let total = calls[0] + calls[1];
        let cell = |column: usize| {
            let share = calls[column] as f64 / total as f64;
            let remark = if total > 0 { percent(share) } else { "no rows".into() };
            let tone = if column == right { Tone::Accent } else { Tone::Contrast };
            Cell::with_remark(count(calls[column]), remark).tinted(tone)
        };
        vec![format!("truly {name}").into(), cell(0), cell(1)]
    };
    let table = Table {
        caption: "Rows by true class and by what they were called".into(),
        columns: vec![
            Column::text(""),
            Column::number(format!("called {positive}")),
            Column::number(format!("called {negative}")),
        ],
        rows: vec![
            row(positive, [counts.true_positives, counts.false_negatives], 0),
            row(negative, [counts.false_positives, counts.true_negatives], 1),
        ],
        remark: None,
    };
    let wrong = counts.false_positives + counts.false_negatives;
    Figure {
        heading: match wrong {
            0 => "Right and wrong calls: none is wrong".into(),
            wrong => format!("Right and wrong calls: {} wrong", number(wrong as f64)),
        },
        legend: vec![(Tone::Accent, "right".into()), (Tone::Contrast, "wrong".into())],
        content: Content::Table(table),
        caption: format!(
            "Each line is one true class, and the small figures are shares of that class: those \
             of the right calls are known as sensitivity (for {positive}) and specificity (for \
             {negative}). {}",
            predictive_values(counts, &test.classes)
        ),
    }
}

/// How far a call can be trusted.
fn predictive_values(counts: &Confusion, [negative, positive]: &[String; 2]) -> String {
    let sentence = |right: usize, wrong: usize, name: &str| match right + wrong {
        0 => format!("No row is called {name}."),
        all => {
            let share = percent(right as f64 / all as f64);
            format!("Of the rows called {name}, {share} truly are.")
        }
    };
    sentence(counts.true_positives, counts.false_positives, positive)
        + " "
        + &sentence(counts.true_negatives, counts.false_negatives, negative)
}
