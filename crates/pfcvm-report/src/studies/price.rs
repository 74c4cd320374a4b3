//! What a short list costs: the page of `price`, and a section of the page of a fit.

use super::curve::{Form, bar, columns, share_with_error, with_error};
use super::words::wide_figure;
use super::{About, or_dash};
use crate::charts::{Level, Lines, Series};
use crate::name::{or_nameless, quoted};
use crate::page::{Block, Cell, Column, Figure, Mark, Page, Section, Table, Tile};
use crate::{counted, fixed, percent};
use pfcvm_study::{ListedFeature, Price, PricePoint};

/// More features than this are not listed.
const MOST_LISTED: usize = 100;

/// What lists of every length cost, as the account of a fit tells it.
#[derive(Debug, Clone, PartialEq)]
pub struct ShortLists {
    /// The method, the protocol and the seed in words.
    pub protocol: String,
    /// The curve.
    pub price: Price,
    /// The list of a fit on all rows at the suggested length.
    pub list: Vec<ListedFeature>,
    /// Names of all features.
    pub feature_names: Vec<String>,
    /// At most so many features were asked of the fit itself; nothing: all that it keeps.
    pub asked: Option<usize>,
}

/// What lists of every length are worth, and the one that is suggested, as fitted on all rows.
pub fn price(about: &About, price: &Price, list: &[ListedFeature], form: Form) -> Page {
    let lengths = Section {
        id: "lengths".into(),
        heading: "What a short list costs".into(),
        text: vec![price_in_words(price), how(price)],
        blocks: curve(price, form),
    };
    Page {
        title: about.title.clone(),
        lead: format!(
            "{}: lists of every length searched inside each training part, tested on {} that had no \
             part in it.",
            about.protocol,
            counted(price.rows, "row")
        ),
        tiles: tiles(price),
        notes: about.notes.iter().map(|note| quoted(note)).collect(),
        sections: vec![lengths, suggested(&about.feature_names, price, list)],
        footer: vec![about.program.clone()],
    }
}

impl ShortLists {
    /// The same beside a fit; `option` asks that for a length. With a machine of all features `beside` its list, the
    /// fit itself is no point of the curve.
    pub(crate) fn section(&self, option: &str, beside: bool, form: Form) -> Section {
        let price = &self.price;
        let mut text = vec![price_in_words(price)];
        if beside {
            text.push(
                "Lists predict alone here, without the machine of all features that this fit has beside \
                 its list."
                    .into(),
            );
        }
        text.extend(self.of_the_fit());
        text.extend(self.advice(option));
        text.push(format!(
            "{} Tested on {} that had no part in it ({}).",
            how(price),
            counted(price.rows, "row"),
            self.protocol
        ));
        let mut blocks = curve(price, form);
        if form == Form::Picture {
            blocks.insert(0, Block::Tiles(tiles(price)));
        }
        blocks.extend(self.another_list());
        let heading = "What a short list costs".into();
        Section { id: "price".into(), heading, text, blocks }
    }

    /// What the length costs that was asked of the fit.
    fn of_the_fit(&self) -> Option<String> {
        let asked = self.asked?;
        let points = &self.price.points;
        // Where fewer are kept than were asked for, that is the last point.
        let at = points.iter().position(|point| point.size == self.asked);
        let at = at.unwrap_or(points.len() - 1);
        let what = format!("The list was asked to hold at most {}", counted(asked, "feature"));
        let price = with_error(&points[at].difference);
        Some(match at == self.price.best {
            true => format!("{what}, and no length does better."),
            false => format!("{what}, which costs {price} of log loss above the best length."),
        })
    }

    /// How to have the suggested length, where the fit has another.
    fn advice(&self, option: &str) -> Option<String> {
        let size = self.price.suggested_size().filter(|size| *size > 0)?;
        (self.asked != Some(size))
            .then(|| format!("“pfcvm fit {option} {size}” takes the suggested length."))
    }

    /// The suggested list, where the page does not show it already as that of the fit.
    fn another_list(&self) -> Option<Block> {
        let size = self.price.suggested_size();
        (size != Some(0) && size != self.asked).then(|| {
            let line = format!("The list of a fit on all rows with {}", most(size));
            Block::Folded(line, listed(&self.feature_names, &self.list))
        })
    }
}

/// What the curve says, in a sentence or two.
pub fn price_in_words(price: &Price) -> String {
    let (chosen, best) = (&price.points[price.suggested], &price.points[price.best]);
    if chosen.size == Some(0) {
        return format!(
            "No list is clearly better than the shares of the classes, which cost {} of log loss.",
            with_error(&chosen.log_loss)
        );
    }
    let list = match chosen.size {
        Some(size) => format!("A list of {}", counted(size, "feature")),
        None => format!("All that is kept ({} features on average)", fixed(chosen.features, 1)),
    };
    let there = format!(
        "log loss {} and {} errors on rows that did not train",
        with_error(&chosen.log_loss),
        share_with_error(&chosen.error_rate)
    );
    match price.suggested == price.best {
        true => format!(
            "{list} does best: {there}. No shorter list comes within one standard error of it."
        ),
        false => format!(
            "{list} is enough: {there}, {} of log loss above the best length, {}.",
            with_error(&chosen.difference),
            in_words(best)
        ),
    }
}

