//! The pages of `price`: what a short list costs, and what more rows would bring.

use super::words::wide_figure;
use super::{About, or_dash};
use crate::charts::{Level, Lines, Series};
use crate::lettering::letters;
use crate::name::{or_nameless, quoted};
use crate::page::{Block, Cell, Column, Mark, Page, Section, Table, Tile};
use crate::{counted, fixed, percent};
use pfcvm_study::{Estimate, LearningCurve, ListedFeature, Outlook, Price, PricePoint, RowsPoint};

/// The longest bar in text, in letters.
const LONGEST_BAR: f64 = 24.0;
/// More features than this are not listed.
const MOST_LISTED: usize = 100;

/// Where a page is read: bars stand in for a picture where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// In a browser, with pictures.
    Picture,
    /// On a terminal, with bars of letters.
    Letters,
}

/// What lists of every length are worth, and the one that is suggested, as fitted on all rows.
pub fn price(about: &About, price: &Price, list: &[ListedFeature], form: Form) -> Page {
    Page {
        title: about.title.clone(),
        lead: format!(
            "{}: lists of every length searched inside each training part, tested on {} that had no \
             part in it.",
            about.protocol,
            counted(price.rows, "row")
        ),
        tiles: price_tiles(price),
        notes: about.notes.iter().map(|note| quoted(note)).collect(),
        sections: vec![lengths(price, form), suggested(about, price, list)],
        footer: vec![about.program.clone()],
    }
}

/// What fewer rows teach, and what more would.
pub fn learning_curve(about: &About, curve: &LearningCurve, form: Form) -> Page {
    Page {
        title: about.title.clone(),
        lead: format!(
            "{}: learned from all rows of each training part, from half of them and so on, tested on \
             the same {}.",
            about.protocol,
            counted(curve.tested, "row")
        ),
        tiles: rows_tiles(curve),
        notes: about.notes.iter().map(|note| quoted(note)).collect(),
        sections: vec![rows(curve, form)],
        footer: vec![about.program.clone()],
    }
}

/// What more rows would bring, in a sentence.
pub fn outlook(curve: &LearningCurve) -> String {
    let gain = curve.points.last().and_then(|point| point.gain);
    let brought = gain.map_or_else(String::new, |gain| with_error(&gain));
    match curve.outlook {
        Outlook::Unknown => "There are too few rows to see what more would bring.".into(),
        Outlook::Flat => format!(
            "The last doubling of the rows brought {brought} of log loss, which cannot be told from \
             nothing: more rows of this kind promise little."
        ),
        Outlook::Slowing { gain } => format!(
            "The last doubling of the rows brought {brought} of log loss, less than the one before; if \
             that goes on, twice the rows bring about {}.",
            fixed(gain, 3)
        ),
        Outlook::Open => format!(
            "The last doubling of the rows brought {brought} of log loss, and nothing says that the next \
             brings less: more rows are worth having."
        ),
    }
}

fn price_tiles(price: &Price) -> Vec<Tile> {
    let (suggested, best) = (&price.points[price.suggested], &price.points[price.best]);
    let all = price.points.last().unwrap_or(best);
    let tile =
        |label: &str, value: String, remark: String| Tile { label: label.into(), value, remark };
    let shares =
        format!("the shares of the classes cost {}", fixed(price.points[0].log_loss.mean, 3));
    vec![
        tile(
            "Suggested length",
            in_words(suggested),
            format!("the shortest list within one standard error of the best, {}", in_words(best)),
        ),
        tile("Log loss there", with_error(&suggested.log_loss), shares),
        tile(
            "Errors there",
            share_with_error(&suggested.error_rate),
            format!("{} with {}", share_with_error(&all.error_rate), in_words(all)),
        ),
        tile(
            "Price",
            with_error(&suggested.difference),
            "log loss above the best length, row by row".into(),
        ),
    ]
}

