//! Which samples may enter the basis, and the memory a fit is said to need.

use super::point::Point;
use crate::algebra::Work;
use crate::memory;
use crate::settings::CertaintyPolicy;
use crate::settings::Truncation::Exact;
use crate::state::State;
use crate::{Dataset, Error, Kernel, Matrix, Settings, fit};

fn data(positive: usize, negative: usize) -> Dataset {
    let n = positive + negative;
    let x = Matrix::from_fn(n, 1, |i, _| i as f64);
    Dataset::new(x, (0..n).map(|i| i < positive).collect()).unwrap()
}

#[test]
fn a_draw_has_both_classes_in_their_share() {
    for (positive, negative, size) in [(30, 70, 20), (500, 100, 60), (3, 397, 10), (200, 200, 2)] {
        let data = data(positive, negative);
        let drawn = data.basis_candidates(size, 5);
        assert_eq!(drawn.len(), size);
        assert!(drawn.windows(2).all(|w| w[0] < w[1]), "sorted, none twice");
        let of_class = drawn.iter().filter(|&&i| data.positive()[i]).count();
        let share = size as f64 * positive as f64 / (positive + negative) as f64;
        let expected = (share.round() as usize).clamp(1, size - 1);
        assert_eq!(of_class, expected, "{positive} + {negative}, {size}");
    }
}

#[test]
fn the_seed_decides_the_draw() {
    let data = data(150, 150);
    assert_eq!(data.basis_candidates(40, 1), data.basis_candidates(40, 1));
    assert_ne!(data.basis_candidates(40, 1), data.basis_candidates(40, 2));
}

#[test]
fn few_samples_are_all_candidates_but_those_of_weight_zero() {
    let data = data(6, 6);
    assert_eq!(data.basis_candidates(12, 0), (0..12).collect::<Vec<_>>());
    let mut weights = vec![1.0; 12];
    (weights[0], weights[7]) = (0.0, 0.0);
    let weighted = data.with_sample_weights(weights).unwrap();
    assert_eq!(weighted.basis_candidates(10, 0), [1, 2, 3, 4, 5, 6, 8, 9, 10, 11]);
    assert!(!weighted.basis_candidates(4, 0).iter().any(|i| [0, 7].contains(i)));
}

/// A draw is never larger than asked for, and no class is lost, at any size.
#[test]
fn a_draw_is_never_too_large() {
    let data = data(40, 1200);
    for max_basis in (2..1300).step_by(37) {
        let drawn = data.basis_candidates(max_basis, 3);
        assert!(drawn.len() <= max_basis.max(2), "{max_basis}: {}", drawn.len());
        assert!(drawn.len() >= 2);
        let positive = drawn.iter().filter(|&&i| data.positive()[i]).count();
        assert!(positive >= 1 && positive < drawn.len(), "{max_basis}");
    }
}

/// A curved fit takes all up to 300 or a third of what is allowed, a straight one a third as many as there are
/// features within bounds; and never more than is allowed.
#[test]
fn a_fit_takes_enough() {
    let count = |kernel: Kernel, (rows, features): (usize, usize), max_basis: usize| {
        let x = Matrix::from_fn(rows, features, |i, j| ((7 * i + 3 * j) % 11) as f64);
        let data = Dataset::new(x, (0..rows).map(|i| i % 4 == 0).collect()).unwrap();
        data.enough_candidates(kernel, (max_basis, usize::MAX), 5).len()
    };
    let curved = |rows, max_basis| count(Kernel::Rbf, (rows, 3), max_basis);
    assert_eq!([300, 700, 1900].map(|rows| curved(rows, 2000)), [300, 666, 666]);
    assert_eq!([curved(1900, 3000), curved(1900, 400), curved(1900, 80)], [1000, 300, 80]);
    let straight = |size| count(Kernel::Linear, size, 2000);
    let sizes = [(1900, 3), (1900, 200), (1900, 400), (1900, 2000)];
    assert_eq!(sizes.map(straight), [60, 66, 133, 300]);
    assert_eq!([(30, 300), (90, 3)].map(straight), [30, 60]);
}

