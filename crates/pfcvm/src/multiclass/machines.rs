//! Several two-class machines that answer together.

use super::coupling::{couple, normalised};
use super::{
    Dataset, Scheme, Sparse, Task,
    shares::{Share, shares},
    together::{Together, together},
};
use crate::algebra::{Work, last_largest, moderated_softmax};
use crate::{Error, Matrix};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A machine that tells two classes apart.
pub trait Machine: Sync {
    /// Why it refuses rows.
    type Refusal: Refusal;

    /// What it says about the rows of `x`, which has the columns of the training data.
    fn answer(&self, x: &Matrix) -> Result<Answer, Self::Refusal>;
}

/// What a machine says about rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The decision value, at or above 0 for the positive class: f at the mode, or for a panel,
    /// which has no single f, the log odds of its probability.
    pub decision: Vec<f64>,
    /// Variances of the decision values, from machines that have them.
    pub variance: Option<Vec<f64>>,
    /// Probabilities of the positive class.
    pub probability: Vec<f64>,
}

/// A reason to refuse that can say which machine it comes from.
pub trait Refusal: From<Error> + Send {
    /// The same reason with the machine in words before it.
    fn of_machine(self, machine: String) -> Self;
}

impl Refusal for Error {
    fn of_machine(self, machine: String) -> Self {
        Error::Machine { machine, source: Box::new(self) }
    }
}

impl Refusal for Box<dyn std::error::Error + Send + Sync> {
    fn of_machine(self, machine: String) -> Self {
        format!("{machine}: {self}").into()
    }
}

/// Machines for the two-class problems of a scheme.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored<M>")]
pub struct Machines<M> {
    scheme: Scheme,
    classes: usize,
    machines: Vec<M>,
}

/// As read, before it is checked.
#[derive(Deserialize)]
struct Stored<M> {
    scheme: Scheme,
    classes: usize,
    machines: Vec<M>,
}

impl<M> TryFrom<Stored<M>> for Machines<M> {
    type Error = String;

    fn try_from(stored: Stored<M>) -> Result<Self, String> {
        Self::new(stored.scheme, stored.classes, stored.machines)
    }
}

impl<M> Machines<M> {
    /// Machines for so many classes, in the order of [`Scheme::tasks`]; in words why not, if their
    /// number does not fit.
    pub fn new(scheme: Scheme, classes: usize, machines: Vec<M>) -> Result<Self, String> {
        // A pair of classes has a machine, so that this many classes cannot be asked for in vain.
        if classes < 2 || classes > machines.len() + 1 {
            return Err(format!("{} machines for {classes} classes", machines.len()));
        }
        let expected = scheme.tasks(classes).len();
        if machines.len() != expected {
            let found = machines.len();
            return Err(format!("{found} machines where {scheme} has {expected}"));
        }
        Ok(Self { scheme, classes, machines })
    }

    /// Fits a machine for each problem of the scheme, side by side on all threads.
    ///
    /// `fit` gets a problem and its samples; what it gives must depend on nothing else. Where the scheme
    /// is the joint one, there is a problem for each pair of classes. If it
    /// refuses some, the reason of the first is given, behind the names of its classes where there
    /// are several machines.
    pub fn fit<E: Refusal>(
        data: &Dataset,
        scheme: Scheme,
        fit: impl Fn(Task, &crate::Dataset) -> Result<M, E> + Sync,
    ) -> Result<Self, E>
    where
        M: Send,
    {
        data.check_classes()?;
        let names = data.class_names();
        let scheme = scheme.of_two();
        let tasks = scheme.tasks(names.len());
        let alone = tasks.len() == 1;
        let one = |task: Task| {
            let fitted = data.task_data(task).map_err(E::from).and_then(|data| fit(task, &data));
            // Of one machine nobody asks which.
            fitted.map_err(|refusal| match alone {
                true => refusal,
                false => refusal.of_machine(task.name(names)),
            })
        };
        // All outcomes, so that which reason is told does not depend on who is first.
        let outcomes: Vec<Result<M, E>> = tasks.into_par_iter().with_max_len(1).map(one).collect();
        let machines = outcomes.into_iter().collect::<Result<Vec<M>, E>>()?;
        Ok(Self { scheme, classes: names.len(), machines })
    }

    /// The scheme.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The problems, one for each machine.
    pub fn tasks(&self) -> Vec<Task> {
        self.scheme.tasks(self.classes)
    }

    /// The machines, in the order of the problems.
    pub fn machines(&self) -> &[M] {
        &self.machines
    }

    /// The machines one after the other, each with its problem.
    pub fn iter(&self) -> impl Iterator<Item = (Task, &M)> {
        self.tasks().into_iter().zip(&self.machines)
    }

    /// The machines themselves.
    pub fn into_machines(self) -> Vec<M> {
        self.machines
    }

    /// The same with something else in the place of each machine.
    pub fn map<N>(self, change: impl FnMut(M) -> N) -> Machines<N> {
        let machines = self.machines.into_iter().map(change).collect();
        Machines { scheme: self.scheme, classes: self.classes, machines }
    }
}

