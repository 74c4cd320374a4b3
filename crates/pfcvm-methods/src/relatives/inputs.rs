//! How samples become basis functions, common to all methods.

use crate::{Setting, Values, settings};
use pfcvm::algebra::Work;
use pfcvm::data::Scaler;
use pfcvm::posterior::Likelihood;
use pfcvm::{ClassWeights, Dataset, Error, Kernel, Matrix};
use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// How samples become basis functions.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// The kernel.
    pub kernel: Kernel,
    /// The weight γ of every feature in the kernel, where the method does not learn it; where it
    /// does, γ is the start.
    pub width: Width,
    /// Whether features are shifted and scaled first, on the training rows.
    pub standardise: bool,
    /// Up to this many samples all are basis candidates; of more, some are drawn.
    pub max_basis: usize,
    /// Of that draw.
    pub seed: u64,
}

impl Default for Inputs {
    fn default() -> Self {
        Self {
            kernel: Kernel::Rbf,
            width: Width::Auto(1.0),
            standardise: true,
            max_basis: 2000,
            seed: 0,
        }
    }
}

/// The weight γ of every feature: exp(−γ‖x−z‖²), γ xᵀz, (1 + γ xᵀz)^P.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Width {
    /// This many times one over the number of features that vary.
    Auto(f64),
    /// As given, above 0.
    Gamma(f64),
}

impl FromStr for Width {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse().ok().filter(|gamma| usable(*gamma));
        let width = match text.split_once(':') {
            None if text == "auto" => Some(Width::Auto(1.0)),
            Some(("auto", factor)) => number(factor).map(Width::Auto),
            _ => number(text).map(Width::Gamma),
        };
        width.ok_or_else(|| {
            format!("`{text}` is no width: auto, auto:FACTOR, or a number from 1e-12 to 1e12")
        })
    }
}

impl Display for Width {
    fn fmt(&self, out: &mut Formatter) -> std::fmt::Result {
        match self {
            Width::Auto(1.0) => out.write_str("auto"),
            Width::Auto(factor) => write!(out, "auto:{factor}"),
            Width::Gamma(gamma) => write!(out, "{gamma}"),
        }
    }
}

fn usable(gamma: f64) -> bool {
    (1e-12..=1e12).contains(&gamma)
}

/// The settings that [`Inputs::of`] reads and the class weights, around two of a method's own; at most
/// so many iterations unless told otherwise.
pub(crate) const fn settings_with(
    own: [Setting; 2],
    max_iterations: &'static str,
    seed: Setting,
) -> [Setting; 9] {
    let [first, second] = own;
    [
        settings::KERNEL,
        settings::GAMMA,
        first,
        second,
        settings::CLASS_WEIGHTS,
        settings::STANDARDISE,
        settings::MAX_BASIS,
        Setting { default: max_iterations, ..settings::MAX_ITERATIONS },
        seed,
    ]
}

impl Inputs {
    /// As the settings of a method of the catalogue say.
    pub(crate) fn of(values: &Values) -> Result<Self, crate::Error> {
        let inputs = Self {
            kernel: values.get("kernel")?,
            width: values.get("gamma")?,
            standardise: values.flag("standardise")?,
            max_basis: values.get("max_basis")?,
            seed: values.get("seed")?,
        };
        inputs.check().map_err(|error| values.out_of_range(error))?;
        Ok(inputs)
    }

    /// Refuses settings outside their range.
    pub fn check(&self) -> Result<(), Error> {
        if let Kernel::Polynomial { degree } = self.kernel
            && !(1..=10).contains(&degree)
        {
            let value = degree.to_string();
            return Err(Error::Setting { name: "degree", value, allowed: "1 to 10" });
        }
        let (Width::Auto(number) | Width::Gamma(number)) = self.width;
        if !usable(number) {
            return Err(out_of_range("gamma", number, "1e-12 to 1e12"));
        }
        if self.max_basis < 2 {
            return Err(out_of_range("max_basis", self.max_basis as f64, "at least 2"));
        }
        Ok(())
    }
}

pub(crate) fn out_of_range(name: &'static str, value: f64, allowed: &'static str) -> Error {
    Error::Setting { name, value: value.to_string(), allowed }
}

/// Data ready to be learned from.
pub(crate) struct Prepared {
    pub kernel: Kernel,
    pub scaler: Scaler,
    /// All rows, varying features, scaled.
    pub x: Matrix,
    pub likelihood: Likelihood,
    /// Rows that may enter the basis, ascending.
    pub candidates: Vec<usize>,
    /// Their values.
    pub z: Matrix,
    /// γ for every varying feature.
    pub theta: Vec<f64>,
}

impl Prepared {
    pub fn new(data: &Dataset, inputs: &Inputs) -> Result<Self, Error> {
        inputs.check()?;
        data.check_classes(1)?;
        let scaler = Scaler::fit(data, inputs.standardise)?;
        let all: Vec<usize> = (0..scaler.columns().len()).collect();
        let x = scaler.apply(data.x());
        let candidates = data.basis_candidates(inputs.max_basis, inputs.seed);
        let gamma = match inputs.width {
            Width::Auto(factor) => factor / all.len() as f64,
            Width::Gamma(gamma) => gamma,
        };
        let likelihood = Likelihood::new(data, ClassWeights::Equal);
        let z = x.select_rows(&candidates);
        let theta = vec![gamma; all.len()];
        Ok(Self { kernel: inputs.kernel, scaler, x, likelihood, candidates, z, theta })
    }

    /// ±1 for each basis candidate.
    pub fn candidate_signs(&self) -> Vec<f64> {
        self.candidates.iter().map(|&i| self.likelihood.signs[i]).collect()
    }

    /// A column of ones if there is to be a `bias`, then k(·, zⱼ) for every candidate.
    pub fn columns(&self, bias: bool, work: &mut Work) -> Matrix {
        let values = self.kernel.values(&self.x, &self.z, &self.theta, work);
        match bias {
            false => values,
            true => Matrix::from_fn(self.x.rows(), 1, |_, _| 1.0).append_columns(&values),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_read_back() {
        for text in ["auto", "auto:0.1", "0.5", "1000"] {
            assert_eq!(text.parse::<Width>().unwrap().to_string(), text);
        }
        for text in ["", "0", "-1", "inf", "NaN", "wide", "auto:", "auto:0", "auto:x", "scale:1"] {
            assert!(text.parse::<Width>().is_err(), "{text}");
        }
    }
}
