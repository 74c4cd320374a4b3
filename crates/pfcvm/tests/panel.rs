//! Panels: what they list, what they refuse, and that nothing but the data and the seed decides.

mod common;

use common::{Random, two_gaussians};
use pfcvm::panel::{Panel, PanelPrediction, PanelSettings, fit_panel, fit_panel_with};
use pfcvm::settings::CertaintyPolicy;
use pfcvm::{ClassWeights, Dataset, Error, Goal, Matrix, Stop, Termination};
use std::ops::ControlFlow;

fn data(seed: u64, n: usize, m: usize, informative: usize, shift: f64) -> Dataset {
    let (rows, positive) = two_gaussians(seed, n, m, informative, shift);
    Dataset::new(Matrix::from_rows(&rows), positive).unwrap()
}

fn run(data: &Dataset, settings: &PanelSettings, threads: usize) -> (Panel, PanelPrediction) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let panel = fit_panel(data, settings).unwrap();
        let prediction = panel.predict(data.x()).unwrap();
        (panel, prediction)
    })
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|v| v.to_bits()).collect()
}

fn assert_same(a: &(Panel, PanelPrediction), b: &(Panel, PanelPrediction)) {
    assert_eq!(a.0.selected_features(), b.0.selected_features());
    assert_eq!(bits(a.0.median_shares()), bits(b.0.median_shares()));
    assert_eq!(bits(&a.0.feature_weights()), bits(&b.0.feature_weights()));
    assert_eq!(bits(&a.1.probability), bits(&b.1.probability));
    assert_eq!(bits(&a.1.disagreement), bits(&b.1.disagreement));
    assert_eq!(a.0.expected_log_loss().to_bits(), b.0.expected_log_loss().to_bits());
    assert_eq!(a.0.all_features_log_loss().to_bits(), b.0.all_features_log_loss().to_bits());
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    let data = data(1, 60, 3000, 6, 0.8);
    let settings = PanelSettings::default();
    let one = run(&data, &settings, 1);
    for threads in [2, 3] {
        assert_same(&one, &run(&data, &settings, threads));
    }
    assert_same(&one, &run(&data, &PanelSettings { parallel: false, ..settings.clone() }, 2));
    let both = PanelSettings { goal: Goal::Accuracy, ..settings };
    assert_same(&run(&data, &both, 1), &run(&data, &both, 3));
}

/// Every feature says a little: a list of five leaves most of it out, and knows.
#[test]
fn all_features_beside_the_list_help_where_each_says_a_little() {
    let (known, fresh) = (data(31, 80, 400, 400, 0.2), data(32, 200, 400, 400, 0.2));
    let list = PanelSettings { size: 5, certainty: CertaintyPolicy::Insist, ..Default::default() };
    let both = PanelSettings { goal: Goal::Accuracy, ..list.clone() };
    let (list, both) = (fit_panel(&known, &list).unwrap(), fit_panel(&known, &both).unwrap());
    assert_eq!(list.selected_features(), both.selected_features());
    assert_eq!((list.needed_columns().len(), both.needed_columns().len()), (5, 400));
    let goals = list.certainty().unwrap().goals.unwrap();
    assert_eq!(Some(goals), both.certainty().unwrap().goals);
    assert!(goals.gain > 2.0 * goals.gain_error, "{goals:?}");
    let loss = |panel: &Panel| -> f64 {
        let said = panel.predict(fresh.x()).unwrap().probability;
        let rows = said.iter().zip(fresh.positive());
        let sum: f64 = rows.map(|(p, up)| -(if *up { *p } else { 1.0 - p }).ln()).sum();
        sum / said.len() as f64
    };
    assert!(loss(&both) < loss(&list) - 0.1, "{} {}", loss(&both), loss(&list));
    // What the list adds, and what all features do, are the whole decision value.
    let said = both.predict(known.x()).unwrap();
    let odds = |p: &f64| (p / (1.0 - p)).ln();
    for (p, f) in said.probability.iter().zip(&said.decision) {
        assert!((odds(p) - f).abs() < 1e-6);
    }
    // Where nobody is asked, both count alike.
    let unasked = PanelSettings { size: 5, certainty: CertaintyPolicy::Off, ..Default::default() };
    let both = PanelSettings { goal: Goal::Accuracy, ..unasked.clone() };
    let (list, both) = (fit_panel(&known, &unasked).unwrap(), fit_panel(&known, &both).unwrap());
    assert!(list.broad().is_none() && both.broad().is_some());
    assert_eq!(both.calibration(), Some((0.0, 0.5)));
    assert!(loss(&both) < loss(&list));
}

