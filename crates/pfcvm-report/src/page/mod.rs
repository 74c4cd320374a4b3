//! The frame of a page: a heading, tiles, notes, sections with pictures and tables, a footer.
//! Nothing here knows what a fit is, so other reports can be built from the same parts.

mod table;
mod text;

pub use table::{Cell, Column, Mark, Table};

use crate::charts::{Picture, Tone};
use crate::error::Error;
use crate::name::visible;
use minijinja::{Environment, context};
use serde::Serialize;

const TEMPLATE: &str = include_str!("page.html");
// What pictures look like comes first: rules for paper and small screens may change it.
const STYLE: &str = concat!(include_str!("../charts/shapes.css"), include_str!("style.css"));

/// A whole page.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Page {
    /// The heading.
    pub title: String,
    /// One or two sentences below it.
    pub lead: String,
    /// The figures to see first.
    pub tiles: Vec<Tile>,
    /// Warnings.
    pub notes: Vec<String>,
    /// The body, each section with a link at the top.
    pub sections: Vec<Section>,
    /// Short statements at the end.
    pub footer: Vec<String>,
}

/// One figure that deserves large print.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Tile {
    /// What it is.
    pub label: String,
    /// The figure.
    pub value: String,
    /// What to compare it with.
    pub remark: String,
}

/// A part of the page under its own heading.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Section {
    /// The target of links to it: letters and hyphens.
    pub id: String,
    /// The heading.
    pub heading: String,
    /// Paragraphs that say what is to be seen.
    pub text: Vec<String>,
    /// What is to be seen.
    pub blocks: Vec<Block>,
}

/// Content of a section.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "content")]
pub enum Block {
    /// Pictures side by side where there is room.
    Figures(Vec<Figure>),
    /// Small pictures, three beside each other where there is room and two on a telephone.
    Small(Vec<Figure>),
    /// One picture across the page.
    Wide(Figure),
    /// Figures in large print.
    Tiles(Vec<Tile>),
    /// A table.
    Table(Table),
    /// A table to be opened, under a line that says what it is.
    Folded(String, Table),
}

/// A picture with the words around it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// What is shown.
    pub heading: String,
    /// What the colours mean.
    pub legend: Vec<(Tone, String)>,
    /// What is drawn.
    pub content: Content,
    /// How to read it.
    pub caption: String,
}

/// What a figure shows.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "content")]
pub enum Content {
    /// One picture.
    Picture(Picture),
    /// The same picture for narrow screens and for wide ones and paper.
    ByWidth {
        /// For less than 720 pixels.
        narrow: Picture,
        /// For more.
        wide: Picture,
    },
    /// A small table.
    Table(Table),
}

impl Page {
    /// The page as one HTML file that needs nothing else.
    ///
    /// # Errors
    /// If the template fails, which would be a fault of this crate.
    pub fn html(&self) -> Result<String, Error> {
        let mut environment = Environment::new();
        // The ending `.html` switches the escaping on.
        environment.add_template("page.html", TEMPLATE)?;
        let template = environment.get_template("page.html")?;
        let html = template.render(context! { page => self, style => STYLE })?;
        let keep = |c: char| if c == '\n' { c } else { visible(c) };
        Ok(html.chars().map(keep).collect())
    }

    /// The page as plain text for a terminal, in lines of at most 80 columns except in tables.
    pub fn text(&self) -> String {
        text::page(self)
    }
}

impl Section {
    /// The section as plain text; see [`Page::text`]. Its paragraphs are the field of the same
    /// name.
    pub fn text(&self) -> String {
        text::section(self)
    }
}
