//! The same panel without each part of the rows in turn, and what it says of that part.

use super::plain::Ridge;
use super::{Observer, Panel, PanelRound, PanelSettings, Problem, make};
use crate::algebra::log_odds;
use crate::judgement::{
    Copies, Dial, Held, Kind, Listed, Rows, Without, judge_one, strengths, substitutes,
};
use crate::settings::CertaintyPolicy;
use crate::{Dataset, Error, Matrix, Termination};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Features that are taken out one by one, at most.
const MOST: usize = 100;

/// The panel with what rows that did not train say of it.
pub(super) fn judged(
    mut panel: Panel,
    rows: &Dataset,
    settings: &PanelSettings,
    observer: &mut Observer,
) -> Result<Panel, Error> {
    let copies = Copies::of(rows);
    let Some(folds) = copies.folds(settings.seed) else { return Ok(panel) };
    // Of halves there are enough with half as many.
    let members = (settings.members / 4 * 2).max(2);
    let class_weights = rows.fixed_factors(settings.class_weights);
    let fewer = PanelSettings { members, class_weights, ..settings.clone() };
    let Some(held) = refit(rows, &copies, (&folds, &panel.features), &fewer, observer)? else {
        panel.termination = Termination::Cancelled;
        return Ok(panel);
    };
    let PanelSettings { class_weights, seed, false_positive_rate: rate, max_false, .. } = *settings;
    let listed = Listed {
        kind: Kind::Panel,
        features: panel.features.clone(),
        strengths: strengths(&panel.feature_weights(), &panel.feature_deviations()),
        candidates: panel.scaler.features().len(),
    };
    let seen = Rows { data: rows, copies: &copies, class_weights, seed };
    let certainty = judge_one(&seen, &held, &listed, Dial { rate, max_false });
    if certainty.nothing_found && settings.certainty == CertaintyPolicy::On {
        return Ok(panel.find_nothing(rows.log_odds_of_shares(class_weights), certainty));
    }
    panel.calibration = Some((certainty.offset, certainty.slope));
    panel.certainty = Some(certainty);
    Ok(panel)
}

fn refit(
    rows: &Dataset,
    copies: &Copies,
    (folds, listed): (&[Vec<usize>], &[usize]),
    settings: &PanelSettings,
    observer: &mut Observer,
) -> Result<Option<Vec<Held>>, Error> {
    let observer = Mutex::new(observer);
    let one = |(number, fold): (usize, &Vec<usize>)| -> Result<Option<Held>, Error> {
        let mut watch = |round: &PanelRound| {
            let round = PanelRound { fold: Some(number + 1), ..round.clone() };
            let mut observer = observer.lock().unwrap_or_else(PoisonError::into_inner);
            (*observer)(&round)
        };
        let rest = copies.without(rows, fold);
        // What cannot be learned without some rows (no feature varies, say) says nothing of them.
        let Ok((panel, problem)) = make(&rest, settings, false, &mut watch) else {
            return Ok(Some(Held::nothing(fold)));
        };
        if panel.termination == Termination::Cancelled {
            return Ok(None);
        }
        let at: Vec<usize> = fold.iter().map(|&copy| copies.rows[copy]).collect();
        let x = rows.x().select_rows(&at);
        held_out(&panel, &problem, rest.x(), (fold, &x, listed)).map(Some)
    };
    match settings.parallel {
        true => folds.par_iter().enumerate().with_max_len(1).map(one).collect(),
        false => folds.iter().enumerate().map(one).collect(),
    }
}

/// What the panel of some rows says of others; the ridge alone has to do without features.
fn held_out(
    panel: &Panel,
    problem: &Problem,
    raw: &Matrix,
    (copies, x, asked): (&[usize], &Matrix, &[usize]),
) -> Result<Held, Error> {
    let mut work = problem.settings.work().alone();
    let mut ridge = |positions: &[usize]| {
        if positions.is_empty() {
            return vec![0.0; x.rows()];
        }
        let ridge = Ridge::fit(&problem.x.select(positions).values, &problem.likelihood, &mut work);
        let mut z = problem.scaler.apply_columns(x, &problem.x.spans.columns_of(positions));
        for (k, ranks) in problem.ranks(raw, positions).iter().flatten().enumerate() {
            ranks.apply(z.column_mut(k));
        }
        ridge.probability(&z).iter().map(|p| log_odds(*p)).collect()
    };
    let settled = ridge(&panel.positions);
    let wanted = panel.positions.iter().zip(&panel.features).filter(|(_, f)| asked.contains(f));
    let wanted = wanted.take(MOST);
    let without = wanted.map(|(&position, &feature)| {
        let others = panel.positions.iter().copied().filter(|k| *k != position);
        let in_place =
            substitutes(&problem.x, position, &panel.positions, &problem.settings.work().alone());
        let decision = ridge(&others.chain(in_place).collect::<Vec<usize>>());
        Without { feature, decision }
    });
    let without = without.collect();
    let said = panel.predict(x)?;
    let variance = vec![0.0; x.rows()];
    let (copies, kept) = (copies.to_vec(), panel.features.clone());
    let broad = Vec::new();
    Ok(Held { copies, decision: said.decision, variance, settled, kept, without, broad })
}

impl Panel {
    /// No feature does better than chance: the shares of the classes are left.
    pub(crate) fn find_nothing(
        &self,
        log_odds: f64,
        certainty: crate::certainty::Certainty,
    ) -> Self {
        let certainty = crate::certainty::Certainty { features: Vec::new(), ..certainty };
        Self { certainty: Some(certainty), ..self.of_shares(log_odds) }
    }
}
