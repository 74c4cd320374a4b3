//! One fit on a training part and what it is worth on its test rows.

use crate::Study;
use crate::contender::Point;
use pfcvm::Matrix;
use pfcvm::multiclass::Dataset;
use pfcvm_eval::{Split, auc, class_areas, class_brier_score, class_log_loss, confusion_table};
use pfcvm_methods::{Fitted, FittedClasses, Refusal, of_machine};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// A fold that was fitted, or why it was not.
pub type Outcome = Result<Fold, String>;

/// One fit on a training part, tested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fold {
    /// What it is worth.
    pub scores: FoldScores,
    /// What each machine selected; with two classes there is one.
    pub machines: Vec<MachineFold>,
    /// What was said about each test row, where that is kept.
    pub predictions: Option<Predictions>,
    /// Wall time of choice, fit and prediction, while other folds may run beside it.
    pub seconds: f64,
}

/// Measures on the test rows of one fold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoldScores {
    /// Share of rows that were called what they are.
    pub accuracy: f64,
    /// Mean log loss, of methods with probabilities.
    pub log_loss: Option<f64>,
    /// Brier score, of methods with probabilities.
    pub brier: Option<f64>,
    /// Area under the ROC curve, where every class is tested: of the decision values with two
    /// classes, the mean over the classes against the rest with more.
    pub auc: Option<f64>,
    /// `confusion[i][j]` test rows are of class i and were called j.
    pub confusion: Vec<Vec<usize>>,
}

impl FoldScores {
    /// How many test rows were called what they are, and how many there are.
    pub fn right_and_all(&self) -> (usize, usize) {
        let right = (0..self.confusion.len()).map(|class| self.confusion[class][class]).sum();
        (right, self.confusion.iter().flatten().sum())
    }
}

/// What one machine did in a fold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MachineFold {
    /// Selected features, ascending; nothing for a method that uses all.
    pub features: Option<Vec<usize>>,
    /// Number of samples selected, for a method that selects some.
    pub samples: Option<usize>,
    /// Settings chosen inside its training rows.
    pub chosen: Option<Vec<(String, String)>>,
}

/// What was said about the test rows, in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Predictions {
    /// What each row was called.
    pub called: Vec<usize>,
    /// Decision values, machine after machine.
    pub decision: Vec<Vec<f64>>,
    /// For each row the probability of each class, of methods that give them.
    pub probability: Option<Vec<Vec<f64>>>,
}

impl Fold {
    /// The features that any machine selects, ascending; nothing for a method that uses all.
    pub fn features(&self) -> Option<Vec<usize>> {
        let machines = self.machines.iter().map(|machine| machine.features.clone());
        let mut all = machines.collect::<Option<Vec<_>>>()?.concat();
        all.sort_unstable();
        all.dedup();
        Some(all)
    }

    /// Samples selected by all machines together, each counted as often as it is selected.
    pub fn samples(&self) -> Option<usize> {
        self.machines.iter().map(|machine| machine.samples).sum()
    }
}

/// Fits the training rows of a split and scores the test rows.
pub(crate) fn fit_and_score(study: &Study, fold: usize) -> Result<Fold, Refusal> {
    let split = &study.splits[fold];
    let seed = study.seed.wrapping_add(1 + fold as u64);
    let (train, test) = (study.data.select(&split.train)?, study.data.select(&split.test)?);
    let start = Instant::now();
    let (fitted, chosen) = learned(study, split, &train, seed)?;
    let said = fitted.predict(test.x())?;
    let seconds = start.elapsed().as_secs_f64();
    let row = |of: &Matrix, row| Vec::from_iter((0..of.cols()).map(|class| of.get(row, class)));
    let said = Predictions {
        called: said.class,
        decision: said.decision.columns().map(<[f64]>::to_vec).collect(),
        probability: said.probability.map(|p| (0..p.rows()).map(|at| row(&p, at)).collect()),
    };
    let machine = |((_, machine), chosen): ((_, &dyn Fitted), Option<_>)| MachineFold {
        features: machine.selected_features(),
        samples: machine.selected_samples().map(|samples| samples.len()),
        chosen,
    };
    Ok(Fold {
        scores: scores(test.class_names().len(), test.codes(), &said),
        machines: fitted.machines().zip(chosen).map(machine).collect(),
        predictions: study.keep_predictions.then_some(said),
        seconds,
    })
}

/// The machines of a fold, and the settings that were chosen for each.
pub(crate) fn learned(
    study: &Study,
    split: &Split,
    train: &Dataset,
    seed: u64,
) -> Result<(FittedClasses, Vec<Option<Point>>), Refusal> {
    let spec = study.contender.spec();
    // Settings are chosen machine by machine, which machines that learn together do not have.
    if !study.contender.chooses()
        && let Some(fitted) = FittedClasses::together(spec, train, study.scheme)?
    {
        let machines = fitted.machines().count();
        return Ok((fitted, vec![None; machines]));
    }
    FittedClasses::fit(train, study.scheme, |task, of_task| {
        let groups = study.groups.as_ref().map(|all| -> Vec<usize> {
            train.task_rows(task).iter().map(|&row| all[split.train[row]]).collect()
        });
        let (spec, of_task) = of_machine(study.contender.spec(), train, task, of_task)?;
        study.contender.fit(&spec, &of_task, groups.as_deref(), seed)
    })
}

fn scores(classes: usize, truth: &[usize], said: &Predictions) -> FoldScores {
    let probability = said.probability.as_deref();
    let right = truth.iter().zip(&said.called).filter(|(truth, called)| truth == called).count();
    FoldScores {
        accuracy: right as f64 / truth.len() as f64,
        log_loss: probability.map(|p| class_log_loss(truth, p)),
        brier: probability.map(|p| class_brier_score(classes, truth, p)),
        auc: area(classes, truth, said),
        confusion: confusion_table(classes, truth, &said.called),
    }
}

/// See [`FoldScores::auc`].
pub(crate) fn area(classes: usize, truth: &[usize], said: &Predictions) -> Option<f64> {
    if let [decision] = said.decision.as_slice() {
        let positive: Vec<bool> = truth.iter().map(|class| *class == 1).collect();
        return auc(&positive, decision);
    }
    let areas = class_areas(classes, truth, said.probability.as_ref()?);
    let areas: Vec<f64> = areas.into_iter().collect::<Option<_>>()?;
    Some(areas.iter().sum::<f64>() / areas.len() as f64)
}
