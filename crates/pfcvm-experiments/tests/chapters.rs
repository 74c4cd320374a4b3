//! Experiments from data to chapter.

use pfcvm_experiments::{Bench, Error, Experiment, Measured, Setup, Trial, Verdict, whole_page};
use pfcvm_study::{Outcome, Study};
use std::path::{Path, PathBuf};

/// Does the folds and records nothing.
struct Plain;

impl Bench for Plain {
    fn run(&self, _: Experiment, _: &str, studies: &[Study]) -> Result<Vec<Vec<Outcome>>, Error> {
        Ok(pfcvm_study::run(studies, None, &|_| ())?)
    }

    fn repeat(
        &self,
        _: Experiment,
        _: &str,
        trials: &[Trial],
    ) -> Result<Vec<Vec<Measured>>, Error> {
        let outcomes = pfcvm_study::run(trials, None, &|_| ())?;
        trials.iter().zip(outcomes).map(|(trial, all)| trial.complete(all)).collect()
    }
}

fn setup(folder: Option<PathBuf>) -> Setup {
    Setup { quick: true, folder, seed: 1 }
}

/// A data folder with two made-up sessions in the layout of SEED.
fn with_seed() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("seed");
    std::fs::create_dir(&target).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pfcvm-io/tests/seed/features");
    for file in std::fs::read_dir(source).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), target.join(file.file_name())).unwrap();
    }
    folder
}

#[test]
fn recordings_of_seed_are_the_papers_experiment() {
    let folder = with_seed();
    let setup = setup(Some(folder.path().to_path_buf()));
    let chapter = Experiment::Eeg.run(&setup, &Plain).unwrap();
    assert!(chapter.lead.starts_with("SEED, "), "{}", chapter.lead);
    let error =
        chapter.findings.iter().find(|f| f.claim.contains("mean error of PFCVM_LP")).unwrap();
    assert_eq!(error.paper, "7.43");
    assert_ne!(error.verdict, Verdict::NotMeasured);
    // With all bands of an electrode as one feature there are as many as the cap has electrodes.
    let by_electrode = &chapter.results[0]["by_electrode"];
    assert_eq!(by_electrode["electrodes"].as_array().unwrap().len(), 62);
    let shares = &by_electrode["comparison"]["methods"][0]["selection_frequencies"];
    let kept = shares.as_array().unwrap().len();
    assert!(kept > 0, "no electrode was kept");
    let heading = format!("Electrodes kept whole ({kept})");
    let page = whole_page(&[(Experiment::Eeg, chapter)], &setup, "test");
    let html = page.html().unwrap();
    assert!(html.contains("subject 1 on") && html.contains("gamma ("));
    assert!(html.contains(&heading), "{heading}");
}

/// What the paper's own error table says, whatever data there are.
#[test]
fn the_papers_tables_are_put_to_the_test() {
    let chapter = Experiment::Eeg.run(&setup(None), &Plain).unwrap();
    let beaten = chapter.findings.iter().find(|f| f.claim.contains("own table")).unwrap();
    assert_eq!(beaten.ours, "PCVM, TRC, FSNM, JCFO");
    assert_eq!(beaten.verdict, Verdict::Differs);
    let text: String = chapter.sections.iter().map(|section| section.text()).collect();
    assert!(text.contains("17.863") && text.contains("2.015") && text.contains("1.821"), "{text}");
    let missing = chapter.findings.iter().filter(|f| f.verdict == Verdict::NotMeasured);
    assert!(missing.count() >= 2, "without SEED its figures are not claimed");
}

/// Where the real data are, a split file and the quick gene experiment are read as they should be.
#[test]
fn real_data_are_found_by_name() {
    let Some(folder) = std::env::var_os("PFCVM_DATA").map(PathBuf::from) else {
        println!("skipped: PFCVM_DATA is not set");
        return;
    };
    let setup = setup(Some(folder));
    let chapter = Experiment::Raetsch.run(&setup, &Plain).unwrap();
    assert!(chapter.lead.starts_with("3 data sets, the first 3 splits"), "{}", chapter.lead);
    let comparisons = chapter.results["comparisons"].as_array().unwrap();
    for comparison in comparisons {
        let error = 1.0 - comparison["methods"][0]["accuracy"]["mean"].as_f64().unwrap();
        assert!((0.0..0.45).contains(&error), "{comparison}");
    }
}
