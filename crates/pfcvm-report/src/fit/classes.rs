//! Which feature for which class: of machines that learned together and share one list.

use super::features::MOST_BARS;
use super::words;
use crate::charts::{Grid, Tone, drawable, strongest};
use crate::lettering::shortened;
use crate::name::or_nameless;
use crate::number::{column, counted, number};
use crate::page::{Block, Cell, Column, Content, Figure, Mark, Table};
use pfcvm_io::{ClassWorth, SelectedShare, Summary};

/// Classes with a column of their own in text; of more, the strongest are named.
const MOST_COLUMNS: usize = 8;
/// Classes named of each feature then, which fit into a cell, and pairs of classes.
const NAMED: [usize; 2] = [2, 3];
/// Classes in a picture.
const MOST_CLASSES: usize = 40;
/// Classes that all have a name in a narrow picture.
const NAMED_ON_A_TELEPHONE: usize = 12;
/// Features whose pairs of classes are drawn.
const MOST_PAIRED: usize = 3;
/// The longest name of a class in the head of a table in text, and elsewhere.
const LONGEST: [usize; 2] = [12, 40];
/// What all pictures and tables here tell.
const WORTH: &str = "worth";

/// A feature by name, with what it is worth.
type Worth<'a> = (&'a str, &'a ClassWorth);

/// Features with what they are worth; nothing where that is not known.
fn known<'a>(features: &[&'a SelectedShare]) -> Vec<Worth<'a>> {
    let one = |feature: &&'a SelectedShare| {
        let name = or_nameless(feature.name.as_deref().unwrap_or_default());
        Some((name, feature.worth.as_ref()?))
    };
    features.iter().filter_map(one).collect()
}

/// Pictures of features and classes, and the numbers behind them.
pub fn blocks(summary: &Summary, features: &[&SelectedShare]) -> Vec<Block> {
    let known = known(features);
    if known.is_empty() || summary.classes.len() < 3 {
        return Vec::new();
    }
    let table = Table {
        remark: Some(format!("{} The largest of each feature is bold.", meaning())),
        ..numbers(&known, &summary.classes, LONGEST[1])
    };
    let fold = "What each feature is worth for each class, in numbers".into();
    let mut blocks = Vec::from_iter(by_class(&known, summary).map(Block::Wide));
    blocks.push(Block::Folded(fold, table));
    let paired = by_pair(&known, summary);
    if !paired.is_empty() {
        blocks.push(Block::Figures(paired));
    }
    blocks
}

/// What each feature is worth for each class, for a terminal: of so many features at most.
pub fn in_text(summary: &Summary, features: &[&SelectedShare], most: usize) -> Option<Table> {
    let all = known(features);
    let (known, left) = worth_something(&all[..all.len().min(most)]);
    if known.is_empty() || summary.classes.len() < 3 {
        return None;
    }
    let caption = "What each feature is worth for each class".into();
    if summary.classes.len() <= MOST_COLUMNS {
        let remark = Some(format!("{} * is the largest of each feature.{left}", meaning()));
        return Some(Table { caption, remark, ..numbers(&known, &summary.classes, LONGEST[0]) });
    }
    let row = |(name, worth): &Worth| -> Vec<Cell> {
        let class = |at: &usize| {
            let name = shortened(or_nameless(&summary.classes[*at]), LONGEST[0]);
            format!("{name} {}", number(worth.classes[*at]))
        };
        let first = heaviest(&worth.classes);
        let named = first.iter().take(NAMED[0]).map(class).collect::<Vec<_>>().join(", ");
        vec![(*name).into(), named.into()]
    };
    Some(Table {
        caption,
        columns: vec![Column::text("Feature"), Column::text("Worth most for")],
        rows: known.iter().map(row).collect(),
        remark: Some(format!("{} --json has all classes.{left}", meaning())),
    })
}

/// Those that are worth something for some class, and in words how many are not.
fn worth_something<'a>(known: &[Worth<'a>]) -> (Vec<Worth<'a>>, String) {
    let some = known.iter().filter(|(_, worth)| strongest(&worth.classes).is_some());
    let some: Vec<Worth> = some.copied().collect();
    let left = match known.len() - some.len() {
        0 => String::new(),
        left => format!(" Left out: {} worth nothing for any class.", counted(left, "feature")),
    };
    (some, left)
}

