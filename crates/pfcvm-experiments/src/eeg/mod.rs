//! Section 4.2: EEG. SEED where the user has it, by the paper's split of each session; else the
//! UCI recordings of alcoholism by their given split and subject by subject, or drawn data: neither
//! is the paper's, and the page says so.

mod data;
mod tell;

use crate::setup::{available, nested};
use crate::{Bench, Chapter, Error, Experiment, Setup};
use data::Part;
use pfcvm_study::{Comparison, Contender, Outcome, Study, compare};
use serde_json::json;

/// A part with what the methods did.
pub(crate) struct Done {
    pub part: Part,
    pub comparison: Comparison,
    pub outcomes: Vec<Vec<Outcome>>,
}

pub(crate) fn run(setup: &Setup, bench: &dyn Bench) -> Result<Chapter, Error> {
    let contenders = contenders(setup)?;
    let (parts, is_seed) = data::load(setup)?;
    let mut done = Vec::new();
    for part in parts {
        let studies = studies(setup, &part, &contenders);
        let outcomes = bench.run(Experiment::Eeg, &part.name, &studies)?;
        let comparison = compare(&part.name, &studies, &outcomes);
        done.push(Done { part, comparison, outcomes });
    }
    let json = done.iter().map(|done| {
        json!({
            "data": done.part.name, "origin": done.part.about, "comparison": done.comparison
        })
    });
    Ok(Chapter {
        lead: tell::lead(&done, is_seed),
        findings: tell::findings(&done, is_seed),
        sections: tell::sections(&done, is_seed),
        results: json!(Vec::from_iter(json)),
    })
}

fn contenders(setup: &Setup) -> Result<Vec<Contender>, Error> {
    let fixed: &[&str] = match setup.quick {
        true => &["pfcvm-lp/certainty=off", "rvm"],
        false => &[
            "pfcvm-lp/certainty=off",
            "pfcvm-em",
            "rvm",
            "pcvm",
            "jcfo",
            "l1svm/probability=no",
            "wsvm/probability=no",
            "smpm/probability=no",
            "mrmr+pcvm",
            "trc+pcvm",
            "fsnm+pcvm",
        ],
    };
    let mut contenders = Vec::new();
    for method in available(fixed) {
        contenders.push(Contender::fixed(method.parse()?));
    }
    for method in available(&["svm/probability=no"]) {
        contenders.push(match setup.quick {
            true => Contender::fixed(method.parse()?),
            false => nested(method)?,
        });
    }
    Ok(contenders)
}

fn studies(setup: &Setup, part: &Part, contenders: &[Contender]) -> Vec<Study> {
    let study = |contender: &Contender| Study {
        groups: part.groups.clone(),
        ..setup.study(contender.label(), &part.data, &part.splits, contender)
    };
    contenders.iter().map(study).collect()
}
