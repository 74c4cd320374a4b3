//! Pictures of the probabilities of two classes.

use crate::charts::{Anchor, Frame, Scale, Tone, thinned};
use crate::lettering::{isolated, shortened};
use crate::name::or_nameless;
use crate::number::{counted, fixed, percent};
use crate::page::{Content, Figure};
use pfcvm_eval::ProbabilityCurves;

/// More points of the ROC curve than this make the file larger but not the picture better.
const MOST_POINTS: usize = 500;
/// Plots of a share against a share.
const SQUARE: (f64, f64) = (380.0, 360.0);

/// Histogram, calibration and, where both classes occur, ROC curve, as parts of any page; `classes`
/// are the negative and the positive one.
pub fn probability_figures(curves: &ProbabilityCurves, classes: &[String; 2]) -> Vec<Figure> {
    let classes = &in_sentences(classes);
    let figures = [histogram(curves, classes), calibration(curves, classes)];
    figures.into_iter().chain(roc(curves, classes)).collect()
}

/// Labels come from files and may be long; sentences need no more of them than this.
pub(crate) fn in_sentences(classes: &[String; 2]) -> [String; 2] {
    classes.each_ref().map(|label| isolated(&shortened(or_nameless(label), 40)))
}

fn histogram(curves: &ProbabilityCurves, classes: &[String; 2]) -> Figure {
    let [negative, positive] = classes;
    let counts = &curves.histogram;
    let columns = counts[0].len() as f64;
    let most = |class: usize| counts[class].iter().copied().max().unwrap_or(0) as f64;
    let y = Scale::linear_counts([-most(0), 0.0, most(1)], 5).without_signs();
    let label = format!("predicted probability of {}", shortened(positive, 20));
    let mut frame = Frame::new(SQUARE, (&label, Scale::unit()), ("rows", y.clone()));
    for (class, sign) in [(1, 1.0), (0, -1.0)] {
        let tone = if class == 1 { Tone::Accent } else { Tone::Contrast };
        for (at, &rows) in counts[class].iter().enumerate().filter(|(_, rows)| **rows > 0) {
            let (from, to) = (at as f64 / columns, (at + 1) as f64 / columns);
            let name = &classes[class];
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

fn calibration(curves: &ProbabilityCurves, classes: &[String; 2]) -> Figure {
    let [_, positive] = classes;
    let (curve, bins, error) = (&curves.calibration, curves.bins, curves.calibration_error);
    let label = format!("predicted probability of {}", shortened(positive, 20));
    let seen = format!("share that truly is {}", shortened(positive, 20));
    let mut frame = Frame::new(SQUARE, (&label, Scale::unit()), (&seen, Scale::unit()));
    frame.guide((0.0, 0.0), (1.0, 1.0));
    for bin in curve {
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

fn roc(curves: &ProbabilityCurves, classes: &[String; 2]) -> Option<Figure> {
    let [negative, positive] = classes;
    let (curve, area) = (curves.roc.as_ref()?, curves.auc?);
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
