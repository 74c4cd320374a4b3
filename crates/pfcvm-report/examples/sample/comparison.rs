//! A made-up comparison of methods: box plots, curves, columns, head maps, a table with marks.

use super::made_up::Random;
use pfcvm_report::charts::{
    BoxRow, Boxes, Columns, HeadMap, Level, Lines, Picture, SEED_CAP, Series, Spot, Stem, Tone,
    UCI_CAP,
};
use pfcvm_report::page::{Block, Cell, Column, Content, Figure, Mark, Page, Section, Table, Tile};
use pfcvm_report::{fixed, percent};

const METHODS: [&str; 16] = [
    "PFCVM",
    "PFCVM (EM)",
    "PCVM",
    "EPCVM",
    "RVM",
    "SVM",
    "L1-SVM",
    "SVM with RFE",
    "WSVM",
    "SMPM",
    "JCFO",
    "RSFM",
    "Random forest",
    "Lasso, logistic",
    "Relief + 5 neighbours",
    "Linear discriminant",
];
const BANDS: [&str; 5] = ["Delta", "Theta", "Alpha", "Beta", "Gamma"];

/// The whole comparison.
pub fn page() -> Page {
    let methods = METHODS.map(String::from);
    Page {
        title: "Sixteen methods compared (made-up numbers)".into(),
        lead: "What a report on an experiment can be built from.".into(),
        tiles: vec![Tile {
            label: "Best error rate".into(),
            value: "12.1 %".into(),
            remark: "of 16 methods, 100 splits each".into(),
        }],
        notes: vec!["All numbers on this page are made up to show its looks.".into()],
        sections: vec![
            section("spread", "How good they are", vec![boxes(&methods), table(&methods)]),
            section("curves", "How many features they need", vec![lines(&methods[..12])]),
            section(
                "chosen",
                "Which features they choose",
                vec![few_columns("x"), many_columns("gene")],
            ),
            section("heads", "Where the chosen features lie", vec![heads("")]),
        ],
        footer: vec!["Written by the example of pfcvm-report.".into()],
    }
}

/// The same parts with names and numbers that nobody would wish for.
pub fn nasty(names: &[String]) -> Page {
    let few = |count: usize| names.iter().cycle().take(count).cloned().collect::<Vec<String>>();
    Page {
        title: "Odd names and numbers (made-up numbers)".into(),
        sections: vec![
            section("spread", "Boxes", vec![boxes(&few(20)), table(&names[..1]), table(&few(11))]),
            section("curves", "Lines", vec![lines(&few(15))]),
            section("chosen", "Columns", vec![few_columns(&names[3]), many_columns(&names[7])]),
            section("heads", "Heads", vec![heads(&names[3])]),
        ],
        ..Page::default()
    }
}

fn section(id: &str, heading: &str, blocks: Vec<Block>) -> Section {
    Section { id: id.into(), heading: heading.into(), text: Vec::new(), blocks }
}

/// A figure with a picture for narrow screens and one for wide ones.
fn figure(
    id: &str,
    heading: &str,
    caption: &str,
    widths: [f64; 2],
    draw: &dyn Fn(f64, &str, &str) -> Picture,
) -> Figure {
    let [narrow, wide] = widths;
    let narrow = draw(narrow, &format!("{id}-narrow"), heading);
    let wide = draw(wide, &format!("{id}-wide"), heading);
    Figure {
        heading: heading.into(),
        legend: Vec::new(),
        content: Content::ByWidth { narrow, wide },
        caption: caption.into(),
    }
}

fn boxes(methods: &[String]) -> Block {
    let mut random = Random(11);
    let row = |(at, name): (usize, &String)| {
        let middle = 0.125 + 0.011 * at as f64 + 0.015 * random.next();
        let spread = 0.012 + 0.012 * random.next();
        let mut values: Vec<f64> =
            (0..100).map(|_| middle + spread * normal(&mut random)).collect();
        match name.trim() {
            // An odd one: values of a method that has failed, or that cannot be drawn.
            "" => values.iter_mut().for_each(|value| *value = f64::NAN),
            name if name.starts_with('<') => values[0] = f64::INFINITY,
            _ => {}
        }
        let reference = (at % 3 != 1).then_some(middle + 0.015 * normal(&mut random));
        let tone = if at == 0 { Tone::Accent } else { Tone::Quiet };
        BoxRow { name: name.clone(), values, reference, tone }
    };
    let rows: Vec<BoxRow> = methods.iter().enumerate().map(row).collect();
    let boxes = Boxes { rows: &rows, label: "error rate", reference_label: "the paper’s figure" };
    Block::Wide(figure(
        "boxes",
        "Error rates over 100 splits",
        "The box holds the middle half of the values, the line in it is the median. Whiskers reach \
         to the last value within one and a half lengths of the box; values beyond are dots.",
        [360.0, 940.0],
        &|width, id, heading| boxes.draw(width, id, heading, "One box for each method."),
    ))
}

fn lines(methods: &[String]) -> Block {
    let mut random = Random(12);
    let counts = [2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];
    let series: Vec<Series> = methods
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let (top, slow) = (0.9 - 0.009 * at as f64, 2.0 + 1.5 * at as f64);
            let points = counts.iter().take(if at == 0 { 5 } else { 7 }).map(|&count| {
                (count, top - 0.3 * (-count / slow).exp() + 0.006 * normal(&mut random))
            });
            Series { name: name.clone(), points: points.collect(), ..Series::default() }
        })
        .collect();
    let levels = [("PFCVM in the paper", 0.894), ("SVM, all features", 0.861)];
    let levels = levels.map(|(name, value)| Level { name: name.into(), value });
    let lines = Lines {
        series: &series,
        levels: &levels,
        x_label: "selected features (log scale)",
        y_label: "accuracy",
        logarithmic: true,
    };
    Block::Wide(figure(
        "lines",
        "Accuracy against the number of features",
        "Means over 100 splits. Dashed lines are methods that do not choose.",
        [360.0, 940.0],
        &|width, id, heading| lines.draw(width, id, heading, "One line for each method."),
    ))
}

