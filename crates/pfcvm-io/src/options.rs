//! What to read and how.

use crate::{ColumnKind, Groups};

/// The form of a data file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text separated by commas or semicolons, whichever the first line has more of, or by blanks if
    /// it has neither.
    Csv,
    /// Text separated by tabs.
    Tsv,
    /// `label index:value index:value …`
    Libsvm,
    /// Weka's attribute-relation files, dense or sparse.
    Arff,
    /// One NumPy array of two dimensions.
    Npy,
    /// An archive of NumPy arrays: the matrix `X` and, where there is one, the labels `y`.
    Npz,
    /// A spreadsheet (.xlsx, .xlsb, .xls or .ods), of which one sheet is read.
    Excel,
    /// Typed columns, as Apache Parquet has them.
    Parquet,
    /// Typed columns as messages of Apache Arrow: a file (Feather) or a stream.
    Arrow,
}

impl Format {
    /// The usual name.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "CSV",
            Format::Tsv => "TSV",
            Format::Libsvm => "LIBSVM",
            Format::Arff => "ARFF",
            Format::Npy => ".npy",
            Format::Npz => ".npz",
            Format::Excel => "a spreadsheet",
            Format::Parquet => "Parquet",
            Format::Arrow => "Arrow",
        }
    }
}

/// Whether delimited text begins with column names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Header {
    /// A first line that holds only numbers is data, unless they are 0, 1, 2, …; so is one of which at
    /// least half the words come again in the same column.
    #[default]
    Auto,
    /// The first line holds the names.
    Yes,
    /// The first line is data.
    No,
}

/// How to read a file. The default guesses the format and takes the last column as the label.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// The format, where it is not to be found out from the first bytes.
    pub format: Option<Format>,
    /// Whether delimited text has a header line.
    pub header: Header,
    /// The label column: its name, or its position counted from 1 (from −1 at the end) where no
    /// column has that name. The last column if not given. LIBSVM always has it first; in an
    /// .npz archive the name of an array may be given.
    pub label: Option<String>,
    /// The sheet of a spreadsheet: its name, or its position counted from 1 where none has that name.
    /// The first if not given.
    pub sheet: Option<String>,
    /// Names of columns to leave out, such as row numbers.
    pub ignore: Vec<String>,
    /// What columns hold, by name, where it is not to be found out.
    pub kinds: Vec<(String, ColumnKind)>,
    /// Texts that stand for no value, beside those that always do.
    pub missing: Vec<String>,
    /// Columns that belong together and are one feature.
    pub groups: Groups,
    /// Memory that the matrix may take.
    pub memory_limit_mib: u64,
    /// Bytes read at a time; for tests that want many blocks out of little data.
    #[doc(hidden)]
    pub chunk_bytes: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            format: None,
            header: Header::Auto,
            label: None,
            sheet: None,
            ignore: Vec::new(),
            kinds: Vec::new(),
            missing: Vec::new(),
            groups: Groups::default(),
            memory_limit_mib: 16 << 10,
            chunk_bytes: 2 << 20,
        }
    }
}

impl ReadOptions {
    /// Names of columns to leave out, said in either way.
    pub(crate) fn ignored(&self) -> Vec<String> {
        let kinds = self.kinds.iter().filter(|(_, kind)| *kind == ColumnKind::Ignore);
        self.ignore.iter().chain(kinds.map(|(name, _)| name)).cloned().collect()
    }

    /// Memory allowed, in bytes.
    pub(crate) fn limit(&self) -> u64 {
        self.memory_limit_mib.saturating_mul(1 << 20)
    }

    /// Refuses what would take more memory than allowed, before it is allocated.
    pub(crate) fn allow(
        &self,
        bytes: u128,
        what: impl FnOnce() -> String,
    ) -> Result<(), crate::Error> {
        if bytes <= u128::from(self.limit()) {
            return Ok(());
        }
        let needed_mib = u64::try_from(bytes.div_ceil(1 << 20)).unwrap_or(u64::MAX);
        Err(crate::Error::TooLarge { what: what(), needed_mib, limit_mib: self.memory_limit_mib })
    }
}