fn meaning() -> &'static str {
    "How much worse (mean −log p) held-out rows are told “this class or not” without the feature."
}

/// Places of values above zero, the largest first.
fn heaviest(values: &[f64]) -> Vec<usize> {
    let above = |at: &usize| drawable(values[*at]) && values[*at] > 0.0;
    let mut places: Vec<usize> = (0..values.len()).filter(above).collect();
    places.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    places
}

/// Features and classes in numbers, the largest of each row marked.
fn numbers(known: &[Worth], classes: &[String], longest: usize) -> Table {
    let mut columns = vec![Column::text("Feature")];
    let name = |class: &String| shortened(or_nameless(class), longest);
    columns.extend(classes.iter().map(|class| Column::number(name(class))));
    let of = |worth: &ClassWorth, at: usize| worth.classes.get(at).copied().unwrap_or(f64::NAN);
    // With the same decimals, so that all can be compared.
    let all = known.iter().flat_map(|(_, worth)| (0..classes.len()).map(|at| of(worth, at)));
    let texts = column(&Vec::from_iter(all));
    let row = |((name, worth), texts): (&Worth, &[String])| -> Vec<Cell> {
        let best = strongest(&worth.classes);
        let cell = |(at, text): (usize, &String)| match Some(at) == best {
            true => Cell::from(text.clone()).marked(Mark::Best),
            false => Cell::from(text.clone()),
        };
        std::iter::once((*name).into()).chain(texts.iter().enumerate().map(cell)).collect()
    };
    Table {
        caption: "What each feature is worth for each class".into(),
        columns,
        rows: known.iter().zip(texts.chunks(classes.len())).map(row).collect(),
        remark: None,
    }
}

/// Features × classes; nothing where no feature is worth anything.
fn by_class(known: &[Worth], summary: &Summary) -> Option<Figure> {
    let (shown, left) = worth_something(&known[..known.len().min(MOST_BARS)]);
    if shown.is_empty() {
        return None;
    }
    let places = shown_classes(&shown, summary.classes.len());
    let of = |worth: &ClassWorth, at: &usize| worth.classes.get(*at).copied().unwrap_or(f64::NAN);
    let values: Vec<Vec<f64>> =
        shown.iter().map(|(_, w)| places.iter().map(|at| of(w, at)).collect()).collect();
    let rows: Vec<String> = shown.iter().map(|(name, _)| (*name).into()).collect();
    let columns = names(&places, summary);
    let grid = Grid {
        columns: &columns,
        rows: &rows,
        values: &values,
        label: WORTH,
        largest: largest(&values),
        ringed: true,
    };
    let heading = match summary.classes.len() {
        all if all > places.len() => {
            format!("Which feature for which class: {} of {all} classes", places.len())
        }
        _ => "Which feature for which class".into(),
    };
    let told = shown.iter().filter_map(|(name, worth)| {
        let class = &summary.classes[strongest(&worth.classes)?];
        Some(format!("{} for {}", shortened(name, 40), words::said(class)))
    });
    let told: Vec<String> = told.take(5).collect();
    let about = format!("A row for each feature, a column for each class. {}.", most(&told));
    let draw = |width, form| grid.draw(width, &format!("classes-{form}"), &heading, &about);
    let content = Content::ByWidth { narrow: draw(360.0, "narrow"), wide: draw(940.0, "wide") };
    let caption = format!(
        "{} The stronger the colour, the more; a ring marks the class for which the feature is worth \
         most. Features stand in the order of the bars above. Those that say the same can stand in \
         for each other, so all of them look pale.{left}",
        meaning()
    );
    let unnamed = match places.len() {
        0..=NAMED_ON_A_TELEPHONE => "",
        _ => {
            " Where there is no room, some classes are without a name; the numbers below have all."
        }
    };
    Some(Figure { heading, legend: legend(&values), content, caption: caption + unnamed })
}