fn few_columns(name: &str) -> Block {
    let mut random = Random(13);
    let stem = |at: usize| {
        let chance = if at < 21 { (1.1 - 0.055 * (at as f64 - 10.0).abs()).min(1.0) } else { 0.22 };
        let value = (100.0 * chance * (0.6 + 0.4 * random.next())).round() / 100.0;
        let (second, named) = (at >= 21, value > 0.82);
        Stem { name: format!("{name}{}", at + 1), value, second, named }
    };
    let stems: Vec<Stem> = (0..40).map(stem).collect();
    let columns = Columns {
        stems: &stems,
        kinds: ["signal", "noise"],
        guide: Some((0.2, "chosen in one of five splits")),
        x_label: "feature",
        y_label: "share of splits",
    };
    Block::Wide(figure(
        "columns-few",
        "How often each of 40 features was chosen",
        "Features 22 to 40 are pure noise.",
        [360.0, 940.0],
        &|width, id, heading| columns.draw(width, id, heading, "One column for each feature."),
    ))
}

fn many_columns(name: &str) -> Block {
    let mut random = Random(14);
    let stem = |at: usize| {
        let signal = at % 173 == 40 || (1200..1206).contains(&at);
        let often = if signal { 20.0 * random.next().sqrt() } else { 4.0 * random.next() - 3.0 };
        let (value, second) = (often.ceil().max(0.0), !signal);
        Stem { name: format!("{name} {}", at + 1), value, second, named: signal && value > 11.0 }
    };
    let stems: Vec<Stem> = (0..2000).map(stem).collect();
    let columns = Columns {
        stems: &stems,
        kinds: ["signal", "noise"],
        guide: Some((20.0, "all 20 splits")),
        x_label: "feature",
        y_label: "splits",
    };
    Block::Wide(figure(
        "columns-many",
        "How often each of 2000 features was chosen",
        "Features that were never chosen are not drawn; the most frequent ones have their name.",
        [360.0, 940.0],
        &|width, id, heading| columns.draw(width, id, heading, "One column for each feature."),
    ))
}

fn heads(stranger: &str) -> Block {
    let mut random = Random(15);
    let mut maps: Vec<Vec<Spot>> = Vec::new();
    for at in 0..BANDS.len() {
        let mut spots: Vec<Spot> = Vec::new();
        for name in SEED_CAP {
            // More of the upper bands, and of both temples.
            let temple = if name.starts_with('T') || name.starts_with("FT") { 3.0 } else { 1.0 };
            let value = (temple * (at as f64 + 1.0) * random.next().powi(3)).round();
            let tooltip = format!("{name}: chosen {value} times");
            spots.push(Spot { electrode: name.into(), value, tooltip });
        }
        if !stranger.is_empty() {
            spots[3 * at].value = f64::NAN;
            for name in [stranger, "M1", "M2", "EKG", "<i>"] {
                spots.push(Spot { electrode: name.into(), value: 1.0, tooltip: name.into() });
            }
        }
        maps.push(spots);
    }
    let head = |title: &str, spots: &[Spot], cap: &[&str]| {
        let map = HeadMap { spots, cap, largest: Some(15.0), label: "times", tone: Tone::Accent };
        figure(
            &format!("head-{}", title.to_lowercase().replace(' ', "-")),
            title,
            "",
            [160.0, 320.0],
            &|width, id, heading| map.draw(width, id, heading, "A head from above."),
        )
    };
    let bands = BANDS.iter().zip(&maps).map(|(band, spots)| head(band, spots, &SEED_CAP));
    // The names of the other cap stand closer in places.
    let other = head("Another cap", &[], &UCI_CAP);
    Block::Small(bands.chain([other]).collect())
}

fn table(methods: &[String]) -> Block {
    let mut random = Random(16);
    let errors: Vec<[f64; 4]> = (0..methods.len())
        .map(|at| [8.0, 11.0, 14.0, 17.0].map(|e| e + 0.4 * at as f64 + 3.0 * random.next()))
        .collect();
    let best = |column: usize| errors.iter().map(|row| row[column]).fold(f64::INFINITY, f64::min);
    let row = |(at, name): (usize, &String)| {
        let mut cells: Vec<Cell> = vec![name.as_str().into()];
        for (column, &error) in errors[at].iter().enumerate() {
            let deviation = fixed(0.5 + 2.0 * random.next(), 2);
            let cell = Cell::with_remark(fixed(error, 2), format!("± {deviation}"));
            cells.push(match error - best(column) {
                0.0 => cell.marked(Mark::Best),
                behind if behind < 0.9 => cell.marked(Mark::Near),
                _ => cell,
            });
        }
        cells.push(percent(0.95 - 0.03 * at as f64).into());
        cells
    };
    let columns = ["Heart", "Ionosphere", "Sonar", "Waveforms", "Chosen right"];
    let columns = columns.map(Column::number);
    Block::Table(Table {
        caption: "Error rates in per cent".into(),
        columns: [Column::text("Method")].into_iter().chain(columns).collect(),
        rows: methods.iter().enumerate().map(row).collect(),
        remark: Some("Bold: the best; with a dot: not worse than the best at 5 %.".into()),
    })
}

/// Nearly normal: the sum of twelve uniform numbers.
fn normal(random: &mut Random) -> f64 {
    (0..12).map(|_| random.next()).sum::<f64>() - 6.0
}
