//! Rows without labels beside rows with labels.
//!
//! Rows close to each other tend to be of one class: a graph of nearest neighbours spreads the labels
//! (`graph`). What a fit on the labelled rows says of the same rows errs differently, and the two are taken
//! together as q (`votes`). The rows without labels then enter the likelihood with its expectation under q,
//! Σ q log p. It stays one model of the usual form.
//!
//! Whether that helps is not known before. So it is tried: labelled rows are held out part by part, and what
//! fits with and without the unlabelled rows say of them is compared; how far graph and fit are believed for
//! a part is decided by the other parts. Unlabelled rows are used only where they lower the log loss.

mod graph;
mod votes;

use super::{Dataset, Machine, Machines, Scheme, fit_choosing, fit_panel};
use crate::data::Scaler;
use crate::panel::PanelSettings;
use crate::settings::CertaintyPolicy;
use crate::{Error, Matrix, Settings};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use votes::{Judge, Powers, Votes};

/// Unlabelled rows that are used at most.
const MOST_ROWS: usize = 1000;
/// Classes less likely than this are not looked at.
const NEGLIGIBLE: f64 = 0.03;
/// Parts of the labelled rows that are held out in turn.
const PARTS: usize = 5;

/// What rows without labels brought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Unlabelled {
    /// How many there were.
    pub rows: usize,
    /// Whether the model was learned with them.
    pub used: bool,
    /// Mean −log p of held-out labelled rows, learned without them; nothing where too few rows of a class
    /// have labels to hold any out.
    pub without: Option<f64>,
    /// The same, learned with them.
    pub with: Option<f64>,
    /// The standard error of the difference, row by row.
    pub error: Option<f64>,
}

impl Unlabelled {
    /// The same in words.
    pub fn in_words(&self) -> String {
        let rows = self.rows;
        let (Some(without), Some(with), Some(error)) = (self.without, self.with, self.error) else {
            return format!(
                "{rows} rows without a label are not used: too few rows have one to tell whether they help"
            );
        };
        let verdict = match self.used {
            true => "they are used; what is said of features was not asked of held-out rows",
            false => "they are not used",
        };
        format!(
            "{rows} rows without a label: held-out rows have a log loss of {with:.3} with them, \
             {without:.3} without (± {error:.3}), so {verdict}"
        )
    }
}

/// Probabilities of the classes for rows, from what was learned.
type Teller = Box<dyn Fn(&Matrix) -> Result<Matrix, Error> + Send + Sync>;

/// How a fit is done.
type Learn<'a> = &'a (dyn Fn(&Dataset) -> Result<Teller, Error> + Sync);

/// What machines say, to compare.
fn teller<M>(machines: Machines<M>) -> Teller
where
    M: Machine<Refusal = Error> + Send + 'static,
{
    Box::new(move |x| machines.predict(x).map(|said| said.probability))
}

/// Labelled and unlabelled rows as data to learn from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Joined {
    /// The labelled rows, and behind them the others, once for each class that they may be of.
    pub data: Dataset,
    /// Which row each of these is, counting the unlabelled ones behind the labelled ones.
    pub rows: Vec<usize>,
}

/// What unlabelled rows are worth, and what to learn from where that is something, by
/// [`beside_unlabelled`]. `panel`: how labelled rows alone are learned from, where that is not a single fit.
pub fn with_unlabelled(
    data: &Dataset,
    unlabelled: &Matrix,
    scheme: Scheme,
    settings: &Settings,
    panel: Option<&PanelSettings>,
) -> Result<(Unlabelled, Option<Joined>), Error> {
    let single = |data: &Dataset, settings: &Settings| {
        let quiet = &|_, _: &_| ControlFlow::Continue(());
        Ok(teller(fit_choosing(data, scheme, settings, quiet)?.0.into_models()))
    };
    let alone = |data: &Dataset| match panel {
        None => single(data, settings),
        Some(panel) => Ok(teller(fit_panel(data, scheme, panel)?)),
    };
    let told = beside_unlabelled(settings);
    compared(data, unlabelled, settings.seed, &alone, &|data| single(data, &told))
}

/// How a fit is done where rows have no label of their own: rows that did not train cannot be asked then,
/// because most of them would be asked for what they were told.
pub fn beside_unlabelled(settings: &Settings) -> Settings {
    Settings { certainty: CertaintyPolicy::Off, ..settings.clone() }
}