/// What is worth most, in words for those who cannot see it.
fn most(told: &[String]) -> String {
    match told {
        [] => "None is worth anything for a single class".into(),
        told => format!("Worth most: {}", told.join(", ")),
    }
}

/// Which classes are drawn: all of a few, of many those for which features are worth most.
fn shown_classes(known: &[Worth], count: usize) -> Vec<usize> {
    let of = |at: usize| {
        let all = known.iter().filter_map(|(_, worth)| worth.classes.get(at));
        all.copied().filter(|value| drawable(*value)).fold(0.0, f64::max)
    };
    let mut places: Vec<usize> = (0..count).collect();
    if count > MOST_CLASSES {
        places.sort_by(|a, b| of(*b).total_cmp(&of(*a)));
        places.truncate(MOST_CLASSES);
        places.sort_unstable();
    }
    places
}

fn names(places: &[usize], summary: &Summary) -> Vec<String> {
    places.iter().map(|at| or_nameless(&summary.classes[*at]).to_owned()).collect()
}

/// Classes × classes, of the first features.
fn by_pair(known: &[Worth], summary: &Summary) -> Vec<Figure> {
    let count = summary.classes.len();
    let has = |(_, worth): &&Worth| worth.pairs.len() == count && largest(&worth.pairs) > 0.0;
    let shown: Vec<&Worth> = known.iter().filter(has).take(MOST_PAIRED).collect();
    // On one scale, so that colours of different pictures can be compared.
    let strongest = shown.iter().map(|(_, worth)| largest(&worth.pairs)).fold(0.0, f64::max);
    let classes = names(&Vec::from_iter(0..count), summary);
    let figure = |(at, (name, worth)): (usize, &&Worth)| {
        let mut values = worth.pairs.clone();
        // A class and itself are no pair.
        values.iter_mut().enumerate().for_each(|(k, row)| {
            row.get_mut(k).into_iter().for_each(|own| *own = f64::NAN);
        });
        let grid = Grid {
            columns: &classes,
            rows: &classes,
            values: &values,
            label: WORTH,
            largest: strongest,
            ringed: false,
        };
        let heading = format!("{}: which classes it tells apart", shortened(name, 30));
        let told: Vec<String> = first_pairs(&values)
            .iter()
            .take(NAMED[1])
            .map(|[a, b]| {
                let [a, b] = [a, b].map(|class| words::said(&summary.classes[*class]));
                format!("{a} and {b}")
            })
            .collect();
        let about = format!("A cell for each pair of classes. {}.", most(&told));
        let caption = format!(
            "How much worse held-out rows of two classes are told apart without {}. {}. Colours mean \
             the same in all of these pictures.",
            words::said(name),
            most(&told)
        );
        Figure {
            legend: legend(&values),
            content: Content::Picture(grid.draw(420.0, &format!("pairs-{at}"), &heading, &about)),
            caption,
            heading,
        }
    };
    shown.iter().enumerate().map(figure).collect()
}

/// Pairs of classes above zero, the largest first, each once.
fn first_pairs(values: &[Vec<f64>]) -> Vec<[usize; 2]> {
    let above = |a: usize, b: usize| values[a].get(b).is_some_and(|v| drawable(*v) && *v > 0.0);
    let all = (0..values.len()).flat_map(|a| ((a + 1)..values.len()).map(move |b| [a, b]));
    let mut pairs: Vec<[usize; 2]> = all.filter(|[a, b]| above(*a, *b)).collect();
    pairs.sort_by(|[a, b], [c, d]| values[*c][*d].total_cmp(&values[*a][*b]));
    pairs
}

fn largest(values: &[Vec<f64>]) -> f64 {
    let all = values.iter().flatten().copied().filter(|value| drawable(*value));
    all.map(f64::abs).fold(0.0, f64::max)
}

/// What the colours mean, where there are both.
fn legend(values: &[Vec<f64>]) -> Vec<(Tone, String)> {
    let below = values.iter().flatten().any(|value| *value < 0.0);
    let mut legend = vec![(Tone::Accent, "told worse without it".to_owned())];
    legend.extend(below.then(|| (Tone::Contrast, "told better without it".to_owned())));
    legend
}
