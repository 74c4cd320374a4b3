//! The methods there are, and what each can be told.

use crate::error::{Error, nearest};
use crate::rows::{OnRows, Weighing};
use crate::{
    Fitted, Learner, Refusal, Selector, Together, Values, filter, lp, margin, minimax, panel,
    relatives,
};
use pfcvm::Dataset;
use pfcvm::multiclass::{self, ClassFactors, Scheme};
use std::fmt::{Debug, Formatter};

/// A method as it is listed.
#[derive(Debug)]
pub struct Entry {
    /// What it is called, everywhere.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// What it does.
    pub role: Role,
    /// What can be set.
    pub settings: &'static [Setting],
    /// Settings that are worth choosing by cross-validation, each with values to try.
    pub grid: &'static [(&'static str, &'static [&'static str])],
    pub(crate) make: fn(&Values) -> Result<Made, Error>,
}

/// What a method does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It tells classes apart.
    Classifier {
        /// Whether it decides by some of the features.
        selects_features: bool,
        /// Whether its decision leans on some of the samples, which it names.
        selects_samples: bool,
    },
    /// It orders features, for a classifier to follow.
    Filter,
}

/// Something that can be set.
#[derive(Debug, PartialEq)]
pub struct Setting {
    /// Its name.
    pub key: &'static str,
    /// Its value unless given.
    pub default: &'static str,
    /// The values it takes: any of these.
    pub takes: &'static [Takes],
    /// What it does.
    pub about: &'static str,
}

/// One kind of value that a setting takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Takes {
    /// This word.
    Word(&'static str),
    /// Text of this form, in which capitals stand for numbers.
    Form(&'static str),
    /// A whole number, not below the least.
    Whole {
        /// The least.
        least: u64,
    },
    /// A finite number in a range.
    Number {
        /// The lower end.
        from: f64,
        /// The upper end, which may be infinite.
        to: f64,
        /// Whether the ends belong to it.
        ends: bool,
    },
}

impl Takes {
    /// A finite number above 0.
    pub(crate) const ABOVE_0: Takes = Takes::Number { from: 0.0, to: f64::INFINITY, ends: false };
    /// `yes` or `no`.
    pub(crate) const FLAG: &'static [Takes] = &[Takes::Word("yes"), Takes::Word("no")];

    /// Whether a number is in the range.
    pub(crate) fn has(self, number: f64) -> bool {
        match self {
            Takes::Number { from, to, ends: true } => {
                (from..=to).contains(&number) && number.is_finite()
            }
            Takes::Number { from, to, ends: false } => from < number && number < to,
            Takes::Whole { least } => number.fract() == 0.0 && number >= least as f64,
            Takes::Word(_) | Takes::Form(_) => false,
        }
    }
}

impl std::fmt::Display for Takes {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        match *self {
            Takes::Word(text) | Takes::Form(text) => out.write_str(text),
            Takes::Whole { least: 0 } => out.write_str("a whole number"),
            Takes::Whole { least } => write!(out, "a whole number, at least {least}"),
            Takes::Number { from, to, ends: true } if to.is_finite() => {
                write!(out, "a number from {from:?} to {to:?}")
            }
            Takes::Number { from, ends: true, .. } => write!(out, "a number, at least {from:?}"),
            Takes::Number { from, to, ends: false } if to.is_finite() => {
                write!(out, "a number above {from:?} and below {to:?}")
            }
            Takes::Number { from, ends: false, .. } => write!(out, "a number above {from:?}"),
        }
    }
}

/// What an entry makes of its settings.
#[derive(Debug)]
pub(crate) enum Made {
    Learner {
        learner: Box<dyn Learner>,
        weighing: Weighing,
        /// Whether words, gaps and groups need not be unfolded for it.
        takes_tables: bool,
    },
    Selector(Box<dyn Selector>),
}