/// Where a basis that may grow has no room, one that may not is fitted; only where that has none either, nothing is.
#[test]
fn little_room_is_enough_for_a_basis_that_does_not_grow() {
    let x = Matrix::from_fn(1000, 3, |i, j| ((7 * i + 3 * j) % 11) as f64 + i as f64 / 1e3);
    let data = Dataset::new(x, (0..1000).map(|i| i % 4 == 0).collect()).unwrap();
    let fitted = |limit: usize| {
        let settings = Settings {
            memory_limit_mib: Some(limit),
            certainty: CertaintyPolicy::Off,
            max_iterations: Some(2),
            ..Settings::new(Kernel::Rbf)
        };
        fit(&data, &settings)
    };
    let needed = |candidates| memory::estimate(1000, 3, candidates, 1) >> 20;
    assert!(needed(300) < 15 && needed(666) > 25);
    assert!(fitted(20).is_ok());
    let refused = fitted(5).unwrap_err();
    assert_eq!(refused, Error::Memory { needed_mib: needed(300), limit_mib: 5, basis: 300 });
}

/// Another label in a row that is no candidate changes the fit.
#[test]
fn rows_outside_the_basis_count() {
    let point = Point::random(Kernel::Rbf, 51, 30, 3, 10);
    assert!(!point.samples.contains(&1));
    let evidence = |point: &Point| {
        let problem = point.problem(Exact);
        let mut work = Work::new(false);
        let stage = &point.settings(Exact).stages_of_fit().unwrap()[0];
        let all = vec![0, 1, 2];
        let mut state = State::start(&problem, point.samples.clone(), all, None, &mut work);
        state.iterate(stage, &mut work).unwrap().log_evidence
    };
    let before = evidence(&point);
    let mut signs = point.signs.clone();
    signs[1] = -signs[1];
    let after = evidence(&Point { signs, ..point });
    assert!((before - after).abs() > 1e-3, "{before} {after}");
}

#[test]
fn memory_is_refused_with_figures() {
    let plain = Settings::default;
    let settings = Settings { memory_limit_mib: Some(100), ..Settings::default() };
    // 7 copies of the data, three times the kernel values, a block, three squares.
    assert_eq!(memory::estimate(1000, 10, 500, 1), 8 * (70_000 + 1_500_000 + 500_000 + 750_000));
    // 12 copies where there are more features than rows, and a block of absent ones.
    let wide = 12 * 1_000_000 + 3 * 400 + 400 + 3 * 400 + 40 * 50_000;
    assert_eq!(memory::estimate(20, 50_000, 20, 1), 8 * wide);
    assert_eq!(memory::check((1000, 10, None), (500, 1), &settings), Ok(()));
    let refused = memory::check((20_000, 10, None), (2000, 1), &settings).unwrap_err();
    let needed_mib = memory::estimate(20_000, 10, 2000, 1) >> 20;
    assert!(needed_mib > 100);
    assert_eq!(refused, Error::Memory { needed_mib, limit_mib: 100, basis: 2000 });
    // Several at once only where all of them are allowed.
    let [enough, short] =
        [100_000, 10].map(|mib| Settings { memory_limit_mib: Some(mib), ..plain() });
    assert!(
        memory::side_by_side((2000, 10, None), (5, 1), &enough)
            && memory::side_by_side((2000, 10, None), (5, 1), &plain())
    );
    assert!(!memory::side_by_side((2000, 10, None), (5, 1), &short));
    assert!(
        !memory::side_by_side((100_000, 1000, None), (5, 1), &plain()),
        "too large for two of them"
    );
    // Three machines: 9 copies of the data more, and kernel values of each.
    let three = 8 * (160_000 + 4_500_000 + 500_000 + 750_000);
    assert_eq!(memory::estimate(1000, 10, 500, 3), three);
    // A panel: 5½ copies of the data, half of 7 for each thread, the weights of its members.
    let panel = 100 * 5000 * (11 + 7 * 2) / 2 + 5000 * 40 * 3 + 100 * 100 * 4;
    assert_eq!(memory::estimate_panel(100, 5000, 40, 2), 8 * panel);
    // Absurd sizes neither overflow nor pass.
    let absurd = (usize::MAX / 2, usize::MAX / 2, None);
    assert!(memory::check(absurd, (2000, 1), &settings).is_err());
    // What is not written takes no memory where a fit begins with some of the features.
    let linear = Settings { kernel: Kernel::Linear, memory_limit_mib: Some(1000), ..plain() };
    assert!(memory::check((2000, 200_000, None), (700, 1), &linear).is_err());
    assert_eq!(memory::check((2000, 200_000, Some(4_000_000)), (700, 1), &linear), Ok(()));
    assert!(memory::mib_of_panel(usize::MAX / 2, usize::MAX / 2, 40, 2) > 1 << 40);
}
