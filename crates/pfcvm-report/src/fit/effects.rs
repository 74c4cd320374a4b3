//! What the features do: the effect of each on the log odds over its values.

use super::words;
use crate::charts::{Bar, Bars, Frame, Heat, Picture, Scale, Tone, drawable};
use crate::lettering::shortened;
use crate::name::or_nameless;
use crate::number::{counted, fixed, number};
use crate::page::{Block, Cell, Column, Content, Figure, Section, Table};
use pfcvm_io::{ColumnEffect, MachineSummary, PairEffect, Shape, Summary, Values};

/// Pictures of one machine, and of each of several.
const MOST_PICTURES: [usize; 2] = [18, 3];
/// So many of several machines have pictures.
const MOST_MACHINES: usize = 6;
/// Bars of a picture.
const MOST_BARS: usize = 12;
/// A small picture, in pixels.
const PICTURE: (f64, f64) = (300.0, 210.0);
/// A band reaches so many deviations to both sides.
const BAND: f64 = 2.0;
/// The longest name of words that were taken together, in letters.
const LONGEST: usize = 40;
/// The longest name below a small picture, in letters, which may be wide ones.
const LABEL: usize = 16;

/// Pictures of all columns, on one scale, and of the two that act most together.
pub fn section(summary: &Summary) -> Option<Section> {
    let alone = summary.only().is_some();
    let mut blocks = Vec::new();
    for (at, machine) in summary.machines.iter().enumerate().take(MOST_MACHINES) {
        let Some(effects) = machine.found.effects.as_ref() else { continue };
        let most = MOST_PICTURES[usize::from(!alone)];
        let shown = &effects.columns[..effects.columns.len().min(most)];
        if shown.is_empty() {
            continue;
        }
        let scale = Scale::linear(ends(shown), 4);
        let draw = |(place, column): (usize, &ColumnEffect)| {
            let before = match alone {
                true => None,
                false if summary.is_joint() => Some(words::said(&machine.positive)),
                false => Some(words::machine(machine)),
            };
            let id = format!("effect-{at}-{place}");
            figure(column, &id, (&scale, unit(summary)), before)
        };
        blocks.push(Block::Small(shown.iter().enumerate().map(draw).collect()));
        if let Some(pair) = effects.pair.as_ref().filter(|_| alone) {
            blocks.push(Block::Figures(vec![together(pair, machine)]));
        }
    }
    let first = summary.machines.first()?;
    let columns = first.found.effects.as_ref().map_or(0, |effects| effects.columns.len());
    let mut text = vec![meaning(summary)];
    if alone && columns > MOST_PICTURES[0] {
        let more = counted(columns - MOST_PICTURES[0], "column");
        text.push(format!("Shown are the first {}; {more} more are in --json.", MOST_PICTURES[0]));
    }
    (!blocks.is_empty()).then(|| Section {
        id: "effects".into(),
        heading: "What the features do".into(),
        text,
        blocks,
    })
}

/// What effects are measured in.
fn unit(summary: &Summary) -> &'static str {
    if summary.is_joint() { "decision value" } else { "log odds" }
}

/// What is shown, and for which class.
fn meaning(summary: &Summary) -> String {
    let whose = match summary.only() {
        Some(_) => summary.classes.last().map_or_else(String::new, |class| words::said(class)),
        None if summary.is_joint() => {
            "each class, from which the probabilities of all classes are made (softmax)".into()
        }
        None => "the first class of each machine".into(),
    };
    let unit = unit(summary);
    format!(
        "How a value changes the {unit} of {whose}, beside the mean of the feature, on the mean \
         over rows that are otherwise typical: each column drawn by itself, with the mean and the \
         spread of the training data. The band is two standard deviations to both sides. Numbers \
         are shown over two deviations to both sides of their mean, words each with a bar."
    )
}

