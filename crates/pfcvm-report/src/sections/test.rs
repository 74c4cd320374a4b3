//! How good the probabilities are on new rows.

use crate::charts::{Anchor, Frame, Scale, Tone, thinned};
use crate::lettering::{isolated, shortened};
use crate::name::or_nameless;
use crate::number::{count, counted, fixed, number, percent};
use crate::page::{Block, Cell, Column, Content, Figure, Section, Table, Tile};
use crate::report::Test;
use pfcvm_eval::{
    Confusion, accuracy, auc, brier_score, calibration_bins, calibration_curve, calibration_error,
    confusion, log_loss, roc_curve, wilson_interval,
};

/// Columns of the histogram.
const COLUMNS: usize = 20;
/// More points of the ROC curve than this make the file larger but not the picture better.
const MOST_POINTS: usize = 500;
/// Plots of a share against a share.
const SQUARE: (f64, f64) = (380.0, 360.0);

pub fn section(test: &Test) -> Section {
    // Labels come from files and may be long; sentences need no more of them than this.
    let classes = test.classes.each_ref().map(|l| isolated(&shortened(or_nameless(l), 40)));
    let test = &Test { classes, ..test.clone() };
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
    let mut figures = vec![histogram(test), calibration(test)];
    let mut paragraphs = vec![text];
    match roc(test) {
        Some(figure) => figures.push(figure),
        None => paragraphs.push(
            "There is no ROC curve: it compares the two classes, and the test data hold only one \
             of them."
                .into(),
        ),
    }
    figures.push(matrix(test));
    Section {
        id: "test".into(),
        heading: "How good it is on the test data".into(),
        text: paragraphs,
        blocks: vec![Block::Tiles(tiles(test)), Block::Figures(figures)],
    }
}

/// What the probabilities look like, whatever is decided by them.
pub fn figures(test: &Test) -> Vec<Figure> {
    let classes = test.classes.each_ref().map(|l| isolated(&shortened(or_nameless(l), 40)));
    let test = &Test { classes, ..test.clone() };
    [histogram(test), calibration(test)].into_iter().chain(roc(test)).collect()
}

fn tiles(test: &Test) -> Vec<Tile> {
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
    if let Some(area) = auc(truth, p) {
        tiles.push(tile("AUC", fixed(area, 3), "guessing gives 0.500".into()));
    }
    tiles
}

fn histogram(test: &Test) -> Figure {
    let [negative, positive] = &test.classes;
    let mut counts = [[0usize; COLUMNS]; 2];
    for (&truth, &p) in test.truth.iter().zip(&test.probability) {
        counts[usize::from(truth)][((p * COLUMNS as f64) as usize).min(COLUMNS - 1)] += 1;
    }
    let most = |class: usize| counts[class].iter().copied().max().unwrap_or(0) as f64;
    let y = Scale::linear_counts([-most(0), 0.0, most(1)], 5).without_signs();
    let label = format!("predicted probability of {}", shortened(positive, 20));
    let mut frame = Frame::new(SQUARE, (&label, Scale::unit()), ("rows", y.clone()));
    for (class, sign) in [(1, 1.0), (0, -1.0)] {
        let tone = if class == 1 { Tone::Accent } else { Tone::Contrast };
        for (at, &rows) in counts[class].iter().enumerate().filter(|(_, rows)| **rows > 0) {
            let (from, to) = (at as f64 / COLUMNS as f64, (at + 1) as f64 / COLUMNS as f64);
            let name = &test.classes[class];
            let tip = format!(
                "probability {} to {}: {} of class {name}",
                fixed(from, 2),
                fixed(to, 2),
                counted(rows, "row")
            );
            frame.column((from, to), (0.0, sign * rows as f64), tone, &tip);
        }
    }
    frame.level(0.0);
    let (bottom, top) = y.ends();
    frame.guide((0.5, bottom), (0.5, top));
    let heading = "Predicted probabilities";
    let about = "Histogram of the predicted probabilities: the positive class upwards, the \
                 negative class downwards.";
    Figure {
        heading: heading.into(),
        legend: vec![
            (Tone::Accent, format!("truly {positive} (up)")),
            (Tone::Contrast, format!("truly {negative} (down)")),
        ],
        content: Content::Picture(frame.finish("test-histogram", heading, about)),
        caption: format!(
            "Good predictions pile up at the right above the line and at the left below it. Rows \
             near the dashed line at ½ are those the model is unsure of; rows right of it are \
             called {positive}."
        ),
    }
}

