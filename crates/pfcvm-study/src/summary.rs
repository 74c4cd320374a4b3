//! Many folds of one study in a few numbers.

use crate::{Fold, Outcome, Study};
use pfcvm_eval::{
    Split, auc, calibration_bins, calibration_error, cohen_kappa_table, corrected_resampled_t,
    mean_jaccard, mean_pearson, selection_frequencies, selection_stability, wilson_interval,
};
use serde::Serialize;

const CONFIDENCE: f64 = 0.95;

/// What a study adds up to. Means are over the folds that were fitted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Name of the study.
    pub name: String,
    /// The method and its settings.
    pub method: String,
    /// All folds.
    pub folds: usize,
    /// Folds that have no scores, and why.
    pub failed: Vec<FailedFold>,
    /// Share of test rows on the right side.
    pub accuracy: Option<Measure>,
    /// Log loss.
    pub log_loss: Option<Measure>,
    /// Brier score.
    pub brier: Option<Measure>,
    /// Area under the ROC curve: mean over folds where both classes are tested, or of all test
    /// rows together where no fold tests both.
    pub auc: Option<Measure>,
    /// Folds that the area is the mean of; 0: it is that of all test rows together.
    pub auc_folds: usize,
    /// Cohen's kappa of all test rows together. Its interval counts a row once, however often it
    /// was tested.
    pub kappa: Option<Measure>,
    /// What knowing nothing but the share of the classes among the tested rows is worth.
    pub baseline: Option<Baseline>,
    /// Calibration error of all test rows together, in up to ten bins.
    pub calibration_error: Option<f64>,
    /// Test rows of all folds together: true and false positives, true and false negatives.
    pub counts: [usize; 4],
    /// Selected features per fold.
    pub features: Option<Measure>,
    /// Kept samples per fold.
    pub samples: Option<Measure>,
    /// How alike the selections are.
    pub stability: Option<Stability>,
    /// For each feature the share of folds that selected it; nothing for methods that use all.
    /// Written as pairs of a feature (from 0) and its share, of those above 0.
    #[serde(serialize_with = "above_zero")]
    pub selection_frequencies: Option<Vec<f64>>,
}

/// Of thousands of features few are ever selected.
pub(crate) fn above_zero<S: serde::Serializer>(
    shares: &Option<Vec<f64>>,
    out: S,
) -> Result<S::Ok, S::Error> {
    let pairs = shares.as_ref().map(|shares| {
        Vec::from_iter(shares.iter().copied().enumerate().filter(|(_, share)| *share > 0.0))
    });
    pairs.serialize(out)
}

/// What the shares of the classes alone are worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Baseline {
    /// Accuracy of always naming the larger class.
    pub accuracy: f64,
    /// Log loss of always giving the share.
    pub log_loss: f64,
    /// Brier score of always giving the share.
    pub brier: f64,
}

impl Baseline {
    /// From true and false positives, true and false negatives.
    fn of([tp, fp, tn, fn_]: [usize; 4]) -> Option<Self> {
        let rows = (tp + fp + tn + fn_) as f64;
        let share = (tp + fn_) as f64 / rows;
        let bits = |share: f64| if share > 0.0 { -share * share.ln() } else { 0.0 };
        (rows > 0.0).then(|| Self {
            accuracy: share.max(1.0 - share),
            log_loss: bits(share) + bits(1.0 - share),
            brier: share * (1.0 - share),
        })
    }
}

/// A fold without scores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailedFold {
    /// Which, from 1.
    pub fold: usize,
    /// Why.
    pub reason: String,
}

/// A mean with its spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// The mean, or the one value there is.
    pub mean: f64,
    /// Standard deviation over the folds, where each tests several rows.
    pub sd: Option<f64>,
    /// 95 % interval of the mean: corrected for overlapping training parts (Nadeau and Bengio)
    /// over folds, Wilson's over the rows of one fold or of single-row folds, that of kappa for
    /// kappa.
    pub interval: Option<(f64, f64)>,
}

/// How alike selections are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Stability {
    /// Mean Jaccard index over pairs.
    pub jaccard: f64,
    /// Standard deviation of the index over pairs.
    pub jaccard_sd: f64,
    /// Mean Pearson correlation over pairs.
    pub pearson: f64,
    /// Standard deviation of the correlation over pairs.
    pub pearson_sd: f64,
    /// The measure of Nogueira, Sechidis and Brown.
    pub nogueira: f64,
    /// Its 95 % interval.
    pub interval: (f64, f64),
}