/// A table for a terminal: a word and a range for each column, of so many at most.
pub fn in_text(summary: &Summary, most: usize) -> Option<Section> {
    let effects = summary.only()?.effects.as_ref().filter(|effects| !effects.columns.is_empty())?;
    let shown = &effects.columns[..effects.columns.len().min(most)];
    let rest = effects.columns.len() - shown.len();
    let row = |column: &ColumnEffect| -> Vec<Cell> {
        let [low, high] = column.range.map(signed);
        vec![
            title(column).into(),
            column.shape.to_string().into(),
            low.into(),
            high.into(),
            over(column).into(),
        ]
    };
    let table = Table {
        caption: String::new(),
        columns: vec![
            Column::text("Feature"),
            Column::text("Effect"),
            Column::number("From"),
            Column::number("To"),
            Column::text("Over"),
        ],
        rows: shown.iter().map(row).collect(),
        remark: (rest > 0)
            .then(|| format!("and {}; --json lists all", counted(rest, "more column"))),
    };
    let class = summary.classes.last().map_or_else(String::new, |class| words::said(class));
    let mut text = vec![format!(
        "How a feature changes the log odds of {class} over its values, beside its mean, in rows \
         that are otherwise typical."
    )];
    if let Some(pair) = &effects.pair {
        let [a, b] = [0, 1].map(|which| words::said(&pair.columns[which].name));
        let departure = number(pair.departure);
        text.push(format!(
            "{a} and {b} act together: their joint effect is {departure} away from a sum, as a root \
             mean square."
        ));
    }
    Some(Section {
        id: "effects".into(),
        heading: "What the features do".into(),
        text,
        blocks: vec![Block::Table(table)],
    })
}

/// The values that effects are told of.
fn over(column: &ColumnEffect) -> String {
    match &column.values {
        Values::Number { values } => match (values.first(), values.last()) {
            (Some(low), Some(high)) => format!("{} to {}", number(*low), number(*high)),
            _ => String::new(),
        },
        Values::Words { words } => {
            let place = |best: fn(f64, f64) -> bool| {
                let mut found = 0;
                for (at, effect) in column.effect.iter().enumerate() {
                    if best(*effect, column.effect[found]) {
                        found = at;
                    }
                }
                words.get(found).map_or_else(String::new, |list| word(list))
            };
            format!("{} to {}", place(|a, b| a < b), place(|a, b| a > b))
        }
    }
}

/// The feature, and the column where it has several.
fn title(column: &ColumnEffect) -> String {
    let name = or_nameless(&column.name);
    match &column.column {
        Some(of_group) => format!("{name}: {}", or_nameless(of_group)),
        None => name.to_owned(),
    }
}

/// Words that are taken together, as one name.
fn word(list: &[Option<String>]) -> String {
    let names = list.iter().map(|word| word.as_deref().map_or("gap", or_nameless));
    shortened(&names.collect::<Vec<_>>().join(", "), LONGEST)
}

fn signed(value: f64) -> String {
    let text = if drawable(value) { fixed(value, 2) } else { number(value) };
    if value > 0.0 { format!("+{text}") } else { text }
}

/// What a common scale has to show: bands may be cut, effects may not.
fn ends(columns: &[ColumnEffect]) -> Vec<f64> {
    let of_one = |column: &ColumnEffect| {
        let pairs = column.effect.iter().zip(&column.deviation);
        pairs.flat_map(|(e, d)| [e - d, *e, e + d]).collect::<Vec<f64>>()
    };
    columns.iter().flat_map(of_one).chain([0.0]).collect()
}

/// A picture over a scale of some unit.
fn figure(
    column: &ColumnEffect,
    id: &str,
    (scale, unit): (&Scale, &str),
    machine: Option<String>,
) -> Figure {
    let name = title(column);
    let heading = shortened(&name, LONGEST);
    let [low, high] = column.range.map(signed);
    let about = format!("{}: the effect {} and reaches from {low} to {high}.", name, column.shape);
    let picture = match &column.values {
        Values::Number { values } => line(column, values, id, (scale, unit), (&heading, &about)),
        Values::Words { words } => bars(column, words, id, unit, (&heading, &about)),
    };
    let mut caption = match column.shape {
        Shape::Rises => "Rises".to_owned(),
        Shape::Falls => "Falls".to_owned(),
        Shape::Peaks => "Peaks in the middle".to_owned(),
        Shape::Dips => "Dips in the middle".to_owned(),
        Shape::Curved => "Turns more than once".to_owned(),
        Shape::Differs => "Differs by word".to_owned(),
        Shape::Flat => "Next to nothing by itself".to_owned(),
    };
    caption += &format!(": {low} to {high}.");
    if let Some([effect, deviation]) = column.gap {
        caption += &format!(" A gap: {} ± {}.", signed(effect), number(BAND * deviation));
    }
    if let Values::Words { words } = &column.values
        && words.len() > MOST_BARS
    {
        caption +=
            &format!(" Shown are {MOST_BARS} of {}, those of the largest effects.", words.len());
    }
    if let Some(machine) = machine {
        caption = format!("{machine}. {caption}");
    }
    Figure { heading, legend: Vec::new(), content: Content::Picture(picture), caption }
}