fn rows_tiles(curve: &LearningCurve) -> Vec<Tile> {
    let Some(last) = curve.points.last() else { return Vec::new() };
    vec![
        Tile {
            label: "Log loss".into(),
            value: with_error(&last.log_loss),
            remark: format!("learned from {} rows", fixed(last.rows, 0)),
        },
        Tile {
            label: "The last doubling brought".into(),
            value: or_dash(&last.gain, with_error),
            remark: "of log loss, row by row".into(),
        },
    ]
}

fn lengths(price: &Price, form: Form) -> Section {
    let table = Table {
        caption: "By length".into(),
        columns: columns(&["features", "used", "log loss", "errors", "above the best"], form),
        rows: price.points.iter().enumerate().map(|(at, point)| row(price, at, point, form)).collect(),
        remark: Some(
            "* suggested. ± is a standard error over the tested rows (over the groups, where rows have \
             some), for a model learned from other rows; `above the best` is of differences row by row."
                .into(),
        ),
    };
    let mut blocks = vec![Block::Table(table)];
    if form == Form::Picture {
        blocks.insert(0, Block::Wide(picture(price)));
    }
    Section {
        id: "lengths".into(),
        heading: "What a short list costs".into(),
        text: vec![format!(
            "Every length is a model of its own, learned anew in each of {} with a list of at most so \
             many features; 0 knows the shares of the classes only. Suggested is the shortest whose log \
             loss is above the best one's by no more than one standard error of the difference.",
            counted(price.folds, "fold")
        )],
        blocks,
    }
}

fn row(price: &Price, at: usize, point: &PricePoint, form: Form) -> Vec<Cell> {
    let name = Cell::from(point.size.map_or_else(|| "all kept".into(), |size| size.to_string()));
    let mut cells = vec![
        if at == price.suggested { name.marked(Mark::Best) } else { name },
        fixed(point.features, 1).into(),
        with_error(&point.log_loss).into(),
        share_with_error(&point.error_rate).into(),
        if at == price.best { "best".into() } else { with_error(&point.difference).into() },
    ];
    let losses = price.points.iter().map(|point| point.log_loss.mean);
    cells.extend(bar(point.log_loss.mean, losses, form));
    cells
}

fn picture(price: &Price) -> crate::page::Figure {
    let at = |point: &PricePoint| {
        (point.size.map_or(point.features, |size| size as f64), point.log_loss.mean)
    };
    let errors = price.points.iter().map(|point| point.log_loss.error);
    let all = Series {
        name: "log loss".into(),
        points: price.points.iter().map(at).collect(),
        errors: errors.collect(),
    };
    let chosen = &price.points[price.suggested];
    let mark = Series {
        name: format!("suggested: {}", in_words(chosen)),
        points: vec![at(chosen)],
        ..Series::default()
    };
    let level = Level { name: "best".into(), value: price.points[price.best].log_loss.mean };
    let (series, levels) = ([all, mark], [level]);
    let lines = Lines {
        series: &series,
        levels: &levels,
        x_label: "features",
        y_label: "log loss of rows that did not train",
        logarithmic: false,
    };
    let about = "Log loss against the number of features, with standard errors.";
    wide_figure(
        "price",
        "Log loss against the number of features",
        "Bars are standard errors. The last point is what the fit keeps if it is not asked for less.",
        |width, id| lines.draw(width, id, "Price of a short list", about),
    )
}

