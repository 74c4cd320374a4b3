//! How good it is on new rows.

use super::Test;
use crate::calls::calls_blocks;
use crate::charts::Tone;
use crate::number::{count, counted, fixed, number, percent};
use crate::page::{Block, Cell, Column, Content, Figure, Section, Table, Tile};
use crate::probability::{class_section, in_sentences, probability_figures};
use pfcvm_eval::{Confusion, ProbabilityCurves};

/// Figures of two classes; calls of more, and how far the most probable class can be believed. An
/// `empty` model says the same of all rows.
pub fn section(test: &Test, classes: &[String], empty: bool) -> Section {
    let figures = match empty {
        true => Vec::new(),
        false => probability_figures(&test.curves, classes),
    };
    match (test.curves.classes.as_slice(), <&[String; 2]>::try_from(classes)) {
        ([second], Ok(two)) => probabilities(test, second, two, (figures, empty)),
        _ => {
            let mut section = calls(test);
            section.blocks.extend((!empty).then_some(Block::Figures(figures)));
            section
        }
    }
}

/// Each of more than two classes against the rest.
pub fn each_class(test: &Test, classes: &[String], empty: bool) -> Option<Section> {
    class_section(&test.curves, classes).filter(|_| !empty)
}

/// What rows were called.
pub fn calls(test: &Test) -> Section {
    Section {
        id: "test".into(),
        heading: "Right and wrong calls".into(),
        text: vec!["A row is called what is most probable.".into()],
        blocks: calls_blocks(&test.scores.classes, &test.scores.confusion),
    }
}

fn probabilities(
    test: &Test,
    curves: &ProbabilityCurves,
    classes: &[String; 2],
    (mut figures, empty): (Vec<Figure>, bool),
) -> Section {
    let scores = &test.scores;
    let classes = in_sentences(classes);
    let [negative, positive] = &classes;
    let rows = |class: usize| scores.classes.get(class).map_or(0, |class| class.rows);
    let mut paragraphs = vec![format!(
        "{} of test data: {} of class {positive}, {} of class {negative}. All probabilities below \
         are for class {positive}.",
        counted(scores.rows, "row"),
        count(rows(1)),
        count(rows(0)),
    )];
    if empty {
        paragraphs.push("All rows get the same ones, so there are no curves to draw.".into());
    } else if curves.roc.is_none() {
        paragraphs.push(
            "There is no ROC curve: it compares the two classes, and the test data hold only one \
             of them."
                .into(),
        );
    }
    figures.push(matrix(&curves.confusion, &classes));
    Section {
        id: "test".into(),
        heading: "How good it is on the test data".into(),
        text: paragraphs,
        blocks: vec![Block::Tiles(tiles(test)), Block::Figures(figures)],
    }
}

fn tiles(test: &Test) -> Vec<Tile> {
    let scores = &test.scores;
    let tile =
        |label: &str, value: String, remark: String| Tile { label: label.into(), value, remark };
    let (low, high) = test.accuracy_interval;
    let interval = format!("95\u{202f}% interval {} to {}", percent(low), percent(high));
    let mut tiles = vec![tile("Accuracy", percent(scores.accuracy), interval)];
    let nothing = |cost: &str| format!("knowing nothing costs {cost}");
    tiles.extend(scores.log_loss.map(|loss| tile("Log loss", fixed(loss, 3), nothing("0.693"))));
    tiles.extend(scores.brier.map(|score| tile("Brier score", fixed(score, 3), nothing("0.250"))));
    let guessing = "guessing gives 0.500";
    tiles.extend(scores.auc.map(|area| tile("AUC", fixed(area, 3), guessing.into())));
    tiles
}

fn matrix(counts: &Confusion, classes: &[String; 2]) -> Figure {
    let [negative, positive] = classes;
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
            predictive_values(counts, classes)
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
