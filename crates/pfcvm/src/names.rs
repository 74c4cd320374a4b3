//! Settings as words: how they are written on a command line and in a model file.

use crate::kernel::Kernel;
use crate::multiclass::{ClassFactors, Scheme};
use crate::settings::{Algorithm, CertaintyPolicy, ClassWeights, Goal, SamplePolicy, Truncation};
use crate::trace::Termination;
use std::fmt::{Display, Formatter, Result as Written};
use std::str::FromStr;

impl Display for Kernel {
    fn fmt(&self, out: &mut Formatter) -> Written {
        match self {
            Kernel::Rbf => out.write_str("rbf"),
            Kernel::Linear => out.write_str("linear"),
            Kernel::Polynomial { degree } => write!(out, "poly:{degree}"),
        }
    }
}

impl FromStr for Kernel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "rbf" => Ok(Kernel::Rbf),
            None if text == "linear" => Ok(Kernel::Linear),
            Some(("poly", degree)) => match degree.parse() {
                Ok(degree @ 1..=10) => Ok(Kernel::Polynomial { degree }),
                _ => Err(format!("the degree in `{text}` must be a whole number from 1 to 10")),
            },
            _ => Err(format!("`{text}` is no kernel: rbf, linear or poly:P, with a degree P")),
        }
    }
}

impl Display for SamplePolicy {
    fn fmt(&self, out: &mut Formatter) -> Written {
        out.write_str(match self {
            SamplePolicy::Few => "few",
            SamplePolicy::Frozen => "frozen",
            SamplePolicy::Dense => "dense",
        })
    }
}

impl FromStr for SamplePolicy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "few" => Ok(SamplePolicy::Few),
            "frozen" => Ok(SamplePolicy::Frozen),
            "dense" => Ok(SamplePolicy::Dense),
            _ => Err(format!("`{text}` is no choice of samples: few, frozen or dense")),
        }
    }
}

impl Display for Goal {
    fn fmt(&self, out: &mut Formatter) -> Written {
        out.write_str(match self {
            Goal::List => "list",
            Goal::Accuracy => "accuracy",
        })
    }
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "list" => Ok(Goal::List),
            "accuracy" => Ok(Goal::Accuracy),
            _ => Err(format!("`{text}` is no goal: list or accuracy")),
        }
    }
}

impl Display for CertaintyPolicy {
    fn fmt(&self, out: &mut Formatter) -> Written {
        out.write_str(match self {
            CertaintyPolicy::On => "on",
            CertaintyPolicy::Insist => "insist",
            CertaintyPolicy::Off => "off",
        })
    }
}

impl FromStr for CertaintyPolicy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "on" => Ok(CertaintyPolicy::On),
            "insist" => Ok(CertaintyPolicy::Insist),
            "off" => Ok(CertaintyPolicy::Off),
            _ => Err(format!("`{text}` says nothing about certainty: on, insist or off")),
        }
    }
}

impl Display for Algorithm {
    fn fmt(&self, out: &mut Formatter) -> Written {
        out.write_str(match self {
            Algorithm::Mended => "mended",
            Algorithm::Paper => "paper",
        })
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "mended" => Ok(Algorithm::Mended),
            "paper" => Ok(Algorithm::Paper),
            _ => Err(format!("`{text}` is no algorithm: mended or paper")),
        }
    }
}

impl Display for Truncation {
    fn fmt(&self, out: &mut Formatter) -> Written {
        match self {
            Truncation::Exact => out.write_str("exact"),
            Truncation::Sigmoid { lambda } => write!(out, "sigmoid:{lambda}"),
        }
    }
}

impl FromStr for Truncation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "exact" => Ok(Truncation::Exact),
            Some(("sigmoid", lambda)) => match lambda.parse() {
                Ok(lambda) if lambda > 0.0 && lambda <= 1e3 => Ok(Truncation::Sigmoid { lambda }),
                _ => Err(format!("the steepness in `{text}` must be above 0 and at most 1000")),
            },
            _ => Err(format!(
                "`{text}` is no truncation: exact or sigmoid:LAMBDA, with a steepness LAMBDA"
            )),
        }
    }
}

impl Display for ClassWeights {
    fn fmt(&self, out: &mut Formatter) -> Written {
        match self {
            ClassWeights::Equal => out.write_str("equal"),
            ClassWeights::Balanced => out.write_str("balanced"),
            ClassWeights::Given { negative, positive } => write!(out, "{negative},{positive}"),
        }
    }
}

impl FromStr for ClassWeights {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(factors) if ClassFactors::wrong_number(&factors, 2).is_none() => {
                Ok(factors.of_two())
            }
            _ => Err(format!(
                "`{text}` are no class weights: equal, balanced, or two numbers from 1e-6 to 1e6 like 1,2.5"
            )),
        }
    }
}

impl Display for Termination {
    /// How it ended, to go behind "the fit".
    fn fmt(&self, out: &mut Formatter) -> Written {
        out.write_str(match self {
            Termination::Converged => "converged",
            Termination::MaxIterations => "used up its iterations",
            Termination::Cancelled => "was stopped",
            Termination::NumericalBreakdown => "ended in a numerical breakdown",
        })
    }
}

/// Stored as the words above.
macro_rules! stored_as_words {
    ($($setting:ty),+) => {$(
        impl From<$setting> for String {
            fn from(setting: $setting) -> String {
                setting.to_string()
            }
        }

        impl TryFrom<String> for $setting {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                text.parse()
            }
        }
    )+};
}

stored_as_words!(
    Kernel,
    Algorithm,
    CertaintyPolicy,
    Goal,
    SamplePolicy,
    Truncation,
    ClassWeights,
    Scheme
);

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Debug;

    fn there_and_back<T: Display + FromStr<Err = String> + PartialEq + Debug>(values: &[T]) {
        for value in values {
            assert_eq!(value.to_string().parse::<T>().as_ref(), Ok(value));
        }
    }

    #[test]
    fn settings_survive_as_words() {
        there_and_back(&[Kernel::Rbf, Kernel::Linear, Kernel::Polynomial { degree: 3 }]);
        there_and_back(&[SamplePolicy::Few, SamplePolicy::Frozen, SamplePolicy::Dense]);
        there_and_back(&[Goal::List, Goal::Accuracy]);
        there_and_back(&[Algorithm::Mended, Algorithm::Paper]);
        there_and_back(&[Truncation::Exact, Truncation::Sigmoid { lambda: 0.1 }]);
        let given = ClassWeights::Given { negative: 0.1, positive: 30.0 };
        there_and_back(&[ClassWeights::Equal, ClassWeights::Balanced, given]);
    }

    #[test]
    fn other_words_are_refused() {
        for text in ["", "RBF", "poly", "poly:", "poly:0", "poly:11", "poly:x", "rbf:2"] {
            assert!(text.parse::<Kernel>().is_err(), "{text}");
        }
        for text in ["", "sigmoid", "sigmoid:0", "sigmoid:NaN", "sigmoid:1001", "exact:1"] {
            assert!(text.parse::<Truncation>().is_err(), "{text}");
        }
        for text in ["", "1", "1,0", "1,-2", "1,inf", "1,2,3", "NaN,1", "1,1e308"] {
            assert!(text.parse::<ClassWeights>().is_err(), "{text}");
        }
        assert!("most".parse::<SamplePolicy>().is_err());
    }
}
