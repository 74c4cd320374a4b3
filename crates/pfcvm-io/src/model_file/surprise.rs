//! How new rows look to a model that has not learned from them.
//!
//! The rule has turned where the model tells classes apart the wrong way round: of rows of class k a share r_k
//! is called k, among the K classes that the new rows have, and
//!
//! ```text
//! mean of r_k < 1 / K
//! ```
//!
//! by three standard errors, with r_k = (hits + 1) / (rows + 2). A model that always says the same, or one that
//! knows nothing, has 1 / K whatever the shares of the classes are, so that rows of few classes, or of other
//! shares than before, are no turn.

use super::ModelFile;
use pfcvm::multiclass::Prediction;
use pfcvm::{Matrix, WITHIN_REACH};
use serde::Serialize;

/// Standard errors from which on new rows are surprising.
const CLEAR: f64 = 3.0;

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
        let mut turned = turned(&calls(&said, &known, self.classes.len()));
        if let Ok(z) = std::env::var("PFCVM_Z") {
            let z: f64 = z.parse().unwrap();
            let own = agreement(&said, &known);
            eprintln!("deviations {deviations:.2} agreement {own:.2} turned {turned}");
            turned = deviations > CLEAR && own < -z;
        }
        let rows = known.len();
        Ok(Surprise { rows, log_loss, expected_log_loss, deviations, turned, novel })
    }
}

/// Of every class that these rows have: how many rows, and how many of them are called so among these classes.
fn calls(said: &Prediction, known: &[(usize, usize)], classes: usize) -> Vec<(usize, usize)> {
    let mut calls = vec![(0, 0); classes];
    known.iter().for_each(|&(_, code)| calls[code].0 += 1);
    let there: Vec<usize> = (0..classes).filter(|&class| calls[class].0 > 0).collect();
    for &(row, code) in known {
        let p = said.row(row);
        // The first of equals.
        let called = there.iter().copied().reduce(|a, b| if p[b] > p[a] { b } else { a });
        calls[code].1 += usize::from(called == Some(code));
    }
    there.into_iter().map(|class| calls[class]).collect()
}

/// How far the probabilities of the rows' own classes, summed, are above what they would be if the classes were dealt
/// out anew among the rows, in standard deviations.
fn agreement(said: &Prediction, known: &[(usize, usize)]) -> f64 {
    let n = known.len() as f64;
    let classes = said.probability.cols();
    let mut counts = vec![0.0; classes];
    known.iter().for_each(|&(_, code)| counts[code] += 1.0);
    let of_class = |class: usize| -> f64 {
        known.iter().map(|&(row, _)| said.probability.get(row, class)).sum::<f64>() / n
    };
    let means: Vec<f64> = (0..classes).map(of_class).collect();
    let (mut sum, mut squares) = (0.0, 0.0);
    for &(row, code) in known {
        let off = |class: usize| said.probability.get(row, class) - means[class];
        let middle: f64 = (0..classes).map(|k| counts[k] / n * off(k)).sum();
        sum += off(code);
        squares += (0..classes).map(|k| counts[k] * (off(k) - middle).powi(2)).sum::<f64>();
    }
    let variance = squares / (n - 1.0);
    if variance > 0.0 { sum / variance.sqrt() } else { 0.0 }
}

/// Whether so many rows, and hits among them, of each class are clearly below chance.
fn turned(calls: &[(usize, usize)]) -> bool {
    let classes = calls.len() as f64;
    let (mut mean, mut variance) = (0.0, 0.0);
    for &(rows, hits) in calls {
        let asked = rows as f64 + 2.0;
        let share = (hits as f64 + 1.0) / asked;
        mean += share / classes;
        variance += share * (1.0 - share) / asked / classes.powi(2);
    }
    calls.len() > 1 && 1.0 / classes - mean > CLEAR * variance.sqrt()
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

    #[test]
    fn a_rule_has_turned_where_classes_are_told_apart_the_wrong_way_round() {
        assert!(turned(&[(20, 2), (20, 3)]), "both are called the other");
        assert!(turned(&[(5, 0), (5, 0)]));
        assert!(turned(&[(20, 0), (20, 0), (20, 0)]), "three that went round");
        assert!(!turned(&[(20, 18), (20, 17)]), "as it was");
        assert!(!turned(&[(20, 9), (20, 8)]), "nothing holds any more");
        assert!(!turned(&[(1000, 1000), (5, 0)]), "always the same, which was rare before");
        assert!(!turned(&[(40, 3)]) && !turned(&[]), "one class says nothing");
        assert!(!turned(&[(2, 0), (2, 0)]), "too few");
    }
}
