//! Runs: the same bits whatever the number of threads and interruptions; failures are told.

use pfcvm::Matrix;
use pfcvm::data::Columns;
use pfcvm::multiclass::{Dataset, Scheme};
use pfcvm_methods::{Grid, Spec};
use pfcvm_study::{
    Contender, Cv, Error, Evaluation, Fold, Identity, Journal, LearningCurve, Outcome, Price,
    Study, Summary, compare, paired, run,
};
use std::path::Path;
use std::sync::Arc;

/// Two features tell the classes apart, one does not.
fn data(rows: usize, classes: usize) -> Arc<Dataset> {
    let value = |row: usize, col: usize| {
        let noise = ((row * 37 + col * 101 + row * row * 13) % 97) as f64 / 97.0;
        let signal = if col < 2 { 0.6 * (row % classes) as f64 } else { 0.0 };
        noise + signal
    };
    named(Matrix::from_fn(rows, 3, value), classes)
}

/// Rows whose classes take turns.
fn named(x: Matrix, classes: usize) -> Arc<Dataset> {
    let codes = (0..x.rows()).map(|row| row % classes).collect();
    let names = (0..classes).map(|class| format!("class {class}")).collect();
    Arc::new(Dataset::new(x, codes, names).unwrap())
}

fn study(name: &str, cv: &str, contender: Contender) -> Study {
    study_of(data(40, 2), name, cv, contender)
}

fn study_of(data: Arc<Dataset>, name: &str, cv: &str, contender: Contender) -> Study {
    let splits = cv.parse::<Cv>().unwrap().splits(data.codes(), None, 3).unwrap();
    Study {
        name: name.into(),
        data,
        scheme: Scheme::OneVsOne,
        groups: None,
        splits: Arc::new(splits),
        contender,
        seed: 3,
        keep_predictions: true,
    }
}

fn fixed(text: &str) -> Contender {
    Contender::fixed(text.parse().unwrap())
}

/// Without what the clock says.
fn timeless(outcomes: &[Vec<Outcome>]) -> Vec<Vec<Outcome>> {
    let mut outcomes = outcomes.to_vec();
    outcomes.iter_mut().flatten().flatten().for_each(|fold| fold.seconds = 0.0);
    outcomes
}

fn identity(value: &str) -> Identity {
    Identity::default().with("cv", value).with("seed", "3")
}

fn open(folder: &Path, value: &str) -> Result<Journal, Error> {
    Journal::open(folder, &identity(value), false)
}

#[test]
fn threads_do_not_matter() {
    let mut grid = Grid::default();
    grid.add("false_positive_rate=0.01,0.15").unwrap();
    let nested = Contender::nested("pfcvm-lp/kernel=linear".parse().unwrap(), grid).unwrap();
    let studies = [study("a", "kfold:4x2", fixed("pfcvm-lp")), study("b", "kfold:4", nested)];
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| timeless(&run(&studies, None, &|_| ()).unwrap()))
    };
    let one = with(1);
    assert_eq!(one, with(3));
    assert!(one[1].iter().all(|fold| fold.as_ref().unwrap().machines[0].chosen.is_some()));
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let studies = [
        study("a", "kfold:5", fixed("pfcvm-lp")),
        study("b", "loo", fixed("pfcvm-lp/kernel=linear")),
    ];
    let whole = run(&studies, None, &|_| ()).unwrap();
    {
        let journal = open(folder.path(), "x").unwrap();
        run(&studies, Some(&journal), &|_| ()).unwrap();
    }
    // Killed in the middle of writing: half of the record, cut within a line.
    let record = folder.path().join("folds.jsonl");
    let bytes = std::fs::read(&record).unwrap();
    std::fs::write(&record, &bytes[..bytes.len() / 2]).unwrap();
    let journal = open(folder.path(), "x").unwrap();
    let found = std::sync::Mutex::new(0);
    let resumed = run(&studies, Some(&journal), &|p| *found.lock().unwrap() = p.found).unwrap();
    let found = *found.lock().unwrap();
    assert!(found > 0 && found < 45, "{found} folds were found");
    assert_eq!(timeless(&resumed), timeless(&whole));
    let sums = |outcomes: &[Vec<Outcome>]| {
        let sums = studies.iter().zip(outcomes).map(|(study, all)| Summary::of(study, all));
        serde_json::to_string(&Vec::from_iter(sums)).unwrap()
    };
    assert_eq!(sums(&resumed), sums(&whole));
}