impl Made {
    /// A learner out of its settings and the function that fits with them.
    pub fn learner<S, F, E>(settings: S, fit: fn(&Dataset, &S) -> Result<F, E>) -> Self
    where
        S: Debug + Send + Sync + 'static,
        F: Fitted + 'static,
        E: Into<Refusal> + 'static,
    {
        let learner = Box::new(Method { settings, fit, together: None });
        Made::Learner { learner, weighing: Weighing::Factors, takes_tables: false }
    }

    /// The same of a method that also learns more than two classes at once.
    pub fn learner_of_classes<S, F, E>(
        settings: S,
        fit: fn(&Dataset, &S) -> Result<F, E>,
        together: OfClasses<S, F, E>,
    ) -> Self
    where
        S: Debug + Send + Sync + 'static,
        F: Fitted + 'static,
        E: Into<Refusal> + 'static,
    {
        let learner = Box::new(Method { settings, fit, together: Some(together) });
        Made::Learner { learner, weighing: Weighing::Factors, takes_tables: false }
    }

    /// The same with another way to take `class_weights`.
    pub fn weighing(self, weighing: Weighing) -> Self {
        match self {
            Made::Learner { learner, takes_tables, .. } => {
                Made::Learner { learner, weighing, takes_tables }
            }
            selector => selector,
        }
    }

    /// The same for a method that takes words, gaps and groups as they are.
    pub fn on_tables(self) -> Self {
        match self {
            Made::Learner { learner, weighing, .. } => {
                Made::Learner { learner, weighing, takes_tables: true }
            }
            selector => selector,
        }
    }
}

impl Entry {
    /// The method with these settings, seeing rows as every method does.
    pub(crate) fn made(&self, values: &Values) -> Result<Made, Error> {
        Ok(match (self.make)(values)? {
            Made::Learner { learner: method, weighing, takes_tables } => {
                let class_factors = values.get("class_weights")?;
                let learner = Box::new(OnRows { method, class_factors, weighing, takes_tables });
                Made::Learner { learner, weighing, takes_tables }
            }
            Made::Selector(method) => {
                let (class_factors, weighing) = (ClassFactors::Equal, Weighing::Own);
                let takes_tables = false;
                Made::Selector(Box::new(OnRows { method, class_factors, weighing, takes_tables }))
            }
        })
    }
}

struct Method<S, F, E> {
    settings: S,
    fit: fn(&Dataset, &S) -> Result<F, E>,
    together: Option<OfClasses<S, F, E>>,
}

/// What learns more than two classes at once.
type OfClasses<S, F, E> = fn(&multiclass::Dataset, &S) -> Result<(Scheme, Vec<F>), E>;

impl<S: Debug, F, E> Debug for Method<S, F, E> {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        self.settings.fmt(out)
    }
}

impl<S, F, E> Learner for Method<S, F, E>
where
    S: Debug + Send + Sync,
    F: Fitted + 'static,
    E: Into<Refusal>,
{
    fn fit(&self, data: &Dataset) -> Result<Box<dyn Fitted>, Refusal> {
        match (self.fit)(data, &self.settings) {
            Ok(fitted) => Ok(Box::new(fitted)),
            Err(error) => Err(error.into()),
        }
    }

    fn fit_together(&self, data: &multiclass::Dataset) -> Option<Together> {
        let boxed = |fitted: F| Box::new(fitted) as Box<dyn Fitted>;
        let fitted = self.together?(data, &self.settings).map_err(Into::into);
        Some(fitted.map(|(scheme, all)| (scheme, all.into_iter().map(boxed).collect())))
    }
}

