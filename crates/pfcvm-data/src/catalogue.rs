//! The data sets that are known.

mod genes;
mod raetsch;
mod tables;

use crate::{Conversion, Error};

/// A data set: what it is, where it comes from, and the files it is kept in.
///
/// All tables have one header line, numbers only, no missing values, and the class in the last
/// column, `label`. Rows in side files count from 0.
#[derive(Debug, Clone)]
pub struct DataSet {
    /// The name, which is also that of its folder.
    pub name: &'static str,
    /// What it is, in a line.
    pub title: &'static str,
    /// Rows, where known.
    pub samples: Option<usize>,
    /// Columns without the label, where known.
    pub features: Option<usize>,
    /// The classes, in ascending order of their labels.
    pub classes: &'static [Class],
    /// Who made it, and where it was published: what to cite.
    pub origin: &'static str,
    /// A page that tells more.
    pub address: &'static str,
    /// What is known of its licence.
    pub licence: &'static str,
    /// How it can be had.
    pub source: Source,
    /// Its files, the data file first; none for a set that nobody may pass on.
    pub files: &'static [DataFile],
    /// What to know before using it.
    pub remarks: &'static [&'static str],
}

/// A class of a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// What stands in the label column.
    pub label: &'static str,
    /// What it means, where known.
    pub meaning: &'static str,
    /// How many rows carry it.
    pub samples: usize,
}

/// A file of a data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataFile {
    /// Its path below the folder, with `/` between the pieces.
    pub path: &'static str,
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256, in 64 small hexadecimal digits.
    pub sha256: &'static str,
}

/// How a data set can be had. Every set with files can also come from a mirror.
#[derive(Debug, Clone)]
pub enum Source {
    /// As a public file whose bytes are known, and which becomes our table.
    Published {
        /// Where the file is published.
        address: &'static str,
        /// The file as it is kept beside the table.
        file: DataFile,
        /// How it becomes the table.
        conversion: Conversion,
    },
    /// By hand only, for its bytes are not known or need more than a conversion; where and how.
    ByHand(&'static str),
    /// From its owners only, after signing a licence; where.
    Licensed(&'static str),
}

impl DataSet {
    /// The table itself. None for a set that nobody may pass on.
    pub fn data_file(&self) -> Option<&'static DataFile> {
        self.files.first()
    }

    /// Files beside the table: names of features, facts about samples, training sets.
    pub fn side_files(&self) -> &'static [DataFile] {
        self.files.get(1..).unwrap_or_default()
    }

    /// How to get it, in a few words.
    pub fn how_to_get(&self) -> String {
        match self.source {
            Source::Published { address, .. } => format!("it is fetched from {address}"),
            Source::ByHand(how) | Source::Licensed(how) => how.into(),
        }
    }
}

/// All data sets: first those of the gene experiments, then other tables, then the benchmarks of
/// Raetsch.
pub fn catalogue() -> impl Iterator<Item = &'static DataSet> {
    genes::SETS.iter().chain(tables::SETS).chain(raetsch::SETS)
}

/// The data set of a name.
pub fn find(name: &str) -> Result<&'static DataSet, Error> {
    catalogue()
        .find(|set| set.name == name)
        .ok_or_else(|| Error::UnknownName { name: name.into(), nearest: nearest(name) })
}

/// The name most like the one asked for; folders may be left out (`banana`).
fn nearest(name: &str) -> Option<String> {
    let name = name.to_lowercase();
    let likeness = |known: &str| {
        let last = known.rsplit('/').next().unwrap_or(known);
        // Names typed without their folder are meant as they are, but whole names go first.
        strsim::jaro_winkler(&name, known).max(0.99 * strsim::jaro_winkler(&name, last))
    };
    let scored = catalogue().map(|set| (likeness(set.name), set.name));
    let (score, name) = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (score > 0.8).then(|| name.to_string())
}

/// What UCI says of all its sets.
const UCI: &str = "CC BY 4.0, as UCI states for its sets; not looked up again for this one";

/// The two classes of most sets.
const fn two(
    negative: &'static str,
    negatives: usize,
    positive: &'static str,
    positives: usize,
) -> [Class; 2] {
    [
        Class { label: "-1", meaning: negative, samples: negatives },
        Class { label: "1", meaning: positive, samples: positives },
    ]
}

const fn file(path: &'static str, bytes: u64, sha256: &'static str) -> DataFile {
    DataFile { path, bytes, sha256 }
}
