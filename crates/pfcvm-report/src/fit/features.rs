//! Which features matter: their weights in one machine, their shares over several.

use super::words;
use crate::charts::{Bar, Bars, Tone, drawable};
use crate::lettering::shortened;
use crate::name::or_nameless;
use crate::number::{column, count, counted, percent};
use crate::page::{Block, Cell, Column, Content, Figure, Section, Table};
use pfcvm_io::{Found, SelectedFeature, Summary};
use std::collections::BTreeMap;

/// More bars than this are a pattern, not a list to read.
const MOST_BARS: usize = 40;
/// The widest bar in text, in letters.
const TEXT_BAR: f64 = 30.0;

/// Words that set some features apart, by their column.
type Marks = BTreeMap<usize, String>;

/// Pictures, and the numbers behind them.
pub fn section(summary: &Summary, marks: &Marks) -> Option<Section> {
    if summary.features.is_empty() {
        return None;
    }
    let (text, blocks) = match summary.only() {
        Some(only) => {
            let mut blocks = vec![Block::Wide(weights(only, &summary.classes, marks))];
            blocks.extend(worth(&only.selected_features, marks).map(Block::Wide));
            let fold = match only.selected_features.len() {
                1 => "The feature in numbers".into(),
                n => format!("All {} features in numbers", count(n)),
            };
            blocks.push(Block::Folded(fold, table(&only.selected_features, marks)));
            (vec![meaning(only).into()], blocks)
        }
        None => {
            let numbers = Block::Folded("All of them in numbers".into(), shares_table(summary));
            (Vec::new(), vec![Block::Wide(shares(summary)), numbers])
        }
    };
    let (id, heading) = ("features".into(), "Which features matter".into());
    Some(Section { id, heading, text, blocks })
}

/// The same for a terminal: a table with bars, of so many features at most.
pub fn in_text(summary: &Summary, marks: &Marks, most: usize) -> Option<Section> {
    if summary.features.is_empty() {
        return None;
    }
    let (text, mut table, sizes): (&str, Table, Vec<f64>) = match summary.only() {
        Some(only) => {
            let text = match (&only.panel, only.selected_features[0].worth) {
                (None, Some(_)) => {
                    "Weights with their posterior standard deviation. Worth: how much the log loss \
                     of the training rows would rise without the feature; features that stand out \
                     on their own share one weight, so compare them by worth."
                }
                (None, None) => "Weights with their posterior standard deviation.",
                (Some(_), _) => {
                    "The most important first. Chosen by: the share of members that would list the \
                     feature from their half of the samples alone."
                }
            };
            let sizes = only.selected_features.iter().map(|f| f.weight.abs()).collect();
            (text, table(&only.selected_features, marks), sizes)
        }
        None => {
            let text = "Share: of a machine's weights, on the mean over all machines.";
            (text, shares_table(summary), summary.features.iter().map(|f| f.share).collect())
        }
    };
    let all = table.rows.len();
    table.rows.truncate(most);
    let widest = sizes.iter().take(most).copied().filter(|s| drawable(*s)).fold(0.0, f64::max);
    table.columns.insert(1, Column::text(""));
    for (row, size) in table.rows.iter_mut().zip(sizes) {
        row.insert(1, blocks(TEXT_BAR * size / widest).into());
    }
    let more = all - table.rows.len();
    table.remark =
        (more > 0).then(|| format!("and {}; --json lists all", counted(more, "more feature")));
    table.caption = String::new();
    Some(Section {
        id: "features".into(),
        heading: "Which features matter".into(),
        text: vec![text.into()],
        blocks: vec![Block::Table(table)],
    })
}

/// What the weights mean and how they were found.
fn meaning(only: &Found) -> &'static str {
    match only.panel {
        None => {
            "Each bar is the weight of a kept feature inside the kernel, for features scaled to \
             the same spread; the line through its end reaches one posterior standard deviation \
             to either side. Features that are not listed have weight zero. Features that stand \
             out on their own are drawn to a common weight, so bars of the same length are no \
             accident; what each of them is worth is shown below."
        }
        Some(_) => {
            "Each bar is the weight of a listed feature, for ranks of its values: to the right, \
             high values speak for the second class, to the left for the first. The line through \
             its end reaches one standard deviation to either side."
        }
    }
}