impl Summary {
    /// Adds up the outcomes of a study.
    pub fn of(study: &Study, outcomes: &[Outcome]) -> Self {
        let fitted = fitted(outcomes);
        let over = Over::new(&study.splits, &fitted);
        let counts = fitted.iter().fold([0; 4], |sum, (_, fold)| {
            std::array::from_fn(|cell| sum[cell] + fold.scores.counts[cell])
        });
        let pooled = Pooled::of(study, &fitted);
        let subsets: Option<Vec<Vec<usize>>> =
            fitted.iter().map(|(_, fold)| fold.features.clone()).collect();
        let subsets = subsets.filter(|subsets| !subsets.is_empty());
        let width = study.data.x().cols();
        Self {
            name: study.name.clone(),
            method: study.contender.label(),
            folds: outcomes.len(),
            failed: failed(outcomes),
            accuracy: over.accuracy(
                |fold| fold.scores.accuracy,
                |fold| {
                    let [true_positives, _, true_negatives, _] = fold.scores.counts;
                    (true_positives + true_negatives, fold.scores.counts.iter().sum())
                },
            ),
            log_loss: over.mean(|fold| fold.scores.log_loss),
            brier: over.mean(|fold| fold.scores.brier),
            auc: over.share(|fold| fold.scores.auc).or_else(|| pooled.auc()),
            auc_folds: over.values(|fold| fold.scores.auc).len(),
            kappa: kappa(&table(&counts), tested_once(&study.splits, &fitted)),
            baseline: Baseline::of(counts),
            calibration_error: pooled.calibration_error(),
            counts,
            features: over.spread(|fold| Some(fold.features.as_ref()?.len() as f64)),
            samples: over.spread(|fold| Some(fold.samples? as f64)),
            stability: subsets.as_deref().and_then(|subsets| Stability::of(subsets, width)),
            selection_frequencies: subsets.map(|subsets| selection_frequencies(&subsets, width)),
        }
    }
}

/// Folds with scores, and their numbers.
pub(crate) fn fitted<F>(outcomes: &[Result<F, String>]) -> Vec<(usize, &F)> {
    let with_number = |(at, outcome)| Some((at, Result::as_ref(outcome).ok()?));
    outcomes.iter().enumerate().filter_map(with_number).collect()
}

/// Folds without scores.
pub(crate) fn failed<F>(outcomes: &[Result<F, String>]) -> Vec<FailedFold> {
    let reason = |(at, outcome)| {
        let reason = Result::as_ref(outcome).err()?;
        Some(FailedFold { fold: at + 1, reason: String::clone(reason) })
    };
    outcomes.iter().enumerate().filter_map(reason).collect()
}

/// The fitted folds, with what intervals need to know.
pub(crate) struct Over<'a, F> {
    folds: Vec<&'a F>,
    /// Mean of test rows over training rows.
    test_to_train: f64,
    single_rows: bool,
}

