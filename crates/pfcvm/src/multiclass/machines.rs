//! Several two-class machines that answer together.

use super::coupling::{couple, normalised};
use super::{MulticlassDataset, Scheme, Task};
use crate::algebra::Work;
use crate::{Dataset, Error, Matrix};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// A machine that tells two classes apart.
pub trait Machine: Sync {
    /// Why it refuses rows.
    type Refusal: Refusal;

    /// What it says about the rows of `x`, which has the columns of the training data.
    fn decide(&self, x: &Matrix) -> Result<Decided, Self::Refusal>;
}

/// What a machine says about rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// At or above 0 for the positive class.
    pub decision: Vec<f64>,
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
pub struct Multiclass<M> {
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

impl<M> TryFrom<Stored<M>> for Multiclass<M> {
    type Error = String;

    fn try_from(stored: Stored<M>) -> Result<Self, String> {
        let Stored { scheme, classes, machines } = stored;
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
}

/// What the machines say together.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MulticlassPrediction {
    /// The class each row is put in: the one with the largest probability, the last of equals.
    /// With two classes the machine's own call, the second class for a decision of at least 0.
    pub class: Vec<usize>,
    /// A row of probabilities for each row of the input, a column for each class; they sum to 1.
    pub probability: Matrix,
    /// Decision values, a column for each machine; at or above 0 for its positive class.
    pub decision: Matrix,
    /// Probabilities of each machine's positive class, before they are coupled.
    pub machine_probability: Matrix,
}

impl MulticlassPrediction {
    /// The probabilities of one row, class after class.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, row: usize) -> Vec<f64> {
        (0..self.probability.cols()).map(|class| self.probability.get(row, class)).collect()
    }
}

impl<M> Multiclass<M> {
    /// Fits a machine for each problem of the scheme, side by side on all threads.
    ///
    /// `fit` gets a problem and its samples; what it gives must depend on nothing else. If it
    /// refuses some, the reason of the first is given, behind the names of the two classes.
    pub fn fit<E: Refusal>(
        data: &MulticlassDataset,
        scheme: Scheme,
        fit: impl Fn(Task, &Dataset) -> Result<M, E> + Sync,
    ) -> Result<Self, E>
    where
        M: Send,
    {
        data.check_classes()?;
        let names = data.class_names();
        let one = |task: Task| {
            let fitted = data.task_data(task).map_err(E::from).and_then(|data| fit(task, &data));
            fitted.map_err(|refusal| refusal.of_machine(task.name(names)))
        };
        let tasks = scheme.tasks(names.len());
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

    /// The same with something else in the place of each machine.
    pub fn map<N>(self, change: impl FnMut(M) -> N) -> Multiclass<N> {
        let machines = self.machines.into_iter().map(change).collect();
        Multiclass { scheme: self.scheme, classes: self.classes, machines }
    }
}

impl<M: Machine> Multiclass<M> {
    /// Classes, probabilities and decisions for rows with the columns of the training data.
    pub fn predict(&self, x: &Matrix) -> Result<MulticlassPrediction, M::Refusal> {
        let said: Vec<Decided> =
            self.machines.iter().map(|machine| machine.decide(x)).collect::<Result<_, _>>()?;
        for (machine, decided) in said.iter().enumerate() {
            check(machine, decided, x.rows())?;
        }
        let rows: Vec<Vec<f64>> = (0..x.rows())
            .into_par_iter()
            .with_min_len(64)
            .map_init(|| Work::new(false), |work, row| self.together(&said, row, work))
            .collect();
        let table = |of: fn(&Decided) -> &Vec<f64>| {
            let values = said.iter().flat_map(of).copied().collect();
            Matrix::from_column_major(x.rows(), said.len(), values)
        };
        let class = |row: usize| match said.as_slice() {
            [only] => usize::from(only.decision[row] >= 0.0),
            _ => last_largest(&rows[row]),
        };
        Ok(MulticlassPrediction {
            class: (0..x.rows()).map(class).collect(),
            probability: Matrix::from_fn(x.rows(), self.classes, |i, k| rows[i][k]),
            decision: table(|decided| &decided.decision),
            machine_probability: table(|decided| &decided.probability),
        })
    }

    /// The probabilities of all classes for one row.
    fn together(&self, said: &[Decided], row: usize, work: &mut Work) -> Vec<f64> {
        let positive: Vec<f64> = said.iter().map(|decided| decided.probability[row]).collect();
        match (positive.as_slice(), self.scheme) {
            (&[only], _) => vec![1.0 - only, only],
            (_, Scheme::OneVsOne) => couple(self.classes, &positive, work),
            (_, Scheme::OneVsRest) => normalised(positive),
        }
    }
}

/// A machine that gives no numbers has failed.
fn check(machine: usize, decided: &Decided, rows: usize) -> Result<(), Error> {
    let counts = [decided.decision.len(), decided.probability.len()];
    if let Some(&found) = counts.iter().find(|count| **count != rows) {
        return Err(Error::Length { what: "answers of a machine", found, expected: rows });
    }
    for row in 0..rows {
        let (f, p) = (decided.decision[row], decided.probability[row]);
        if !f.is_finite() || !(0.0..=1.0).contains(&p) {
            let value = if f.is_finite() { p } else { f };
            return Err(Error::NoAnswer { machine, row, value });
        }
    }
    Ok(())
}

/// Of equals the last, as a decision of 0 is positive with two classes.
fn last_largest(values: &[f64]) -> usize {
    let mut best = 0;
    for (at, value) in values.iter().enumerate() {
        if *value >= values[best] {
            best = at;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says the same of every row.
    struct Fixed(f64);

    impl Machine for Fixed {
        type Refusal = Error;

        fn decide(&self, x: &Matrix) -> Result<Decided, Error> {
            let all = |value| vec![value; x.rows()];
            Ok(Decided { decision: all(self.0 - 0.5), probability: all(self.0) })
        }
    }

    fn said(scheme: Scheme, classes: usize, p: &[f64]) -> Result<(usize, Vec<f64>), Error> {
        let machines = p.iter().map(|p| Fixed(*p)).collect();
        let all = Multiclass::try_from(Stored { scheme, classes, machines }).unwrap();
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
            assert!(Multiclass::try_from(Stored { scheme, classes, machines }).is_err());
        }
    }
}
