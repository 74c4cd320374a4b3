//! Panels: a short, repeatable list of features for data with far more features than samples.
//!
//! 1. Values become ranks within their feature (`ranks`).
//! 2. Members on complementary halves of the samples judge all features together for a few rounds
//!    under precisions they share (`member`, `rounds`, `list`). Further rounds would shorten the list on
//!    their own, but what they drop last is down to chance.
//!    More than two classes are judged by ridges that share a row of probabilities (`together`).
//! 3. The list: features with the largest median share of the members' linear weights.
//! 4. Three linear machines read the list (`rounds` again, `plain`); their mean is the
//!    probability. With more than two classes the ridges alone do it, one for each class on one list
//!    for all: the row of probabilities is made from their decision values (softmax).
//! 5. Rows that did not train say how certain the list is, and what a machine of all features brings
//!    beside it (`held`).
//! 6. Each half's own list, and all features, are tried on the other half: is a short list the
//!    right tool (`check`)?

mod bias;
mod check;
mod halves;
mod held;
mod list;
mod member;
mod model;
mod plain;
mod ranks;
mod rounds;
mod surface;
mod together;

pub use model::{Panel, PanelPrediction};

use crate::algebra::Work;
use crate::data::Scaler;
use crate::memory;
use crate::posterior::Classes;
use crate::settings::{CertaintyPolicy, ClassWeights, Goal, check_max_false, several_threads};
use crate::spans::Inputs;
use crate::{Dataset, Error, Matrix, Stop, Termination};
use check::HalfScore;
use list::List;
use plain::{Linear, Ridge};
use ranks::Ranks;
use rayon::prelude::*;
use rounds::Rounds;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Rounds of the members on the finished list.
const FINAL_ROUNDS: usize = 4;

/// Everything a panel can be told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PanelSettings {
    /// At most this many features are listed.
    #[serde(alias = "length")] // as older files have it
    pub size: usize,
    /// Number of halves (even): more make the list depend less on how they were drawn.
    pub members: usize,
    /// How likely a feature of pure noise is to be called certain, and to be kept by a round, in
    /// (0, 0.5).
    pub false_positive_rate: f64,
    /// Expected number of false features among those that are called certain, at most; in place of
    /// the rate.
    #[serde(default)]
    pub max_false: Option<f64>,
    /// Whether rows that did not train are asked how certain all this is.
    #[serde(default)]
    pub certainty: CertaintyPolicy,
    /// Whether prediction keeps to the list, or has a machine of all features beside it.
    #[serde(default)]
    pub goal: Goal,
    /// Whether features are scaled on the training data, as part of the panel.
    pub standardise: bool,
    /// Whether scaled features are their ranks among the training values instead of their values.
    /// No effect with `standardise` off.
    pub ranks: bool,
    /// How the classes count.
    pub class_weights: ClassWeights,
    /// Refuse a panel that needs more memory than this (MiB).
    #[serde(skip)]
    pub memory_limit_mib: Option<usize>,
    /// Seed of the halves.
    pub seed: u64,
    /// Whether members run on several threads (the result does not depend on it).
    #[serde(skip, default = "several_threads")]
    pub parallel: bool,
    /// Ends the fit with [`Error::Stopped`] soon after it goes up.
    #[serde(skip)]
    pub stop: Option<Stop>,
}

impl Default for PanelSettings {
    fn default() -> Self {
        Self {
            size: 20,
            members: 40,
            false_positive_rate: 0.05,
            max_false: None,
            certainty: CertaintyPolicy::default(),
            goal: Goal::default(),
            standardise: true,
            ranks: true,
            class_weights: ClassWeights::Equal,
            memory_limit_mib: None,
            seed: 0,
            parallel: true,
            stop: None,
        }
    }
}

impl PanelSettings {
    /// Refuses settings outside their range; a fit does so before it starts.
    pub fn check(&self) -> Result<(), Error> {
        let bad = |name, value: String, allowed| Err(Error::Setting { name, value, allowed });
        if self.size == 0 {
            return bad("panel size", "0".into(), "at least 1");
        }
        if self.members < 2 || !self.members.is_multiple_of(2) {
            return bad("members", self.members.to_string(), "even, at least 2");
        }
        if !(self.false_positive_rate > 0.0 && self.false_positive_rate < 0.5) {
            let value = self.false_positive_rate.to_string();
            return bad("false_positive_rate", value, "above 0 and below 0.5");
        }
        check_max_false(self.max_false)?;
        if let ClassWeights::Given { negative, positive } = self.class_weights
            && !(negative > 0.0 && positive > 0.0 && negative.is_finite() && positive.is_finite())
        {
            return bad("class weights", format!("{negative}, {positive}"), "finite, above 0");
        }
        Ok(())
    }

