//! Named features and class labels, before anyone has said which two classes matter.

use crate::Error;
use crate::Variable;
use crate::error::{counted, shown};
use crate::groups::{Grouping, Groups};
use crate::kinds::label_by_name;
use crate::labels::{Classes, LabelBuilder, key};
use pfcvm::data::Columns;
use pfcvm::{Dataset, Matrix, multiclass};

/// More classes than this are no classes: the label is another column.
const MOST_CLASSES: usize = 100;
/// The same where some of them occur only once.
const FEW_CLASSES: usize = 10;

/// Rows of features, each with a class.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What the columns of `x` are called and hold.
    variables: Vec<Variable>,
    /// Which of them make up one feature.
    columns: Columns,
    /// Names of groups, where there are some; else features have the names of their columns.
    feature_names: Vec<String>,
    x: Matrix,
    class_names: Vec<String>,
    codes: Vec<u32>,
    notes: Vec<String>,
    /// Which rows of the file these are, if there are others.
    file_rows: Option<Vec<usize>>,
    rows_read: usize,
}

impl Table {
    /// A table of numbers from its parts: one name per column of `x`, one label per row.
    ///
    /// # Panics
    /// If their numbers do not agree.
    pub fn new<'a>(
        feature_names: Vec<String>,
        x: Matrix,
        labels: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let mut builder = LabelBuilder::default();
        labels.into_iter().for_each(|label| builder.push(label));
        let mut classes = Classes::default();
        classes.extend(&builder.finish());
        Self::of_variables(feature_names.into_iter().map(Variable::number).collect(), x, classes)
    }

    pub(crate) fn of_variables(variables: Vec<Variable>, x: Matrix, classes: Classes) -> Self {
        let (class_names, codes) = classes.finish();
        assert_eq!(variables.len(), x.cols(), "one name per feature");
        assert_eq!(codes.len(), x.rows(), "one label per row");
        let columns = Columns::new(variables.iter().map(Variable::kind).collect());
        let feature_names = variables.iter().map(|variable| variable.name.clone()).collect();
        let rows_read = x.rows();
        Self {
            variables,
            columns,
            feature_names,
            x,
            class_names,
            codes,
            notes: Vec::new(),
            file_rows: None,
            rows_read,
        }
    }

    pub(crate) fn with_notes(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }

    pub(crate) fn with_file_rows(self, file_rows: Option<Vec<usize>>, rows_read: usize) -> Self {
        Self { file_rows, rows_read, ..self }
    }

    /// The same with columns that belong together as one feature each.
    pub(crate) fn grouped(self, groups: &Groups, others: &[String]) -> Result<Self, Error> {
        let Grouping { feature_of, names } = groups.of(&self.feature_names, others)?;
        let columns = self.columns.grouped(&feature_of)?;
        Ok(Self { columns, feature_names: names, ..self })
    }

    /// The features' names: those of groups, and of columns that are in none.
    pub fn feature_names(&self) -> &[String] {
        &self.feature_names
    }

    /// What the columns are called and hold.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// What the columns are for a fit.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The number of a row in the file, from 0: rows without a label are not in the table.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row_in_file(&self, row: usize) -> usize {
        self.file_rows.as_ref().map_or(row, |rows| rows[row])
    }

    /// Rows of the file, with those that have no label.
    pub fn rows_read(&self) -> usize {
        self.rows_read
    }

    /// The features, one row per sample.
    pub fn x(&self) -> &Matrix {
        &self.x
    }

    /// The classes: numbers in their order, or else texts in that of the alphabet, each as it was
    /// first read.
    pub fn class_names(&self) -> &[String] {
        &self.class_names
    }

    /// The class of every row, as a place in [`Table::class_names`].
    pub fn class_codes(&self) -> &[u32] {
        &self.codes
    }

    /// The class of one row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn label(&self, row: usize) -> &str {
        &self.class_names[self.codes[row] as usize]
    }

    /// Rows per class.
    pub fn class_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.class_names.len()];
        self.codes.iter().for_each(|&code| counts[code as usize] += 1);
        counts
    }

    /// What the reader decided without being asked, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The negative and the positive class: those asked for (`1` finds `1.0`), or the only two
    /// there are. Each needs two rows.
    pub fn choose_classes(&self, asked: Option<(&str, &str)>) -> Result<(String, String), Error> {
        let counts = self.class_counts();
        let (negative, positive) = match (asked, self.class_names.len()) {
            (Some((negative, positive)), _) => self.codes_of(negative, positive)?,
            (None, 2) => (0, 1),
            (None, 1) => {
                let label = shown(self.class_names[0].as_bytes());
                return Err(Error::OneClass { label, rows: self.codes.len() });
            }
            (None, count) => {
                return Err(self.many_classes(count));
            }
        };
        for code in [negative, positive] {
            if counts[code] < 2 {
                let label = shown(self.class_names[code].as_bytes());
                return Err(Error::FewRows { label, rows: counted(counts[code], "row") });
            }
        }
        Ok((self.class_names[negative].clone(), self.class_names[positive].clone()))
    }

    fn many_classes(&self, count: usize) -> Error {
        // Many classes are often numbers from a column that is no label.
        let label = (count > FEW_CLASSES).then(|| label_by_name(&self.variables, &self.x));
        let label = label.flatten().map(|name| shown(name.as_bytes()));
        Error::ManyClasses { count, known: self.known_classes(true), label }
    }

    fn codes_of(&self, negative: &str, positive: &str) -> Result<(usize, usize), Error> {
        let find = |label: &str| {
            let wanted = key(label);
            let found = self.class_names.iter().position(|name| key(name) == wanted);
            found.ok_or_else(|| Error::MissingClass {
                label: shown(label.as_bytes()),
                known: self.known_classes(false),
            })
        };
        let (negative, positive) = (find(negative)?, find(positive)?);
        if negative == positive {
            let label = shown(self.class_names[negative].as_bytes());
            return Err(Error::SameClass { label });
        }
        Ok((negative, positive))
    }

    fn known_classes(&self, with_counts: bool) -> String {
        const LISTED: usize = 5;
        let counts = self.class_counts();
        let listed = self.class_names.iter().zip(&counts).take(LISTED);
        let mut words: Vec<String> = listed
            .map(|(name, count)| {
                let name = shown(name.as_bytes());
                if with_counts {
                    format!("`{name}` in {}", counted(*count, "row"))
                } else {
                    format!("`{name}`")
                }
            })
            .collect();
        if counts.len() > LISTED {
            words.push("…".into());
        }
        words.join(", ")
    }

    /// Positions of the rows of two classes, in the order in which [`Table::two_classes`] has them.
    pub fn rows_of(&self, negative: &str, positive: &str) -> Result<Vec<usize>, Error> {
        let (negative, positive) = self.codes_of(negative, positive)?;
        Ok(self.members(negative, positive).0)
    }

    /// Every row of the two classes, in the order of the table; other classes are left out.
    pub fn two_classes(&self, negative: &str, positive: &str) -> Result<Dataset, Error> {
        let (negative, positive) = self.codes_of(negative, positive)?;
        let (rows, positives) = self.members(negative, positive);
        Ok(Dataset::new(self.x.select_rows(&rows), positives)?
            .with_columns(self.columns.clone())?)
    }

    /// [`Table::two_classes`] without a second copy of the matrix where every row is in one of the
    /// two.
    pub fn into_two_classes(self, negative: &str, positive: &str) -> Result<Dataset, Error> {
        let (negative, positive) = self.codes_of(negative, positive)?;
        let (rows, positives) = self.members(negative, positive);
        let x = if rows.len() == self.x.rows() { self.x } else { self.x.select_rows(&rows) };
        Ok(Dataset::new(x, positives)?.with_columns(self.columns)?)
    }

    /// The rows of two classes if they are asked for (`1` finds `1.0`), else all rows, of at most
    /// 100 classes; and which rows of the table these are. Each class needs two rows.
    pub fn into_classes(
        self,
        asked: Option<(&str, &str)>,
    ) -> Result<(multiclass::Dataset, Vec<usize>), Error> {
        if let Some(asked) = asked {
            let (negative, positive) = self.choose_classes(Some(asked))?;
            let (low, high) = self.codes_of(&negative, &positive)?;
            let (rows, positives) = self.members(low, high);
            let x = if rows.len() == self.x.rows() { self.x } else { self.x.select_rows(&rows) };
            let codes = positives.into_iter().map(usize::from).collect();
            let data = multiclass::Dataset::new(x, codes, vec![negative, positive])?;
            let data = data.with_columns(self.columns)?;
            return Ok((data, rows));
        }
        let counts = self.class_counts();
        let rare = counts.iter().any(|count| *count < 2);
        if counts.len() > if rare { FEW_CLASSES } else { MOST_CLASSES } {
            return Err(self.many_classes(counts.len()));
        }
        if let [rows] = counts[..] {
            return Err(Error::OneClass { label: shown(self.class_names[0].as_bytes()), rows });
        }
        if let Some(code) = counts.iter().position(|count| *count < 2) {
            let label = shown(self.class_names[code].as_bytes());
            return Err(Error::FewRows { label, rows: counted(counts[code], "row") });
        }
        let codes: Vec<usize> = self.codes.iter().map(|&code| code as usize).collect();
        let rows = (0..codes.len()).collect();
        let data = multiclass::Dataset::new(self.x, codes, self.class_names)?;
        Ok((data.with_columns(self.columns)?, rows))
    }

    /// Every row with the class it has; see [`Table::into_classes`].
    pub fn into_all_classes(self) -> Result<multiclass::Dataset, Error> {
        self.into_classes(None).map(|(data, _)| data)
    }

    /// Rows `start..end` as a table of their own, with the columns of this one.
    ///
    /// # Panics
    /// If there are fewer rows.
    pub fn slice(&self, start: usize, end: usize) -> Self {
        let mut classes = Classes::default();
        let mut labels = LabelBuilder::default();
        (start..end).for_each(|row| labels.push(self.label(row)));
        classes.extend(&labels.finish());
        let columns = self.columns.clone();
        let feature_names = self.feature_names.clone();
        let x = self.x.row_range(start, end);
        Self { columns, feature_names, ..Self::of_variables(self.variables.clone(), x, classes) }
    }

    /// Rows of two classes, and which of them are positive.
    fn members(&self, negative: usize, positive: usize) -> (Vec<usize>, Vec<bool>) {
        let class = |row: usize| self.codes[row] as usize;
        let member = |row: &usize| class(*row) == negative || class(*row) == positive;
        let rows: Vec<usize> = (0..self.codes.len()).filter(member).collect();
        let positives = rows.iter().map(|&row| class(row) == positive).collect();
        (rows, positives)
    }

    /// The rows given (counted from 0), all of which must belong to one of the two classes.
    pub fn rows(&self, rows: &[usize], negative: &str, positive: &str) -> Result<Dataset, Error> {
        let (low, high) = self.codes_of(negative, positive)?;
        let positives = rows
            .iter()
            .map(|&row| match self.codes.get(row) {
                None => Err(Error::NoSuchRow { row, rows: self.codes.len() }),
                Some(&code) if code as usize == high => Ok(true),
                Some(&code) if code as usize == low => Ok(false),
                Some(_) => Err(Error::OtherClass {
                    row,
                    label: shown(self.label(row).as_bytes()),
                    negative: negative.into(),
                    positive: positive.into(),
                }),
            })
            .collect::<Result<Vec<bool>, Error>>()?;
        Ok(Dataset::new(self.x.select_rows(rows), positives)?.with_columns(self.columns.clone())?)
    }
}
