//! Section 4.3: leave-one-out on gene expression, by two protocols side by side.
//!
//! * **The paper's**: samples, then genes, are standardised over all samples; of a stated grid of
//!   settings the one with the best leave-one-out accuracy is reported. That is optimistic: the
//!   setting was chosen by the figure that is reported.
//! * **Nested**: samples are standardised one by one; genes, and the choice of settings from the
//!   same grid, belong to each training part.

mod data;
mod lists;
mod tell;

use crate::setup::{available, drawn, points};
use crate::{Bench, Chapter, Error, Experiment, Setup};
use data::Genes;
use pfcvm::multiclass::Dataset;
use pfcvm_eval::leave_one_out;
use pfcvm_methods::{Grid, Spec};
use pfcvm_study::{Contender, Summary};
use serde_json::json;
use std::sync::Arc;

/// Numbers of features that filters are asked for.
const FILTER_SIZES: [usize; 8] = [10, 20, 30, 40, 50, 60, 70, 80];

/// A method with the grid by which both protocols choose.
struct Entry {
    method: &'static str,
    grid: &'static [&'static str],
}

/// The linear kernel throughout, as in the paper.
const METHODS: [Entry; 11] = [
    Entry {
        method: "pfcvm-lp/kernel=linear/certainty=off",
        grid: &["false_positive_rate=0.01,0.05,0.15", "samples=few,dense"],
    },
    Entry { method: "pfcvm-panel/certainty=off", grid: &[] },
    Entry { method: "pfcvm-em/kernel=linear", grid: &[] },
    Entry { method: "jcfo/kernel=linear", grid: &[] },
    Entry { method: "rvm/kernel=linear", grid: &[] },
    Entry { method: "svm/kernel=linear", grid: &["c=0.01,0.1,1,10"] },
    Entry { method: "l1svm", grid: &[] },
    Entry { method: "smpm/kernel=linear", grid: &[] },
    Entry { method: "pfcvm-lp/kernel=linear/certainty=off+rvm/kernel=linear", grid: &[] },
    Entry { method: "pfcvm-lp/kernel=linear/certainty=off+smpm/kernel=linear", grid: &[] },
    Entry {
        method: "pfcvm-lp/kernel=linear/certainty=off+svm/kernel=linear",
        grid: &["c=0.01,0.1,1,10"],
    },
];

/// What one method did on one data set.
pub(crate) struct Row {
    /// The method without settings.
    pub name: String,
    /// Every point of the grid under the paper's protocol, and its folds.
    pub points: Vec<Summary>,
    /// Which of them has the best accuracy.
    pub best: usize,
    /// The nested protocol.
    pub nested: Summary,
}

/// A filter with its accuracy for each number of features.
pub(crate) type Curve = (String, Vec<(usize, Option<f64>)>);

/// What all methods did on one data set.
pub(crate) struct Results {
    pub genes: Genes,
    pub rows: Vec<Row>,
    pub filters: Vec<Curve>,
}

pub(crate) fn run(setup: &Setup, bench: &dyn Bench) -> Result<Chapter, Error> {
    let mut all = Vec::new();
    for genes in data::load(setup)? {
        all.push(one_set(setup, bench, genes)?);
    }
    let json = all.iter().map(|results| {
        let rows = results.rows.iter().map(|row| {
            json!({ "method": row.name, "paper_protocol": row.points, "best": row.best,
                    "nested": row.nested })
        });
        json!({ "data": results.genes.name, "methods": Vec::from_iter(rows),
                "filters": results.filters })
    });
    Ok(Chapter {
        lead: tell::lead(&all),
        findings: tell::findings(&all),
        sections: all.iter().flat_map(tell::sections).collect(),
        results: json!(Vec::from_iter(json)),
    })
}