/// The same of any fits: `alone` on the labelled rows, `beside` on all of them.
fn compared(
    data: &Dataset,
    unlabelled: &Matrix,
    seed: u64,
    alone: Learn,
    beside: Learn,
) -> Result<(Unlabelled, Option<Joined>), Error> {
    let rows = drawn(unlabelled.rows(), seed);
    let some = unlabelled.select_rows(&rows);
    let mut found =
        Unlabelled { rows: unlabelled.rows(), used: false, without: None, with: None, error: None };
    let Some(parts) = parts(data, seed) else {
        return Ok((found, None));
    };
    let voted = all_of(&parts, |_, part| Held::out(data, part, &some, alone))?;
    let powers = |without: Option<usize>| {
        let others = voted.iter().enumerate().filter(|(at, _)| Some(*at) != without);
        Powers::chosen(others.flat_map(|(_, held)| held.judges(data)))
    };
    let asked = all_of(&voted, |at, held| held.asked(data, &some, powers(Some(at)), beside))?;
    let losses: Vec<&Asked> = asked.iter().flatten().collect();
    let total: f64 = losses.iter().map(|row| row.weight).sum();
    let mean = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        losses.iter().map(|row| row.weight * of(row.without, row.with)).sum::<f64>() / total
    };
    let (without, with) = (mean(&|a, _| a), mean(&|_, b| b));
    let spread = mean(&|a, b| (b - a - with + without).powi(2));
    found.error = Some((spread / losses.len() as f64).sqrt());
    (found.without, found.with, found.used) = (Some(without), Some(with), with < without);
    if !found.used {
        return Ok((found, None));
    }
    let (votes, powers) = (votes(data, &some, &alone(data)?)?, powers(None));
    let (data, among) = joined(data, &some, |row| votes.together(row, powers))?;
    let labelled = data.len() - among.len();
    let origin = among.iter().map(|&row| labelled + rows[row]);
    Ok((found, Some(Joined { rows: (0..labelled).chain(origin).collect(), data })))
}

/// What is made of each part, side by side. All outcomes are awaited, so that which error is told does not
/// depend on who is first.
fn all_of<T: Sync, R: Send>(
    parts: &[T],
    make: impl Fn(usize, &T) -> Result<R, Error> + Sync,
) -> Result<Vec<R>, Error> {
    let made: Vec<Result<R, Error>> =
        parts.par_iter().enumerate().map(|(at, part)| make(at, part)).collect();
    made.into_iter().collect()
}

/// Labelled rows that were held out.
struct Held {
    rows: Vec<usize>,
    /// The other labelled rows.
    rest: Dataset,
    /// What these say of the held-out rows, and behind them of those without labels.
    votes: Votes,
}

impl Held {
    fn out(data: &Dataset, part: &[usize], some: &Matrix, alone: Learn) -> Result<Self, Error> {
        let rest: Vec<usize> = (0..data.len()).filter(|row| !part.contains(row)).collect();
        let rest = data.select(&rest)?;
        let open = stacked(&data.x().select_rows(part), some);
        let votes = votes(&rest, &open, &alone(&rest)?)?;
        Ok(Self { rows: part.to_vec(), rest, votes })
    }

    /// The held-out rows, to say how far the voters are to be believed.
    fn judges<'a>(&'a self, data: &'a Dataset) -> impl Iterator<Item = Judge<'a>> {
        self.rows.iter().enumerate().map(|(row, &of)| Judge {
            votes: &self.votes,
            row,
            class: data.codes()[of],
            weight: data.sample_weights()[of],
        })
    }

    /// What is said of the held-out rows without and with those that have no label.
    fn asked(
        &self,
        data: &Dataset,
        some: &Matrix,
        powers: Powers,
        beside: Learn,
    ) -> Result<Vec<Asked>, Error> {
        let held = self.rows.len();
        let q = |row: usize| self.votes.together(held + row, powers);
        let with = beside(&joined(&self.rest, some, q)?.0)?;
        let with = with(&data.x().select_rows(&self.rows))?;
        let row = |judge: Judge| {
            let loss = |p: &Matrix| -p.get(judge.row, judge.class).max(1e-12).ln();
            Asked { without: loss(&self.votes.fit), with: loss(&with), weight: judge.weight }
        };
        Ok(self.judges(data).map(row).collect())
    }
}

/// What the graph and a fit on labelled rows say of others.
fn votes(data: &Dataset, open: &Matrix, fit: &Teller) -> Result<Votes, Error> {
    let all = scaled(&stacked(data.x(), open), data)?;
    let graph = graph::spread(&all, data.codes(), data.class_names().len());
    Ok(Votes { graph: graph.row_range(data.len(), graph.rows()), fit: fit(open)? })
}

/// A labelled row that was held out.
struct Asked {
    /// −log p without the unlabelled rows.
    without: f64,
    /// The same with them.
    with: f64,
    weight: f64,
}

