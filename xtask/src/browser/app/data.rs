//! Files to drop on the page.

use crate::step::Outcome;
use std::fs;
use std::path::{Path, PathBuf};

const HOSTILE: &str = "<img src=x onerror=harmed=1>&amp;'$(harm)'.csv";
/// The same as a word of a shell.
pub const HOSTILE_QUOTED: &str = r"'<img src=x onerror=harmed=1>&amp;'\''$(harm)'\''.csv'";

/// Files of every sort.
pub struct Data {
    /// A table with numbers, words and gaps.
    pub table: PathBuf,
    /// New rows for it.
    pub rows: PathBuf,
    /// No table at all.
    pub wrong: PathBuf,
    /// A table whose names are markup, and commands of a shell.
    pub hostile: PathBuf,
}

impl Data {
    /// Writes them, except for a table that is given, which then stands for new rows too.
    pub fn write(folder: &Path, given: Option<&Path>) -> Outcome<Self> {
        let put = |name: &str, content: &[u8]| -> Outcome<PathBuf> {
            let path = folder.join(name);
            fs::write(&path, content).map_err(|error| format!("{}: {error}", path.display()))?;
            Ok(path)
        };
        let (table, rows) = match given {
            Some(table) => (table.to_owned(), table.to_owned()),
            None => {
                let table = put("clinic.csv", patients(90).as_bytes())?;
                (table, put("new patients.csv", patients(20).as_bytes())?)
            }
        };
        let wrong =
            put("picture.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06")?;
        let hostile = put(HOSTILE, hostile(60).as_bytes())?;
        Ok(Self {
            table: table.canonicalize().map_err(|error| error.to_string())?,
            rows,
            wrong,
            hostile,
        })
    }
}

/// Always the same numbers between 0 and 1.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / (1u64 << 24) as f64
    }
}

fn patients(count: usize) -> String {
    let mut draw = Draw(count as u64);
    let mut text = String::from("patient,age,bilirubin,albumin,fatigue,visited,outcome\n");
    for at in 0..count {
        let sick = draw.next() < 0.4;
        let (age, shift) = (30.0 + 40.0 * draw.next(), if sick { 2.0 } else { 0.0 });
        let bilirubin = if draw.next() < 0.1 {
            String::new()
        } else {
            format!("{:.2}", shift + 2.0 * draw.next())
        };
        let albumin = 3.0 + draw.next() - 0.3 * shift;
        let tired = if draw.next() < if sick { 0.8 } else { 0.3 } { "yes" } else { "no" };
        let outcome = if sick { "died" } else { "lived" };
        let day = 1 + at % 28;
        text += &format!(
            "p{at},{age:.0},{bilirubin},{albumin:.2},{tired},2024-03-{day:02},{outcome}\n"
        );
    }
    text
}

/// Names and words that would do harm if anybody took them for markup or formulas.
fn hostile(count: usize) -> String {
    let mut draw = Draw(7);
    let mut text = String::from(
        "<img src=x onerror=harmed=1>,\"\"\"><script>harmed=1</script>\",<b class=harm>x,=cmd|'/C calc'!A0,--json\n",
    );
    for _ in 0..count {
        let class = draw.next() < 0.5;
        let shift = if class { 1.5 } else { 0.0 };
        let word = ["<svg onload=harmed=1>", "javascript:harmed=1"][usize::from(draw.next() < 0.5)];
        let label = if class { "<script>harmed=1</script>" } else { "${harmed=1}" };
        text += &format!(
            "{:.3},{:.3},{word},{:.3},{label}\n",
            shift + draw.next(),
            draw.next(),
            draw.next()
        );
    }
    text
}