fn one_set(setup: &Setup, bench: &dyn Bench, genes: Genes) -> Result<Results, Error> {
    let as_the_paper = Arc::new(data::as_the_paper(&genes.data)?);
    let by_sample = Arc::new(data::by_sample(&genes.data)?);
    let splits = drawn("loo", leave_one_out(genes.data.codes()))?;
    let study = |protocol: &str, data: &Arc<Dataset>, contender: Contender| {
        let name = format!("{protocol} | {}", contender.label());
        setup.study(name, data, &splits, &contender)
    };

    let mut studies = Vec::new();
    let mut sizes = Vec::new();
    for entry in entries(setup) {
        let spec: Spec = entry.method.parse()?;
        let mut grid = Grid::default();
        if !setup.quick {
            entry.grid.iter().try_for_each(|axis| grid.add(axis))?;
        }
        let points = points(entry.method, Some(grid.clone()))?;
        sizes.push((spec.name(), points.len()));
        studies.extend(points.into_iter().map(|point| study("paper", &as_the_paper, point)));
        let nested = match grid.is_empty() {
            true => Contender::fixed(spec),
            false => Contender::nested(spec, grid)?,
        };
        studies.push(study("nested", &by_sample, nested));
    }
    let filters = filters(setup)?;
    for (_, _, contender) in &filters {
        studies.push(study("filter", &as_the_paper, contender.clone()));
    }
    let outcomes = bench.run(Experiment::Gene, genes.name, &studies)?;
    let mut done = studies.iter().zip(&outcomes).map(|(study, all)| Summary::of(study, all));

    let mut rows = Vec::new();
    for (name, count) in sizes {
        let points: Vec<Summary> = done.by_ref().take(count).collect();
        let best = best_of(&points);
        rows.extend(done.next().map(|nested| Row { name, points, best, nested }));
    }
    let mut curves: Vec<Curve> = Vec::new();
    for ((name, size, _), summary) in filters.iter().zip(done) {
        let point = (*size, summary.accuracy.map(|m| m.mean));
        match curves.iter_mut().find(|(known, _)| known == name) {
            Some((_, points)) => points.push(point),
            None => curves.push((name.clone(), vec![point])),
        }
    }
    Ok(Results { genes, rows, filters: curves })
}

/// Those methods that are there; only the main ones where it must be quick.
fn entries(setup: &Setup) -> Vec<&'static Entry> {
    let quick = ["pfcvm-lp/kernel=linear/certainty=off", "rvm/kernel=linear", "svm/kernel=linear"];
    let wanted = |entry: &&Entry| !setup.quick || quick.contains(&entry.method);
    let there = |entry: &&Entry| !available(&[entry.method]).is_empty();
    METHODS.iter().filter(wanted).filter(there).collect()
}

/// Filters with PCVM on what they select, or with the method itself where there is no PCVM.
fn filters(setup: &Setup) -> Result<Vec<(String, usize, Contender)>, Error> {
    let classifier = match available(&["pcvm"]).is_empty() {
        true => "pfcvm-lp/kernel=linear/certainty=off/samples=dense",
        false => "pcvm/kernel=linear",
    };
    let sizes: &[usize] = if setup.quick { &[10, 40] } else { &FILTER_SIZES };
    let mut filters = Vec::new();
    for filter in available(&["fisher", "mrmr", "trc", "fsnm"]) {
        for &size in sizes {
            let spec: Spec = format!("{filter}/features={size}+{classifier}").parse()?;
            filters.push((filter.to_string(), size, Contender::fixed(spec)));
        }
    }
    Ok(filters)
}

/// The first with the highest accuracy.
fn best_of(points: &[Summary]) -> usize {
    let accuracy = |at: usize| points[at].accuracy.map_or(f64::NEG_INFINITY, |m| m.mean);
    (0..points.len())
        .reduce(|best, at| if accuracy(at) > accuracy(best) { at } else { best })
        .unwrap_or(0)
}

impl Row {
    /// The best point under the paper's protocol.
    pub fn chosen(&self) -> &Summary {
        &self.points[self.best]
    }
}
