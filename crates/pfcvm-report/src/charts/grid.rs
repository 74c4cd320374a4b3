//! Values of named rows and named columns, by the strength of two colours.

use super::heat::shade;
use super::scale::drawable;
use super::svg::{Anchor, Picture, Svg};
use crate::lettering::Lettering;
use crate::number::number;

const ROW: f64 = 22.0;
/// Room between what is written and the cells.
const GAP: f64 = 8.0;
/// The widest column.
const WIDEST: f64 = 110.0;
/// The least width of a column whose name is written.
const LINE: f64 = 17.4;
/// Longest name of a row, in pixels, in a wide picture and in a narrow one; and the room that it keeps
/// however many columns there are.
const LONGEST: [f64; 2] = [230.0, 110.0];
const SHORTEST: f64 = 72.0;
/// Longest name of a column that reads upwards.
const HIGHEST: f64 = 120.0;

/// A picture of named rows and columns of cells, one colour above zero and another below.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid<'a> {
    /// Names of the columns, from left to right.
    pub columns: &'a [String],
    /// Names of the rows, from top to bottom.
    pub rows: &'a [String],
    /// The values, a list for each row; what is no number is left empty.
    pub values: &'a [Vec<f64>],
    /// What they are.
    pub label: &'a str,
    /// The size that has the strongest colour.
    pub largest: f64,
    /// Whether a ring marks the largest value of each row.
    pub ringed: bool,
}

impl Grid<'_> {
    /// The picture at a width in pixels; see [`Svg::finish`] for the texts.
    pub fn draw(&self, width: f64, id: &str, name: &str, description: &str) -> Picture {
        let count = self.columns.len().max(1) as f64;
        let longest = self.rows.iter().map(|row| Lettering::Name.width(row)).fold(24.0, f64::max);
        // Names of rows give way to those of the columns.
        let room = (width - 2.0 * GAP - LINE * count).max(SHORTEST);
        let names = longest.min(LONGEST[usize::from(width <= 600.0)]).min(room);
        let left = names + GAP;
        let cell = ((width - left - GAP) / count).min(WIDEST);
        let widest = self.columns.iter().map(|column| Lettering::Tick.width(column));
        let widest = widest.fold(0.0, f64::max);
        let upwards = widest > cell - 6.0;
        let head = if upwards { widest.min(HIGHEST) } else { 14.0 };
        let top = head + GAP;
        let bottom = top + ROW * self.rows.len() as f64;
        let mut svg = Svg::new(width, bottom + 4.0);
        svg.band((left, top), (left + cell * self.columns.len() as f64, bottom));

        let step = if upwards { (LINE / cell).ceil().max(1.0) as usize } else { 1 };
        for (at, column) in self.columns.iter().enumerate().step_by(step) {
            let middle = left + cell * (at as f64 + 0.5);
            if upwards {
                let column = Lettering::Tick.fitted(column, HIGHEST);
                svg.upwards((middle + 4.0, top - 5.0), Lettering::Tick, &column);
            } else {
                svg.text((middle, top - 6.0), Anchor::Middle, Lettering::Tick, column);
            }
        }
        for (j, (row, values)) in self.rows.iter().zip(self.values).enumerate() {
            let y = top + ROW * j as f64;
            let name = Lettering::Name.fitted(row, names);
            svg.text((left - GAP, y + 0.5 * ROW + 4.0), Anchor::End, Lettering::Name, &name);
            let tip = |i: usize| {
                let column = &self.columns[i];
                format!("{row}, {column}: {} {}", self.label, number(values[i]))
            };
            for (i, &value) in values.iter().enumerate().take(self.columns.len()) {
                if drawable(value) {
                    let x = left + cell * i as f64;
                    let corners = ((x + 0.5, y + 0.5), (x + cell - 0.5, y + ROW - 0.5));
                    svg.heat(corners.0, corners.1, shade(value, self.largest), &tip(i));
                }
            }
            if let Some(i) = strongest(values).filter(|_| self.ringed) {
                let centre = (left + cell * (i as f64 + 0.5), y + 0.5 * ROW);
                svg.circle(centre, 3.5, "ring", &tip(i));
            }
        }
        svg.finish(id, name, description)
    }
}

/// The place of the largest of some values; nothing where none is above zero.
pub fn strongest(values: &[f64]) -> Option<usize> {
    let all = values.iter().enumerate().filter(|(_, value)| drawable(**value) && **value > 0.0);
    // The first of equals.
    all.reduce(|best, other| if other.1 > best.1 { other } else { best }).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize, name: &str) -> Vec<String> {
        (0..count).map(|at| format!("{name} {at}")).collect()
    }

    fn drawn(columns: &[String], values: &[Vec<f64>], width: f64) -> String {
        let rows = names(values.len(), "row");
        let grid =
            Grid { columns, rows: &rows, values, label: "worth", largest: 2.0, ringed: true };
        grid.draw(width, "g", "n", "d").markup().to_owned()
    }

    #[test]
    fn the_largest_of_a_row_has_a_ring() {
        let values = [vec![0.5, 2.0, -1.0], vec![-1.0, f64::NAN, 0.0]];
        let markup = drawn(&names(3, "c"), &values, 360.0);
        assert_eq!(markup.matches("class=\"ring\"").count(), 1);
        assert_eq!(markup.matches("class=\"heat ").count(), 5);
        assert!(markup.contains("<title>row 0, c 1: worth 2</title>"), "{markup}");
        assert!(
            markup.contains("heat contrast\" fill-opacity=\"0.45\"") && !markup.contains("NaN")
        );
        assert_eq!(strongest(&[1.0, f64::INFINITY, 1.0]), Some(0));
        assert_eq!(strongest(&[]), None);
    }

    #[test]
    fn names_of_columns_read_upwards_where_they_are_long() {
        let values = vec![vec![1.0; 19]; 2];
        assert!(!drawn(&names(3, "c"), &values, 360.0).contains("rotate"));
        let markup = drawn(&names(19, "a rather long name"), &values, 360.0);
        assert_eq!(markup.matches("rotate(-90").count(), 10, "every second on a telephone");
        let markup = drawn(&names(100, "a rather long name"), &vec![vec![1.0; 100]; 2], 940.0);
        let named = markup.matches("rotate(-90").count();
        assert!(named > 30 && named < 60, "{named}");
        assert!(drawn(&[], &[], 360.0).starts_with("<svg "));
    }
}
