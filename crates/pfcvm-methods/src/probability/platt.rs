//! A sigmoid of the decision.

use libsvm_rs::probability::{sigmoid_predict, sigmoid_train};
use serde::{Deserialize, Serialize};

/// p(positive | f) = 1 / (1 + exp(A f + B)) (Platt 2000), A and B by Newton's method as Lin, Lin &
/// Weng (2007) do it, on targets (n₊ + 1) / (n₊ + 2) and 1 / (n₋ + 2).
///
/// Where the held-out decisions speak against the classes, A is taken as 0 and the probability is
/// that of the class: a probability that falls as the decision rises is of no use to anyone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Platt {
    slope: f64,
    offset: f64,
}

impl Platt {
    /// From decisions on samples that were held out when they were made.
    pub fn fit(decisions: &[f64], positive: &[bool]) -> Self {
        let signs = Vec::from_iter(positive.iter().map(|&p| if p { 1.0 } else { -1.0 }));
        // In units of the largest decision, which the Newton steps can bear whatever it is.
        let unit = decisions.iter().fold(0.0f64, |most, f| most.max(f.abs()));
        let unit = if unit > 0.0 && unit.is_finite() { unit } else { 1.0 };
        let scaled = Vec::from_iter(decisions.iter().map(|f| f / unit));
        let (slope, offset) = sigmoid_train(&scaled, &signs);
        if slope.is_finite() && offset.is_finite() && slope < 0.0 {
            return Self { slope: slope / unit, offset };
        }
        let count = |class| positive.iter().filter(|&&p| p == class).count() as f64;
        Self { slope: 0.0, offset: ((count(false) + 1.0) / (count(true) + 1.0)).ln() }
    }

    /// A, not above 0.
    pub fn slope(&self) -> f64 {
        self.slope
    }

    /// B.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// p(positive | f) for each decision.
    pub fn probabilities(&self, decisions: &[f64]) -> Vec<f64> {
        decisions.iter().map(|&f| sigmoid_predict(f, self.slope, self.offset)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_rise_with_decisions_or_stay() {
        let positive = [true, true, false, false, true, false];
        let along = Platt::fit(&[3.0, 1.0, -2.0, 0.5, 2.0, -1.0], &positive);
        assert!(along.slope() < 0.0);
        let p = along.probabilities(&[-1e300, -1.0, 0.0, 1.0, 1e300]);
        assert!(p.is_sorted() && p[0] >= 0.0 && p[4] <= 1.0);
        let against = Platt::fit(&[-3.0, -1.0, 2.0, 0.5, -2.0, 1.0], &positive);
        assert_eq!(against.probabilities(&[-1.0, 1.0]), [0.5, 0.5]);
        assert_eq!(Platt::fit(&[0.0, 0.0], &[true, false]).probabilities(&[4.0]), [0.5]);
    }

    #[test]
    fn units_of_the_decision_do_not_matter() {
        let positive = Vec::from_iter((0..40).map(|i| i * 7 % 10 > 4));
        let f = Vec::from_iter((0..40).map(|i| f64::from(i * 13 % 17) / 9.0 - 0.8));
        let base = Platt::fit(&f, &positive).probabilities(&f);
        for unit in [1e-9, 1e9] {
            let other = Vec::from_iter(f.iter().map(|f| f * unit));
            let found = Platt::fit(&other, &positive).probabilities(&other);
            base.iter().zip(found).for_each(|(a, b)| assert!((a - b).abs() < 1e-9));
        }
    }
}