#[test]
fn the_same_seed_gives_the_same_panel_and_another_does_not() {
    let data = data(2, 40, 300, 4, 0.6);
    let with = |seed| run(&data, &PanelSettings { seed, ..PanelSettings::default() }, 1);
    assert_same(&with(5), &with(5));
    assert_ne!(bits(&with(5).1.probability), bits(&with(6).1.probability));
}

#[test]
fn planted_features_come_first_and_predict() {
    let data = data(3, 60, 1000, 6, 1.0);
    let plain = PanelSettings { certainty: CertaintyPolicy::Off, ..PanelSettings::default() };
    let panel = fit_panel(&data, &plain).unwrap();
    let mut first: Vec<usize> = panel.selected_features()[..6].to_vec();
    first.sort_unstable();
    assert_eq!(first, [0, 1, 2, 3, 4, 5]);
    assert!(panel.median_shares().is_sorted_by(|a, b| a >= b));
    assert!(panel.feature_weights()[..6].iter().all(|v| *v > 0.0));
    // Halves that see 30 samples each find them most of the time; what fills the list up, rarely.
    let frequencies = panel.selection_frequencies();
    assert!(frequencies[..6].iter().all(|f| *f > 0.9 && *f <= 1.0));
    assert!(frequencies[6..].iter().all(|f| *f < 0.6));
    assert!(panel.short_list_suffices());
    assert_eq!(panel.termination(), Termination::Converged);

    let (rows, positive) = two_gaussians(4, 400, 1000, 6, 1.0);
    let prediction = panel.predict(&Matrix::from_rows(&rows)).unwrap();
    let hits = prediction.positive().iter().zip(&positive).filter(|(a, b)| a == b).count();
    // The best possible rate is Φ(√6) = 0.993.
    assert!(hits >= 376, "{hits} of 400");
    let parts = (0..400).all(|i| {
        let mean = (prediction.members[i] + prediction.ridge[i] + prediction.equal[i]) / 3.0;
        (prediction.probability[i] - mean).abs() < 1e-15
    });
    assert!(parts && prediction.probability.iter().all(|p| (0.0..=1.0).contains(p)));
}

/// Weak effects in very many features, none of which stands out: all of them together say more
/// than any twenty.
#[test]
fn many_weak_features_are_no_case_for_a_panel() {
    let data = data(5, 100, 1000, 1000, 0.12);
    let panel = fit_panel(&data, &PanelSettings::default()).unwrap();
    assert!(!panel.short_list_suffices());
    assert!(panel.all_features_accuracy() > panel.expected_accuracy());
}

#[test]
fn lists_are_no_longer_than_asked() {
    let data = data(6, 40, 200, 10, 0.8);
    for length in [1, 3, 20, 500] {
        let settings = PanelSettings { size: length, ..PanelSettings::default() };
        let panel = fit_panel(&data, &settings).unwrap();
        let listed = panel.selected_features();
        assert!((1..=length).contains(&listed.len()));
        let mut distinct = listed.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), listed.len());
    }
}

#[test]
fn ranks_make_any_increasing_change_of_a_feature_irrelevant() {
    let plain = data(7, 40, 100, 5, 0.8);
    let bent = Matrix::from_fn(40, 100, |i, k| (plain.x().get(i, k) * 2.0).exp());
    let bent = Dataset::new(bent, plain.positive().to_vec()).unwrap();
    let settings = PanelSettings::default();
    let (a, b) = (run(&plain, &settings, 1), run(&bent, &settings, 1));
    assert_eq!(a.0.selected_features(), b.0.selected_features());
    assert_eq!(a.1, b.1);
}