fn calibration(test: &Test) -> Figure {
    let [_, positive] = &test.classes;
    let bins = calibration_bins(test.truth.len());
    let curve = calibration_curve(&test.truth, &test.probability, bins);
    let error = calibration_error(&test.truth, &test.probability, bins);
    let label = format!("predicted probability of {}", shortened(positive, 20));
    let seen = format!("share that truly is {}", shortened(positive, 20));
    let mut frame = Frame::new(SQUARE, (&label, Scale::unit()), (&seen, Scale::unit()));
    frame.guide((0.0, 0.0), (1.0, 1.0));
    for bin in &curve {
        let (low, high) = bin.interval;
        frame.error_bar(bin.predicted, low, high);
        let tip = format!(
            "{}: predicted {}, seen {} (95 % interval {} to {})",
            counted(bin.count, "row"),
            percent(bin.predicted),
            percent(bin.observed),
            percent(low),
            percent(high)
        );
        frame.point((bin.predicted, bin.observed), 4.5, Tone::Accent, &tip);
    }
    let heading = format!("Calibration, expected error {}", fixed(error, 3));
    let about = format!("{} of rows with similar probability.", counted(curve.len(), "group"));
    Figure {
        content: Content::Picture(frame.finish("test-calibration", &heading, &about)),
        heading,
        legend: Vec::new(),
        caption: format!(
            "Can the probabilities be taken at their word? Rows whose probability falls into the \
             same of {bins} equal ranges are one point; of rows with about 0.8, eight in ten \
             should be {positive}. Points on the dashed line are right, those below it promise \
             too much, those above it too little. The thin lines are 95 % intervals: long where \
             rows are few. The expected error is the mean distance from the dashed line."
        ),
    }
}

fn roc(test: &Test) -> Option<Figure> {
    let [negative, positive] = &test.classes;
    let curve = roc_curve(&test.truth, &test.probability)?;
    let area = auc(&test.truth, &test.probability)?;
    let points: Vec<(f64, f64)> =
        curve.iter().map(|p| (p.false_positive_rate, p.true_positive_rate)).collect();
    let points = thinned(&points, MOST_POINTS);
    let alarms = format!("share of {} called {}", shortened(negative, 14), shortened(positive, 14));
    let hits = format!("share of {} found", shortened(positive, 24));
    let mut frame = Frame::new(SQUARE, (&alarms, Scale::unit()), (&hits, Scale::unit()));
    frame.area(&points, Tone::Accent);
    frame.guide((0.0, 0.0), (1.0, 1.0));
    frame.line(&points, Tone::Accent);

    let now = curve.iter().rfind(|p| p.threshold >= 0.5).unwrap_or(&curve[0]);
    let (x, y) = (now.false_positive_rate, now.true_positive_rate);
    let tip = format!("threshold ½: {} found, {} false alarms", percent(y), percent(x));
    frame.point((x, y), 5.5, Tone::Contrast, &tip);
    frame.remark((x, y), (11.0, 16.0), Anchor::Start, "threshold ½");
    let heading = format!("ROC curve, area {}", fixed(area, 3));
    let about = format!(
        "True against false positive rate. At threshold one half {} of the positive rows are \
         found, with {} false alarms.",
        percent(y),
        percent(x)
    );
    Some(Figure {
        content: Content::Picture(frame.finish("test-roc", &heading, &about)),
        heading,
        legend: Vec::new(),
        caption: format!(
            "What other thresholds would give: farther up, more of class {positive} are found; \
             farther right, more of class {negative} are called so by mistake. The area is the \
             chance that a random row of class {positive} gets a higher probability than one of \
             class {negative}. Guessing gives the dashed line."
        ),
    })
}

fn matrix(test: &Test) -> Figure {
    let [negative, positive] = &test.classes;
    let counts = confusion(&test.truth, &test.probability);
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
            predictive_values(&counts, &test.classes)
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
