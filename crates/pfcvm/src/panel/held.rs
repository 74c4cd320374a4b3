//! The same panel without each part of the rows in turn, and what it says of that part.

use super::plain::Ridge;
use super::{Observer, Panel, PanelRound, PanelSettings, Problem, make};
use crate::algebra::{chi_square_deviate, log_odds};
use crate::broad::AllFeatures;
use crate::certainty::Certainty;
use crate::iteration::free_classes;
use crate::judgement::{
    ALIKE, Alongside, Calibration, Copies, Dial, Held, Kind, Listed, Rows, Without,
    ask_all_features, judge, pair, strengths,
};
use crate::settings::{CertaintyPolicy, Goal};
use crate::{Dataset, Error, Kernel, Matrix, Termination};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Features that are taken out one by one, at most.
const MOST: usize = 100;

/// The panels with what rows that did not train say of them.
pub(super) fn judged(
    mut panels: Vec<Panel>,
    rows: &Dataset,
    settings: &PanelSettings,
    observer: &mut Observer,
) -> Result<Vec<Panel>, Error> {
    let copies = Copies::of(rows);
    let Some(folds) = copies.folds(settings.seed) else { return Ok(panels) };
    // Of halves there are enough with half as many.
    let members = (settings.members / 4 * 2).max(2);
    let class_weights = rows.fixed_factors(settings.class_weights);
    let fewer = PanelSettings { members, class_weights, ..settings.clone() };
    let parts = (&folds[..], &panels[0].features[..], panels.len());
    let all = all_features(&panels, rows, settings);
    let Some(mut held) = refit(rows, &copies, parts, &fewer, observer)? else {
        panels.iter_mut().for_each(|panel| panel.termination = Termination::Cancelled);
        return Ok(panels);
    };
    if let Some(all) = &all {
        ask_all_features(&mut held, all, (&copies, &folds), &mut settings.work());
    }
    let PanelSettings { class_weights, seed, false_positive_rate: rate, max_false, .. } = *settings;
    let listed = Listed {
        kind: Kind::Panel,
        features: panels[0].features.clone(),
        strengths: strengths_of(&panels),
        candidates: panels[0].scaler.features().len(),
    };
    let seen = Rows { data: rows, copies: &copies, class_weights, seed };
    let mut certainties = judge(&seen, &held, &listed, Dial { rate, max_false });
    let nothing = certainties[0].nothing_found && settings.certainty == CertaintyPolicy::On;
    let calibrations: Vec<Calibration> = certainties.iter().map(Calibration::of).collect();
    let pairing = pair(&seen, &held, &calibrations, nothing);
    for certainty in &mut certainties {
        certainty.take(pairing.as_ref().map(|pairing| pairing.goals), settings.goal);
    }
    let beats_chance = pairing.as_ref().is_some_and(|pairing| pairing.goals.beats_chance);
    let beside = settings.goal == Goal::Accuracy && (!nothing || beats_chance);
    let shares = match panels.len() {
        1 => vec![rows.log_odds_of_shares(class_weights)],
        _ => rows.log_shares(class_weights),
    };
    let conclude = |((panel, certainty), share): ((Panel, Certainty), f64)| match nothing {
        true => panel.find_nothing(if beside { 0.0 } else { share }, certainty),
        false => Panel {
            calibration: Some((certainty.offset, certainty.slope)),
            certainty: Some(certainty),
            ..panel
        },
    };
    let mut panels: Vec<Panel> =
        panels.into_iter().zip(certainties).zip(shares).map(conclude).collect();
    if let Some(pairing) = &pairing {
        let losses = pairing.losses_of(settings.goal);
        panels.iter_mut().for_each(|panel| panel.held_losses = losses.to_vec());
    }
    if let (Some(all), Some(pairing), true) = (all, pairing, beside) {
        put_beside(&mut panels, &all, pairing.factors, settings);
    }
    Ok(panels)
}

/// The panels where no rows say how the list and all features go together: both count alike.
pub(super) fn unasked(
    mut panels: Vec<Panel>,
    rows: &Dataset,
    settings: &PanelSettings,
) -> Vec<Panel> {
    if settings.goal == Goal::Accuracy
        && let Some(all) = all_features(&panels, rows, settings)
    {
        put_beside(&mut panels, &all, ALIKE, settings);
    }
    panels
}

fn all_features(panels: &[Panel], rows: &Dataset, settings: &PanelSettings) -> Option<AllFeatures> {
    let kind = (Kernel::Linear, settings.class_weights);
    AllFeatures::of(&panels[0].scaler, rows, kind, &mut settings.work())
}

fn put_beside(
    panels: &mut [Panel],
    all: &AllFeatures,
    (of_list, of_all): (f64, f64),
    settings: &PanelSettings,
) {
    let machines = all.machines(of_all, &mut settings.work());
    panels.iter_mut().zip(machines).for_each(|(panel, machine)| panel.put_beside(machine, of_list));
}