#[test]
fn a_record_of_something_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path(), "kfold:5").unwrap();
    let busy = open(folder.path(), "kfold:5").unwrap_err();
    assert!(matches!(busy, Error::Busy { .. }), "{busy}");
    drop(first);
    let other = open(folder.path(), "loo").unwrap_err().to_string();
    assert!(other.contains("cv is kfold:5 there and loo here"), "{other}");
    assert!(!other.contains("seed"), "{other}");
    Journal::<Fold>::open(folder.path(), &identity("loo"), true).unwrap();
    open(folder.path(), "loo").unwrap();
}

#[test]
fn a_damaged_record_is_told_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    {
        let journal = open(folder.path(), "x").unwrap();
        run(&[study("a", "kfold:3", fixed("pfcvm-lp"))], Some(&journal), &|_| ()).unwrap();
    }
    let record = folder.path().join("folds.jsonl");
    let text = std::fs::read_to_string(&record).unwrap();
    let accuracy = text.split("\"accuracy\":").nth(1).unwrap().split(',').next().unwrap();
    let other = text.replacen(&format!("\"accuracy\":{accuracy}"), "\"accuracy\":0.125", 1);
    // A sound outcome under the number of another fold is damage too.
    let renumbered =
        text.replacen("\"fold\":0", "\"fold\":1", 1).replacen("\"fold\":2", "\"fold\":1", 1);
    assert_ne!(renumbered, text);
    let first_line = |text: &str| text.lines().next().unwrap().to_string();
    assert_eq!(first_line(&renumbered), first_line(&text));
    for spoiled in [text.replacen("\"outcome\"", "\"out", 1), other, renumbered] {
        std::fs::write(&record, spoiled).unwrap();
        let error = open(folder.path(), "x").unwrap_err().to_string();
        assert!(error.contains("cannot be read"), "{error}");
    }
    // A file that was never ours is left alone.
    std::fs::write(&record, "notes without a line end").unwrap();
    assert!(matches!(open(folder.path(), "x"), Err(Error::Damaged { line: 1, .. })));
    assert_eq!(std::fs::read_to_string(&record).unwrap(), "notes without a line end");
}

/// Neither looking at a file nor beginning anew changes what is no record.
#[test]
fn a_file_that_is_no_record_is_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("folds.jsonl");
    for text in ["a,label\n1,x\n2,y\nno line end", "a,label\n1,x\n", "{}", "[[1,2],[3,4]]\n"] {
        std::fs::write(&record, text).unwrap();
        for fresh in [false, true] {
            let error = Journal::<Fold>::open(folder.path(), &identity("x"), fresh).unwrap_err();
            assert!(matches!(error, Error::Damaged { .. } | Error::NoRecord { .. }), "{error}");
            assert_eq!(std::fs::read_to_string(&record).unwrap(), text);
        }
    }
    // What a kill leaves of a head can be begun anew.
    for text in ["", "[[\"program\",\"0."] {
        std::fs::write(&record, text).unwrap();
        Journal::<Fold>::open(folder.path(), &identity("x"), true).unwrap();
        open(folder.path(), "x").unwrap();
    }
}

#[test]
fn a_fold_that_fails_is_reported() {
    // All features constant in training: the third class of failures a fit can have.
    let x = Matrix::from_fn(12, 1, |row, _| f64::from(u8::from(row == 0)));
    let study = study_of(named(x, 2), "a", "loo", fixed("pfcvm-lp"));
    let outcomes = run(std::slice::from_ref(&study), None, &|_| ()).unwrap();
    let summary = Summary::of(&study, &outcomes[0]);
    assert_eq!(summary.folds, 12);
    assert_eq!(summary.failed[0].fold, 1);
    assert!(summary.failed[0].reason.contains("varies"), "{:?}", summary.failed);
}