impl<'a, F> Over<'a, F> {
    pub(crate) fn new(splits: &[Split], fitted: &[(usize, &'a F)]) -> Self {
        let of_split = |at: usize| &splits[at];
        let ratio = |at: usize| of_split(at).test.len() as f64 / of_split(at).train.len() as f64;
        Self {
            folds: fitted.iter().map(|(_, fold)| *fold).collect(),
            test_to_train: fitted.iter().map(|(at, _)| ratio(*at)).sum::<f64>()
                / fitted.len() as f64,
            single_rows: splits.iter().all(|split| split.test.len() == 1),
        }
    }

    fn values(&self, value: impl Fn(&F) -> Option<f64>) -> Vec<f64> {
        self.folds.iter().filter_map(|fold| value(fold)).collect()
    }

    /// Mean and standard deviation.
    pub(crate) fn spread(&self, value: impl Fn(&F) -> Option<f64>) -> Option<Measure> {
        let values = self.values(value);
        let (mean, sd) = moments(&values)?;
        Some(Measure { mean, sd, interval: None })
    }

    /// Mean of a score, with its interval where folds test several rows.
    pub(crate) fn mean(&self, value: impl Fn(&F) -> Option<f64>) -> Option<Measure> {
        let values = self.values(value);
        let (mean, sd) = moments(&values)?;
        if self.single_rows {
            return Some(Measure { mean, sd: None, interval: None });
        }
        let test = corrected_resampled_t(&values, self.test_to_train, CONFIDENCE).ok();
        Some(Measure { mean, sd, interval: test.map(|test| test.interval) })
    }

    /// Mean of a score between 0 and 1.
    fn share(&self, value: impl Fn(&F) -> Option<f64>) -> Option<Measure> {
        let measure = self.mean(value)?;
        let interval = measure.interval.map(|(low, high)| (low.max(0.0), high.min(1.0)));
        Some(Measure { interval, ..measure })
    }

    /// The accuracy, which has an interval over the rows where there is none over folds;
    /// `counts` are a fold's right calls and all.
    pub(crate) fn accuracy(
        &self,
        accuracy: impl Fn(&F) -> f64,
        counts: impl Fn(&F) -> (usize, usize),
    ) -> Option<Measure> {
        let measure = self.share(|fold| Some(accuracy(fold)))?;
        if !self.single_rows && self.folds.len() > 1 {
            return Some(measure);
        }
        let (mut right, mut rows) = (0, 0);
        for fold in &self.folds {
            let (of_fold, all) = counts(fold);
            right += of_fold;
            rows += all;
        }
        Some(Measure { interval: Some(wilson_interval(right, rows)), ..measure })
    }
}

/// Share of the predictions that are of different rows.
pub(crate) fn tested_once<F>(splits: &[Split], fitted: &[(usize, &F)]) -> f64 {
    let mut rows: Vec<usize> =
        fitted.iter().flat_map(|(at, _)| splits[*at].test.iter().copied()).collect();
    let all = rows.len() as f64;
    rows.sort_unstable();
    rows.dedup();
    rows.len() as f64 / all
}

/// Mean and standard deviation (divisor n − 1).
fn moments(values: &[f64]) -> Option<(f64, Option<f64>)> {
    if values.is_empty() {
        return None;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((mean, (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt())))
}

/// Rows are the truth, columns the calls, the negative class first.
fn table([tp, fp, tn, fn_]: &[usize; 4]) -> [Vec<usize>; 2] {
    [vec![*tn, *fp], vec![*fn_, *tp]]
}

/// `once` is the share of predictions that are of different rows: repeats of a row say little new.
pub(crate) fn kappa(table: &[Vec<usize>], once: f64) -> Option<Measure> {
    let kappa = cohen_kappa_table(table, CONFIDENCE).ok()?;
    let wider = |end: f64| (kappa.kappa + (end - kappa.kappa) / once.sqrt()).clamp(-1.0, 1.0);
    let (low, high) = kappa.interval;
    Some(Measure { mean: kappa.kappa, sd: None, interval: Some((wider(low), wider(high))) })
}

/// All test rows together.
struct Pooled {
    truth: Vec<bool>,
    decision: Vec<f64>,
    probability: Option<Vec<f64>>,
}

impl Pooled {
    fn of(study: &Study, fitted: &[(usize, &Fold)]) -> Self {
        let mut pooled = Self { truth: vec![], decision: vec![], probability: Some(vec![]) };
        for (at, fold) in fitted {
            let Some(said) = &fold.predictions else { continue };
            let test = &study.splits[*at].test;
            pooled.truth.extend(test.iter().map(|&row| study.data.positive()[row]));
            pooled.decision.extend(&said.decision);
            match (&mut pooled.probability, &said.probability) {
                (Some(all), Some(these)) => all.extend(these),
                _ => pooled.probability = None,
            }
        }
        pooled
    }

    fn auc(&self) -> Option<Measure> {
        let mean = auc(&self.truth, &self.decision)?;
        Some(Measure { mean, sd: None, interval: None })
    }

    fn calibration_error(&self) -> Option<f64> {
        let probability = self.probability.as_ref().filter(|all| !all.is_empty())?;
        let bins = calibration_bins(self.truth.len());
        Some(calibration_error(&self.truth, probability, bins))
    }
}

impl Stability {
    pub(crate) fn of(subsets: &[Vec<usize>], features: usize) -> Option<Self> {
        let nogueira = selection_stability(subsets, features, CONFIDENCE).ok()?;
        let (jaccard_sd, pearson_sd) = pair_spreads(subsets, features)?;
        Some(Self {
            jaccard: mean_jaccard(subsets)?,
            jaccard_sd,
            pearson: mean_pearson(subsets, features)?,
            pearson_sd,
            nogueira: nogueira.stability,
            interval: nogueira.interval,
        })
    }
}

/// Standard deviations of both indices over all pairs of subsets, as the paper prints them.
fn pair_spreads(subsets: &[Vec<usize>], features: usize) -> Option<(f64, f64)> {
    let (mut jaccard, mut pearson) = (Vec::new(), Vec::new());
    for (at, a) in subsets.iter().enumerate() {
        for b in &subsets[at + 1..] {
            let pair = [a.clone(), b.clone()];
            jaccard.push(mean_jaccard(&pair)?);
            pearson.push(mean_pearson(&pair, features)?);
        }
    }
    let sd = |values: &[f64]| moments(values).map(|(_, sd)| sd.unwrap_or(0.0));
    Some((sd(&jaccard)?, sd(&pearson)?))
}