/// What the machines say together.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Prediction {
    /// The class each row is put in: the one with the largest probability, the last of equals.
    /// With two classes the machine's own call, the second class for a decision of at least 0.
    pub class: Vec<usize>,
    /// A row of probabilities for each row of the input, a column for each class; they sum to 1.
    pub probability: Matrix,
    /// Decision values, a column for each machine; at or above 0 for its positive class.
    pub decision: Matrix,
    /// Their variances, where every machine has them.
    pub variance: Option<Matrix>,
    /// Probabilities of each machine's positive class, before they are coupled; of machines that
    /// share a row of probabilities, these.
    pub machine_probability: Matrix,
}

impl Prediction {
    /// The probabilities of one row, class after class.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, row: usize) -> Vec<f64> {
        (0..self.probability.cols()).map(|class| self.probability.get(row, class)).collect()
    }
}

impl<M: Machine> Machines<M> {
    /// Classes, probabilities and decisions for rows with the columns of the training data.
    pub fn predict(&self, x: &Matrix) -> Result<Prediction, M::Refusal> {
        let said: Vec<Answer> =
            self.machines.iter().map(|machine| machine.answer(x)).collect::<Result<_, _>>()?;
        for (machine, answer) in said.iter().enumerate() {
            check(machine, answer, x.rows())?;
        }
        let table = |columns: Vec<&Vec<f64>>| {
            let values = columns.iter().flat_map(|column| column.iter().copied()).collect();
            Matrix::from_column_major(x.rows(), columns.len(), values)
        };
        let mut machine_probability =
            table(said.iter().map(|answer| &answer.probability).collect());
        let variances: Option<Vec<&Vec<f64>>> =
            said.iter().map(|answer| answer.variance.as_ref()).collect();
        let (class, probability) = match said.as_slice() {
            [only] => two_classes(only),
            _ if self.scheme == Scheme::Joint => all_at_once(&said, x.rows()),
            _ => self.together(&machine_probability),
        };
        // A machine that shares its row of probabilities has none of its own.
        if self.scheme == Scheme::Joint && self.classes > 2 {
            machine_probability = probability.clone();
        }
        Ok(Prediction {
            class,
            probability,
            decision: table(said.iter().map(|answer| &answer.decision).collect()),
            variance: variances.map(table),
            machine_probability,
        })
    }

    /// Class and probabilities for every row, from the probabilities of the machines.
    fn together(&self, positive: &Matrix) -> (Vec<usize>, Matrix) {
        let of_row = |work: &mut Work, row: usize| {
            let said = (0..positive.cols()).map(|machine| positive.get(row, machine));
            match self.scheme {
                Scheme::OneVsOne => couple(self.classes, &Vec::from_iter(said), work),
                Scheme::OneVsRest | Scheme::Joint => normalised(said.collect()),
            }
        };
        let rows: Vec<Vec<f64>> = (0..positive.rows())
            .into_par_iter()
            .with_min_len(64)
            .map_init(|| Work::new(false), of_row)
            .collect();
        let class = rows.iter().map(|row| last_largest(row)).collect();
        (class, Matrix::from_fn(rows.len(), self.classes, |i, k| rows[i][k]))
    }
}

impl<M: Sparse> Machines<M> {
    /// The features that any machine selects, ascending.
    pub fn selected_features(&self) -> Vec<usize> {
        let selected = self.machines.iter().flat_map(Sparse::weighted_features);
        Vec::from_iter(BTreeSet::from_iter(selected.map(|(index, _)| index)))
    }

    /// The columns of the input that prediction needs, ascending: those that these are made from, and all
    /// others where a machine of all features stands beside them.
    pub fn needed_columns(&self) -> Vec<usize> {
        let needed = self.machines.iter().flat_map(Sparse::needed_columns);
        Vec::from_iter(BTreeSet::from_iter(needed))
    }

    /// The same for data that hold nothing but [`Machines::needed_columns`], in their order.
    pub fn compact(&self) -> Self {
        let needed = self.needed_columns();
        let machines = self.machines.iter().map(|machine| machine.among(&needed)).collect();
        Self { scheme: self.scheme, classes: self.classes, machines }
    }

    /// What rows that did not train say of all machines together; nothing where one was not asked.
    pub fn certainty(&self) -> Option<Together> {
        together(&Vec::from_iter(self.machines.iter().map(Sparse::certainty)))
    }

    /// How far each row is from the samples of the machine that remembers the nearest ones
    /// ([`Model::novelty`](crate::Model::novelty)); nothing where no machine can tell.
    pub fn novelty(&self, x: &Matrix) -> Result<Option<Vec<f64>>, Error> {
        let mut nearest: Option<Vec<f64>> = None;
        for machine in &self.machines {
            let Some(found) = machine.novelty(x)? else { continue };
            nearest = Some(match nearest {
                Some(so_far) => so_far.iter().zip(&found).map(|(a, b)| a.min(*b)).collect(),
                None => found,
            });
        }
        Ok(nearest)
    }