static CATALOGUE: [&Entry; 19] = [
    &lp::ENTRY,
    &panel::ENTRY,
    &relatives::pfcvm_em::ENTRY,
    &relatives::rvm::ENTRY,
    &relatives::pcvm::ENTRY,
    &relatives::epcvm::ENTRY,
    &relatives::jcfo::ENTRY,
    &relatives::rsfm::RSFM,
    &relatives::rsfm::IRSFM,
    &margin::svm::ENTRY,
    &margin::l1svm::ENTRY,
    &margin::wsvm::ENTRY,
    &minimax::mpm::ENTRY,
    &minimax::smpm::ENTRY,
    &filter::fisher::ENTRY,
    &filter::laplacian::ENTRY,
    &filter::mrmr::ENTRY,
    &filter::trace_ratio::ENTRY,
    &filter::fsnm::ENTRY,
];

/// Every method there is.
pub fn catalogue() -> &'static [&'static Entry] {
    &CATALOGUE
}

/// The method of a name.
pub fn find(name: &str) -> Result<&'static Entry, Error> {
    let names = || CATALOGUE.iter().map(|entry| entry.name);
    let found = CATALOGUE.iter().find(|entry| entry.name == name);
    found.copied().ok_or_else(|| Error::UnknownMethod {
        name: name.into(),
        nearest: nearest(name, names()),
        known: Vec::from_iter(names()).join(", "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;

    #[test]
    fn every_entry_can_be_made_and_its_grid_is_of_its_own_settings() {
        for entry in catalogue() {
            let values = Values::new(entry);
            entry.made(&values).unwrap();
            let mut grid = Grid::default();
            entry.grid.iter().for_each(|(key, values)| grid.insert(key.to_string(), values));
            for point in grid.points() {
                let mut values = Values::new(entry);
                for (key, value) in &point {
                    values.set(key, value).unwrap();
                }
                entry.made(&values).unwrap();
            }
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names = Vec::from_iter(catalogue().iter().map(|entry| entry.name));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), catalogue().len());
    }

    fn made_with(entry: &'static Entry, key: &str, value: &str) -> Result<Made, Error> {
        let mut values = Values::new(entry);
        // The one setting that another must allow.
        if value.starts_with("sigmoid") && entry.name == "pfcvm-lp" {
            values.set("algorithm", "paper")?;
        }
        values.set(key, value)?;
        entry.made(&values)
    }

    /// What an entry says of its values is what its method accepts.
    #[test]
    fn settings_take_what_they_say_and_nothing_else() {
        for entry in catalogue() {
            for setting in entry.settings {
                let accepts = |value: &str| made_with(entry, setting.key, value).is_ok();
                let what = format!("{} {}", entry.name, setting.key);
                assert!(accepts(setting.default), "{what}: {}", setting.default);
                assert!(!accepts("nonsense") && !accepts(""), "{what}");
                let numbers = |number: f64| setting.takes.iter().any(|takes| takes.has(number));
                for takes in setting.takes {
                    match *takes {
                        Takes::Word(word) => assert!(accepts(word), "{what}: {word}"),
                        Takes::Form(form) => {
                            let value = form
                                .split(|c: char| c.is_ascii_uppercase())
                                .filter(|part| !part.is_empty())
                                .fold(String::new(), |text, part| text + part + "2");
                            let value =
                                if value.starts_with(',') { format!("2{value}") } else { value };
                            assert!(accepts(&value), "{what}: {value}");
                        }
                        Takes::Whole { least } => {
                            assert!(accepts(&(least + 2).to_string()), "{what}");
                            assert!(least == 0 || !accepts(&(least - 1).to_string()), "{what}");
                            assert!(!accepts("-1") && !accepts("2.5"), "{what}");
                        }
                        Takes::Number { from, to, .. } => {
                            for end in [from, to].into_iter().filter(|end| end.is_finite()) {
                                assert_eq!(
                                    accepts(&format!("{end:?}")),
                                    numbers(end),
                                    "{what}: {end}"
                                );
                            }
                            assert!(!accepts(&format!("{:?}", from - 1e-3 - from.abs())), "{what}");
                            assert!(!accepts("inf") && !accepts("NaN"), "{what}");
                        }
                    }
                }
            }
        }
    }
}
