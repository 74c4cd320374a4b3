//! What weights and repetitions of rows mean, to every method alike.
//!
//! A method sees each different row of a class once, with the sum of the weights of its copies, in
//! an order that hangs on the values alone ([`Dataset::canonical`]): so a row that comes twice and a
//! row of weight 2 are the same thing, to the bit, and neither the order of rows nor rows of
//! weight 0 change anything. Weights of classes multiply those of the samples. The samples that a
//! method selects are rows of the data as they were given, of copies the first.

use crate::stop::finished;
use crate::unfolded::{Unfolded, features_of, unfold};
use crate::{Error, Fitted, Learner, Refusal, Selector, Together};
use pfcvm::Dataset;
use pfcvm::data::CanonicalRows;
use pfcvm::multiclass::{self, ClassFactors};
use std::borrow::Cow;

/// Refuses another number of factors than there are classes.
pub(crate) fn check_factors(factors: &ClassFactors, classes: usize) -> Result<(), Error> {
    match factors.wrong_number(classes) {
        Some(factors) => Err(Error::ClassFactors { factors, classes }),
        None => Ok(()),
    }
}

/// What becomes of `class_weights`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weighing {
    /// They multiply the weights of the samples.
    Factors,
    /// The same, and all weights are then brought back to the sum they had: for EM, which breaks
    /// down where samples weigh hundreds.
    Shares,
    /// The method takes them itself.
    Own,
}

/// A learner that sees rows as every method does.
#[derive(Debug)]
pub(crate) struct OnRows<M> {
    pub method: M,
    pub class_factors: ClassFactors,
    pub weighing: Weighing,
    /// Whether it takes words, gaps and groups as they are; else they are unfolded for it.
    pub takes_tables: bool,
}

impl<M> OnRows<M> {
    /// The rows as the method is to see them.
    fn rows(&self, data: &Dataset) -> Result<CanonicalRows, Refusal> {
        check_factors(&self.class_factors, 2)?;
        let class_weights = self.class_factors.of_two();
        let CanonicalRows { data: rows, first } = data.canonical();
        rows.check_classes(1)?;
        let before: f64 = rows.sample_weights().iter().sum();
        let rows = match self.weighing {
            Weighing::Own => rows,
            Weighing::Factors => rows.with_class_weights(class_weights),
            Weighing::Shares => {
                let weighted = rows.with_class_weights(class_weights);
                let after: f64 = weighted.sample_weights().iter().sum();
                let factor = if after == before { 1.0 } else { before / after };
                let weights = weighted.sample_weights().iter().map(|w| w * factor).collect();
                weighted.with_sample_weights(weights)?
            }
        };
        Ok(CanonicalRows { data: rows, first })
    }
}

impl Learner for OnRows<Box<dyn Learner>> {
    fn fit(&self, data: &Dataset) -> Result<Box<dyn Fitted>, Refusal> {
        let rows = self.rows(data)?;
        let unfolded = if self.takes_tables { None } else { unfold(&rows.data)? };
        let data = unfolded.as_ref().map_or(&rows.data, |(_, plain)| plain);
        let fitted = finished(|| self.method.fit(data));
        let mut fitted = fitted.map_err(|refusal| given(refusal, &rows))?;
        fitted.renumber_samples(&rows.first);
        Ok(match unfolded {
            Some((scaler, _)) => Box::new(Unfolded { scaler, inner: fitted }),
            None => fitted,
        })
    }

    /// Rows find their canonical form within the method.
    fn fit_together(&self, data: &multiclass::Dataset) -> Option<Together> {
        let data = match &self.class_factors {
            ClassFactors::Given(factors) => match data.clone().with_class_factors(factors) {
                Ok(data) => Cow::Owned(data),
                Err(error) => return Some(Err(error.into())),
            },
            _ => Cow::Borrowed(data),
        };
        finished(|| self.method.fit_together(&data).transpose()).transpose()
    }
}

impl Selector for OnRows<Box<dyn Selector>> {
    fn select(&self, data: &Dataset) -> Result<Vec<usize>, Refusal> {
        let rows = self.rows(data)?;
        let selected = finished(|| match unfold(&rows.data)? {
            Some((scaler, plain)) => {
                self.method.select(&plain).map(|columns| features_of(&scaler, &columns))
            }
            None => self.method.select(&rows.data),
        });
        selected.map_err(|refusal| given(refusal, &rows))
    }
}

/// A refusal that names a row, in the count of the rows as they were given.
fn given(refusal: Refusal, rows: &CanonicalRows) -> Refusal {
    let traced = |error: &pfcvm::Error| match *error {
        pfcvm::Error::TooLargeValue { row, col, value } => {
            Some(pfcvm::Error::TooLargeValue { row: rows.first[row], col, value })
        }
        _ => None,
    };
    let own = refusal.downcast_ref::<Error>();
    let error = match own {
        Some(Error::Data(error)) => traced(error),
        _ => refusal.downcast_ref::<pfcvm::Error>().and_then(traced),
    };
    error.map_or(refusal, Into::into)
}