/// The weights of the features in deviations. Noise raises those of several classes in each that is
/// free: what is told is the deviate of one that is as unlikely.
fn strengths_of(panels: &[Panel]) -> Vec<f64> {
    let of = |panel: &Panel| strengths(&panel.feature_weights(), &panel.feature_deviations());
    let all: Vec<Vec<f64>> = panels.iter().map(of).collect();
    let [only] = &all[..] else {
        let free = free_classes(panels.len()) as f64;
        let square = |k: usize| all.iter().map(|strengths| strengths[k].powi(2)).sum::<f64>();
        return (0..all[0].len()).map(|k| chi_square_deviate(square(k), free).max(0.0)).collect();
    };
    only.clone()
}

fn refit(
    rows: &Dataset,
    copies: &Copies,
    (folds, listed, machines): (&[Vec<usize>], &[usize], usize),
    settings: &PanelSettings,
    observer: &mut Observer,
) -> Result<Option<Vec<Vec<Held>>>, Error> {
    let observer = Mutex::new(observer);
    let one = |(number, fold): (usize, &Vec<usize>)| -> Result<Option<Vec<Held>>, Error> {
        let mut watch = |round: &PanelRound| {
            let round = PanelRound { fold: Some(number + 1), ..round.clone() };
            let mut observer = observer.lock().unwrap_or_else(PoisonError::into_inner);
            (*observer)(&round)
        };
        let rest = copies.without(rows, fold);
        // What cannot be learned without some rows (no feature varies, say) says nothing of them.
        let Ok((panels, problem)) = make(&rest, settings, false, &mut watch) else {
            return Ok(Some(vec![Held::nothing(fold); machines]));
        };
        if panels[0].termination == Termination::Cancelled {
            return Ok(None);
        }
        let at: Vec<usize> = fold.iter().map(|&copy| copies.rows[copy]).collect();
        let x = rows.x().select_rows(&at);
        held_out(&panels, &problem, rest.x(), (fold, &x, listed)).map(Some)
    };
    match settings.parallel {
        true => folds.par_iter().enumerate().with_max_len(1).map(one).collect(),
        false => folds.iter().enumerate().map(one).collect(),
    }
}

/// What the panels of some rows say of others; the ridges alone have to do without features.
fn held_out(
    panels: &[Panel],
    problem: &Problem,
    raw: &Matrix,
    (copies, x, asked): (&[usize], &Matrix, &[usize]),
) -> Result<Vec<Held>, Error> {
    let mut work = problem.settings.work().alone();
    let (positions, features) = (&panels[0].positions, &panels[0].features);
    // Decision values of all machines.
    let mut ridges = |positions: &[usize]| -> Vec<Vec<f64>> {
        if positions.is_empty() {
            return vec![vec![0.0; x.rows()]; panels.len()];
        }
        let ridges = Ridge::fit(&problem.x.select(positions).values, &problem.classes, &mut work);
        let mut z = problem.scaler.apply_columns(x, &problem.x.spans.columns_of(positions));
        for (k, ranks) in problem.ranks(raw, positions).iter().flatten().enumerate() {
            ranks.apply(z.column_mut(k));
        }
        match &ridges[..] {
            [only] => vec![only.probability(&z).iter().map(|p| log_odds(*p)).collect()],
            several => several.iter().map(|ridge| ridge.linear.decision(&z)).collect(),
        }
    };
    let settled = ridges(positions);
    let wanted = positions.iter().zip(features).filter(|(_, f)| asked.contains(f)).take(MOST);
    let (alongside, work) = (Alongside::of(&problem.x), problem.settings.work().alone());
    let without: Vec<(usize, Vec<Vec<f64>>)> = wanted
        .map(|(&position, &feature)| {
            let others = positions.iter().copied().filter(|k| *k != position);
            let in_place = alongside.substitutes(position, positions, &work);
            (feature, ridges(&others.chain(in_place).collect::<Vec<usize>>()))
        })
        .collect();
    let one = |(k, panel): (usize, &Panel)| -> Result<Held, Error> {
        let said = panel.predict(x)?;
        let without = without.iter().map(|(feature, decisions)| Without {
            feature: *feature,
            decision: decisions[k].clone(),
        });
        Ok(Held {
            copies: copies.to_vec(),
            decision: said.decision,
            // Probabilities of two classes are means already, and need no variance.
            variance: if panel.shared { said.variance } else { vec![0.0; x.rows()] },
            settled: settled[k].clone(),
            kept: features.clone(),
            without: without.collect(),
            broad: Vec::new(),
        })
    };
    panels.iter().enumerate().map(one).collect()
}

impl Panel {
    /// No feature does better than chance: the shares of the classes are left.
    pub(crate) fn find_nothing(&self, log_odds: f64, certainty: Certainty) -> Self {
        let certainty = Some(certainty.without_features());
        Self { certainty, ..self.of_shares(log_odds) }
    }
}