/// A weight for ordering: what cannot be drawn comes last.
fn size(weight: f64) -> f64 {
    if drawable(weight) { weight.abs() } else { -1.0 }
}

fn weights(only: &Found, classes: &[String], marks: &Marks) -> Figure {
    let mut features: Vec<&SelectedFeature> = only.selected_features.iter().collect();
    features.sort_by(|a, b| size(b.weight).total_cmp(&size(a.weight)));
    let shown = &features[..features.len().min(MOST_BARS)];
    let rows: Vec<Bar> = shown.iter().map(|feature| bar(feature, marks)).collect();
    let bars = Bars { rows: &rows, label: "weight", share_label: "chosen by" };
    let heading = match features.len() {
        1 => "Weight of the only feature kept".into(),
        n if n > MOST_BARS => format!("The {MOST_BARS} heaviest of {} features", count(n)),
        n => format!("Weights of the {}", counted(n, "feature")),
    };
    let heaviest: Vec<String> = shown.iter().take(3).map(|f| shortened(&f.name, 60)).collect();
    let about = format!("Bars from the heaviest feature down; first {}.", heaviest.join(", "));
    figure(&bars, "features", heading, &about, legend(&rows), caption(&features, classes))
}

/// Bars for narrow and for wide screens.
fn figure(
    bars: &Bars,
    id: &str,
    heading: String,
    about: &str,
    legend: Vec<(Tone, String)>,
    caption: String,
) -> Figure {
    let draw = |width, form| bars.draw(width, &format!("{id}-{form}"), &heading, about);
    let content = Content::ByWidth { narrow: draw(360.0, "narrow"), wide: draw(940.0, "wide") };
    Figure { heading, legend, content, caption }
}

/// What the features are worth, where that is known; of a single one it says nothing.
fn worth(features: &[SelectedFeature], marks: &Marks) -> Option<Figure> {
    let mut known: Vec<(&SelectedFeature, f64)> =
        features.iter().filter_map(|f| Some((f, f.worth.filter(|w| w.is_finite())?))).collect();
    if known.len() < 2 {
        return None;
    }
    known.sort_by(|a, b| b.1.total_cmp(&a.1));
    known.truncate(MOST_BARS);
    let of = |(feature, worth): &(&SelectedFeature, f64)| Bar {
        value: *worth,
        deviation: None,
        share: None,
        ..bar(feature, marks)
    };
    let rows: Vec<Bar> = known.iter().map(of).collect();
    let bars = Bars { rows: &rows, label: "rise of the mean −log p", share_label: "chosen by" };
    let first = shortened(&known[0].0.name, 60);
    let about = format!("Bars from the most valuable feature down; first {first}.");
    let caption = "How much worse the training rows would be predicted (mean −log p) if the \
                   feature were taken out and nothing else changed. Features that say the same \
                   share the credit: each of them looks cheap while another is there.";
    let heading = "What each feature is worth".into();
    Some(figure(&bars, "worth", heading, &about, Vec::new(), caption.into()))
}

fn bar(feature: &SelectedFeature, marks: &Marks) -> Bar {
    Bar {
        name: or_nameless(&feature.name).into(),
        value: feature.weight,
        deviation: Some(feature.deviation),
        mark: marks.get(&feature.index).cloned(),
        share: feature.standing.map(|standing| standing.frequency),
    }
}

fn legend(rows: &[Bar]) -> Vec<(Tone, String)> {
    let mut marks: Vec<&str> = Vec::new();
    for mark in rows.iter().filter_map(|row| row.mark.as_deref()) {
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    }
    if marks.is_empty() {
        return Vec::new();
    }
    let marks = marks.iter().take(4).copied().collect::<Vec<_>>().join(", ");
    vec![(Tone::Accent, "no mark".into()), (Tone::Contrast, shortened(&marks, 60))]
}

fn caption(features: &[&SelectedFeature], classes: &[String]) -> String {
    let mut text = String::from(
        "The longer the bar, the more the prediction changes with this feature; features that \
         were not kept do not enter it at all.",
    );
    if features.iter().any(|feature| feature.weight < 0.0) {
        let class = classes.last().map_or_else(String::new, |class| words::said(class));
        text += &format!(
            " A bar to the right means that larger values speak for {class}, one to the left \
             that they speak against it."
        );
    }
    text += " The thin line is one standard deviation to both sides: where it reaches zero, the \
             weight is poorly known.";
    if features.iter().any(|feature| feature.standing.is_some()) {
        text += " “Chosen by” is the share of the panel’s members that picked the feature, each from \
                 another part of the data: the higher, the steadier.";
    }
    text
}