#[test]
fn constant_columns_and_columns_not_listed_do_not_matter() {
    let (rows, positive) = two_gaussians(8, 40, 50, 4, 1.0);
    let wide = Matrix::from_fn(40, 51, |i, k| match k {
        0 => 7.0,
        k => rows[i][k - 1],
    });
    let narrow = Dataset::new(Matrix::from_rows(&rows), positive.clone()).unwrap();
    let wide = Dataset::new(wide, positive).unwrap();
    let settings = PanelSettings { size: 5, ..PanelSettings::default() };
    let (a, b) = (run(&narrow, &settings, 1), run(&wide, &settings, 1));
    let shifted: Vec<usize> = a.0.selected_features().iter().map(|k| k + 1).collect();
    assert_eq!(shifted, b.0.selected_features());
    assert_eq!(a.1, b.1);

    let mut holes = wide.x().clone();
    let unlisted = (0..51).find(|k| !b.0.selected_features().contains(k)).unwrap();
    holes.set(0, unlisted, f64::NAN);
    assert_eq!(b.0.predict(&holes).unwrap(), b.1);
    let listed = b.0.selected_features()[0];
    holes.set(0, listed, f64::NAN);
    assert_ne!(b.0.predict(&holes).unwrap(), b.1);
    holes.set(0, listed, f64::INFINITY);
    assert!(matches!(b.0.predict(&holes), Err(Error::NotFinite { row: 0, .. })));
}

#[test]
fn samples_of_weight_0_are_left_out() {
    let data = data(9, 40, 60, 4, 0.8);
    let mut weights = vec![1.0; 40];
    weights[30..].fill(0.0);
    let weighted = data.clone().with_sample_weights(weights).unwrap();
    let first: Vec<usize> = (0..30).collect();
    let settings = PanelSettings::default();
    let (a, b) = (run(&weighted, &settings, 1), run(&data.select(&first).unwrap(), &settings, 1));
    assert_eq!(a.0.selected_features(), b.0.selected_features());
    assert_eq!(bits(&a.1.probability[..30]), bits(&b.1.probability));
}

#[test]
fn bad_input_is_refused() {
    let small = data(10, 2, 20, 2, 1.0); // 1 and 1
    let settings = PanelSettings::default();
    assert_eq!(
        fit_panel(&small, &settings).unwrap_err(),
        Error::TooFewInClass { positive: 1, negative: 1, needed: 2 }
    );
    let constant = Dataset::new(Matrix::zeros(10, 3), (0..10).map(|i| i < 5).collect()).unwrap();
    assert_eq!(fit_panel(&constant, &settings).unwrap_err(), Error::NoVaryingFeature { cols: 3 });

    let data = data(11, 20, 30, 3, 1.0);
    let default = PanelSettings::default;
    let given = ClassWeights::Given { negative: 0.0, positive: 1.0 };
    for (name, settings) in [
        ("panel size", PanelSettings { size: 0, ..default() }),
        ("members", PanelSettings { members: 7, ..default() }),
        ("members", PanelSettings { members: 0, ..default() }),
        ("false_positive_rate", PanelSettings { false_positive_rate: 0.5, ..default() }),
        ("false_positive_rate", PanelSettings { false_positive_rate: f64::NAN, ..default() }),
        ("class weights", PanelSettings { class_weights: given, ..default() }),
    ] {
        let error = fit_panel(&data, &settings).unwrap_err();
        assert!(matches!(error, Error::Setting { name: found, .. } if found == name), "{error}");
    }
    let panel = fit_panel(&data, &settings).unwrap();
    assert!(matches!(panel.predict(&Matrix::zeros(2, 29)), Err(Error::Length { .. })));
}

