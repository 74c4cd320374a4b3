//! Which samples the model remembers.

use super::{SMALL, size};
use crate::charts::{Frame, Picture, Scale, Tone, drawable};
use crate::lettering::{isolated, shortened};
use crate::name::or_nameless;
use crate::number::{column, count, counted, number};
use crate::page::{Block, Column, Content, Figure, Section, Table};
use crate::report::{Report, Sample};

/// Rows of the table; the rest is counted.
const MOST_ROWS: usize = 200;
/// Columns of the picture.
const MOST_COLUMNS: usize = 120;
/// With more columns than this, error bars would hide them.
const MOST_ERROR_BARS: usize = 45;

pub fn section(report: &Report) -> Option<Section> {
    let mut samples: Vec<&Sample> = report.samples.iter().collect();
    samples.sort_by(|a, b| size(b.weight).total_cmp(&size(a.weight)));
    let first = samples.first()?;
    // The positive class has the accent colour here as in the test section.
    let positive = report.test.as_ref().map_or(&first.class, |test| &test.classes[1]);
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
    let blocks =
        vec![Block::Wide(figure(&samples, positive)), Block::Folded(fold, table(&samples))];
    Some(Section {
        id: "samples".into(),
        heading: "Which samples it remembers".into(),
        text: vec![text],
        blocks,
    })
}

fn figure(samples: &[&Sample], positive: &str) -> Figure {
    let shown = &samples[..samples.len().min(MOST_COLUMNS)];
    let heading = match samples.len() {
        n if n > MOST_COLUMNS => format!("Weights of the {MOST_COLUMNS} heaviest samples"),
        _ => "Weights of the samples, the heaviest first".into(),
    };
    let is_positive = |sample: &&&Sample| sample.class == positive;
    let positives = samples.iter().filter(is_positive).count();
    let negative = samples.iter().find(|sample| sample.class != positive);
    let said = |class: &str| isolated(&shortened(or_nameless(class), 40));
    let mut legend = vec![(Tone::Accent, format!("{}: {}", said(positive), count(positives)))];
    if let Some(other) = negative {
        let others = samples.len() - positives;
        legend.push((Tone::Contrast, format!("{}: {}", said(&other.class), count(others))));
    }
    let draw = |size, id| picture(shown, positive, size, id, &heading);
    let errors = shown.len() <= MOST_ERROR_BARS && shown.iter().any(|s| s.deviation.is_some());
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
    samples: &[&Sample],
    positive: &str,
    size: (f64, f64),
    id: &str,
    heading: &str,
) -> Picture {
    let errors = samples.len() <= MOST_ERROR_BARS;
    let ends = samples.iter().flat_map(|sample| {
        let deviation = sample.deviation.filter(|d| errors && drawable(*d)).unwrap_or(0.0);
        [sample.weight, sample.weight + deviation]
    });
    let y = Scale::linear(ends.chain([0.0]), 3);
    let x = Scale::whole(1.0, samples.len().max(2) as f64, 8);
    // Room for half a column at both ends.
    let x = x.widened(0.5 + 0.02 * samples.len() as f64);
    let mut frame = Frame::new(size, ("rank by weight", x), ("weight", y));
    for (at, sample) in samples.iter().enumerate().filter(|(_, s)| drawable(s.weight)) {
        let place = at as f64 + 1.0;
        let tone = if sample.class == positive { Tone::Accent } else { Tone::Contrast };
        let mut tip = format!("row {}, {}: {}", sample.index, sample.class, number(sample.weight));
        if let Some(deviation) = sample.deviation {
            tip += &format!(" ± {}", number(deviation));
        }
        frame.column((place - 0.4, place + 0.4), (0.0, sample.weight), tone, &tip);
        if let Some(deviation) = sample.deviation.filter(|d| errors && drawable(*d)) {
            frame.error_bar(place, sample.weight - deviation, sample.weight + deviation);
        }
    }
    let about = format!("{} in descending order of weight.", counted(samples.len(), "sample"));
    frame.finish(id, heading, &about)
}

fn table(samples: &[&Sample]) -> Table {
    let shown = &samples[..samples.len().min(MOST_ROWS)];
    let weights = column(&shown.iter().map(|s| s.weight).collect::<Vec<_>>());
    let deviations: Vec<f64> = shown.iter().map(|s| s.deviation.unwrap_or(f64::NAN)).collect();
    let deviations = column(&deviations);
    let has_deviations = shown.iter().any(|sample| sample.deviation.is_some());
    let mut columns =
        vec![Column::text("Training row"), Column::text("Class"), Column::number("Weight")];
    if has_deviations {
        columns.push(Column::number("± deviation"));
    }
    let row = |(at, sample): (usize, &&Sample)| {
        let mut cells = vec![
            sample.index.to_string().into(),
            sample.class.clone().into(),
            weights[at].clone().into(),
        ];
        if has_deviations {
            cells.push(deviations[at].clone().into());
        }
        cells
    };
    let rest = samples.len() - shown.len();
    Table {
        caption: "Samples the model remembers, the heaviest first".into(),
        columns,
        rows: shown.iter().enumerate().map(row).collect(),
        remark: (rest > 0).then(|| format!("… and {} of smaller weight.", counted(rest, "sample"))),
    }
}
