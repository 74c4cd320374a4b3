//! Real data, where the environment variable `PFCVM_DATA` names the folder that holds them.

use crate::common::{all_close, golden, indices, numbers};
use pfcvm::{Dataset, Matrix};
use pfcvm_io::{Input, ReadOptions, read_table};
use pfcvm_methods::filter::{FsnmSettings, fsnm};
use pfcvm_methods::margin::{Gamma, L1Svm, L1SvmSettings, MarginKernel, Svm, SvmSettings};
use pfcvm_methods::probability::Probability;
use std::path::PathBuf;

/// The data set of a name; says so and gives nothing where it is not there.
fn real(name: &str) -> Option<Dataset> {
    let folder = std::env::var_os("PFCVM_DATA").map(PathBuf::from);
    let file = folder.map(|folder| folder.join(name).join("data.csv.gz"));
    let Some(file) = file.filter(|file| file.exists()) else {
        println!("skipped: PFCVM_DATA does not name a folder with {name}");
        return None;
    };
    let table = read_table(&Input::from(file), &ReadOptions::default(), &mut |_| ()).unwrap();
    Some(table.into_two_classes("-1", "1").unwrap())
}

#[test]
fn svm_on_colon_is_that_of_scikit_learn() {
    let Some(data) = real("colon") else { return };
    for fit in golden("colon.json")["fits"].as_array().unwrap() {
        let settings = SvmSettings {
            kernel: match fit["kernel"].as_str().unwrap() {
                "linear" => MarginKernel::Linear,
                _ => MarginKernel::Rbf(Gamma::Scale(1.0)),
            },
            c: fit["c"].as_f64().unwrap(),
            probability: Probability::No,
            ..SvmSettings::default()
        };
        let what = format!("{} C={}", fit["kernel"], fit["c"]);
        let svm = Svm::fit(&data, &settings).unwrap();
        assert_eq!(svm.support(), indices(&fit["support"]), "{what}");
        // Four times the tolerance at which both stop.
        all_close(&svm.decide(data.x()).unwrap(), &numbers(&fit["decisions"]), 4e-3, &what);
    }
}

#[test]
fn l1svm_on_leukemia_closes_its_gap_on_few_features() {
    let Some(data) = real("leukemia") else { return };
    for c in [0.03, 1.0] {
        let settings = L1SvmSettings { c, probability: Probability::No, ..Default::default() };
        let found = L1Svm::fit(&data, &settings).unwrap();
        assert!(found.gap() > -1e-7 && found.gap() < 1e-6, "C={c}: gap {}", found.gap());
        let features = found.features();
        // A vertex of the program has no more weights than samples.
        assert!(!features.is_empty() && features.len() <= data.len(), "{}", features.len());
        assert!(found.weights().iter().all(|weight| *weight != 0.0));
        // All other weights are exactly 0: what stands there cannot matter.
        let x = data.x();
        let changed = Matrix::from_fn(x.rows(), x.cols(), |i, j| match features.contains(&j) {
            true => x.get(i, j),
            false => -1e7,
        });
        assert_eq!(found.decide(x).unwrap(), found.decide(&changed).unwrap());
    }
}

#[test]
fn fsnm_on_leukemia_is_as_near_to_the_least_as_it_says() {
    let Some(data) = real("leukemia") else { return };
    let found = fsnm(&data, &FsnmSettings::default()).unwrap();
    let rounds = &found.objectives;
    assert!(rounds.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-9)), "{rounds:?}");
    assert!(found.gap > 0.0 && found.gap < 0.05, "{}", found.gap);
    let longer = FsnmSettings { max_rounds: 400, ..FsnmSettings::default() };
    let longer = fsnm(&data, &longer).unwrap();
    let (last, better) = (rounds[rounds.len() - 1], longer.objectives.last().unwrap());
    assert!(longer.gap < found.gap, "{} then {}", found.gap, longer.gap);
    // The bound: no point is lower by more than the gap.
    assert!(*better >= last * (1.0 - found.gap) && *better <= last, "{last} then {better}");
}
