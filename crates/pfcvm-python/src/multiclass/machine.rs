//! Every other method with more than two classes.

use super::{Called, Given, Samples, Table, called, joined, scheme, table, together};
use crate::arrays::Rows;
use crate::background::{interruptible, pool};
use crate::refusal::refused;
use pfcvm::parts::sigmoid;
use pfcvm::{Dataset, Decided, Matrix, Multiclass, Task, Termination};
use pfcvm_methods::{Fitted, Learner, Refusal, Spec, Stored};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Fitted machines of a method of the catalogue, one for each two-class problem.
#[pyclass(frozen, module = "pfcvm._pfcvm")]
pub struct MulticlassMachine {
    fitted: Multiclass<Voter>,
    about: Vec<About>,
}

/// What is known of a machine beside what predicts.
#[derive(Clone, Serialize, Deserialize)]
struct About {
    /// Kept samples as rows of the training data.
    samples: Option<Vec<usize>>,
    ending: Option<(Termination, usize)>,
}

/// A machine with what is known of it.
type Learned = (Voter, About);

/// A machine as one of several. Where its method was asked for no probabilities, the logistic
/// function of its decision value stands in for them.
struct Voter(Box<dyn Fitted>);

impl pfcvm::Machine for Voter {
    type Refusal = Refusal;

    fn answer(&self, x: &Matrix) -> Result<Decided, Refusal> {
        let said = self.0.predict(x)?;
        let stand_in = || said.decision.iter().map(|f| sigmoid(*f)).collect();
        let probability = said.probability.unwrap_or_else(stand_in);
        Ok(Decided { decision: said.decision, variance: said.variance, probability })
    }
}

/// How weights of classes become weights of samples, for methods that know only these.
#[derive(Clone, Copy)]
struct Balance {
    /// Whether both sides of each machine count as much in sum.
    balanced: bool,
    /// Whether all weights of a machine are in sum what they are without those of the classes.
    relative: bool,
}

#[pymethods]
impl MulticlassMachine {
    /// From the state that a pickle holds.
    #[new]
    fn new(state: &[u8]) -> PyResult<Self> {
        let (stored, about): (Multiclass<Stored>, Vec<About>) =
            serde_json::from_slice(state).map_err(refused)?;
        if about.len() != stored.machines().len() {
            return Err(refused("the state of a classifier is damaged"));
        }
        Ok(Self { fitted: stored.map(|stored| Voter(stored.into_fitted())), about })
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>,)> {
        let machines = self.fitted.machines().iter().map(|machine| machine.0.stored());
        let stored = json!({
            "scheme": self.fitted.scheme(),
            "classes": self.fitted.classes(),
            "machines": Vec::from_iter(machines),
        });
        Ok((PyBytes::new(py, &serde_json::to_vec(&(stored, &self.about)).map_err(refused)?),))
    }

    /// Fits a method, `NAME[/key=value…]`, for each two-class problem of the scheme. `factors` are
    /// those of the classes, for methods that know weights of classes themselves.
    #[staticmethod]
    #[pyo3(signature = (method, samples, scheme, factors, balanced, relative))]
    fn fit(
        py: Python<'_>,
        method: String,
        samples: Samples<'_>,
        scheme: &str,
        factors: Option<Vec<f64>>,
        balanced: bool,
        relative: bool,
    ) -> PyResult<Self> {
        let scheme = self::scheme(scheme)?;
        let learner = built(&method).map_err(refused)?;
        let given = samples.given()?;
        let balance = Balance { balanced, relative };
        let pool = pool()?;
        let learned = interruptible(py, move |_| {
            let one = |task: Task, of_task: &Dataset| {
                let data = balance.of(&given, task, of_task)?;
                match &factors {
                    None => learn(learner.as_ref(), &given, task, data),
                    Some(factors) => {
                        let text = format!("{method}/class_weights={}", of_sides(factors, task)?);
                        learn(built(&text)?.as_ref(), &given, task, data)
                    }
                }
            };
            pool.install(|| Multiclass::fit(&given.data, scheme, one))
        })?;
        let mut about = Vec::new();
        let fitted = learned.map_err(refused)?.map(|(fitted, of_fit)| {
            about.push(of_fit);
            fitted
        });
        Ok(Self { fitted, about })
    }

    /// The class of each row and the probabilities of all classes.
    fn predict<'py>(&self, py: Python<'py>, x: Rows<'_>) -> PyResult<Called<'py>> {
        let x = x.matrix();
        let pool = pool()?;
        let said = py.detach(|| pool.install(|| self.fitted.predict(&x))).map_err(refused)?;
        Ok(called(py, &said))
    }

