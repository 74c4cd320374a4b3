//! Filters against numbers found along other routes (reference/make_golden_filters.py), and
//! against all subsets.

use crate::common::{all_close, close, dataset, golden, indices, made, numbers};
use pfcvm::{Dataset, Matrix};
use pfcvm_methods::filter::{
    FsnmSettings, LaplacianSettings, MrmrScheme, Ranking, fisher, fsnm, laplacian, mrmr,
    trace_ratio,
};
use serde_json::Value;

/// Scores in the order of the columns.
fn by_column(ranking: &Ranking) -> Vec<f64> {
    let mut pairs = Vec::from_iter(ranking.features.iter().zip(&ranking.scores));
    pairs.sort_by_key(|pair| pair.0);
    pairs.iter().map(|pair| *pair.1).collect()
}

fn cases() -> Vec<Value> {
    golden("filters.json")["cases"].as_array().unwrap().clone()
}

#[test]
fn fisher_is_the_analysis_of_variance() {
    for case in cases() {
        let ranking = fisher(&dataset(&case)).unwrap();
        all_close(&by_column(&ranking), &numbers(&case["fisher"]), 1e-10, "fisher");
        assert!(ranking.scores.is_sorted_by(|a, b| a >= b));
    }
}

#[test]
fn laplacian_is_the_quotient_of_dense_forms() {
    for case in cases() {
        let data = dataset(&case);
        let base = LaplacianSettings::default();
        for (name, settings) in [
            ("laplacian", LaplacianSettings { neighbours: 4, ..base.clone() }),
            (
                "laplacian_width",
                LaplacianSettings { neighbours: 3, width: Some(7.5), ..base.clone() },
            ),
            (
                "laplacian_supervised",
                LaplacianSettings { neighbours: 3, supervised: true, ..base.clone() },
            ),
        ] {
            let ranking = laplacian(&data, &settings).unwrap();
            all_close(&by_column(&ranking), &numbers(&case[name]), 1e-10, name);
            assert!(ranking.scores.is_sorted());
        }
    }
}

#[test]
fn mrmr_takes_the_same_features_in_the_same_order() {
    for case in cases() {
        let data = dataset(&case);
        for (name, scheme) in [("mid", MrmrScheme::Difference), ("miq", MrmrScheme::Quotient)] {
            let ranking = mrmr(&data, 5, scheme).unwrap();
            assert_eq!(ranking.features, indices(&case[name]["features"]), "{name}");
            all_close(&ranking.scores, &numbers(&case[name]["scores"]), 1e-11, name);
        }
    }
}

#[test]
fn mrmr_passes_over_copies() {
    let base = made(11, 80, 4, 2);
    let copied = base.x().clone().append_columns(base.x());
    let data = Dataset::new(copied, base.positive().to_vec()).unwrap();
    let alone = mrmr(&base, 2, MrmrScheme::Difference).unwrap();
    assert_eq!(mrmr(&data, 2, MrmrScheme::Difference).unwrap().features, alone.features);
}

#[test]
fn the_trace_ratio_is_the_best_of_all_subsets() {
    let mut beyond_fisher = 0;
    for case in cases() {
        let data = dataset(&case);
        for best in case["trace_ratio"].as_array().unwrap() {
            let count = best["count"].as_u64().unwrap() as usize;
            let found = trace_ratio(&data, count, false).unwrap();
            close(found.ratio, best["ratio"].as_f64().unwrap(), 1e-12, "ratio");
            let mut features = found.ranking.features;
            features.sort_unstable();
            assert_eq!(features, indices(&best["features"]));
            let mut top = fisher(&data).unwrap().features[..count].to_vec();
            top.sort_unstable();
            beyond_fisher += usize::from(top != features);
        }
    }
    assert!(beyond_fisher > 0, "a test that Fisher's score passes proves nothing");
}

