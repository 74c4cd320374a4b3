//! Which samples the model remembers.

use super::SMALL;
use crate::charts::{Frame, Picture, Scale, Tone, drawable};
use crate::lettering::{isolated, shortened};
use crate::name::or_nameless;
use crate::number::{column, count, counted, number};
use crate::page::{Block, Column, Content, Figure, Section, Table};
use pfcvm_io::{Found, SelectedSample};

/// Rows of the table; the rest is counted.
const MOST_ROWS: usize = 200;
/// Columns of the picture.
const MOST_COLUMNS: usize = 120;
/// With more columns than this, error bars would hide them.
const MOST_ERROR_BARS: usize = 45;

/// Pictures, and the numbers behind them.
pub fn section(only: &Found, classes: &[String]) -> Option<Section> {
    let samples = &only.selected_samples;
    let first = samples.first()?;
    // The positive class has the accent colour here as in the test section.
    let positive = classes.last().unwrap_or(&first.label);
    let text = format!(
        "The model compares a new row with {} and lets each vote for its class, the more the \
         heavier it is. All other training rows were only needed to find this out.",
        counted(samples.len(), "row") + " of the training data",
    );
    let fold = match samples.len() {
        n if n > MOST_ROWS => format!("The {MOST_ROWS} heaviest of {} samples", count(n)),
        1 => "The sample in numbers".into(),
        n => format!("All {} samples in numbers", count(n)),
    };
    let blocks = vec![
        Block::Wide(figure(samples, positive)),
        Block::Folded(fold, table(samples, MOST_ROWS)),
    ];
    Some(Section {
        id: "samples".into(),
        heading: "Which samples it remembers".into(),
        text: vec![text],
        blocks,
    })
}

/// The same for a terminal, so many samples at most.
pub fn in_text(only: &Found, most: usize) -> Option<Section> {
    let mut table = table(&only.selected_samples, most);
    table.caption = String::new();
    (!table.rows.is_empty()).then(|| Section {
        id: "samples".into(),
        heading: "Which samples it remembers".into(),
        text: vec!["Rows of the training data count from 0.".into()],
        blocks: vec![Block::Table(table)],
    })
}

fn figure(samples: &[SelectedSample], positive: &str) -> Figure {
    let shown = &samples[..samples.len().min(MOST_COLUMNS)];
    let heading = match samples.len() {
        n if n > MOST_COLUMNS => format!("Weights of the {MOST_COLUMNS} heaviest samples"),
        _ => "Weights of the samples, the heaviest first".into(),
    };
    let is_positive = |sample: &&SelectedSample| sample.label == positive;
    let positives = samples.iter().filter(is_positive).count();
    let negative = samples.iter().find(|sample| sample.label != positive);
    let said = |class: &str| isolated(&shortened(or_nameless(class), 40));
    let mut legend = vec![(Tone::Accent, format!("{}: {}", said(positive), count(positives)))];
    if let Some(other) = negative {
        let others = samples.len() - positives;
        legend.push((Tone::Contrast, format!("{}: {}", said(&other.label), count(others))));
    }
    let draw = |size, id| picture(shown, positive, size, id, &heading);
    let errors = shown.len() <= MOST_ERROR_BARS;
    Figure {
        legend,
        content: Content::ByWidth {
            narrow: draw((SMALL.0, 190.0), "samples-narrow"),
            wide: draw((940.0, 200.0), "samples-wide"),
        },
        caption: String::from(
            "One column for each sample. A few tall columns mean that a handful of typical rows \
             decides; many of the same height mean that all of them are needed.",
        ) + if errors {
            " The thin lines are one standard deviation to both sides."
        } else {
            ""
        },
        heading,
    }
}

fn picture(
    samples: &[SelectedSample],
    positive: &str,
    size: (f64, f64),
    id: &str,
    heading: &str,
) -> Picture {
    let errors = samples.len() <= MOST_ERROR_BARS;
    let ends = samples.iter().flat_map(|sample| {
        let deviation = if errors && drawable(sample.deviation) { sample.deviation } else { 0.0 };
        [sample.weight, sample.weight + deviation]
    });
    let y = Scale::linear(ends.chain([0.0]), 3);
    let x = Scale::whole(1.0, samples.len().max(2) as f64, 8);
    // Room for half a column at both ends.
    let x = x.widened(0.5 + 0.02 * samples.len() as f64);
    let mut frame = Frame::new(size, ("rank by weight", x), ("weight", y));
    for (at, sample) in samples.iter().enumerate().filter(|(_, s)| drawable(s.weight)) {
        let place = at as f64 + 1.0;
        let tone = if sample.label == positive { Tone::Accent } else { Tone::Contrast };
        let (weight, deviation) = (number(sample.weight), number(sample.deviation));
        let tip = format!("row {}, {}: {weight} ± {deviation}", sample.index, sample.label);
        frame.column((place - 0.4, place + 0.4), (0.0, sample.weight), tone, &tip);
        if errors && drawable(sample.deviation) {
            let (weight, deviation) = (sample.weight, sample.deviation);
            frame.error_bar(place, weight - deviation, weight + deviation);
        }
    }
    let about = format!("{} in descending order of weight.", counted(samples.len(), "sample"));
    frame.finish(id, heading, &about)
}

fn table(samples: &[SelectedSample], most: usize) -> Table {
    let shown = &samples[..samples.len().min(most)];
    let weights = column(&shown.iter().map(|s| s.weight).collect::<Vec<_>>());
    let deviations = column(&shown.iter().map(|s| s.deviation).collect::<Vec<_>>());
    let row = |(at, sample): (usize, &SelectedSample)| {
        vec![
            sample.index.to_string().into(),
            sample.label.clone().into(),
            weights[at].clone().into(),
            deviations[at].clone().into(),
        ]
    };
    let rest = samples.len() - shown.len();
    Table {
        caption: "Samples the model remembers, the heaviest first".into(),
        columns: vec![
            Column::text("Training row"),
            Column::text("Class"),
            Column::number("Weight"),
            Column::number("± deviation"),
        ],
        rows: shown.iter().enumerate().map(row).collect(),
        remark: (rest > 0).then(|| format!("… and {} of smaller weight.", counted(rest, "sample"))),
    }
}
