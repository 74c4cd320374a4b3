//! Any method for any number of classes.
//!
//! **Class weights** of a setting (`class_weights`) hold machine by machine: `balanced` balances the
//! two sides of each; factors, one for each class, multiply the weights of its samples.
//!
//! **Methods without probabilities** (`probability=no`). Where there are more than two classes, the
//! logistic function of a machine's decision value stands in for its probability, so that the
//! machines can be put together and a class be called. It is no probability, and none is told: no
//! log loss, no Brier score and no curve come of it, with two classes or more. Everything that asks
//! a fitted method for probabilities gets nothing ([`ClassesPrediction::probability`]).

use crate::rows::check_factors;
use crate::stop::during;
use crate::{Fitted, Refusal, Spec, Stop, Stored};
use pfcvm::algebra::sigmoid;
use pfcvm::multiclass::{
    Answer, ClassFactors, Dataset, Machine, Machines, Scheme, Share, Task, shares,
};
use pfcvm::{Matrix, Termination};
use std::borrow::Cow;

impl Machine for Box<dyn Fitted> {
    type Refusal = Refusal;

    /// Where the method gives no probability, the logistic function of its decision stands in.
    fn answer(&self, x: &Matrix) -> Result<Answer, Refusal> {
        let said = self.predict(x)?;
        let stand_in = || said.decision.iter().map(|f| sigmoid(*f)).collect();
        let probability = said.probability.unwrap_or_else(stand_in);
        Ok(Answer { decision: said.decision, variance: said.variance, probability })
    }
}

/// A method fitted to any number of classes: one machine for each two-class problem.
pub struct FittedClasses {
    machines: Machines<Box<dyn Fitted>>,
}

/// What fitted machines say about rows together.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClassesPrediction {
    /// The class each row is put in.
    pub class: Vec<usize>,
    /// What the class is called by, a column for each: its probability, or what stands in for it.
    pub score: Matrix,
    /// The probabilities; nothing: the method gives none.
    pub probability: Option<Matrix>,
    /// Decision values, a column for each machine; at or above 0 for its positive class.
    pub decision: Matrix,
    /// Their posterior variances, where the method gives them.
    pub variance: Option<Matrix>,
}

/// Fits a method to all classes at once, where scheme and method have it so, or to each two-class problem
/// of the scheme, side by side on all threads, until somebody
/// wants it to stop.
pub fn fit_classes(
    spec: &Spec,
    data: &Dataset,
    scheme: Scheme,
    stop: &Stop,
) -> Result<FittedClasses, Refusal> {
    if let Some(fitted) = during(stop, || FittedClasses::together(spec, data, scheme))? {
        return Ok(fitted);
    }
    let fit = |task: Task, of_task: &pfcvm::Dataset| {
        let (spec, of_task) = of_machine(spec, data, task, of_task)?;
        let learner = spec.build()?;
        Ok((during(stop, || learner.fit(&of_task))?, ()))
    };
    Ok(FittedClasses::fit(data, scheme, fit)?.0)
}

/// The method and the samples of one machine: where `class_weights` are factors, those of its two
/// sides; where the classes of one side have different ones, they go to the samples.
pub fn of_machine<'a>(
    spec: &Spec,
    data: &Dataset,
    task: Task,
    of_task: &'a pfcvm::Dataset,
) -> Result<(Spec, Cow<'a, pfcvm::Dataset>), Refusal> {
    let class_factors = spec.class_factors()?;
    let classes = data.class_names().len();
    check_factors(&class_factors, classes)?;
    let ClassFactors::Given(factors) = class_factors else {
        return Ok((spec.clone(), Cow::Borrowed(of_task)));
    };
    let side = |positive: bool| {
        let on_side =
            |class: &usize| task.concerns(*class) && (*class == task.positive) == positive;
        let mut of_side = (0..classes).filter(on_side).map(|class| factors[class]);
        let first = of_side.next()?;
        of_side.all(|factor| factor == first).then_some(first)
    };
    match (side(false), side(true)) {
        (Some(negative), Some(positive)) => {
            let text = format!("{negative:?},{positive:?}");
            Ok((spec.with_class_weights(&text), Cow::Borrowed(of_task)))
        }
        _ => {
            let rows = data.task_rows(task);
            let weights = rows.iter().zip(of_task.sample_weights());
            let weights = weights.map(|(&row, weight)| weight * factors[data.codes()[row]]);
            let weighted = of_task.clone().with_sample_weights(weights.collect())?;
            Ok((spec.with_class_weights("equal"), Cow::Owned(weighted)))
        }
    }
}

