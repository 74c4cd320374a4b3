//! Pictures of probabilities: of the one there is with two classes, of each class against the rest
//! and of the most probable class with more.

use crate::charts::{Anchor, Frame, Picture, Scale, Tone, thinned};
use crate::lettering::{isolated, shortened};
use crate::name::or_nameless;
use crate::number::{counted, fixed, percent};
use crate::page::{Block, Content, Figure, Section};
use pfcvm_eval::{CalibrationBin, ClassCurves, ProbabilityCurves};

/// More points of the ROC curve than this make the file larger but not the picture better.
const MOST_POINTS: usize = 500;
/// Plots of a share against a share, and those that stand beside many others.
const SQUARE: (f64, f64) = (380.0, 360.0);
const SMALL: (f64, f64) = (300.0, 280.0);
/// Classes that are drawn one by one: of more, those with most rows.
const MOST_CLASSES: usize = 12;

/// What is drawn of all test rows: histogram, calibration and, where both occur, ROC curve of two
/// classes; calibration of the most probable one of more.
pub fn probability_figures(curves: &ClassCurves, classes: &[String]) -> Vec<Figure> {
    match (<&[String; 2]>::try_from(classes), curves.classes.as_slice()) {
        (Ok(two), [second]) => {
            let two = &in_sentences(two);
            let figures = [histogram(second, two), calibration(second, two)];
            figures.into_iter().chain(roc(second, two)).collect()
        }
        _ => vec![of_the_top(curves)],
    }
}