    /// Decision values and their variances (0 where a method estimates a point), a column for each
    /// machine.
    fn latent<'py>(&self, py: Python<'py>, x: Rows<'_>) -> PyResult<(Table<'py>, Table<'py>)> {
        let x = x.matrix();
        let machines = self.fitted.machines();
        let (mut decision, mut variance) = (Vec::new(), Vec::new());
        for machine in machines {
            let said = py.detach(|| machine.0.predict(&x)).map_err(refused)?;
            decision.extend(said.decision);
            variance.extend(said.variance.unwrap_or_else(|| vec![0.0; x.rows()]));
        }
        let whole = |values| Matrix::from_column_major(x.rows(), machines.len(), values);
        Ok((table(py, &whole(decision)), table(py, &whole(variance))))
    }

    /// What is known of the fit, as JSON.
    fn describe(&self) -> String {
        let each = self.fitted.machines().iter().zip(&self.about);
        let machines = each.clone().zip(self.fitted.tasks()).map(|((machine, about), task)| {
            json!({
                "positive": task.positive, "negative": task.negative,
                "features": machine.0.selected_features(),
                "feature_weights": machine.0.feature_weights(),
                "samples": about.samples,
                "termination": about.ending.map(|(termination, _)| termination),
                "ending": about.ending.map(|(termination, _)| termination.to_string()),
                "iterations": about.ending.map(|(_, iterations)| iterations),
            })
        });
        let machines = Value::Array(machines.collect());
        joined(self.overall(), json!({ "machines": machines })).to_string()
    }
}

impl MulticlassMachine {
    /// What all machines keep together; nothing where the method keeps everything.
    fn overall(&self) -> Value {
        let machines = self.fitted.machines().iter();
        let features: Option<Vec<Vec<(usize, f64)>>> = machines
            .map(|machine| {
                let features = machine.0.selected_features()?;
                // A feature without a weight counts as much as the others of its machine.
                let weights =
                    machine.0.feature_weights().unwrap_or_else(|| vec![1.0; features.len()]);
                Some(features.into_iter().zip(weights).collect())
            })
            .collect();
        let samples: Option<Vec<Vec<(usize, f64)>>> = self
            .about
            .iter()
            .map(|about| Some(about.samples.as_ref()?.iter().map(|&row| (row, 1.0)).collect()))
            .collect();
        let none = (features.is_none(), samples.is_none());
        let mut all = together(&features.unwrap_or_default(), &samples.unwrap_or_default());
        if none.0 {
            all["features"] = Value::Null;
        }
        if none.1 {
            all["samples"] = Value::Null;
        }
        all
    }
}

impl Balance {
    /// The samples of a machine, weighted.
    fn of(self, given: &Given, task: Task, data: &Dataset) -> Result<Dataset, pfcvm::Error> {
        let mut weights = data.sample_weights().to_vec();
        if self.balanced {
            let sum = |class: bool| -> f64 {
                let rows = data.positive().iter().zip(&weights);
                rows.filter(|(positive, _)| **positive == class).map(|(_, weight)| weight).sum()
            };
            let (negative, positive) = (sum(false), sum(true));
            let half = (negative + positive) / 2.0;
            for (weight, is) in weights.iter_mut().zip(data.positive()) {
                *weight *= half / if *is { positive } else { negative };
            }
        }
        if self.relative {
            let without: f64 =
                given.data.task_rows(task).iter().map(|&row| given.weights[row]).sum();
            let scale = without / weights.iter().sum::<f64>();
            weights.iter_mut().for_each(|weight| *weight *= scale);
        }
        data.clone().with_sample_weights(weights)
    }
}

/// A method by its text.
fn built(method: &str) -> Result<Box<dyn Learner>, Refusal> {
    Ok(method.parse::<Spec>()?.build()?)
}

/// The factors of the two sides of a machine, as a setting.
fn of_sides(factors: &[f64], task: Task) -> Result<String, Refusal> {
    let side = |is_positive: bool| -> Result<f64, Refusal> {
        let on_side =
            |class: &usize| task.concerns(*class) && (*class == task.positive) == is_positive;
        let mut of_side = (0..factors.len()).filter(on_side).map(|class| factors[class]);
        let first = of_side.next().unwrap_or(1.0);
        match of_side.all(|factor| factor == first) {
            true => Ok(first),
            false => Err("this method weighs the two sides of a machine, and the classes of one \
                          side have different factors; use multi_class=\"ovo\" or \
                          class_weight=\"balanced\""
                .into()),
        }
    };
    Ok(format!("{:?},{:?}", side(false)?, side(true)?))
}

/// Fits one machine.
fn learn(
    learner: &dyn Learner,
    given: &Given,
    task: Task,
    data: Dataset,
) -> Result<Learned, Refusal> {
    let (counted, rows) = given.of_machine(task, data, 1)?;
    let fitted = learner.fit(&counted.data)?;
    let given_rows = |kept: Vec<usize>| kept.iter().map(|&row| rows[row]).collect();
    let about =
        About { samples: fitted.selected_samples().map(given_rows), ending: fitted.ending() };
    Ok((Voter(fitted), about))
}