#[test]
fn on_scaled_features_the_trace_ratio_is_fishers_choice() {
    let data = made(5, 40, 30, 6);
    let found = trace_ratio(&data, 9, true).unwrap();
    assert_eq!(found.ranking.features, fisher(&data).unwrap().features[..9]);
}

#[test]
fn the_joint_norms_are_least_and_never_rise() {
    for case in cases() {
        for best in case["fsnm"].as_array().unwrap() {
            let gamma = best["gamma"].as_f64().unwrap();
            let settings = FsnmSettings {
                gamma,
                tolerance: 1e-7,
                max_rounds: 20_000,
                ..FsnmSettings::default()
            };
            let found = fsnm(&dataset(&case), &settings).unwrap();
            let last = *found.objectives.last().unwrap();
            // What smoothing lifts the other side's by, and what the gap allows on this one.
            close(last, best["objective"].as_f64().unwrap(), 2e-6, "least objective");
            assert!(found.gap <= 1e-7, "{}", found.gap);
            for pair in found.objectives.windows(2) {
                assert!(pair[1] <= pair[0] * (1.0 + 1e-12), "{pair:?}");
            }
            all_close(&by_column(&found.ranking), &numbers(&best["norms"]), 1e-3, "rows");
        }
    }
}

#[test]
fn the_order_of_samples_does_not_matter() {
    let data = made(7, 50, 12, 3);
    let rows = Vec::from_iter((0..50).map(|row| row * 17 % 50));
    let other = data.select(&rows).unwrap();
    let pairs = [all_rankings(&data), all_rankings(&other)];
    for (one, other) in pairs[0].iter().zip(&pairs[1]) {
        assert_eq!(one.features, other.features);
        all_close(&one.scores, &other.scores, 1e-8, "score");
    }
}

#[test]
fn the_order_of_features_does_not_matter() {
    let data = made(8, 50, 12, 3);
    let columns = Vec::from_iter((0..12).map(|col| col * 5 % 12));
    let shuffled = data.x().select_columns(&columns);
    let other = Dataset::new(shuffled, data.positive().to_vec()).unwrap();
    for (one, other) in all_rankings(&data).iter().zip(&all_rankings(&other)) {
        let back = Vec::from_iter(other.features.iter().map(|&at| columns[at]));
        assert_eq!(one.features, back);
    }
}

#[test]
fn a_weight_of_2_is_two_copies_and_of_0_none() {
    let data = made(9, 30, 6, 2);
    let rows = Vec::from_iter((0..30).filter(|row| row % 5 != 0).chain([1, 2, 3]));
    let copies = data.select(&rows).unwrap();
    let weight = |row| if row % 5 == 0 { 0.0 } else { 1.0 + f64::from([1, 2, 3].contains(&row)) };
    let weighted = data.clone().with_sample_weights((0..30).map(weight).collect()).unwrap();
    let one = fisher(&copies).unwrap();
    all_close(&by_column(&fisher(&weighted).unwrap()), &by_column(&one), 1e-10, "fisher");
    let ratios = [&copies, &weighted].map(|data| trace_ratio(data, 3, false).unwrap().ratio);
    close(ratios[0], ratios[1], 1e-10, "trace ratio");
}

#[test]
fn a_constant_column_is_never_ranked() {
    let data = made(3, 20, 4, 1);
    let x = data.x().clone().append_columns(&Matrix::from_fn(20, 1, |_, _| 2.5));
    let data = Dataset::new(x, data.positive().to_vec()).unwrap();
    for ranking in all_rankings(&data) {
        assert!(!ranking.features.contains(&4));
    }
}

fn all_rankings(data: &Dataset) -> [Ranking; 5] {
    [
        fisher(data).unwrap(),
        laplacian(data, &LaplacianSettings::default()).unwrap(),
        mrmr(data, 6, MrmrScheme::Difference).unwrap(),
        trace_ratio(data, 4, false).unwrap().ranking,
        fsnm(data, &FsnmSettings::default()).unwrap().ranking,
    ]
}