#[test]
fn a_method_is_not_better_than_itself() {
    let studies =
        [study("a", "kfold:5", fixed("pfcvm-lp")), study("b", "kfold:5", fixed("pfcvm-lp"))];
    let outcomes = run(&studies, None, &|_| ()).unwrap();
    let same = paired(&studies[0], &outcomes[0], &outcomes[1]).unwrap();
    assert_eq!((same.difference, same.p_value), (0.0, 1.0));
    let comparison = compare("d", &studies, &outcomes);
    assert_eq!(comparison.best, Some(0));
    assert!(comparison.near_best(1) && !comparison.near_best(0));
}

/// One split says nothing about splits, but its rows can be compared.
#[test]
fn one_split_is_compared_row_by_row() {
    let studies = [
        study("a", "holdout:10", fixed("pfcvm-lp")),
        study("b", "holdout:10", fixed("pfcvm-lp/kernel=linear")),
    ];
    let outcomes = run(&studies, None, &|_| ()).unwrap();
    let test = paired(&studies[0], &outcomes[0], &outcomes[1]).unwrap();
    assert_eq!(test.test, "McNemar");
    assert!(test.p_value > 0.0 && test.p_value <= 1.0);
    let (low, high) = Summary::of(&studies[0], &outcomes[0]).accuracy.unwrap().interval.unwrap();
    let right = outcomes[0][0].as_ref().unwrap().scores.accuracy * 20.0;
    assert_eq!((low, high), pfcvm_eval::wilson_interval(right.round() as usize, 20));
}

/// Fold scores by hand from the predictions that were kept.
#[test]
fn sums_are_those_of_the_folds() {
    let study = study("a", "kfold:4", fixed("pfcvm-lp"));
    let outcomes = run(std::slice::from_ref(&study), None, &|_| ()).unwrap();
    let mut accuracies = Vec::new();
    for (split, fold) in study.splits.iter().zip(&outcomes[0]) {
        let said = fold.as_ref().unwrap().predictions.as_ref().unwrap();
        let right = |(row, f): (&usize, &f64)| study.data.codes()[*row] == usize::from(*f >= 0.0);
        let right = split.test.iter().zip(&said.decision[0]).filter(|pair| right(*pair)).count();
        accuracies.push(right as f64 / split.test.len() as f64);
    }
    let mean = accuracies.iter().sum::<f64>() / 4.0;
    let sd = (accuracies.iter().map(|a| (a - mean).powi(2)).sum::<f64>() / 3.0).sqrt();
    let found = Summary::of(&study, &outcomes[0]).accuracy.unwrap();
    assert!((found.mean - mean).abs() < 1e-12 && (found.sd.unwrap() - sd).abs() < 1e-12);
    let (low, high) = found.interval.unwrap();
    assert!(low <= mean && mean <= high);
}

/// Everything that decides a run is part of what it is.
#[test]
fn another_order_of_rows_or_other_groups_are_another_run() {
    let study = study("a", "kfold:4", fixed("pfcvm-lp"));
    let identity = |study: &Study| Identity::default().with_studies(std::slice::from_ref(study));
    let same = identity(&study);
    assert_eq!(same, identity(&study.clone()));
    let backwards: Vec<usize> = (0..40).rev().collect();
    let heavier = (*study.data).clone().with_sample_weights(vec![2.0; 40]).unwrap();
    let one_feature = Columns::numbers(3).grouped(&[0, 0, 1]).unwrap();
    let joined = (*study.data).clone().with_columns(one_feature).unwrap();
    let by_pairs = Arc::new(Vec::from_iter((0..40).map(|row| row / 2)));
    let others = [
        Study { data: Arc::new(study.data.select(&backwards).unwrap()), ..study.clone() },
        Study { data: Arc::new(heavier), ..study.clone() },
        Study { data: Arc::new(joined), ..study.clone() },
        Study { groups: Some(by_pairs), ..study.clone() },
        Study { splits: Arc::new(study.splits[1..].to_vec()), ..study.clone() },
        Study { scheme: Scheme::OneVsRest, ..study.clone() },
        Study { seed: 4, ..study.clone() },
        Study { contender: fixed("pfcvm-lp/kernel=linear"), ..study.clone() },
    ];
    let mut digests: Vec<String> = others.iter().map(|study| identity(study).digest()).collect();
    digests.push(same.digest());
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), others.len() + 1);
}

