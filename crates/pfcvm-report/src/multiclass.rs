//! The report of several machines that tell more than two classes apart.

use crate::charts::{Bar, Bars};
use crate::error::Error;
use crate::lettering::shortened;
use crate::name::or_nameless;
use crate::number::{column, count, counted, fixed, percent};
use crate::page::{Block, Cell, Column, Content, Figure, Page, Section, Table, Tile};
use crate::report::{Feature, Origin};
use crate::sections;
use pfcvm_eval::ClassScores;
use serde::Serialize;

/// More bars than this are a pattern, not a list to read.
const MOST_BARS: usize = 40;

/// What a fit of several machines found, ready to be shown. Empty parts are left out of the page.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MulticlassReport {
    /// The heading.
    pub title: String,
    /// One or two sentences that say what came out.
    pub lead: String,
    /// The figures to see first.
    pub tiles: Vec<Tile>,
    /// Warnings.
    pub notes: Vec<String>,
    /// The features that any machine keeps, the most important first.
    pub features: Vec<OverallFeature>,
    /// The machines.
    pub machines: Vec<MachineReport>,
    /// Predictions on rows the fit has not seen.
    pub test: Option<MulticlassTest>,
    /// Names and values.
    pub settings: Vec<(String, String)>,
    /// Who wrote the report.
    pub origin: Origin,
}

/// A feature that some machines keep.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct OverallFeature {
    /// The name of its column.
    pub name: String,
    /// Its mean share of a machine's weights.
    pub share: f64,
    /// How many machines keep it.
    pub machines: usize,
    /// The machine in which its share is largest.
    pub strongest: String,
}

/// One machine.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MachineReport {
    /// Which classes it tells apart.
    pub name: String,
    /// How its fit ended.
    pub ending: String,
    /// Rows it learned from.
    pub rows: usize,
    /// Samples it keeps, where it keeps some.
    pub samples: Option<usize>,
    /// The features it keeps, the most important first.
    pub features: Vec<Feature>,
}

/// Right and wrong calls.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MulticlassTest {
    /// The classes.
    pub classes: Vec<ClassScores>,
    /// `confusion[i][j]` rows are of class i and were called j.
    pub confusion: Vec<Vec<usize>>,
}

/// The report as one HTML file.
///
/// # Errors
/// If the template fails, which would be a fault of this crate.
pub fn render_multiclass(report: &MulticlassReport) -> Result<String, Error> {
    let sections = [
        features(report),
        report.test.as_ref().map(|test| Section {
            id: "test".into(),
            heading: "Right and wrong calls".into(),
            text: vec!["A row is called what is most probable.".into()],
            blocks: test_blocks(test),
        }),
        machines(report),
        sections::settings(&report.settings),
    ];
    let page = Page {
        title: report.title.clone(),
        lead: report.lead.clone(),
        tiles: report.tiles.clone(),
        notes: report.notes.clone(),
        sections: sections.into_iter().flatten().collect(),
        footer: sections::footer(&report.origin),
    };
    page.html()
}

/// The table of calls, and how well each class is recognised, as parts of any page.
pub fn test_blocks(test: &MulticlassTest) -> Vec<Block> {
    vec![Block::Table(confusion(test)), Block::Table(classes(test))]
}

fn confusion(test: &MulticlassTest) -> Table {
    let mut columns = vec![Column::text("")];
    let name = |class: &ClassScores| shortened(or_nameless(&class.name), 30);
    columns
        .extend(test.classes.iter().map(|class| Column::number(format!("called {}", name(class)))));
    let row = |(class, counts): (&ClassScores, &Vec<usize>)| {
        let all = counts.iter().sum::<usize>().max(1) as f64;
        let cell =
            |counted: &usize| Cell::with_remark(count(*counted), percent(*counted as f64 / all));
        let mut cells: Vec<Cell> = vec![format!("truly {}", name(class)).into()];
        cells.extend(counts.iter().map(cell));
        cells
    };
    Table {
        caption: "Right and wrong calls".into(),
        columns,
        rows: test.classes.iter().zip(&test.confusion).map(row).collect(),
        remark: None,
    }
}

fn classes(test: &MulticlassTest) -> Table {
    let row = |class: &ClassScores| -> Vec<Cell> {
        vec![
            or_nameless(&class.name).into(),
            count(class.rows).into(),
            percent(class.recall).into(),
            percent(class.precision).into(),
            fixed(class.f1, 3).into(),
            class.auc.map_or_else(|| "–".into(), |auc| fixed(auc, 3)).into(),
        ]
    };
    Table {
        caption: "Class by class".into(),
        columns: vec![
            Column::text("class"),
            Column::number("rows"),
            Column::number("found"),
            Column::number("right when called"),
            Column::number("F1"),
            Column::number("AUC"),
        ],
        rows: test.classes.iter().map(row).collect(),
        remark: Some("AUC is that of the class against all others.".into()),
    }
}

