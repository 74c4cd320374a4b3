//! How the classes count, for any number of them.

use super::Dataset;
use crate::error::Error;
use crate::settings::ClassWeights;
use std::str::FromStr;

/// How the classes count, for any number of them: [`ClassWeights`] is the same for two.
#[derive(Clone, Debug, PartialEq)]
pub enum ClassFactors {
    /// Every sample counts once.
    Equal,
    /// The two sides of each machine count as much in sum.
    Balanced,
    /// A factor for each class, in their order.
    Given(Vec<f64>),
}

impl ClassFactors {
    /// What a machine for two classes is told. Another number of factors than two belongs to the
    /// samples, and is none of its business.
    pub fn of_two(&self) -> ClassWeights {
        match self {
            ClassFactors::Equal => ClassWeights::Equal,
            ClassFactors::Balanced => ClassWeights::Balanced,
            ClassFactors::Given(factors) => match factors[..] {
                [negative, positive] => ClassWeights::Given { negative, positive },
                _ => ClassWeights::Equal,
            },
        }
    }

    /// How many factors there are, if that is not one for each of so many classes.
    pub fn wrong_number(&self, classes: usize) -> Option<usize> {
        match self {
            ClassFactors::Given(factors) if factors.len() != classes => Some(factors.len()),
            _ => None,
        }
    }

    /// What every machine is told, and the data, whose samples carry the factors of more than two
    /// classes.
    ///
    /// # Errors
    /// If these factors are not one for each class, from 1e-6 to 1e6.
    pub fn applied(&self, data: Dataset) -> Result<(ClassWeights, Dataset), Error> {
        let data = match self {
            ClassFactors::Given(factors) if factors.len() != 2 => {
                data.with_class_factors(factors)?
            }
            _ => data,
        };
        Ok((self.of_two(), data))
    }
}

impl FromStr for ClassFactors {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "equal" => return Ok(ClassFactors::Equal),
            "balanced" => return Ok(ClassFactors::Balanced),
            _ => {}
        }
        let factor = |text: &str| {
            let value: f64 = text.trim().parse().ok()?;
            (1e-6..=1e6).contains(&value).then_some(value)
        };
        match text.split(',').map(factor).collect::<Option<Vec<f64>>>() {
            Some(factors) if factors.len() >= 2 => Ok(ClassFactors::Given(factors)),
            _ => Err(format!(
                "`{text}` are no class weights: equal, balanced, or a number from 1e-6 to 1e6 for \
                 each class like 1,2.5"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_belong_to_as_many_classes() {
        let read = |text: &str| text.parse::<ClassFactors>().unwrap();
        let two = read("1,2.5");
        assert_eq!((two.wrong_number(2), two.wrong_number(3)), (None, Some(2)));
        assert_eq!(two.of_two(), ClassWeights::Given { negative: 1.0, positive: 2.5 });
        let three = read("1, 2.5,3");
        assert_eq!(three, ClassFactors::Given(vec![1.0, 2.5, 3.0]));
        assert_eq!((three.wrong_number(3), three.wrong_number(4)), (None, Some(3)));
        assert_eq!(read("balanced").wrong_number(7), None);
        for text in ["", "1", "1,2,0", "1,2,nan", "1,,2", "most"] {
            assert!(text.parse::<ClassFactors>().is_err(), "{text}");
            assert!(text.parse::<ClassWeights>().is_err(), "{text}");
        }
        assert!("1,2.5,3".parse::<ClassWeights>().is_err());
        assert_eq!("1,2.5".parse(), Ok(two.of_two()));
    }

    #[test]
    fn samples_carry_the_factors_of_more_than_two() {
        let x = crate::Matrix::from_fn(4, 1, |row, _| row as f64);
        let names = ["a", "b", "c"].map(String::from).to_vec();
        let data = Dataset::new(x, vec![0, 1, 2, 2], names).unwrap();
        let applied = |text: &str| text.parse::<ClassFactors>().unwrap().applied(data.clone());
        let (weights, by_class) = applied("1,2,3").unwrap();
        assert_eq!(weights, ClassWeights::Equal);
        assert_eq!(by_class.sample_weights(), [1.0, 2.0, 3.0, 3.0]);
        let (weights, same) = applied("balanced").unwrap();
        assert_eq!(weights, ClassWeights::Balanced);
        assert_eq!(same.sample_weights(), data.sample_weights());
        assert!(applied("1,2,3,4").is_err());
    }
}