fn suggested(about: &About, price: &Price, list: &[ListedFeature]) -> Section {
    let chosen = &price.points[price.suggested];
    let section = |text: String, blocks| Section {
        id: "list".into(),
        heading: "The suggested list".into(),
        text: vec![text],
        blocks,
    };
    if chosen.size == Some(0) {
        let text = "No list does better than the shares of the classes: there is nothing to list.";
        return section(text.into(), Vec::new());
    }
    let name = |feature: usize| about.feature_names.get(feature).map_or("", String::as_str);
    let row = |one: &ListedFeature| -> Vec<Cell> {
        vec![
            quoted(or_nameless(name(one.feature))).into(),
            or_dash(&one.importance, with_error).into(),
            or_dash(&one.false_alarm, |p| percent(*p)).into(),
        ]
    };
    let more = list.len().saturating_sub(MOST_LISTED);
    let table = Table {
        caption: "Features".into(),
        columns: Column::numbers("feature", &["importance", "false alarm"]),
        rows: list.iter().take(MOST_LISTED).map(row).collect(),
        remark: (more > 0).then(|| format!("{} are not shown", counted(more, "more feature"))),
    };
    let text = format!(
        "Of a fit on all rows with {}: what the log loss of held-out rows rises by without each, and how \
         likely it is listed for nothing.",
        match chosen.size {
            Some(size) => format!("at most {}", counted(size, "feature")),
            None => "as many features as it keeps".into(),
        }
    );
    section(text, vec![Block::Table(table)])
}

fn rows(curve: &LearningCurve, form: Form) -> Section {
    let losses = || curve.points.iter().map(|point| point.log_loss.mean);
    let row = |point: &RowsPoint| -> Vec<Cell> {
        let mut cells: Vec<Cell> = vec![
            fixed(point.rows, 0).into(),
            or_dash(&point.features, |features| fixed(*features, 1)).into(),
            with_error(&point.log_loss).into(),
            share_with_error(&point.error_rate).into(),
            or_dash(&point.gain, with_error).into(),
        ];
        cells.extend(bar(point.log_loss.mean, losses(), form));
        cells
    };
    let table = Table {
        caption: "By rows".into(),
        columns: columns(&["rows", "features", "log loss", "errors", "doubling brought"], form),
        rows: curve.points.iter().map(row).collect(),
        remark: Some("± is a standard error over the tested rows.".into()),
    };
    let mut blocks = vec![Block::Table(table)];
    if form == Form::Picture {
        let line = Series {
            name: "log loss".into(),
            points: curve.points.iter().map(|point| (point.rows, point.log_loss.mean)).collect(),
            errors: curve.points.iter().map(|point| point.log_loss.error).collect(),
        };
        let series = [line];
        let lines = Lines {
            series: &series,
            levels: &[],
            x_label: "rows to learn from",
            y_label: "log loss of rows that did not train",
            logarithmic: true,
        };
        let about = "Log loss against the number of rows to learn from, with standard errors.";
        blocks.insert(
            0,
            Block::Wide(wide_figure(
                "rows",
                "Log loss against rows to learn from",
                "Bars are standard errors.",
                |width, id| lines.draw(width, id, "Learning curve", about),
            )),
        );
    }
    Section {
        id: "rows".into(),
        heading: "What more rows would bring".into(),
        text: vec![outlook(curve)],
        blocks,
    }
}

fn columns(names: &[&str], form: Form) -> Vec<Column> {
    let mut columns: Vec<Column> = names.iter().map(|name| Column::number(*name)).collect();
    if form == Form::Letters {
        columns.push(Column::text("log loss"));
    }
    columns
}

/// A bar as long as a loss, beside the largest.
fn bar(loss: f64, all: impl Iterator<Item = f64>, form: Form) -> Option<Cell> {
    let largest = all.fold(0.0, f64::max);
    let length = if largest > 0.0 { LONGEST_BAR * loss / largest } else { 0.0 };
    (form == Form::Letters).then(|| letters(length, LONGEST_BAR, true).into())
}

fn in_words(point: &PricePoint) -> String {
    match point.size {
        Some(size) => counted(size, "feature"),
        None => format!("all that are kept ({})", fixed(point.features, 1)),
    }
}

fn with_error(estimate: &Estimate) -> String {
    format!("{} ± {}", fixed(estimate.mean, 3), fixed(estimate.error, 3))
}

fn share_with_error(estimate: &Estimate) -> String {
    format!("{} ± {}", percent(estimate.mean), fixed(100.0 * estimate.error, 1))
}
