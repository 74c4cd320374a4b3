//! What a caller can get wrong, by what they can do about it.

use thiserror::Error;

/// Why a method cannot be made, or why it refused a fit, a ranking or a prediction.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// No method has this name.
    #[error("there is no method `{name}`{}; there are {known}", suggestion(.nearest))]
    UnknownMethod {
        /// The name given.
        name: String,
        /// The known name most like it.
        nearest: Option<String>,
        /// All there are.
        known: String,
    },
    /// The method has no such setting.
    #[error("{method} has no setting `{key}`{}; it has {known}", suggestion(.nearest))]
    UnknownSetting {
        /// The method.
        method: String,
        /// The setting given.
        key: String,
        /// The known one most like it.
        nearest: Option<String>,
        /// All it has.
        known: String,
    },
    /// A setting has a value that it cannot have.
    #[error("{method}: {key}: {reason}")]
    BadValue {
        /// The method.
        method: String,
        /// The setting.
        key: String,
        /// What is wrong with the value.
        reason: String,
    },
    /// Text that is no `key=value`.
    #[error("`{text}` is no setting: write key=value")]
    NotASetting {
        /// The text.
        text: String,
    },
    /// A selector without anything that classifies.
    #[error(
        "{selector} orders features and does not classify; say what does, as in {selector}+{example}"
    )]
    NothingClassifies {
        /// The selector.
        selector: String,
        /// A classifier there is.
        example: String,
    },
    /// Two values for one setting where one is wanted.
    #[error("{method}: {key} is given twice; give it once")]
    GivenTwice {
        /// The method.
        method: String,
        /// The setting.
        key: String,
    },
    /// A grid is asked for and the method states none.
    #[error(
        "{method} has nothing to choose: it proposes no grid, or all of it is set; state one with \
         --grid key=value,value"
    )]
    NoGrid {
        /// The method.
        method: String,
    },
    /// A grid with too many points to try.
    #[error("the grid has {points} points, more than {limit}; state fewer values")]
    LargeGrid {
        /// Points it has.
        points: usize,
        /// Points allowed.
        limit: usize,
    },
    /// The data or a setting cannot be used.
    #[error(transparent)]
    Data(#[from] pfcvm::Error),
    /// A graph of samples without an edge.
    #[error(
        "no sample has a neighbour in its own class; give more samples or let all be neighbours"
    )]
    NoNeighbours,
    /// The kernel values of so many samples do not fit.
    #[error(
        "{rows} samples, and at most {limit} can be compared each with each; fit on a part of them"
    )]
    TooManySamples {
        /// Samples given.
        rows: usize,
        /// Samples allowed.
        limit: usize,
    },
    /// Somebody wanted no more of it.
    #[error("the fit was stopped before its end; run it again for a result")]
    Stopped,
    /// Fits would not fit in the memory allowed.
    #[error(
        "{method} needs about {needed_mib} MiB ({}) and {limit_mib} MiB are allowed; use fewer rows or \
         features{}",
        counted(*.at_once), if *.at_once > 1 { ", or fewer threads" } else { "" }
    )]
    Memory {
        /// The method.
        method: String,
        /// Estimated need.
        needed_mib: usize,
        /// The limit.
        limit_mib: usize,
        /// Fits that run side by side.
        at_once: usize,
    },
    /// Classes that their means cannot tell apart.
    #[error("both classes have the same mean; this method tells them apart by nothing else")]
    SameMeans,
    /// The solver gave up.
    #[error(
        "{method}: the solver ended without a solution ({reason}); switch standardisation on or change the settings"
    )]
    Solver {
        /// The method.
        method: &'static str,
        /// What the solver says.
        reason: String,
    },
    /// Weights for another number of classes.
    #[error(
        "class_weights has {factors} factors, and there are {classes} classes; give one for each"
    )]
    ClassFactors {
        /// Factors given.
        factors: usize,
        /// Classes there are.
        classes: usize,
    },
    /// A method that counts samples whole.
    #[error(
        "a sample has the weight {weight}; this method takes whole numbers only, or one weight for all \
         samples of a class"
    )]
    FractionalWeight {
        /// The weight found.
        weight: f64,
    },
    /// Samples that count too often.
    #[error("the weights sum to {total}; this method takes at most {limit}: divide them")]
    HeavyWeights {
        /// The sum.
        total: f64,
        /// The sum allowed.
        limit: f64,
    },
}

fn counted(fits: usize) -> String {
    if fits == 1 { "one fit".into() } else { format!("{fits} fits at once") }
}

/// The error of a setting outside its range.
pub(crate) fn out_of_range(
    name: &'static str,
    value: impl ToString,
    allowed: &'static str,
) -> Error {
    pfcvm::Error::Setting { name, value: value.to_string(), allowed }.into()
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

/// The known name most like a given one, if any is alike: the first that begins with it, else the
/// nearest by its letters.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let name = name.to_lowercase().replace('_', "-");
    let likeness = |other: &str| strsim::jaro_winkler(&name, &other.replace('_', "-"));
    let known = Vec::from_iter(known);
    let begins = |other: &&str| !name.is_empty() && other.replace('_', "-").starts_with(&name);
    if let Some(other) = known.iter().copied().find(begins) {
        return Some(other.to_string());
    }
    known
        .into_iter()
        .map(|other| (likeness(other), other))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, other)| other.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        let known = ["pfcvm-lp", "pfcvm-em", "rvm", "pcvm", "fisher"];
        let near = |name| nearest(name, known.into_iter());
        assert_eq!(near("PFCVM_LP").as_deref(), Some("pfcvm-lp"));
        assert_eq!(near("pfcvm").as_deref(), Some("pfcvm-lp"));
        assert_eq!(near("pcv").as_deref(), Some("pcvm"));
        assert_eq!(near("rvn").as_deref(), Some("rvm"));
        assert_eq!(near("zzz"), None);
        assert_eq!(near(""), None);
    }
}
