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
    pub electrodes: Electrodes,
}

/// What PFCVM_LP does where an electrode is kept or dropped whole, with all its bands.
pub(crate) struct Electrodes {
    /// In the order of the features.
    pub names: Vec<String>,
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
        let electrodes = electrodes(setup, bench, &part)?;
        done.push(Done { part, comparison, outcomes, electrodes });
    }
    let json = done.iter().map(|done| {
        json!({
            "data": done.part.name, "origin": done.part.about, "comparison": done.comparison,
            "by_electrode": {
                "electrodes": done.electrodes.names, "comparison": done.electrodes.comparison
            }
        })
    });
    Ok(Chapter {
        lead: tell::lead(&done, is_seed),
        findings: tell::findings(&done, is_seed),
        sections: tell::sections(&done, is_seed),
        results: json!(Vec::from_iter(json)),
    })
}

fn electrodes(setup: &Setup, bench: &dyn Bench, part: &Part) -> Result<Electrodes, Error> {
    let (data, names) = part.by_electrode()?;
    let contender = Contender::fixed("pfcvm-lp/certainty=off".parse()?);
    let study = setup.study(contender.label(), &data, &part.splits, &contender);
    let studies = [Study { groups: part.groups.clone(), ..study }];
    let title = format!("{}, electrodes as features", part.name);
    let outcomes = bench.run(Experiment::Eeg, &title, &studies)?;
    Ok(Electrodes { names, comparison: compare(&title, &studies, &outcomes), outcomes })
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