    /// What the algebra of a panel may use.
    fn work(&self) -> Work {
        Work { stop: self.stop.clone(), ..Work::new(self.parallel) }
    }

    /// Refuses a panel that would need more memory than allowed, before it starts.
    fn check_memory(&self, data: &Dataset) -> Result<(), Error> {
        let threads = if self.parallel { rayon::current_num_threads() } else { 1 };
        let (rows, cols) = (data.len(), data.x().cols());
        let machines = if data.classes() == 2 { 1 } else { data.classes() };
        let needed_mib = memory::mib_of_panel(rows, cols, self.members * machines, threads);
        match self.memory_limit_mib {
            Some(limit_mib) if needed_mib > limit_mib => {
                Err(Error::PanelMemory { needed_mib, limit_mib })
            }
            _ => Ok(()),
        }
    }
}

/// One round of making the list, as it is traced and shown to the observer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PanelRound {
    /// Counts from 1.
    pub number: usize,
    /// The part of the rows that is held out, from 1; nothing for the panel of all rows. What such
    /// a panel does is shown to the observer only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fold: Option<usize>,
    /// Features kept after it.
    pub features: usize,
    /// Sum of the members' log evidences (before anything was dropped).
    pub log_evidence: f64,
    /// Largest relative jitter that a factorisation needed; 0 in the ordinary case.
    pub jitter: f64,
    /// Wall-clock time it took.
    pub seconds: f64,
}

/// Makes a panel. The order of the rows does not matter, nor whether a row is given twice or with
/// twice the weight: the fit sees them as [`Dataset::canonical`] has them.
pub fn fit_panel(data: &Dataset, settings: &PanelSettings) -> Result<Panel, Error> {
    fit_panel_with(data, settings, &mut |_| ControlFlow::Continue(()))
}

/// Makes a panel, showing each round to `observer`, which may stop the rounds: the list is then
/// made from what is known. (A [`Stop`] among the settings ends it at once, with no panel.)
pub fn fit_panel_with(
    data: &Dataset,
    settings: &PanelSettings,
    observer: &mut (dyn FnMut(&PanelRound) -> ControlFlow<()> + Send),
) -> Result<Panel, Error> {
    fit_panels(data, settings, observer).map(|mut panels| panels.remove(0))
}

/// Makes the panels of any number of classes: one for two, one for each of more, with one list for all.
pub(crate) fn fit_panels(
    data: &Dataset,
    settings: &PanelSettings,
    observer: &mut Observer,
) -> Result<Vec<Panel>, Error> {
    settings.check()?;
    settings.check_memory(data)?;
    Stop::catch(|| whole(data, settings, observer)).unwrap_or(Err(Error::Stopped))
}

fn whole(
    data: &Dataset,
    settings: &PanelSettings,
    observer: &mut Observer,
) -> Result<Vec<Panel>, Error> {
    let rows = data.canonical();
    let (panels, _) =
        make(&rows.data, settings, true, observer).map_err(|error| rows.trace_back(error))?;
    let over = panels[0].termination == Termination::Converged;
    if settings.certainty == CertaintyPolicy::Off || !over {
        return Ok(held::unasked(panels, &rows.data, settings));
    }
    held::judged(panels, &rows.data, settings, observer)
}

/// Makes the panels of canonical rows; `whole`: with how well all features would do.
fn make<'s>(
    rows: &Dataset,
    settings: &'s PanelSettings,
    whole: bool,
    observer: &mut Observer,
) -> Result<(Vec<Panel>, Problem<'s>), Error> {
    // Of more than two classes, one of a single row is in both halves.
    if rows.classes() == 2 {
        rows.check_classes(halves::LEAST_IN_CLASS)?;
    }
    let mut problem = Problem::new(rows, settings)?;
    // Before values become ranks: all features are tried as any other linear fit would see them.
    let all_features = if whole { problem.score_all() } else { HalfScore::UNKNOWN };
    if problem.ranked() {
        ranks::rank_features(&mut problem.x);
    }
    let list = List::make(&problem, observer);
    Ok((problem.finish(rows.x(), list, all_features), problem))
}

/// Is shown every round, and may stop the fit.
type Observer<'o> = dyn FnMut(&PanelRound) -> ControlFlow<()> + Send + 'o;