/// Each of more than two classes against the rest; nothing with two, or where one class only occurs.
pub fn class_section(curves: &ClassCurves, classes: &[String]) -> Option<Section> {
    let seen: Vec<usize> = (0..classes.len().min(curves.classes.len()))
        .filter(|class| curves.classes[*class].roc.is_some())
        .collect();
    if classes.len() < 3 || seen.is_empty() {
        return None;
    }
    let mut shown = seen.clone();
    let rows = |class: &usize| curves.classes[*class].histogram[1].iter().sum::<usize>();
    shown.sort_by_key(|class| std::cmp::Reverse(rows(class)));
    shown.truncate(MOST_CLASSES);
    shown.sort_unstable();
    let mut text = vec![
        "Each class against all others. ROC: what calling rows by thresholds on the probability of \
         the class would give; farther up, more of its rows are found; farther right, more of the \
         others are called so by mistake. The area is the chance that a random row of the class gets a \
         higher probability of it than one of the others; guessing gives the dashed line."
            .to_owned(),
        "Calibration: of rows that get about 0.8 for a class, eight in ten should be of it. Points on \
         the dashed line are right, those below it promise too much, those above it too little; thin \
         lines are 95 % intervals."
            .to_owned(),
    ];
    if shown.len() < seen.len() {
        text.push(format!(
            "Drawn are the {} classes with most rows of {}; the table above has all.",
            shown.len(),
            seen.len()
        ));
    }
    let of = |draw: &dyn Fn(&ProbabilityCurves, &str, usize) -> Option<Figure>| {
        let one = |class: &usize| {
            let name = isolated(&shortened(or_nameless(&classes[*class]), 24));
            draw(&curves.classes[*class], &name, *class)
        };
        Block::Small(shown.iter().filter_map(one).collect())
    };
    Some(Section {
        id: "each-class".into(),
        heading: "Probabilities of each class".into(),
        text,
        blocks: vec![
            of(&small_roc),
            of(&|curves, name, at| Some(small_calibration(curves, name, at))),
        ],
    })
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

/// Points of rows with similar probability, with their intervals.
fn reliability(
    bins: &[CalibrationBin],
    size: (f64, f64),
    (x, y): (&str, &str),
    (id, heading): (&str, &str),
) -> Picture {
    let mut frame = Frame::new(size, (x, Scale::unit()), (y, Scale::unit()));
    frame.guide((0.0, 0.0), (1.0, 1.0));
    for bin in bins {
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
    let about = format!("{} of rows with similar probability.", counted(bins.len(), "group"));
    frame.finish(id, heading, &about)
}

fn calibration(curves: &ProbabilityCurves, classes: &[String; 2]) -> Figure {
    let [_, positive] = classes;
    let label = format!("predicted probability of {}", shortened(positive, 20));
    let seen = format!("share that truly is {}", shortened(positive, 20));
    calibrated(
        (&curves.calibration, curves.bins, curves.calibration_error),
        (&label, &seen),
        &format!("should be {positive}"),
    )
}

/// How far the largest probability of each row can be believed.
fn of_the_top(curves: &ClassCurves) -> Figure {
    let top = &curves.top;
    calibrated(
        (&top.calibration, top.bins, top.calibration_error),
        ("probability of the most probable class", "share that truly is of it"),
        "should be of the class they are called",
    )
}

fn calibrated(
    (curve, bins, error): (&[CalibrationBin], usize, f64),
    labels: (&str, &str),
    should_be: &str,
) -> Figure {
    let heading = format!("Calibration, expected error {}", fixed(error, 3));
    Figure {
        content: Content::Picture(reliability(
            curve,
            SQUARE,
            labels,
            ("test-calibration", &heading),
        )),
        heading,
        legend: Vec::new(),
        caption: format!(
            "Can the probabilities be taken at their word? Rows whose probability falls into the \
             same of {bins} equal ranges are one point; of rows with about 0.8, eight in ten \
             {should_be}. Points on the dashed line are right, those below it promise \
             too much, those above it too little. The thin lines are 95 % intervals: long where \
             rows are few. The expected error is the mean distance from the dashed line."
        ),
    }
}

fn small_calibration(curves: &ProbabilityCurves, name: &str, class: usize) -> Figure {
    let heading = format!("{name}: calibration");
    let labels = ("predicted", "share that is");
    let id = format!("test-calibration-{class}");
    let picture = reliability(&curves.calibration, SMALL, labels, (&id, &heading));
    let caption = format!("Expected error {}.", fixed(curves.calibration_error, 3));
    Figure { heading, legend: Vec::new(), content: Content::Picture(picture), caption }
}

/// The curve with the area below it; nothing where one class only occurs.
fn roc_frame(
    curves: &ProbabilityCurves,
    size: (f64, f64),
    (x, y): (&str, &str),
) -> Option<(Frame, f64)> {
    let (curve, area) = (curves.roc.as_ref()?, curves.auc?);
    let points: Vec<(f64, f64)> =
        curve.iter().map(|p| (p.false_positive_rate, p.true_positive_rate)).collect();
    let points = thinned(&points, MOST_POINTS);
    let mut frame = Frame::new(size, (x, Scale::unit()), (y, Scale::unit()));
    frame.area(&points, Tone::Accent);
    frame.guide((0.0, 0.0), (1.0, 1.0));
    frame.line(&points, Tone::Accent);
    Some((frame, area))
}

fn small_roc(curves: &ProbabilityCurves, name: &str, class: usize) -> Option<Figure> {
    let (frame, area) = roc_frame(curves, SMALL, ("false alarms", "found"))?;
    let heading = format!("{name}: ROC");
    let about = format!("True against false positive rate of {name} against all others.");
    Some(Figure {
        content: Content::Picture(frame.finish(&format!("test-roc-{class}"), &heading, &about)),
        heading,
        legend: Vec::new(),
        caption: format!("Area {}.", fixed(area, 3)),
    })
}

fn roc(curves: &ProbabilityCurves, classes: &[String; 2]) -> Option<Figure> {
    let [negative, positive] = classes;
    let alarms = format!("share of {} called {}", shortened(negative, 14), shortened(positive, 14));
    let hits = format!("share of {} found", shortened(positive, 24));
    let (mut frame, area) = roc_frame(curves, SQUARE, (&alarms, &hits))?;

    let curve = curves.roc.as_ref()?;
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