    /// What share of the weights each selected feature has, the largest first.
    pub fn feature_shares(&self) -> Vec<Share> {
        shares(&Vec::from_iter(self.machines.iter().map(Sparse::weighted_features)))
    }

    /// What share of the weights each selected sample has, the largest first.
    pub fn sample_shares(&self) -> Vec<Share> {
        shares(&Vec::from_iter(self.machines.iter().map(Sparse::weighted_samples)))
    }
}

/// One machine says it all: its own call and its own probabilities.
fn two_classes(only: &Answer) -> (Vec<usize>, Matrix) {
    let class = only.decision.iter().map(|f| usize::from(*f >= 0.0)).collect();
    let first = only.probability.iter().map(|p| 1.0 - p);
    let both = first.chain(only.probability.iter().copied()).collect();
    (class, Matrix::from_column_major(only.probability.len(), 2, both))
}

/// Machines that share a row of probabilities.
fn all_at_once(said: &[Answer], rows: usize) -> (Vec<usize>, Matrix) {
    let nothing = vec![0.0; rows];
    let of_row = |row: usize| {
        let f: Vec<f64> = said.iter().map(|answer| answer.decision[row]).collect();
        let v = said.iter().map(|answer| answer.variance.as_ref().unwrap_or(&nothing)[row]);
        moderated_softmax(&f, &Vec::from_iter(v))
    };
    let all: Vec<Vec<f64>> = (0..rows).into_par_iter().with_min_len(64).map(of_row).collect();
    let class = all.iter().map(|row| last_largest(row)).collect();
    (class, Matrix::from_fn(rows, said.len(), |i, k| all[i][k]))
}

/// A machine that gives no numbers has failed.
fn check(machine: usize, answer: &Answer, rows: usize) -> Result<(), Error> {
    let variance = answer.variance.as_deref();
    let counts =
        [answer.decision.len(), answer.probability.len(), variance.map_or(rows, <[f64]>::len)];
    if let Some(&found) = counts.iter().find(|count| **count != rows) {
        return Err(Error::Length { what: "answers of a machine", found, expected: rows });
    }
    for row in 0..rows {
        let (f, p) = (answer.decision[row], answer.probability[row]);
        let v = variance.map_or(0.0, |variance| variance[row]);
        if !f.is_finite() || !v.is_finite() || !(0.0..=1.0).contains(&p) {
            let value = [f, v].into_iter().find(|value| !value.is_finite()).unwrap_or(p);
            return Err(Error::NoAnswer { machine, row, value });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says the same of every row.
    struct Fixed(f64);

    impl Machine for Fixed {
        type Refusal = Error;

        fn answer(&self, x: &Matrix) -> Result<Answer, Error> {
            let all = |value| vec![value; x.rows()];
            Ok(Answer { decision: all(self.0 - 0.5), variance: None, probability: all(self.0) })
        }
    }

    fn said(scheme: Scheme, classes: usize, p: &[f64]) -> Result<(usize, Vec<f64>), Error> {
        let machines = p.iter().map(|p| Fixed(*p)).collect();
        let all = Machines::new(scheme, classes, machines).unwrap();
        let prediction = all.predict(&Matrix::zeros(2, 1))?;
        Ok((prediction.class[1], prediction.row(1)))
    }

    #[test]
    fn rest_is_divided_by_the_sum_and_ties_go_to_the_last() {
        let rest = |p: &[f64]| said(Scheme::OneVsRest, 3, p).unwrap();
        assert_eq!(rest(&[0.1, 0.2, 0.1]), (1, vec![0.25, 0.5, 0.25]));
        assert_eq!(rest(&[0.0, 0.0, 0.0]), (2, vec![1.0 / 3.0; 3]));
        assert_eq!(rest(&[1e-320, 0.0, 0.0]).0, 0);
        assert_eq!(rest(&[0.5, 0.5, 0.0]).0, 1);
        assert_eq!(said(Scheme::OneVsRest, 2, &[0.5]).unwrap(), (1, vec![0.5, 0.5]));
    }

    #[test]
    fn what_is_no_probability_is_refused() {
        for bad in [f64::NAN, f64::INFINITY, -0.1, 1.1] {
            for scheme in [Scheme::OneVsOne, Scheme::OneVsRest] {
                let error = said(scheme, 3, &[0.5, bad, 0.5]).unwrap_err();
                assert!(matches!(error, Error::NoAnswer { machine: 1, row: 0, .. }), "{error}");
            }
        }
    }

    #[test]
    fn a_number_of_machines_that_does_not_fit_is_refused() {
        for (scheme, classes, count) in [
            (Scheme::OneVsOne, 3, 2),
            (Scheme::OneVsOne, usize::MAX, 3),
            (Scheme::OneVsRest, 2, 2),
            (Scheme::OneVsRest, 4, 3),
            (Scheme::OneVsOne, 0, 0),
            (Scheme::OneVsOne, 1, 0),
        ] {
            let machines = vec![(); count];
            assert!(Machines::new(scheme, classes, machines).is_err());
        }
    }
}