fn features(report: &MulticlassReport) -> Option<Section> {
    if report.features.is_empty() {
        return None;
    }
    let all = report.machines.len().max(1) as f64;
    let shown = &report.features[..report.features.len().min(MOST_BARS)];
    let bar = |feature: &OverallFeature| Bar {
        name: or_nameless(&feature.name).into(),
        value: 100.0 * feature.share,
        deviation: None,
        mark: None,
        share: Some(feature.machines as f64 / all),
    };
    let rows: Vec<Bar> = shown.iter().map(bar).collect();
    let bars = Bars { rows: &rows, label: "% of the weights", share_label: "kept by" };
    let heading = match report.features.len() {
        n if n > MOST_BARS => format!("The first {MOST_BARS} of {} features", count(n)),
        n => format!("Importance of the {}", counted(n, "feature")),
    };
    let draw = |width, id| bars.draw(width, id, &heading, "Bars from the most important down.");
    let figure = Figure {
        legend: Vec::new(),
        content: Content::ByWidth {
            narrow: draw(360.0, "features-narrow"),
            wide: draw(940.0, "features-wide"),
        },
        caption:
            "A feature’s share of the weights of a machine, on the mean over all machines, so \
                  that all bars add up to 100 %. “Kept by” is the share of the machines that keep \
                  it."
            .into(),
        heading,
    };
    let row = |feature: &OverallFeature| -> Vec<Cell> {
        vec![
            or_nameless(&feature.name).into(),
            percent(feature.share).into(),
            feature.machines.to_string().into(),
            feature.strongest.clone().into(),
        ]
    };
    let table = Table {
        caption: "Features that any machine keeps".into(),
        columns: vec![
            Column::text("feature"),
            Column::number("share"),
            Column::number("machines"),
            Column::text("weighs most in"),
        ],
        rows: report.features.iter().map(row).collect(),
        remark: None,
    };
    Some(Section {
        id: "features".into(),
        heading: "Which features matter".into(),
        text: Vec::new(),
        blocks: vec![Block::Wide(figure), Block::Folded("All of them in numbers".into(), table)],
    })
}

fn machines(report: &MulticlassReport) -> Option<Section> {
    if report.machines.is_empty() {
        return None;
    }
    let row = |machine: &MachineReport| -> Vec<Cell> {
        vec![
            machine.name.clone().into(),
            count(machine.rows).into(),
            count(machine.features.len()).into(),
            machine.samples.map_or_else(|| "–".into(), count).into(),
            machine.ending.clone().into(),
        ]
    };
    let overview = Table {
        caption: "Machines".into(),
        columns: vec![
            Column::text("machine"),
            Column::number("rows"),
            Column::number("features"),
            Column::number("samples"),
            Column::text("the fit"),
        ],
        rows: report.machines.iter().map(row).collect(),
        remark: None,
    };
    let mut blocks = vec![Block::Table(overview)];
    for machine in report.machines.iter().filter(|machine| !machine.features.is_empty()) {
        let line = format!("{}: its {}", machine.name, counted(machine.features.len(), "feature"));
        blocks.push(Block::Folded(line, kept(machine)));
    }
    Some(Section {
        id: "machines".into(),
        heading: "Machine by machine".into(),
        text: vec![
            "Each machine tells two sides apart, with features, samples and weights of its own. \
             Weights can be compared within a machine only."
                .into(),
        ],
        blocks,
    })
}

fn kept(machine: &MachineReport) -> Table {
    let numbers = |of: fn(&Feature) -> Option<f64>| {
        column(&machine.features.iter().map(|f| of(f).unwrap_or(f64::NAN)).collect::<Vec<_>>())
    };
    let (weights, deviations) = (numbers(|f| Some(f.weight)), numbers(|f| f.deviation));
    let row = |(at, feature): (usize, &Feature)| -> Vec<Cell> {
        vec![
            or_nameless(&feature.name).into(),
            weights[at].clone().into(),
            deviations[at].clone().into(),
        ]
    };
    Table {
        caption: format!("Features of {}", machine.name),
        columns: vec![
            Column::text("feature"),
            Column::number("weight"),
            Column::number("± deviation"),
        ],
        rows: machine.features.iter().enumerate().map(row).collect(),
        remark: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> MulticlassReport {
        let feature = Feature { name: "a <b>".into(), weight: 0.5, ..Feature::default() };
        let class = |name: &str| ClassScores { name: name.into(), rows: 2, ..Default::default() };
        MulticlassReport {
            title: "Three".into(),
            features: vec![OverallFeature {
                name: "a <b>".into(),
                share: 1.0,
                machines: 1,
                strongest: "`b` against `a`".into(),
            }],
            machines: vec![MachineReport {
                name: "`b` against `a`".into(),
                features: vec![feature],
                ..Default::default()
            }],
            test: Some(MulticlassTest {
                classes: vec![class("a"), class("b"), class("<script>")],
                confusion: vec![vec![2, 0, 0], vec![1, 1, 0], vec![0, 0, 2]],
            }),
            ..Default::default()
        }
    }

    #[test]
    fn the_page_shows_calls_features_and_machines() {
        let html = render_multiclass(&report()).unwrap();
        for part in ["called a", "truly b", "Machine by machine", "a &lt;b&gt;", "weighs most in"] {
            assert!(html.contains(part), "{part}");
        }
        assert!(!html.contains("<script>"));
    }

    #[test]
    fn empty_parts_are_left_out() {
        let html = render_multiclass(&MulticlassReport::default()).unwrap();
        assert!(!html.contains("Machine by machine") && !html.contains("Right and wrong"));
    }
}