/// Features of one machine in numbers, in their order.
pub fn table(features: &[SelectedFeature], marks: &Marks) -> Table {
    let numbers =
        |of: fn(&SelectedFeature) -> f64| column(&features.iter().map(of).collect::<Vec<_>>());
    let weights = numbers(|f| f.weight);
    let deviations = numbers(|f| f.deviation);
    let worths = numbers(|f| f.worth.unwrap_or(f64::NAN));
    let has_worth = features.iter().any(|feature| feature.worth.is_some());
    let has_standing = features.iter().any(|feature| feature.standing.is_some());
    let has_mark = features.iter().any(|feature| marks.contains_key(&feature.index));
    let mut columns =
        vec![Column::text("Feature"), Column::number("Weight"), Column::number("± deviation")];
    columns.extend(has_worth.then(|| Column::number("Worth")));
    columns.extend(has_standing.then(|| Column::number("Chosen by")));
    columns.extend(has_mark.then(|| Column::text("Mark")));
    let row = |(at, feature): (usize, &SelectedFeature)| {
        let mut cells: Vec<Cell> = vec![
            or_nameless(&feature.name).into(),
            weights[at].clone().into(),
            deviations[at].clone().into(),
        ];
        cells.extend(has_worth.then(|| worths[at].clone().into()));
        let frequency = feature.standing.map_or(f64::NAN, |standing| standing.frequency);
        cells.extend(has_standing.then(|| percent(frequency).into()));
        let mark = marks.get(&feature.index).cloned().unwrap_or_default();
        cells.extend(has_mark.then(|| mark.into()));
        cells
    };
    Table {
        caption: "Kept features and their weights".into(),
        columns,
        rows: features.iter().enumerate().map(row).collect(),
        remark: None,
    }
}

/// Shares over several machines.
fn shares(summary: &Summary) -> Figure {
    let all = summary.machines.len().max(1) as f64;
    let shown = &summary.features[..summary.features.len().min(MOST_BARS)];
    let rows: Vec<Bar> = shown
        .iter()
        .map(|feature| Bar {
            name: or_nameless(feature.name.as_deref().unwrap_or_default()).into(),
            value: 100.0 * feature.share,
            deviation: None,
            mark: None,
            share: Some(feature.machines as f64 / all),
        })
        .collect();
    let bars = Bars { rows: &rows, label: "% of the weights", share_label: "kept by" };
    let heading = match summary.features.len() {
        n if n > MOST_BARS => format!("The first {MOST_BARS} of {} features", count(n)),
        n => format!("Importance of the {}", counted(n, "feature")),
    };
    let caption = "A feature’s share of the weights of a machine, on the mean over all machines, so \
                   that all bars add up to 100 %. “Kept by” is the share of the machines that keep \
                   it.";
    let about = "Bars from the most important down.";
    figure(&bars, "features", heading, about, Vec::new(), caption.into())
}

fn shares_table(summary: &Summary) -> Table {
    let row = |feature: &pfcvm_io::SelectedShare| -> Vec<Cell> {
        vec![
            or_nameless(feature.name.as_deref().unwrap_or_default()).into(),
            percent(feature.share).into(),
            feature.machines.to_string().into(),
            words::machine(&summary.machines[feature.strongest]).into(),
        ]
    };
    Table {
        caption: "Features that any machine keeps".into(),
        columns: vec![
            Column::text("Feature"),
            Column::number("Share"),
            Column::number("Machines"),
            Column::text("Weighs most in"),
        ],
        rows: summary.features.iter().map(row).collect(),
        remark: None,
    }
}

/// A bar of the given length, to an eighth of a letter and at least one eighth.
fn blocks(length: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (8.0 * length).round().clamp(1.0, 8.0 * TEXT_BAR) as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_end_at_the_nearest_eighth() {
        assert_eq!(blocks(2.0), "██");
        assert_eq!(blocks(1.5), "█▌");
        assert_eq!(blocks(0.0001), "▏");
        assert_eq!(blocks(1.99), "██");
        assert_eq!(blocks(f64::INFINITY).chars().count(), 30);
    }
}