/// Three classes are compared by the same tests, and each machine chooses its own settings.
#[test]
fn three_classes_are_a_study_like_any_other() {
    let mut grid = Grid::default();
    grid.add("false_positive_rate=0.01,0.15").unwrap();
    let nested = Contender::nested("pfcvm-lp/kernel=linear".parse().unwrap(), grid).unwrap();
    let of = |name: &str, contender| study_of(data(60, 3), name, "kfold:4", contender);
    let studies = [of("a", fixed("pfcvm-lp")), of("b", nested), of("c", fixed("rvm"))];
    let outcomes = run(&studies, None, &|_| ()).unwrap();
    let comparison = compare("d", &studies, &outcomes);
    assert!(comparison.best.is_some());
    assert_eq!(comparison.against_best.iter().flatten().count(), 2);
    for fold in outcomes[1].iter().flatten() {
        assert_eq!(fold.machines.len(), 3);
        assert!(fold.machines.iter().all(|machine| machine.chosen.is_some()));
    }
    let [first, _, all_features] = comparison.methods.as_slice() else { panic!("three methods") };
    assert_eq!((first.machines.len(), first.classes.len(), first.counts), (3, 3, None));
    assert!(first.accuracy.unwrap().mean > 0.6 && first.stability.is_some());
    assert_eq!(first.confusion.iter().flatten().sum::<usize>(), 60);
    assert_eq!((&all_features.features, &all_features.stability), (&None, &None));
    let weighted: Spec = "pfcvm-lp/class_weights=1,2".parse().unwrap();
    assert!(weighted.check_classes(3).is_err() && weighted.check_classes(2).is_ok());
}

/// One machine says what the method says, with or without probabilities.
#[test]
fn two_classes_are_what_the_method_itself_says() {
    for method in ["pfcvm-lp", "svm/probability=no"] {
        let study = study("a", "kfold:4", fixed(method));
        let outcomes = run(std::slice::from_ref(&study), None, &|_| ()).unwrap();
        let split = &study.splits[1];
        let task = study.scheme.tasks(2)[0];
        let train = study.data.select(&split.train).unwrap().task_data(task).unwrap();
        let test = study.data.select(&split.test).unwrap();
        let fitted = method.parse::<Spec>().unwrap().build().unwrap().fit(&train).unwrap();
        let said = fitted.predict(test.x()).unwrap();
        let fold = outcomes[0][1].as_ref().unwrap();
        let kept = fold.predictions.as_ref().unwrap();
        assert_eq!(kept.decision, [said.decision]);
        let of_second =
            kept.probability.as_ref().map(|all| Vec::from_iter(all.iter().map(|p| p[1])));
        assert_eq!(of_second, said.probability);
        assert_eq!(fold.scores.log_loss.is_some(), method == "pfcvm-lp");
        let evaluation = Evaluation::of(&study, &outcomes[0]);
        assert_eq!(evaluation.curves.is_some(), method == "pfcvm-lp");
        assert!(evaluation.summary.machines.is_empty() && evaluation.summary.counts.is_some());
    }
}

