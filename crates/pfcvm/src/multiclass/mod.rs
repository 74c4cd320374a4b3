//! Any number of classes: one model for all of them, or machines that each tell two apart.
//!
//! [`Scheme::Joint`] has a machine for every class; their decision values become one row of
//! probabilities (softmax), and they share their features and the weights of these, so that a fit has
//! one list. [`Scheme::OneVsOne`] has a machine for every pair of classes, whose probabilities are coupled
//! after Wu, Lin and Weng; [`Scheme::OneVsRest`] has one for every class against all others, whose
//! probabilities are divided by their sum. With two classes all are one machine, and say exactly
//! what it says.
//!
//! - [`Dataset`] holds samples of any number of classes.
//! - [`ClassFactors`] say how the classes count.
//! - [`fit`] and [`fit_panel`] fit the machines side by side; [`fit_choosing`] finds out which kernel
//!   suits the data.
//! - [`large`] learns from more rows than one place holds.
//! - [`advise`] says what is worth knowing of the data.
//! - [`Machines`] predict. They are of any kind of [`Machine`], not only those of this crate.
//! - [`shares`] sums up what the machines select.
//!
//! ```
//! use pfcvm::multiclass::{self, Dataset, Scheme};
//! use pfcvm::{Kernel, Matrix, Settings};
//!
//! // Three clouds along a line; the second feature says nothing.
//! let spread = |i: usize, k: usize| (i as f64 * [0.754877, 0.569840][k]).fract();
//! let x = Matrix::from_fn(90, 2, |i, k| spread(i, k) + if k == 0 { (i % 3) as f64 } else { 0.0 });
//! let codes: Vec<usize> = (0..90).map(|i| i % 3).collect();
//! let names = ["low", "middle", "high"].map(String::from).to_vec();
//! let data = Dataset::new(x.clone(), codes.clone(), names)?;
//!
//! let fitted = multiclass::fit(&data, Scheme::Joint, &Settings::new(Kernel::Rbf))?;
//! let prediction = fitted.predict(&x)?;
//! let right = prediction.class.iter().zip(&codes).filter(|(a, b)| a == b).count();
//! assert!(right > 80);
//! assert!((prediction.row(7).iter().sum::<f64>() - 1.0).abs() < 1e-12);
//! # Ok::<(), pfcvm::Error>(())
//! ```

mod advice;
mod choice;
mod coupling;
mod data;
mod factors;
mod fit;
pub mod large;
mod machines;
mod shares;
mod suggestion;
mod together;
mod unlabelled;

pub use advice::{Advice, advise};
pub use choice::{
    Choice, Found, Reason, Tried, fit_choosing, fit_or_panel, found_again, panel_instead,
};
pub use data::Dataset;
pub use factors::ClassFactors;
pub use fit::{fit, fit_panel, fit_panel_with, fit_with};
pub use machines::{Answer, Machine, Machines, Prediction, Refusal};
pub use shares::{Share, Sparse, shares};
pub use suggestion::Suggestion;
pub use together::{FeatureOfClasses, FeatureTogether, Together};
pub use unlabelled::{Joined, Unlabelled, beside_unlabelled, with_unlabelled};

use serde::{Deserialize, Serialize};
use std::fmt::{Display, Formatter, Result as Written};
use std::str::FromStr;

/// Which two-class problems stand for a problem of more classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Scheme {
    /// Every class against every other: many small problems.
    OneVsOne,
    /// Every class against all others: as many problems as classes, each with all samples.
    OneVsRest,
    /// All classes at once: a machine for every class, which share a row of probabilities, their
    /// features and the weights of these. Methods that only tell two classes apart do it pair by pair.
    #[default]
    Joint,
}

/// One of the two-class problems. Classes count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    /// The positive class.
    pub positive: usize,
    /// The negative class; nothing: all others.
    pub negative: Option<usize>,
}

impl Scheme {
    /// The problems for so many classes, in the order of the machines: pairs 0-1, 0-2, …, 1-2, …,
    /// the later class being the positive one; or class after class.
    pub fn tasks(self, classes: usize) -> Vec<Task> {
        match self {
            // Two classes against their rest would be the same problem twice.
            Scheme::OneVsRest | Scheme::Joint if classes != 2 => {
                (0..classes).map(|positive| Task { positive, negative: None }).collect()
            }
            _ => (0..classes)
                .flat_map(|a| ((a + 1)..classes).map(move |b| (a, b)))
                .map(|(a, b)| Task { positive: b, negative: Some(a) })
                .collect(),
        }
    }
}

impl Scheme {
    /// The scheme for what only tells two classes apart.
    pub fn of_two(self) -> Self {
        if self == Scheme::Joint { Scheme::OneVsOne } else { self }
    }
}

impl Task {
    /// Whether samples of a class take part.
    pub fn concerns(self, class: usize) -> bool {
        class == self.positive || self.negative.is_none_or(|negative| negative == class)
    }

    /// The problem in words.
    ///
    /// # Panics
    /// If there are fewer names than classes.
    pub fn name(self, class_names: &[String]) -> String {
        let positive = &class_names[self.positive];
        match self.negative {
            Some(negative) => format!("`{positive}` against `{}`", class_names[negative]),
            None => format!("`{positive}` against all others"),
        }
    }
}

impl Display for Scheme {
    fn fmt(&self, out: &mut Formatter) -> Written {
        out.write_str(match self {
            Scheme::OneVsOne => "one-vs-one",
            Scheme::OneVsRest => "one-vs-rest",
            Scheme::Joint => "joint",
        })
    }
}

impl FromStr for Scheme {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "one-vs-one" => Ok(Scheme::OneVsOne),
            "one-vs-rest" => Ok(Scheme::OneVsRest),
            "joint" => Ok(Scheme::Joint),
            _ => Err(format!("`{text}` is no scheme: joint, one-vs-one or one-vs-rest")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_cover_every_pair_or_every_class() {
        let pairs: Vec<_> =
            Scheme::OneVsOne.tasks(4).iter().map(|t| (t.negative, t.positive)).collect();
        let expected = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        assert_eq!(pairs, expected.map(|(a, b)| (Some(a), b)));
        let rest = Scheme::OneVsRest.tasks(3);
        assert_eq!(rest.iter().map(|t| t.positive).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(rest.iter().all(|t| t.negative.is_none() && t.concerns(0)));
        assert_eq!(Scheme::OneVsRest.tasks(2), Scheme::OneVsOne.tasks(2));
        for scheme in [Scheme::OneVsOne, Scheme::OneVsRest, Scheme::Joint] {
            assert_eq!(scheme.tasks(2), Scheme::OneVsOne.tasks(2));
            assert_eq!(scheme.to_string().parse(), Ok(scheme));
        }
        assert!("ovo".parse::<Scheme>().is_err());
    }
}