fn tiles(price: &Price) -> Vec<Tile> {
    let (suggested, best) = (&price.points[price.suggested], &price.points[price.best]);
    let all = price.points.last().unwrap_or(best);
    let tile =
        |label: &str, value: String, remark: String| Tile { label: label.into(), value, remark };
    let shares =
        format!("the shares of the classes cost {}", fixed(price.points[0].log_loss.mean, 3));
    let is_best = price.suggested == price.best;
    vec![
        tile(
            "Suggested length",
            in_words(suggested),
            match is_best {
                true => "the best length; no shorter one is within one standard error of it".into(),
                false => format!(
                    "the shortest list within one standard error of the best, {}",
                    in_words(best)
                ),
            },
        ),
        tile("Log loss there", with_error(&suggested.log_loss), shares),
        tile(
            "Errors there",
            share_with_error(&suggested.error_rate),
            format!("{} with {}", share_with_error(&all.error_rate), in_words(all)),
        ),
        tile(
            "Price",
            if is_best { "none".into() } else { with_error(&suggested.difference) },
            "log loss above the best length, row by row".into(),
        ),
    ]
}

/// How the curve came about, and which length is suggested.
fn how(price: &Price) -> String {
    format!(
        "Every length is a model of its own, learned anew in each of {} with a list of at most so \
         many features; 0 knows the shares of the classes only. Suggested is the shortest whose log \
         loss is above the best one's by no more than one standard error of the difference.",
        counted(price.folds, "fold")
    )
}

/// The curve: a picture where there can be one, and a table.
fn curve(price: &Price, form: Form) -> Vec<Block> {
    let table = Table {
        caption: "By length".into(),
        columns: columns(&["features", "used", "log loss", "errors", "above the best"], form),
        rows: price
            .points
            .iter()
            .enumerate()
            .map(|(at, point)| row(price, at, point, form))
            .collect(),
        remark: Some(format!(
            "{} ± is a standard error over the tested rows (over the groups, where rows have \
             some), for a model learned from other rows; “above the best” is of differences row by row.",
            // What a mark looks like.
            match form {
                Form::Picture => "Bold is the suggested length.",
                Form::Letters => "* suggested.",
            }
        )),
    };
    let mut blocks = vec![Block::Table(table)];
    if form == Form::Picture {
        blocks.insert(0, Block::Wide(picture(price)));
    }
    blocks
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

fn picture(price: &Price) -> Figure {
    let longest = price.points.iter().filter_map(|point| point.size).max().unwrap_or(0) as f64;
    // All that is kept may be fewer in the folds than on all rows, and is the end of the curve all the same.
    let at = |point: &PricePoint| {
        (point.size.map_or(point.features.max(longest), |size| size as f64), point.log_loss.mean)
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

fn suggested(names: &[String], price: &Price, list: &[ListedFeature]) -> Section {
    let size = price.suggested_size();
    let section = |text: String, blocks| Section {
        id: "list".into(),
        heading: "The suggested list".into(),
        text: vec![text],
        blocks,
    };
    if size == Some(0) {
        let text = "No list does better than the shares of the classes: there is nothing to list.";
        return section(text.into(), Vec::new());
    }
    let text = format!(
        "Of a fit on all rows with {}: what the log loss of held-out rows rises by without each, and how \
         likely it is listed for nothing.",
        most(size)
    );
    section(text, vec![Block::Table(listed(names, list))])
}

/// A list, as far as it is shown.
fn listed(names: &[String], list: &[ListedFeature]) -> Table {
    let name = |feature: usize| names.get(feature).map_or("", String::as_str);
    let row = |one: &ListedFeature| -> Vec<Cell> {
        vec![
            quoted(or_nameless(name(one.feature))).into(),
            or_dash(&one.importance, with_error).into(),
            or_dash(&one.false_alarm, |p| percent(*p)).into(),
        ]
    };
    let more = list.len().saturating_sub(MOST_LISTED);
    Table {
        caption: "Features".into(),
        columns: Column::numbers("feature", &["importance", "false alarm"]),
        rows: list.iter().take(MOST_LISTED).map(row).collect(),
        remark: (more > 0).then(|| format!("{} are not shown", counted(more, "more feature"))),
    }
}

/// The bound of a list.
fn most(size: Option<usize>) -> String {
    match size {
        Some(size) => format!("at most {}", counted(size, "feature")),
        None => "as many features as it keeps".into(),
    }
}

fn in_words(point: &PricePoint) -> String {
    match point.size {
        Some(size) => counted(size, "feature"),
        None => format!("all that are kept ({})", fixed(point.features, 1)),
    }
}
