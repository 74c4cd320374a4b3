//! Values over two axes of cells, by the strength of two colours.

use super::frame::Frame;
use super::scale::{Scale, drawable};
use super::svg::{Picture, Tone};
use crate::number::number;

/// A picture of rows and columns of cells, one colour above zero and another below.
#[derive(Debug, Clone, PartialEq)]
pub struct Heat<'a> {
    /// What the columns are, from left to right, and what they mean.
    pub x: (&'a str, &'a [String]),
    /// What the rows are, from bottom to top, and what they mean.
    pub y: (&'a str, &'a [String]),
    /// The values, a list for each column.
    pub values: &'a [Vec<f64>],
    /// What they are.
    pub label: &'a str,
}

impl Heat<'_> {
    /// The picture; see [`crate::charts::Svg::finish`] for the texts.
    pub fn draw(&self, size: (f64, f64), id: &str, name: &str, description: &str) -> Picture {
        let ((x_label, columns), (y_label, rows)) = (self.x, self.y);
        let x = Scale::cells(columns, size.0 - 110.0);
        let y = Scale::cells_upwards(rows, size.1 - 80.0);
        let mut frame = Frame::new(size, (x_label, x), (y_label, y));
        let all = self.values.iter().flatten().copied().filter(|value| drawable(*value));
        let largest = all.map(f64::abs).fold(0.0, f64::max);
        for (i, column) in self.values.iter().enumerate().take(columns.len()) {
            for (j, &value) in column.iter().enumerate().take(rows.len()) {
                if !drawable(value) {
                    continue;
                }
                let tip = format!(
                    "{x_label} {}, {y_label} {}: {} {}",
                    columns[i],
                    rows[j],
                    self.label,
                    number(value)
                );
                frame.cell((i as f64, j as f64), shade(value, largest), &tip);
            }
        }
        frame.finish(id, name, description)
    }
}

/// How strong the colour of a value is, and which, beside the largest size that there is.
pub(super) fn shade(value: f64, largest: f64) -> (f64, Tone) {
    let tone = if value < 0.0 { Tone::Contrast } else { Tone::Accent };
    let strength = if largest > 0.0 { value.abs() / largest } else { 0.0 };
    (0.9 * strength.min(1.0), tone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_drawn_by_their_strength() {
        let names: Vec<String> = ["a", "b"].map(String::from).to_vec();
        let values = [vec![1.0, -0.5], vec![f64::NAN, 0.0]];
        let heat = Heat { x: ("u", &names), y: ("v", &names), values: &values, label: "effect" };
        let markup = heat.draw((300.0, 300.0), "h", "n", "d").markup().to_owned();
        assert_eq!(markup.matches("class=\"heat ").count(), 3);
        assert!(markup.contains("heat accent\" fill-opacity=\"0.9\""), "{markup}");
        assert!(markup.contains("heat contrast\" fill-opacity=\"0.45\""), "{markup}");
        assert!(
            markup.contains("<title>u a, v b: effect −0.500</title>") && !markup.contains("NaN")
        );
        let none = Heat { x: ("", &[]), y: ("", &[]), values: &[], label: "" };
        assert!(none.draw((300.0, 300.0), "h", "n", "d").markup().starts_with("<svg "));
    }
}
