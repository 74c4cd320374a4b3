//! Properties over generated data, coarse on purpose: few different values make ties, copies and
//! features that part the classes without spread.

use crate::common::close;
use pfcvm::{Dataset, Matrix};
use pfcvm_methods::Error;
use pfcvm_methods::filter::{
    FsnmSettings, LaplacianSettings, MrmrScheme, fisher, fsnm, laplacian, mrmr, trace_ratio,
};
use pfcvm_methods::margin::{L1Svm, L1SvmSettings};
use pfcvm_methods::minimax::{MpmSettings, mpm};
use pfcvm_methods::probability::Probability;
use proptest::prelude::*;

/// 6 to 14 samples of 2 to 6 features with values from −3 to 3; both classes are there.
fn coarse() -> impl Strategy<Value = Dataset> {
    (6usize..15, 2usize..7).prop_flat_map(|(rows, cols)| {
        let values = prop::collection::vec(-3i32..4, rows * cols);
        let classes = prop::collection::vec(any::<bool>(), rows - 2);
        (values, classes).prop_map(move |(values, mut classes)| {
            classes.extend([false, true]);
            let x = Matrix::from_fn(rows, cols, |i, j| f64::from(values[i + rows * j]));
            Dataset::new(x, classes).unwrap()
        })
    })
}

/// What was found; nothing where the data are refused (no column varies), and for no other reason.
fn unless_refused<T>(found: Result<T, Error>) -> Option<T> {
    match found {
        Err(Error::Data(_) | Error::SameMeans) => None,
        found => Some(found.unwrap()),
    }
}

/// Between and within scatter, the plain way.
fn scatter(data: &Dataset, feature: usize) -> [f64; 2] {
    let column = data.x().column(feature);
    let mean_of = |class: Option<bool>| {
        let chosen = (0..data.len()).filter(|&i| class.is_none_or(|c| data.positive()[i] == c));
        let values = Vec::from_iter(chosen.map(|i| column[i]));
        (values.iter().sum::<f64>() / values.len() as f64, values)
    };
    let (all, _) = mean_of(None);
    let mut sums = [0.0; 2];
    for class in [false, true] {
        let (mean, values) = mean_of(Some(class));
        sums[0] += values.len() as f64 * (mean - all).powi(2);
        sums[1] += values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    }
    sums
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_subset_has_a_larger_trace_ratio(data in coarse(), count in 1usize..5) {
        let Some(found) = unless_refused(trace_ratio(&data, count, false)) else { return Ok(()) };
        let scatters = Vec::from_iter((0..data.x().cols()).map(|j| scatter(&data, j)));
        let varying = Vec::from_iter((0..scatters.len()).filter(|&j| scatters[j][0] + scatters[j][1] > 1e-9));
        let size = count.min(varying.len());
        prop_assert_eq!(found.ranking.features.len(), size);
        let mut best = 0.0f64;
        for code in 0u32..1 << varying.len() {
            if code.count_ones() as usize == size {
                let chosen = varying.iter().enumerate().filter(|(at, _)| code >> at & 1 == 1);
                let sums = chosen.fold([0.0; 2], |sums, (_, &j)| [sums[0] + scatters[j][0], sums[1] + scatters[j][1]]);
                best = best.max(if sums[1] > 1e-12 { sums[0] / sums[1] } else { f64::INFINITY });
            }
        }
        // Without spread within, rounding decides between very large and infinite.
        if best < 1e9 {
            close(found.ratio, best, 1e-9, "ratio");
        } else {
            prop_assert!(found.ratio > 1e9);
        }
    }

    #[test]
    fn rankings_hold_each_varying_feature_once(data in coarse()) {
        let Some(by_fisher) = unless_refused(fisher(&data)) else { return Ok(()) };
        let mut varying = by_fisher.features.clone();
        varying.sort_unstable();
        let cols = data.x().cols();
        let rankings = [
            laplacian(&data, &LaplacianSettings::default()).unwrap(),
            mrmr(&data, cols, MrmrScheme::Difference).unwrap(),
            mrmr(&data, cols, MrmrScheme::Quotient).unwrap(),
            trace_ratio(&data, cols, true).unwrap().ranking,
            fsnm(&data, &FsnmSettings::default()).unwrap().ranking,
        ];
        for mut ranking in rankings {
            prop_assert!(ranking.scores.iter().all(|score| !score.is_nan()));
            ranking.features.sort_unstable();
            prop_assert_eq!(&ranking.features, &varying);
        }
    }

    #[test]
    fn the_gap_of_the_linear_program_is_closed(data in coarse(), price in 0.05f64..3.0) {
        let settings = L1SvmSettings { c: price, probability: Probability::No, ..Default::default() };
        let Some(found) = unless_refused(L1Svm::fit(&data, &settings)) else { return Ok(()) };
        prop_assert!(found.gap() > -1e-7 && found.gap() < 1e-5, "{}", found.gap());
    }

    #[test]
    fn changing_the_classes_turns_the_plane_round(data in coarse()) {
        let settings = MpmSettings { probability: Probability::No, ..Default::default() };
        let Some(one) = unless_refused(mpm::fit(&data, &settings)) else { return Ok(()) };
        let turned = data.positive().iter().map(|positive| !positive).collect();
        let other = Dataset::new(data.x().clone(), turned).unwrap();
        let other = mpm::fit(&other, &settings).unwrap();
        close(one.kappa(), other.kappa(), 1e-6, "kappa");
        // Where the means all but meet the plane is long and its digits few.
        if one.kappa() > 0.05 {
            let pairs = one.decide(data.x()).unwrap().into_iter().zip(other.decide(data.x()).unwrap());
            for (f, g) in pairs {
                close(f, -g, 1e-2, "decision");
            }
        }
    }
}
