//! What a caller can get wrong, by what they can do about it.

use thiserror::Error;

/// Why a statistic could not be computed. Rows, columns, methods and subsets count from 0.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// Two inputs that belong together differ in length.
    #[error("{what}: {found} given, {expected} needed")]
    Length {
        /// Which input.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length it should have.
        expected: usize,
    },
    /// There is too little to compute anything from.
    #[error("{what}: {found} given, at least {needed} needed")]
    TooFew {
        /// What there is too little of.
        what: &'static str,
        /// How many were given.
        found: usize,
        /// How many are needed.
        needed: usize,
    },
    /// A value that is NaN, or infinite where that has no meaning.
    #[error("{what} number {at} (from 0) is {value}")]
    Value {
        /// Which input.
        what: &'static str,
        /// Where in it.
        at: usize,
        /// The value found.
        value: f64,
    },
    /// A score that is NaN.
    #[error("method {method} has the score NaN on data set {data_set} (both from 0)")]
    Score {
        /// Row of the table.
        data_set: usize,
        /// Column of the table.
        method: usize,
    },
    /// A level, ratio or difference outside its range.
    #[error("{name} = {value} is out of range: {allowed}")]
    Range {
        /// Its name.
        name: &'static str,
        /// The value given.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A feature number that does not exist.
    #[error("subset {subset} holds feature {feature}, but only {features} are counted (from 0)")]
    UnknownFeature {
        /// Which subset.
        subset: usize,
        /// The number it holds.
        feature: usize,
        /// How many features there are.
        features: usize,
    },
    /// A subset that names a feature twice.
    #[error("subset {subset} holds feature {feature} more than once")]
    RepeatedFeature {
        /// Which subset.
        subset: usize,
        /// The feature.
        feature: usize,
    },
    /// All rows are of one class and were called so: agreement by chance is already perfect.
    #[error("truth and prediction hold one and the same class only; kappa is not defined")]
    OneClass,
    /// A class has fewer rows than a split needs.
    #[error(
        "a class has {rows} rows and {needed} are needed; use fewer folds or fewer rows per class"
    )]
    SmallClass {
        /// Rows of the smallest class.
        rows: usize,
        /// Rows that were needed.
        needed: usize,
    },
    /// Without a group the rows that are left are all of one class.
    #[error("without group {group} the rows that are left are all of one class; join groups")]
    OneClassLeft {
        /// The group that was left out, from 0 in the order of their names.
        group: usize,
    },
    /// Without a group some class of several has no row left.
    #[error("without group {group} a class has no rows left; join groups")]
    ClassGone {
        /// The group that was left out, from 0 in the order of their names.
        group: usize,
    },
}

/// A level or a confidence must lie strictly between 0 and 1.
pub(crate) fn inside_unit(name: &'static str, value: f64) -> Result<(), Error> {
    if 0.0 < value && value < 1.0 {
        Ok(())
    } else {
        Err(Error::Range { name, value, allowed: "above 0 and below 1" })
    }
}

/// Every value must be finite.
pub(crate) fn all_finite(what: &'static str, values: &[f64]) -> Result<(), Error> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(at) => Err(Error::Value { what, at, value: values[at] }),
        None => Ok(()),
    }
}

/// Two lists of pairs must be equally long.
pub(crate) fn same_length(what: &'static str, found: usize, expected: usize) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(Error::Length { what, found, expected }) }
}

/// At least `needed` of something must be given.
pub(crate) fn at_least(what: &'static str, found: usize, needed: usize) -> Result<(), Error> {
    if found >= needed { Ok(()) } else { Err(Error::TooFew { what, found, needed }) }
}