impl FittedClasses {
    /// Fits all classes at once, if the scheme says so, there are more than two, and the method can.
    pub fn together(spec: &Spec, data: &Dataset, scheme: Scheme) -> Result<Option<Self>, Refusal> {
        let classes = data.class_names().len();
        if scheme != Scheme::Joint || classes < 3 {
            return Ok(None);
        }
        check_factors(&spec.class_factors()?, classes)?;
        let Some(fitted) = spec.build()?.fit_together(data) else { return Ok(None) };
        let (scheme, machines) = fitted?;
        Ok(Some(Self { machines: Machines::new(scheme, classes, machines)? }))
    }

    /// Fits one machine for each problem of the scheme by a function of the caller's, which may tell
    /// something beside it; what it tells comes back in the order of the machines. Samples are rows
    /// of the problem to it and rows of `data` afterwards.
    pub fn fit<T: Send>(
        data: &Dataset,
        scheme: Scheme,
        fit: impl Fn(Task, &pfcvm::Dataset) -> Result<(Box<dyn Fitted>, T), Refusal> + Sync,
    ) -> Result<(Self, Vec<T>), Refusal> {
        let fitted = Machines::fit(data, scheme, |task, of_task| {
            let (mut fitted, told) = fit(task, of_task)?;
            fitted.renumber_samples(&data.task_rows(task));
            Ok::<_, Refusal>((fitted, told))
        })?;
        let mut told = Vec::new();
        let machines = fitted.map(|(fitted, of_fit)| {
            told.push(of_fit);
            fitted
        });
        Ok((Self { machines }, told))
    }

    /// The class of each row of `x`, which has the columns of the training data, and what there is
    /// beside it.
    pub fn predict(&self, x: &Matrix) -> Result<ClassesPrediction, Refusal> {
        let said = self.machines.predict(x)?;
        Ok(ClassesPrediction {
            class: said.class,
            probability: self.gives_probabilities().then(|| said.probability.clone()),
            score: said.probability,
            decision: said.decision,
            variance: said.variance,
        })
    }

    /// Whether the method gives probabilities.
    pub fn gives_probabilities(&self) -> bool {
        self.machines.machines().iter().all(|machine| machine.gives_probabilities())
    }

    /// The machines with their problems, in the order of the scheme.
    pub fn machines(&self) -> impl Iterator<Item = (Task, &dyn Fitted)> {
        self.machines.tasks().into_iter().zip(self.machines.machines().iter().map(|m| &**m))
    }

    /// Which problems there are.
    pub fn scheme(&self) -> Scheme {
        self.machines.scheme()
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.machines.classes()
    }

    /// The features that any machine decides by, ascending; nothing: all do, by the nature of the
    /// method.
    pub fn selected_features(&self) -> Option<Vec<usize>> {
        self.any(|machine| machine.selected_features())
    }

    /// The training samples that any machine leans on, as rows of the training data, ascending; for
    /// methods that name samples.
    pub fn selected_samples(&self) -> Option<Vec<usize>> {
        self.any(|machine| machine.selected_samples())
    }

    fn any(&self, of: impl Fn(&dyn Fitted) -> Option<Vec<usize>>) -> Option<Vec<usize>> {
        let lists: Option<Vec<Vec<usize>>> =
            self.machines().map(|(_, machine)| of(machine)).collect();
        let mut all = lists?.concat();
        all.sort_unstable();
        all.dedup();
        Some(all)
    }

    /// What share of all machines' weights each selected feature has; one without a weight counts as
    /// much as the others of its machine.
    pub fn feature_shares(&self) -> Option<Vec<Share>> {
        let of_machine = |(_, machine): (Task, &dyn Fitted)| {
            let features = machine.selected_features()?;
            let weights = machine.feature_weights().unwrap_or_else(|| vec![1.0; features.len()]);
            Some(Vec::from_iter(features.into_iter().zip(weights)))
        };
        Some(shares(&self.machines().map(of_machine).collect::<Option<Vec<_>>>()?))
    }

    /// The same for selected samples, each counted alike in its machine.
    pub fn sample_shares(&self) -> Option<Vec<Share>> {
        let of_machine = |(_, machine): (Task, &dyn Fitted)| {
            Some(Vec::from_iter(machine.selected_samples()?.into_iter().map(|row| (row, 1.0))))
        };
        Some(shares(&self.machines().map(of_machine).collect::<Option<Vec<_>>>()?))
    }

    /// How each machine's fit ended and after how many iterations, for methods that iterate.
    pub fn endings(&self) -> Option<Vec<(Termination, usize)>> {
        self.machines().map(|(_, machine)| machine.ending()).collect()
    }

    /// All that prediction needs, to be written and read back by [`FittedClasses::from`].
    pub fn stored(&self) -> Machines<Stored> {
        let stored = self.machines().map(|(_, machine)| machine.stored()).collect();
        Machines::new(self.scheme(), self.classes(), stored)
            .expect("there are as many stored machines as fitted ones")
    }
}

impl From<Machines<Stored>> for FittedClasses {
    fn from(stored: Machines<Stored>) -> Self {
        Self { machines: stored.map(Stored::into_fitted) }
    }
}
