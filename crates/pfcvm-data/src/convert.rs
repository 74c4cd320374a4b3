//! Published tables turned into the form of the catalogue.

use std::fmt::Write;

/// How a published table of comma-separated values becomes one of the catalogue: columns get
/// names, classes get numbers, and numbers are written as C's `%.7g` does.
#[derive(Debug, Clone, Copy)]
pub struct Conversion {
    /// Lines before the first row.
    pub skipped_lines: usize,
    /// The header line of the result.
    pub header: &'static str,
    /// What the last field of a row becomes: `(published, ours)`.
    pub labels: &'static [(&'static str, &'static str)],
}

impl Conversion {
    /// The table, or what is wrong with the text and in which line.
    pub(crate) fn apply(&self, text: &str) -> Result<String, String> {
        let columns = self.header.split(',').count();
        let mut table = format!("{}\n", self.header);
        for (index, line) in text.lines().enumerate().skip(self.skipped_lines) {
            let wrong = |what: &str| format!("line {} {what}", index + 1);
            if line.split(',').count() != columns {
                return Err(wrong(&format!("does not have {columns} fields")));
            }
            let (values, published) = line.rsplit_once(',').unwrap_or_default();
            for value in values.split(',') {
                let number: f64 =
                    value.parse().map_err(|_| wrong("holds something that is no number"))?;
                push_number(&mut table, number);
                table.push(',');
            }
            let label = self.labels.iter().find(|(known, _)| *known == published);
            let (_, label) = label.ok_or_else(|| wrong("ends in an unknown class"))?;
            table.push_str(label);
            table.push('\n');
        }
        Ok(table)
    }
}

/// As `%.7g`, for numbers that have no more than seven digits.
fn push_number(table: &mut String, number: f64) {
    // Writing to a string cannot fail.
    if number != 0.0 && number.abs() < 1e-4 {
        let text = format!("{number:e}");
        let (digits, power) = text.split_once("e-").unwrap_or((&text, "0"));
        let _ = write!(table, "{digits}e-{power:0>2}");
    } else {
        let _ = write!(table, "{number}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONVERSION: Conversion =
        Conversion { skipped_lines: 1, header: "a,b,label", labels: &[("g", "1"), ("b", "-1")] };

    #[test]
    fn numbers_and_labels_are_written_our_way() {
        let text = "2,2,good,bad\n0.03760,1,g\r\n-0.00003,1001.0,b\n.5,-0.50000,g";
        let table = "a,b,label\n0.0376,1,1\n-3e-05,1001,-1\n0.5,-0.5,1\n";
        assert_eq!(CONVERSION.apply(text).unwrap(), table);
    }

    #[test]
    fn what_does_not_fit_is_named_with_its_line() {
        let wrong = |text| CONVERSION.apply(text).unwrap_err();
        assert_eq!(wrong("x\n1,2,g\n1,g"), "line 3 does not have 3 fields");
        assert_eq!(wrong("x\n1,?,g"), "line 2 holds something that is no number");
        assert_eq!(wrong("x\n1,2,h"), "line 2 ends in an unknown class");
    }
}