/// Three of nine features tell the classes apart, alike; of noise alone there are none.
fn signals(count: usize, seed: u64) -> Arc<Dataset> {
    let mut state = seed;
    let mut uniform = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut normal = || (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
    let rows: Vec<Vec<f64>> = (0..200).map(|_| (0..9).map(|_| normal()).collect()).collect();
    let class = |(at, row): (usize, &Vec<f64>)| match count {
        0 => at % 2,
        _ => usize::from(row[..count].iter().sum::<f64>() > 0.0),
    };
    let codes = rows.iter().enumerate().map(class).collect();
    let names = ["no", "yes"].map(String::from).to_vec();
    Arc::new(Dataset::new(Matrix::from_rows(&rows), codes, names).unwrap())
}

/// Lists of 1 to 5 features and of all that is kept.
fn priced(base: &Study) -> (Vec<Study>, Vec<Vec<Outcome>>, Price) {
    let sizes = [Some(1), Some(2), Some(3), Some(5), None];
    let studies: Vec<Study> = sizes
        .iter()
        .map(|size| size.map_or_else(|| base.clone(), |size| base.at_size(size).unwrap()))
        .collect();
    let outcomes = run(&studies, None, &|_| ()).unwrap();
    let points: Vec<_> = sizes.into_iter().zip(&studies).collect();
    let price = Price::of(&points, &Vec::from_iter(outcomes.iter().map(Vec::as_slice)));
    (studies, outcomes, price.unwrap())
}

#[test]
fn as_many_features_are_suggested_as_there_are_signals() {
    let linear = || fixed("pfcvm-lp/kernel=linear");
    for (signals_there, seed) in [(3, 1), (2, 5), (0, 2), (0, 9)] {
        let base = study_of(signals(signals_there, seed), "s", "kfold:5", linear());
        let price = priced(&base).2;
        assert_eq!(price.suggested_size(), Some(signals_there), "{price:#?}");
        assert_eq!((price.rows, price.folds, price.points.len()), (200, 5, 6));
        assert!((price.points[0].log_loss.mean - 2f64.ln()).abs() < 0.02);
    }
}

/// Nothing of the rows that test a fold takes part in its lists: neither their classes nor their values.
#[test]
fn held_out_rows_do_not_choose_the_list() {
    let whole = signals(3, 1);
    let base = study_of(whole.clone(), "s", "kfold:5", fixed("pfcvm-lp/kernel=linear"));
    let test = base.splits[0].test.clone();
    let mut codes = whole.codes().to_vec();
    test.iter().for_each(|&row| codes[row] = 1 - codes[row]);
    let value = |row: usize, col: usize| {
        whole.x().get(row, if test.contains(&row) { 8 - col } else { col })
    };
    let (x, names) = (Matrix::from_fn(200, 9, value), whole.class_names().to_vec());
    let other = Dataset::new(x, codes, names).unwrap();
    let changed = Study { data: Arc::new(other), ..base.clone() };
    let ((_, first, _), (_, second, _)) = (priced(&base), priced(&changed));
    for (a, b) in first.iter().zip(&second) {
        let (a, b) = (a[0].as_ref().unwrap(), b[0].as_ref().unwrap());
        assert_eq!(a.features(), b.features());
        assert_ne!(a.scores.accuracy, b.scores.accuracy);
    }
}

#[test]
fn fewer_rows_are_parts_of_the_same_splits() {
    let base = study_of(signals(3, 4), "s", "kfold:5", fixed("pfcvm-lp/kernel=linear"));
    let studies = base.with_fewer_rows();
    let outcomes = run(&studies, None, &|_| ()).unwrap();
    let curve = LearningCurve::of(&studies, &outcomes).unwrap();
    let rows: Vec<f64> = curve.points.iter().map(|point| point.rows.round()).collect();
    assert_eq!(rows.last(), Some(&160.0));
    assert!(rows.len() >= 3 && rows.windows(2).all(|pair| pair[1] / pair[0] > 1.8), "{rows:?}");
    assert!(curve.points[0].log_loss.mean > curve.points[rows.len() - 1].log_loss.mean);
    assert!(studies.iter().all(|study| study.splits[2].test == base.splits[2].test));
}