fn line(
    column: &ColumnEffect,
    values: &[f64],
    id: &str,
    (scale, unit): (&Scale, &str),
    (name, about): (&str, &str),
) -> Picture {
    let points: Vec<(f64, f64, f64)> = values
        .iter()
        .zip(column.effect.iter().zip(&column.deviation))
        .map(|(value, (effect, deviation))| (*value, *effect, BAND * deviation))
        .filter(|(value, effect, band)| [*value, *effect, *band].map(drawable) == [true; 3])
        .collect();
    let x = Scale::fitting(points.iter().map(|point| point.0), PICTURE.0 - 90.0);
    let label = shortened(or_nameless(column.column.as_deref().unwrap_or(&column.name)), LABEL);
    let mut frame = Frame::new(PICTURE, (&label, x), (unit, scale.clone()));
    frame.ribbon(&Vec::from_iter(points.iter().map(|&(v, e, b)| (v, e - b, e + b))), Tone::Accent);
    frame.level(0.0);
    frame.line(&Vec::from_iter(points.iter().map(|&(v, e, _)| (v, e))), Tone::Accent);
    for (at, &(value, effect, band)) in points.iter().enumerate() {
        let near = |other: Option<&(f64, f64, f64)>| other.map_or(value, |o| 0.5 * (o.0 + value));
        let before = near(at.checked_sub(1).and_then(|before| points.get(before)));
        let after = near(points.get(at + 1));
        let tip = format!("{}: {} ± {}", number(value), signed(effect), number(band));
        frame.target(before, after, &tip);
    }
    frame.finish(id, name, about)
}

fn bars(
    column: &ColumnEffect,
    words: &[Vec<Option<String>>],
    id: &str,
    unit: &str,
    (name, about): (&str, &str),
) -> Picture {
    let mut order: Vec<usize> = (0..words.len().min(column.effect.len())).collect();
    if order.len() > MOST_BARS {
        let size = |at: usize| column.effect[at].abs();
        order.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
        order.truncate(MOST_BARS);
        order.sort_unstable();
    }
    let bar = |&at: &usize| {
        let (effect, band) = (column.effect[at], BAND * column.deviation[at]);
        Bar {
            name: word(&words[at]),
            value: effect,
            interval: Some([effect - band, effect + band]),
            ..Bar::default()
        }
    };
    let rows: Vec<Bar> = order.iter().map(bar).collect();
    let bars = Bars { rows: &rows, label: unit, share_label: "" };
    bars.draw(PICTURE.0, id, name, about)
}

/// The two columns that act most together.
fn together(pair: &PairEffect, machine: &MachineSummary) -> Figure {
    let labels = |which: usize| -> Vec<String> {
        match &pair.columns[which].values {
            Values::Number { values } => values.iter().map(|value| number(*value)).collect(),
            Values::Words { words } => words.iter().map(|list| word(list)).collect(),
        }
    };
    let names = [0, 1].map(|which| or_nameless(&pair.columns[which].name));
    let (x, y) = (labels(0), labels(1));
    let heat =
        Heat { x: (names[0], &x), y: (names[1], &y), values: &pair.effect, label: "log odds" };
    let short = names.map(|name| shortened(name, 30));
    let heading = format!("{} and {} together", short[0], short[1]);
    let about = format!("Joint effect of {} and {} on the log odds.", names[0], names[1]);
    let said = words::said(&machine.positive);
    Figure {
        legend: vec![
            (Tone::Accent, format!("speaks for {said}")),
            (Tone::Contrast, "speaks against it".into()),
        ],
        content: Content::Picture(heat.draw((380.0, 340.0), "effect-pair", &heading, &about)),
        caption: format!(
            "The two features whose joint effect is farthest from the sum of an effect of each: {} \
             away, as a root mean square. The stronger the colour, the farther the log odds are from \
             those at the centre of both.",
            number(pair.departure)
        ),
        heading,
    }
}
