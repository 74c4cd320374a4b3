//! How new rows look to a model that has not learned from them.
//!
//! The rule has turned where their classes are clearly not what the model expects and the model tells them apart the
//! wrong way round: with pₖ the probability of class k and y the classes of the rows,
//!
//! ```text
//! Σ p_y − its mean, if the same classes were dealt out anew among the rows, is below −2 standard deviations.
//! ```
//!
//! The deviation is that of all deals (Hoeffding 1951). A model that always says the same, or rows of one class only, have
//! the same sum whatever the deal, and neither rows of few classes nor other shares than before are a turn.

use super::ModelFile;
use pfcvm::{Matrix, WITHIN_REACH};
use serde::Serialize;

/// Standard errors from which on new rows are surprising.
const CLEAR: f64 = 3.0;
/// Standard deviations below what chance has, from which on rows that are surprising are told apart the wrong way round.
const ROUND: f64 = 2.0;

/// How new rows look to a model that has not learned from them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Surprise {
    /// New rows of classes that the model knows.
    pub rows: usize,
    /// Their mean −log p.
    pub log_loss: f64,
    /// What it would be if the probabilities were right.
    pub expected_log_loss: f64,
    /// The difference in standard errors.
    pub deviations: f64,
    /// Whether the model clearly tells the classes of the new rows apart the wrong way round.
    pub turned: bool,
    /// The share of new rows that look like none that the model remembers; nothing where it cannot tell.
    pub novel: Option<f64>,
}

impl ModelFile {
    /// What the model says of rows that it has not learned from.
    pub(super) fn surprise(&self, x: &Matrix, codes: &[usize]) -> Result<Surprise, String> {
        let said = self.machines.predict(x).map_err(|error| error.to_string())?;
        let known = codes.iter().copied().enumerate();
        let known: Vec<(usize, usize)> =
            known.filter(|(_, code)| *code < self.classes.len()).collect();
        let (mut loss, mut expected, mut variance) = (0.0, 0.0, 0.0);
        for &(row, code) in &known {
            let p: Vec<f64> = said.row(row).iter().map(|p| p.max(1e-12)).collect();
            let entropy: f64 = p.iter().map(|p| -p * p.ln()).sum();
            loss -= p[code].ln();
            expected += entropy;
            variance += p.iter().map(|p| p * (-p.ln() - entropy).powi(2)).sum::<f64>();
        }
        let count = f64::max(known.len() as f64, 1.0);
        let deviations = if variance > 0.0 { (loss - expected) / variance.sqrt() } else { 0.0 };
        let (log_loss, expected_log_loss) = (loss / count, expected / count);
        let novel = self.machines.novelty(x).map_err(|error| error.to_string())?.map(|novelty| {
            let far = novelty.iter().filter(|far| **far > 1.0).count();
            far as f64 / f64::max(novelty.len() as f64, 1.0)
        });
        let turned = deviations > CLEAR && agreement(&said.probability, &known) < -ROUND;
        let rows = known.len();
        Ok(Surprise { rows, log_loss, expected_log_loss, deviations, turned, novel })
    }
}

/// How far the sum of what rows have in the column of their class is above its mean over all ways to deal these classes
/// out among the rows, in standard deviations; 0 where it is always the same.
fn agreement(p: &Matrix, known: &[(usize, usize)]) -> f64 {
    let rows = known.len() as f64;
    let mut share = vec![0.0; p.cols()];
    known.iter().for_each(|&(_, code)| share[code] += 1.0 / rows);
    let mean = |k: usize| known.iter().map(|&(row, _)| p.get(row, k)).sum::<f64>() / rows;
    let means: Vec<f64> = (0..p.cols()).map(mean).collect();
    let (mut sum, mut variance) = (0.0, 0.0);
    for &(row, code) in known {
        let off: Vec<f64> = means.iter().enumerate().map(|(k, m)| p.get(row, k) - m).collect();
        let middle: f64 = off.iter().zip(&share).map(|(off, share)| off * share).sum();
        let around = off.iter().zip(&share).map(|(off, share)| share * (off - middle).powi(2));
        sum += off[code];
        variance += rows / (rows - 1.0) * around.sum::<f64>();
    }
    // What is left of nothing by rounding is nothing.
    if variance > f64::EPSILON * rows { sum / variance.sqrt() } else { 0.0 }
}