#[test]
fn odd_data_give_a_panel_all_the_same() {
    let mut random = Random::new(12);
    let positive: Vec<bool> = (0..9).map(|i| i < 4).collect();
    let noise = random.rows(9, 40);
    let cases: Vec<Vec<Vec<f64>>> = vec![
        positive.iter().map(|p| vec![if *p { 1.0 } else { 0.0 }]).collect(),
        noise.clone(),
        noise.iter().map(|row| row.iter().map(|v| v * 1e60).collect()).collect(),
        noise.iter().map(|row| row.iter().map(|v| v * 1e-60).collect()).collect(),
        noise.iter().map(|row| row.iter().map(|v| v.round()).collect()).collect(),
        noise.iter().map(|row| vec![row[0]; 30]).collect(),
    ];
    for rows in cases {
        let data = Dataset::new(Matrix::from_rows(&rows), positive.clone()).unwrap();
        for (standardise, ranks) in [(true, true), (true, false), (false, false)] {
            let settings = PanelSettings { standardise, ranks, ..PanelSettings::default() };
            if !standardise && data.x().get(0, 0).abs() > 1e7 {
                let refused = fit_panel(&data, &settings);
                assert!(matches!(refused, Err(Error::TooLargeValue { row: 0, col: 0, .. })));
                continue;
            }
            let (panel, prediction) = run(&data, &settings, 1);
            let nothing = panel.certainty().is_some_and(|certainty| certainty.nothing_found);
            let least = usize::from(!nothing);
            assert!((least..=20).contains(&panel.selected_features().len()));
            assert!(prediction.probability.iter().all(|p| (0.0..=1.0).contains(p)));
            assert!(panel.feature_weights().iter().all(|v| v.is_finite()));
        }
    }
}

#[test]
fn the_observer_sees_every_round_and_may_stop() {
    let data = data(13, 40, 200, 4, 0.8);
    let settings = PanelSettings::default();
    let mut seen = Vec::new();
    let panel = fit_panel_with(&data, &settings, &mut |round| {
        if round.fold.is_none() {
            seen.push((round.number, round.features));
        }
        ControlFlow::Continue(())
    });
    let panel = panel.unwrap();
    assert_eq!(seen, panel.rounds().iter().map(|r| (r.number, r.features)).collect::<Vec<_>>());
    assert!(seen.is_sorted_by(|a, b| a.0 < b.0 && a.1 >= b.1));

    let stopped = fit_panel_with(&data, &settings, &mut |_| ControlFlow::Break(())).unwrap();
    assert_eq!((stopped.rounds().len(), stopped.termination()), (1, Termination::Cancelled));
    assert!(stopped.predict(data.x()).is_ok());
}

/// A panel that an observer stops still makes a list; one whose flag goes up makes nothing more.
#[test]
fn a_flag_ends_a_panel_in_the_middle_of_a_member() {
    let data = data(13, 40, 200, 4, 0.8);
    let with = |stop: &Stop, parallel: bool| {
        let stop = Some(stop.clone());
        fit_panel(&data, &PanelSettings { members: 8, stop, parallel, ..PanelSettings::default() })
    };
    let whole = Stop::default();
    let panel = with(&whole, false).unwrap();
    let all = whole.looks();
    assert!(all > 8 * 10 * panel.rounds().len(), "{all} looks");
    for look in [1, all / 7, all / 3, all / 2, all * 2 / 3, all] {
        let stop = Stop::at_look(look);
        assert_eq!(with(&stop, false).unwrap_err(), Error::Stopped, "at {look}");
        assert_eq!(stop.looks(), look);
        let stop = Stop::at_look(look.min(all / 2));
        assert_eq!(with(&stop, true).unwrap_err(), Error::Stopped, "at {look}");
    }
}

#[test]
fn balanced_classes_move_the_probability_to_the_smaller_class() {
    let (rows, _) = two_gaussians(14, 60, 40, 4, 0.5);
    let few: Vec<usize> = (0..60).filter(|i| i % 2 == 1 || i % 10 == 0).collect(); // 6 positive
    let data = Dataset::new(Matrix::from_rows(&rows), (0..60).map(|i| i % 2 == 0).collect());
    let data = data.unwrap().select(&few).unwrap();
    let mean = |class_weights| {
        let settings = PanelSettings { class_weights, ..PanelSettings::default() };
        run(&data, &settings, 1).1.probability.iter().sum::<f64>()
    };
    assert!(mean(ClassWeights::Balanced) > mean(ClassWeights::Equal));
}