/// Labelled rows, and the others once for each class that they may be of, by `q`; and which of the others
/// these are.
fn joined(
    data: &Dataset,
    unlabelled: &Matrix,
    q: impl Fn(usize) -> Vec<f64>,
) -> Result<(Dataset, Vec<usize>), Error> {
    let all = stacked(data.x(), unlabelled);
    let (mut among, mut codes) = (Vec::new(), data.codes().to_vec());
    let mut weights = data.sample_weights().to_vec();
    for row in 0..unlabelled.rows() {
        for (class, q) in q(row).into_iter().enumerate().filter(|(_, q)| *q > NEGLIGIBLE) {
            among.push(row);
            codes.push(class);
            weights.push(q);
        }
    }
    let rows: Vec<usize> =
        (0..data.len()).chain(among.iter().map(|row| data.len() + row)).collect();
    let data = Dataset::new(all.select_rows(&rows), codes, data.class_names().to_vec())?
        .with_columns(data.columns().clone())?
        .with_sample_weights(weights)?;
    Ok((data, among))
}

/// All rows, scaled alike.
fn scaled(all: &Matrix, data: &Dataset) -> Result<Matrix, Error> {
    let rows = crate::Dataset::new(all.clone(), vec![true; all.rows()])?;
    let rows = rows.with_columns(data.columns().clone())?;
    Ok(Scaler::fit(&rows, true)?.apply(all))
}

/// Rows below each other.
fn stacked(above: &Matrix, below: &Matrix) -> Matrix {
    let columns = above.columns().zip(below.columns());
    let values = columns.flat_map(|(a, b)| a.iter().chain(b).copied()).collect();
    Matrix::from_column_major(above.rows() + below.rows(), above.cols(), values)
}

/// Which of so many rows are used, ascending.
fn drawn(rows: usize, seed: u64) -> Vec<usize> {
    let mut all: Vec<usize> = (0..rows).collect();
    if rows > MOST_ROWS {
        all.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        all.truncate(MOST_ROWS);
        all.sort_unstable();
    }
    all
}

/// Labelled rows that are held out together, every class in proportion; nothing where a class has
/// fewer than three.
fn parts(data: &Dataset, seed: u64) -> Option<Vec<Vec<usize>>> {
    let fewest = data.class_counts().into_iter().min().unwrap_or(0);
    if fewest < 3 {
        return None;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut parts = vec![Vec::new(); PARTS.min(fewest)];
    let mut next = 0;
    for class in 0..data.class_names().len() {
        let mut rows: Vec<usize> =
            (0..data.len()).filter(|&row| data.codes()[row] == class).collect();
        rows.shuffle(&mut rng);
        for row in rows {
            let count = parts.len();
            parts[next % count].push(row);
            next += 1;
        }
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two groups of rows apart from each other, one labelled row in each.
    fn groups() -> Matrix {
        let spread = |i: usize, k: usize| (i as f64 * [0.754877, 0.569840][k]).fract();
        Matrix::from_fn(60, 2, |i, k| spread(i, k) + if i % 2 == 0 { 0.0 } else { 3.0 })
    }

    fn data(labelled: &[usize]) -> Dataset {
        let codes = labelled.iter().map(|i| i % 2).collect();
        Dataset::new(groups().select_rows(labelled), codes, vec!["a".into(), "b".into()]).unwrap()
    }

    /// A fit that is the better the more it is given.
    fn by_number(data: &Dataset) -> Result<Teller, Error> {
        says(if data.len() > 20 { 0.9 } else { 0.6 })
    }

    /// One that more rows mislead.
    fn misled(data: &Dataset) -> Result<Teller, Error> {
        says(if data.len() > 20 { 0.4 } else { 0.6 })
    }

    fn says(sure: f64) -> Result<Teller, Error> {
        Ok(Box::new(move |x| {
            Ok(Matrix::from_fn(x.rows(), 2, |i, k| {
                let right = usize::from(x.get(i, 0) > 2.0) == k;
                if right { sure } else { 1.0 - sure }
            }))
        }))
    }

    #[test]
    fn they_are_used_where_held_out_rows_gain() {
        let labelled = data(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let others = groups().row_range(10, 60);
        let (found, joined) = compared(&labelled, &others, 0, &by_number, &by_number).unwrap();
        assert!(found.used && found.with.unwrap() < found.without.unwrap(), "{found:?}");
        let joined = joined.unwrap();
        assert_eq!(joined.data.len(), joined.rows.len());
        assert_eq!(joined.rows[..10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        for (at, &row) in joined.rows.iter().enumerate() {
            assert_eq!(joined.data.x().get(at, 0), groups().get(row, 0));
            let weight = joined.data.sample_weights()[at];
            assert!(if row < 10 { weight == 1.0 } else { weight < 1.0 });
        }
        let (found, joined) = compared(&labelled, &others, 0, &by_number, &misled).unwrap();
        assert!(!found.used && joined.is_none() && found.rows == 50);
    }

    #[test]
    fn too_few_labels_to_hold_any_out_leave_them_unused() {
        let few = data(&[0, 1, 2, 3]);
        let others = groups().row_range(10, 60);
        let (found, joined) = compared(&few, &others, 0, &by_number, &by_number).unwrap();
        assert_eq!((found.used, found.with, joined.is_none()), (false, None, true));
    }
}