impl Surprise {
    /// Whether the classes of the new rows are not what the model expects.
    pub fn is_clear(&self) -> bool {
        self.deviations > CLEAR
    }

    /// What is to be said of rows that do not look like the old ones, to a model that forgets or does not.
    pub(super) fn in_words(&self, forgets: bool) -> Vec<String> {
        let mut words = Vec::new();
        let what = match (forgets, self.turned) {
            (true, true) => "the rule has turned, and what was seen before no longer counts",
            _ => "--half-life forgets what no longer holds",
        };
        if self.is_clear() || self.turned {
            words.push(format!(
                "the classes of the new rows are not what the model expects: log loss {:.3} before \
                 learning, {:.3} if nothing had changed; {what}",
                self.log_loss, self.expected_log_loss
            ));
        }
        let usual = 1.0 - WITHIN_REACH;
        let error = (usual / f64::max(self.rows as f64, 1.0)).sqrt();
        if let Some(novel) = self.novel.filter(|novel| *novel > usual + CLEAR * error) {
            words.push(format!(
                "{:.0} % of the new rows look like none that the model remembers, where {:.0} % would be \
                 usual",
                100.0 * novel,
                100.0 * usual
            ));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ways to deal the classes out, one by one.
    fn deals(codes: &mut Vec<usize>, at: usize, each: &mut impl FnMut(&[usize])) {
        if at == codes.len() {
            return each(codes);
        }
        for other in at..codes.len() {
            codes.swap(at, other);
            deals(codes, at + 1, each);
            codes.swap(at, other);
        }
    }

    #[test]
    fn agreement_is_measured_by_all_deals() {
        let p = Matrix::from_fn(6, 3, |i, k| ((i * 5 + k * 3) as f64 * 0.618).fract());
        let codes = [0, 2, 1, 0, 2, 0];
        let sum = |codes: &[usize]| (0..6).map(|i| p.get(i, codes[i])).sum::<f64>();
        let mut sums = Vec::new();
        deals(&mut codes.to_vec(), 0, &mut |codes| sums.push(sum(codes)));
        let mean = sums.iter().sum::<f64>() / sums.len() as f64;
        let variance = sums.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / sums.len() as f64;
        let expected = (sum(&codes) - mean) / variance.sqrt();
        let known = Vec::from_iter(codes.into_iter().enumerate());
        assert!((agreement(&p, &known) - expected).abs() < 1e-10, "{expected}");
    }

    #[test]
    fn a_model_is_told_from_one_that_has_it_the_wrong_way_round() {
        let sure = |right: bool| {
            let p = move |i: usize, k: usize| if (i % 2 == k) == right { 0.8 } else { 0.2 };
            (Matrix::from_fn(40, 2, p), Vec::from_iter((0..40).map(|i| (i, i % 2))))
        };
        let of = |(p, known): (Matrix, Vec<(usize, usize)>)| agreement(&p, &known);
        assert!((of(sure(false)) + 39.0f64.sqrt()).abs() < 1e-9);
        assert!((of(sure(true)) - 39.0f64.sqrt()).abs() < 1e-9);
        // Rows of one class, and a model that always says the same, say nothing.
        let one = Vec::from_iter((0..40).map(|i| (i, 0)));
        assert_eq!(agreement(&sure(false).0, &one), 0.0);
        let same = Matrix::from_fn(40, 2, |_, k| [0.9, 0.1][k]);
        assert_eq!(agreement(&same, &sure(true).1), 0.0);
        assert_eq!(agreement(&same, &[]), 0.0);
        assert_eq!(agreement(&same, &[(3, 1)]), 0.0);
    }
}
