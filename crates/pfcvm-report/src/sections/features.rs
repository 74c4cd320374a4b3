//! Which features matter.

use super::size;
use crate::charts::{Bar, Bars, Tone};
use crate::lettering::{isolated, shortened};
use crate::name::or_nameless;
use crate::number::{column, count, counted, percent};
use crate::page::{Block, Cell, Column, Content, Figure, Section, Table};
use crate::report::{Feature, Report, Test};

/// More bars than this are a pattern, not a list to read.
const MOST_BARS: usize = 40;

pub fn section(report: &Report) -> Option<Section> {
    if report.features.is_empty() {
        return None;
    }
    let mut features: Vec<&Feature> = report.features.iter().collect();
    features.sort_by(|a, b| size(b.weight).total_cmp(&size(a.weight)));
    let mut text = Vec::new();
    if !report.features_caption.is_empty() {
        text.push(report.features_caption.clone());
    }
    let mut blocks = vec![Block::Wide(figure(&features, report.test.as_ref()))];
    blocks.extend(worth(&features).map(Block::Wide));
    blocks.push(Block::Folded(
        match features.len() {
            1 => "The feature in numbers".into(),
            n => format!("All {} features in numbers", count(n)),
        },
        table(&features),
    ));
    Some(Section { id: "features".into(), heading: "Which features matter".into(), text, blocks })
}

fn figure(features: &[&Feature], test: Option<&Test>) -> Figure {
    let shown = &features[..features.len().min(MOST_BARS)];
    let rows: Vec<Bar> = shown.iter().map(|feature| bar(feature)).collect();
    let bars = Bars { rows: &rows, label: "weight", share_label: "chosen by" };
    let heading = match features.len() {
        1 => "Weight of the only feature kept".into(),
        n if n > MOST_BARS => format!("The {MOST_BARS} heaviest of {} features", count(n)),
        n => format!("Weights of the {}", counted(n, "feature")),
    };
    let heaviest: Vec<String> = shown.iter().take(3).map(|f| shortened(&f.name, 60)).collect();
    let about = format!("Bars from the heaviest feature down; first {}.", heaviest.join(", "));
    let draw = |width, id| bars.draw(width, id, &heading, &about);
    Figure {
        legend: legend(shown),
        content: Content::ByWidth {
            narrow: draw(360.0, "features-narrow"),
            wide: draw(940.0, "features-wide"),
        },
        caption: caption(features, test),
        heading,
    }
}

/// What the features are worth, where that is known; of a single one it says nothing.
fn worth(features: &[&Feature]) -> Option<Figure> {
    let mut known: Vec<(&Feature, f64)> =
        features.iter().filter_map(|f| Some((*f, f.worth.filter(|w| w.is_finite())?))).collect();
    if known.len() < 2 {
        return None;
    }
    known.sort_by(|a, b| b.1.total_cmp(&a.1));
    known.truncate(MOST_BARS);
    let rows: Vec<Bar> = known
        .iter()
        .map(|(feature, worth)| Bar { value: *worth, deviation: None, share: None, ..bar(feature) })
        .collect();
    let bars = Bars { rows: &rows, label: "rise of the mean −log p", share_label: "chosen by" };
    let heading = "What each feature is worth".to_string();
    let first = shortened(&known[0].0.name, 60);
    let about = format!("Bars from the most valuable feature down; first {first}.");
    let draw = |width, id| bars.draw(width, id, &heading, &about);
    Some(Figure {
        legend: Vec::new(),
        content: Content::ByWidth {
            narrow: draw(360.0, "worth-narrow"),
            wide: draw(940.0, "worth-wide"),
        },
        caption:
            "How much worse the training rows would be predicted (mean −log p) if the feature \
                  were taken out and nothing else changed. Features that say the same share the \
                  credit: each of them looks cheap while another is there."
                .into(),
        heading,
    })
}

fn bar(feature: &Feature) -> Bar {
    Bar {
        name: or_nameless(&feature.name).into(),
        value: feature.weight,
        deviation: feature.deviation,
        mark: feature.mark.clone(),
        share: feature.frequency,
    }
}

fn legend(features: &[&Feature]) -> Vec<(Tone, String)> {
    let mut marks: Vec<&str> = Vec::new();
    for mark in features.iter().filter_map(|feature| feature.mark.as_deref()) {
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    }
    match marks.as_slice() {
        [] => Vec::new(),
        marks => {
            let marks = marks.iter().take(4).copied().collect::<Vec<_>>().join(", ");
            vec![(Tone::Accent, "no mark".into()), (Tone::Contrast, shortened(&marks, 60))]
        }
    }
}

fn caption(features: &[&Feature], test: Option<&Test>) -> String {
    let mut text = String::from(
        "The longer the bar, the more the prediction changes with this feature; features that \
         were not kept do not enter it at all.",
    );
    if features.iter().any(|feature| feature.weight < 0.0) {
        let class = match test {
            Some(test) => format!("class {}", isolated(&shortened(&test.classes[1], 40))),
            None => "the positive class".into(),
        };
        text += &format!(
            " A bar to the right means that larger values speak for {class}, one to the left \
             that they speak against it."
        );
    }
    if features.iter().any(|feature| feature.deviation.is_some()) {
        text += " The thin line is one standard deviation to both sides: where it reaches zero, \
                 the weight is poorly known.";
    }
    if features.iter().any(|feature| feature.frequency.is_some()) {
        text += " “Chosen by” is the share of the panel’s members that picked the feature, each from \
                 another part of the data: the higher, the steadier.";
    }
    text
}

fn table(features: &[&Feature]) -> Table {
    let has = |given: fn(&Feature) -> bool| features.iter().any(|feature| given(feature));
    let weights = column(&features.iter().map(|f| f.weight).collect::<Vec<_>>());
    let deviations: Vec<f64> = features.iter().map(|f| f.deviation.unwrap_or(f64::NAN)).collect();
    let deviations = column(&deviations);
    let worths = column(&features.iter().map(|f| f.worth.unwrap_or(f64::NAN)).collect::<Vec<_>>());
    let (deviation, worth, frequency, mark) = (
        has(|feature| feature.deviation.is_some()),
        has(|feature| feature.worth.is_some()),
        has(|feature| feature.frequency.is_some()),
        has(|feature| feature.mark.is_some()),
    );
    let mut columns = vec![Column::text("Feature"), Column::number("Weight")];
    if deviation {
        columns.push(Column::number("± deviation"));
    }
    if worth {
        columns.push(Column::number("Worth"));
    }
    if frequency {
        columns.push(Column::number("Chosen by"));
    }
    if mark {
        columns.push(Column::text("Mark"));
    }
    let row = |(at, feature): (usize, &&Feature)| {
        let mut cells: Vec<Cell> =
            vec![or_nameless(&feature.name).into(), weights[at].clone().into()];
        if deviation {
            cells.push(deviations[at].clone().into());
        }
        if worth {
            cells.push(worths[at].clone().into());
        }
        if frequency {
            cells.push(percent(feature.frequency.unwrap_or(f64::NAN)).into());
        }
        if mark {
            cells.push(feature.mark.clone().unwrap_or_default().into());
        }
        cells
    };
    Table {
        caption: "Kept features and their weights, the heaviest first".into(),
        columns,
        rows: features.iter().enumerate().map(row).collect(),
        remark: None,
    }
}
