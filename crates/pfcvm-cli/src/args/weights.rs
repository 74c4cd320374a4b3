//! How the classes count, for any number of them.

use crate::failure::{Failure, Outcome};
use pfcvm::ClassWeights;
use std::str::FromStr;

/// What `--class-weights` takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Weights {
    /// What two classes know.
    Known(ClassWeights),
    /// A factor for each of more than two.
    Factors(Vec<f64>),
}

impl FromStr for Weights {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let factor = |text: &str| {
            let value: f64 = text.trim().parse().ok()?;
            (1e-6..=1e6).contains(&value).then_some(value)
        };
        let factors: Option<Vec<f64>> = text.split(',').map(factor).collect();
        match factors {
            Some(factors) if factors.len() > 2 => Ok(Weights::Factors(factors)),
            _ => text.parse().map(Weights::Known),
        }
    }
}

impl Weights {
    /// For so many classes: what every machine is told, and a factor for each class, if there are
    /// any.
    pub fn of(&self, classes: usize) -> Outcome<(ClassWeights, Option<&[f64]>)> {
        match self {
            Weights::Known(ClassWeights::Given { .. }) if classes != 2 => {
                Err(wrong_number(2, classes))
            }
            Weights::Known(weights) => Ok((*weights, None)),
            Weights::Factors(factors) if factors.len() == classes => {
                Ok((ClassWeights::Equal, Some(factors)))
            }
            Weights::Factors(factors) => Err(wrong_number(factors.len(), classes)),
        }
    }
}

fn wrong_number(found: usize, classes: usize) -> Failure {
    Failure::Usage(format!(
        "--class-weights has {found} factors for {classes} classes; give one for each class"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_belong_to_as_many_classes() {
        let two: Weights = "1,2.5".parse().unwrap();
        assert!(two.of(2).is_ok() && two.of(3).is_err());
        let three: Weights = "1,2.5,3".parse().unwrap();
        assert!(three.of(2).is_err() && three.of(4).is_err());
        assert_eq!(three.of(3).unwrap().1, Some([1.0, 2.5, 3.0].as_slice()));
        assert!("balanced".parse::<Weights>().unwrap().of(7).is_ok());
        for text in ["", "1", "1,2,0", "1,2,nan", "1,,2", "most"] {
            assert!(text.parse::<Weights>().is_err(), "{text}");
        }
    }
}
