//! The entropic Rademacher bound (`eq:rbound`).

use super::{Divergence, PriorPrecisions, VoteSettings};
use crate::{Dataset, Error, Model};
use serde::{Deserialize, Serialize};

/// The parameters of the theorem.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoundSettings {
    /// δ: with at least 1 − δ the bound holds (default 0.05).
    pub delta: f64,
    /// c, the margin below which a vote counts as an error in part (default 1).
    pub margin: f64,
    /// r, the ratio of neighbouring complexities that are told apart (default 1.1).
    pub ratio: f64,
    /// g, the least complexity (default 1).
    pub floor: f64,
    /// The prior.
    pub prior: PriorPrecisions,
    /// How votes are taken; each weight on its own, whatever is said here.
    pub votes: VoteSettings,
}

impl Default for BoundSettings {
    fn default() -> Self {
        Self {
            delta: 0.05,
            margin: 1.0,
            ratio: 1.1,
            floor: 1.0,
            prior: PriorPrecisions::default(),
            votes: VoteSettings { independent: true, ..VoteSettings::default() },
        }
    }
}

impl BoundSettings {
    /// Refuses parameters for which the theorem says nothing.
    pub fn check(&self) -> Result<(), Error> {
        let bad = |name, value: f64, allowed| {
            Err(Error::Setting { name, value: value.to_string(), allowed })
        };
        if !(self.delta > 0.0 && self.delta < 1.0) {
            return bad("delta", self.delta, "above 0 and below 1");
        }
        let above = |value: f64, least: f64| value > least && value.is_finite();
        for (name, value) in [("margin", self.margin), ("floor", self.floor)] {
            if !above(value, 0.0) {
                return bad(name, value, "finite, above 0");
            }
        }
        if !above(self.ratio, 1.0) {
            return bad("ratio", self.ratio, "finite, above 1");
        }
        let priors = [self.prior.features.unwrap_or(1.0), self.prior.samples];
        if let Some(value) = priors.iter().find(|value| !above(**value, 0.0)) {
            return bad("prior", *value, "finite, above 0");
        }
        self.votes.check()
    }

    /// The bound for a margin loss on `rows` rows and a divergence.
    pub fn bound(&self, margin_loss: f64, divergence: f64, rows: usize) -> Bound {
        let rows = rows as f64;
        let allowed = self.ratio * divergence.max(self.floor);
        let steps = (self.ratio * allowed / self.floor).ln() / self.ratio.ln();
        let complexity = 2.0 / self.margin * (2.0 * allowed / rows).sqrt();
        let confidence = ((steps.ln() - 0.5 * self.delta.ln()) / rows).sqrt();
        Bound { margin_loss, complexity, confidence, divergence, delta: self.delta }
    }
}

/// A bound on the share of new rows that the voting classifier gets wrong, in its three parts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Bound {
    /// Λ = mean of min(1, max(0, 1 − y·vote/c)) over the training rows.
    pub margin_loss: f64,
    /// (2/c) √(2 r max(KL, g) / N).
    pub complexity: f64,
    /// √((ln logᵣ(r² max(KL, g)/g) + ½ ln 1/δ) / N).
    pub confidence: f64,
    /// KL(q‖p).
    pub divergence: f64,
    /// δ.
    pub delta: f64,
}

impl Bound {
    /// The sum of the three parts.
    pub fn total(&self) -> f64 {
        self.margin_loss + self.complexity + self.confidence
    }

    /// Whether the bound says nothing: every classifier is wrong on at most all rows.
    pub fn is_vacuous(&self) -> bool {
        self.total() >= 1.0
    }
}

impl Model {
    /// The bound of the theorem, from the rows the model was fitted on.
    ///
    /// It speaks of the voting classifier E[sign f] whose weights are drawn each on its own from
    /// the truncated posterior. The theorem takes basis functions and prior as given before the
    /// data; here the basis functions are training samples, and dropped weights cost nothing. The
    /// figure is therefore what the paper's formula gives, not a guarantee (`docs/theory.md`).
    pub fn generalization_bound(
        &self,
        data: &Dataset,
        settings: &BoundSettings,
    ) -> Result<Bound, Error> {
        settings.check()?;
        let votes = self.vote(data.x(), &VoteSettings { independent: true, ..settings.votes })?;
        let signs = data.positive().iter().map(|p| if *p { 1.0 } else { -1.0 });
        let losses =
            votes.iter().zip(signs).map(|(v, y)| (1.0 - y * v / settings.margin).clamp(0.0, 1.0));
        let margin_loss = losses.sum::<f64>() / data.len() as f64;
        let divergence: Divergence = self.divergence(&settings.prior);
        Ok(settings.bound(margin_loss, divergence.total(), data.len()))
    }
}
