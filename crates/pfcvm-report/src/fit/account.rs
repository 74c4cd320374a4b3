//! What a fit found: the one structure behind JSON, text and page.

use crate::studies::ShortLists;
use pfcvm_eval::{ClassCurves, Scores, wilson_interval};
use pfcvm_io::Summary;
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything a fit found out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FitAccount {
    /// The heading of the page.
    #[serde(skip)]
    pub title: String,
    /// The training data, as the user named them.
    pub data: String,
    /// What the model tells, with the iterations of each machine.
    #[serde(flatten)]
    pub summary: Summary,
    /// Columns left out because they never vary.
    pub constant_features: Vec<String>,
    /// Wall-clock time of the fit.
    pub seconds: f64,
    /// What the model is worth on rows that the fit has not seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<Test>,
    /// What lists of other lengths cost.
    #[serde(skip)]
    pub price: ListPrice,
    /// What else is worth knowing, in words.
    pub notes: Vec<String>,
    /// Words that set some features apart, such as `noise`, by their column.
    #[serde(skip)]
    pub marks: BTreeMap<usize, String>,
    /// Name and version of the program.
    #[serde(skip)]
    pub program: String,
}

/// What lists of other lengths than that of a fit cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum ListPrice {
    /// There is nothing to say of it.
    #[default]
    Untold,
    /// It was not asked for, and can be had.
    Unasked,
    /// What was found.
    Found(Box<ShortLists>),
}

/// What a model is worth on rows that the fit has not seen.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Test {
    /// The test data, as the user named them.
    pub data: String,
    /// The figures.
    #[serde(flatten)]
    pub scores: Scores,
    /// Ends of the 95 % interval of the accuracy.
    #[serde(skip)]
    pub accuracy_interval: (f64, f64),
    /// What is drawn of the probabilities.
    pub curves: ClassCurves,
}

impl Test {
    /// Scores calls and probabilities: `probability[row]` has one for each class.
    ///
    /// # Panics
    /// If the slices differ in length, hold a class that there is not, or a number that is no
    /// probability.
    pub fn of(
        data: String,
        classes: &[String],
        truth: &[usize],
        called: &[usize],
        probability: &[Vec<f64>],
    ) -> Self {
        let curves = ClassCurves::of(classes.len(), truth, probability);
        let scores = Scores::of(classes, truth, called, Some(probability));
        let right = truth.iter().zip(called).filter(|(truth, called)| truth == called).count();
        Self { data, scores, accuracy_interval: wilson_interval(right, truth.len()), curves }
    }
}