/// The data as the panel sees them.
struct Problem<'s> {
    settings: &'s PanelSettings,
    scaler: Scaler,
    /// All rows, all varying features, scaled.
    x: Inputs,
    classes: Classes,
    halves: Vec<Vec<usize>>,
}

impl<'s> Problem<'s> {
    fn new(data: &Dataset, settings: &'s PanelSettings) -> Result<Self, Error> {
        let scaler = Scaler::fit(data, settings.standardise)?;
        Ok(Self {
            settings,
            x: scaler.inputs_from(data.x()),
            scaler,
            classes: Classes::new(data, settings.class_weights),
            halves: halves::draw(data.class(), data.classes(), settings.members, settings.seed),
        })
    }

    fn score_all(&self) -> HalfScore {
        let mut work = self.settings.work();
        let condensed = check::condense(&self.x.values, &mut work);
        check::score_all(&condensed, &self.classes, &self.halves, &work)
    }

    /// The members on the finished list, without pressure to drop any of it: half after half, one for
    /// each machine.
    fn members(&self, x: &Inputs) -> Vec<Linear> {
        let work = self.settings.work();
        if self.classes.machines.len() > 1 {
            return self.ridges_of_halves(x, &work);
        }
        let mut rounds = Rounds::new(x.clone(), &self.classes.machines[0], &self.halves, 0.0, work);
        for _ in 0..FINAL_ROUNDS {
            let Some((judgements, _)) = rounds.advance() else { break };
            rounds.settle(&judgements);
        }
        let spread = |kept: &[f64]| {
            let mut weights = vec![0.0; x.values.cols()];
            let columns = x.spans.columns_of(&rounds.features);
            columns.iter().zip(kept).for_each(|(&k, v)| weights[k] = *v);
            weights
        };
        let weights = rounds.weights();
        let members = rounds.members.iter().zip(&weights);
        members.map(|(m, v)| Linear { bias: m.w[0], weights: spread(v) }).collect()
    }

    /// Members that share a row of probabilities: what the ridges would be from each half.
    fn ridges_of_halves(&self, x: &Inputs, work: &Work) -> Vec<Linear> {
        let of_half = |rows: &Vec<usize>| {
            let (x, classes) = (x.values.select_rows(rows), self.classes.select(rows));
            Ridge::fit(&x, &classes, &mut work.alone())
        };
        let all: Vec<Vec<Ridge>> = match work.parallel {
            true => self.halves.par_iter().map(of_half).collect(),
            false => self.halves.iter().map(of_half).collect(),
        };
        all.into_iter().flatten().map(|ridge| ridge.linear).collect()
    }

    /// Whether values are ranks.
    fn ranked(&self) -> bool {
        self.settings.standardise && self.settings.ranks
    }

    /// How the values of some features become ranks, if they do; one for each scaled column.
    fn ranks(&self, raw: &Matrix, positions: &[usize]) -> Option<Vec<Ranks>> {
        self.ranked().then(|| {
            let values = self.scaler.apply_columns(raw, &self.x.spans.columns_of(positions));
            let x = Inputs { values, spans: self.x.spans.select(positions) };
            ranks::of_features(&x)
        })
    }

    /// The three machines that read the list, with all that is known of it; so many for each class
    /// where there are more than two.
    fn finish(&self, raw: &Matrix, list: List, all_features: HalfScore) -> Vec<Panel> {
        let mut work = self.settings.work();
        let x = self.x.select(&list.positions);
        let varying = self.scaler.features();
        let ranks = self.ranks(raw, &list.positions);
        let machines = self.classes.machines.len();
        let members = self.members(&x);
        let ridge = Ridge::fit(&x.values, &self.classes, &mut work);
        let equal = match machines {
            1 => plain::equal(&x.values, &self.classes, &mut work),
            _ => ridge.iter().map(|ridge| ridge.linear.clone()).collect(),
        };
        let one = |(k, (ridge, equal)): (usize, (Ridge, Linear))| Panel {
            members: members.iter().skip(k).step_by(machines).cloned().collect(),
            ridge,
            equal,
            shared: machines > 1,
            features: list.positions.iter().map(|&k| varying[k]).collect(),
            positions: list.positions.clone(),
            ranks: ranks.clone(),
            median_shares: list.importance.clone(),
            frequencies: list.frequencies.clone(),
            expected: list.expected,
            all_features,
            rounds: list.rounds.clone(),
            termination: list.termination,
            scaler: self.scaler.clone(),
            calibration: None,
            broad: None,
            certainty: None,
            held_losses: Vec::new(),
        };
        ridge.into_iter().zip(equal).enumerate().map(one).collect()
    }
}
