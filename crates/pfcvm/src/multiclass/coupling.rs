//! From what machines say about two classes at a time to one probability for each class.

use crate::Matrix;
use crate::algebra::{Cholesky, Work};

/// Couples pairwise probabilities after Wu, Lin and Weng (2004, "Probability Estimates for
/// Multi-class Classification by Pairwise Coupling", JMLR 5:975–1005), their second method:
///
/// min ½ Σᵢ Σ_{j≠i} (r_ji pᵢ − r_ij pⱼ)² over Σ p = 1, with r_ij the probability of i if it is i or j.
///
/// With Q_ii = Σ_{s≠i} r_si² and Q_ij = −r_ji r_ij the optimum solves Q p = −b e, eᵀp = 1 (their
/// equation 21), and p ≥ 0 holds by itself (their theorem 2). Then (Q + e eᵀ) p is a multiple of e.
/// That matrix is positive definite for any r with r_ij + r_ji = 1, zeros among them: vᵀQv = 0
/// means r_ji vᵢ = r_ij vⱼ for all pairs, so that no two entries of v have opposite signs, and
/// eᵀv = 0 leaves only v = 0. One Cholesky factorisation is therefore exact, and nothing has to be
/// kept away from 0 or 1.
///
/// `second[k]` is the probability of the second class of pair k, pairs in the order of
/// [`Scheme::tasks`](super::Scheme::tasks).
pub(crate) fn couple(classes: usize, second: &[f64], work: &mut Work) -> Vec<f64> {
    let mut system = Matrix::from_fn(classes, classes, |_, _| 1.0);
    let pairs = (0..classes).flat_map(|a| ((a + 1)..classes).map(move |b| (a, b)));
    for ((a, b), &of_b) in pairs.zip(second) {
        let of_a = 1.0 - of_b;
        system.set(a, a, system.get(a, a) + of_b * of_b);
        system.set(b, b, system.get(b, b) + of_a * of_a);
        system.set(a, b, 1.0 - of_a * of_b);
        system.set(b, a, 1.0 - of_a * of_b);
    }
    match Cholesky::new(system, work) {
        Some(factor) => normalised(factor.solve(&vec![1.0; classes])),
        // Finite entries always have a factor; the rule for nothing known stands in for it.
        None => normalised(vec![0.0; classes]),
    }
}

/// Divided by their sum; equal shares where all are 0, for then nothing tells the classes apart.
/// Rounding can leave a probability of 0 a little below it.
pub(crate) fn normalised(mut values: Vec<f64>) -> Vec<f64> {
    values.iter_mut().for_each(|value| *value = value.max(0.0));
    let sum: f64 = values.iter().sum();
    let equal = 1.0 / values.len() as f64;
    values.iter_mut().for_each(|value| *value = if sum > 0.0 { *value / sum } else { equal });
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Golden {
        /// Random and nasty pairs, solved as a quadratic program by SciPy.
        programs: Vec<Case>,
        /// Pairs and coupled probabilities of LIBSVM, which stops at 0.005 / classes.
        libsvm: Vec<Case>,
    }

    #[derive(Deserialize)]
    struct Case {
        classes: usize,
        second: Vec<f64>,
        probability: Vec<f64>,
    }

    fn golden() -> Golden {
        serde_json::from_str(include_str!("../../tests/golden/coupling.json")).unwrap()
    }

    fn coupled(classes: usize, second: &[f64]) -> Vec<f64> {
        couple(classes, second, &mut Work::new(false))
    }

    fn distance(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    /// Algorithm 2 of the paper: one coordinate after the other, a sum of 1 restored each time.
    fn iterated(classes: usize, second: &[f64]) -> Vec<f64> {
        let mut r = vec![vec![0.0; classes]; classes];
        let mut at = 0;
        for a in 0..classes {
            for b in (a + 1)..classes {
                (r[a][b], r[b][a]) = (1.0 - second[at], second[at]);
                at += 1;
            }
        }
        let q = |t: usize, j: usize| match t == j {
            true => (0..classes).filter(|s| *s != t).map(|s| r[s][t] * r[s][t]).sum::<f64>(),
            false => -r[j][t] * r[t][j],
        };
        let mut p = vec![1.0 / classes as f64; classes];
        for step in 0..1_000_000 {
            let t = step % classes;
            let dot = |t: usize| (0..classes).map(|j| q(t, j) * p[j]).sum::<f64>();
            let all: f64 = (0..classes).map(|t| p[t] * dot(t)).sum();
            if q(t, t) > 0.0 {
                let others: f64 = (0..classes).filter(|j| *j != t).map(|j| q(t, j) * p[j]).sum();
                p[t] = (all - others) / q(t, t);
                let sum: f64 = p.iter().sum();
                p.iter_mut().for_each(|value| *value /= sum);
            }
        }
        p
    }

    #[test]
    fn a_quadratic_program_gives_the_same() {
        let golden = golden();
        assert!(golden.programs.len() >= 20);
        for Case { classes, second, probability } in golden.programs {
            let off = distance(&coupled(classes, &second), &probability);
            assert!(off < 1e-9, "{second:?}: off by {off:e}");
            // A companion: a pair that is off by a hundredth is noticed, unless both of its classes
            // are all but ruled out by the others.
            let pairs = (0..classes).flat_map(|a| (a + 1..classes).map(move |b| (a, b)));
            for (pair, (a, b)) in pairs.enumerate() {
                if probability[a].max(probability[b]) < 1e-3 {
                    continue;
                }
                let mut other = second.clone();
                other[pair] += if other[pair] < 0.5 { 0.01 } else { -0.01 };
                let moved = distance(&coupled(classes, &other), &probability);
                assert!(moved > 1e-6, "{second:?}: pair {pair} moves it by {moved:e}");
            }
        }
    }

    #[test]
    fn libsvm_gives_the_same_as_far_as_it_goes() {
        let golden = golden();
        assert!(golden.libsvm.len() >= 20);
        for Case { classes, second, probability } in golden.libsvm {
            let off = distance(&coupled(classes, &second), &probability);
            assert!(off < 0.01, "{second:?}: off by {off:e}");
        }
    }

    #[test]
    fn two_classes_are_left_as_they_are() {
        for p in [0.0, 1e-12, 0.3, 0.5, 1.0] {
            assert!(distance(&coupled(2, &[p]), &[1.0 - p, p]) < 1e-15);
        }
    }

    #[test]
    fn certain_machines_are_believed_and_circles_are_ties() {
        // The last class beats both others.
        assert!(distance(&coupled(3, &[0.5, 1.0, 1.0]), &[0.0, 0.0, 1.0]) < 1e-15);
        // 1 beats 0, 2 beats 1, 0 beats 2.
        let third = 1.0 / 3.0;
        assert!(distance(&coupled(3, &[1.0, 0.0, 1.0]), &[third; 3]) < 1e-15);
        assert_eq!(normalised(vec![0.0; 4]), [0.25; 4]);
        assert_eq!(normalised(vec![-1e-18, 1.0]), [0.0, 1.0]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        #[test]
        fn the_iterative_form_gives_the_same(
            classes in 3usize..7, raw in proptest::collection::vec(0.02f64..0.98, 15),
        ) {
            let second = &raw[..classes * (classes - 1) / 2];
            prop_assert!(distance(&coupled(classes, second), &iterated(classes, second)) < 1e-9);
        }
    }

    proptest! {
        #[test]
        fn probabilities_sum_to_one_and_permute_with_the_classes(
            classes in 2usize..9,
            raw in proptest::collection::vec(prop_oneof![
                4 => 0.0f64..=1.0, 1 => Just(0.0), 1 => Just(1.0), 1 => Just(1e-300),
            ], 36),
            shift in 1usize..8,
        ) {
            let second = &raw[..classes * (classes - 1) / 2];
            let p = coupled(classes, second);
            prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            prop_assert!(p.iter().all(|p| (0.0..=1.0).contains(p)));
            // Class i is called (i + shift) mod classes.
            let pairs: Vec<(usize, usize)> =
                (0..classes).flat_map(|a| ((a + 1)..classes).map(move |b| (a, b))).collect();
            let to = |i: usize| (i + shift) % classes;
            let mut moved = vec![0.0; second.len()];
            for (&(a, b), &of_b) in pairs.iter().zip(second) {
                let (x, y) = (to(a), to(b));
                let at = pairs.iter().position(|pair| *pair == (x.min(y), x.max(y))).unwrap();
                moved[at] = if x < y { of_b } else { 1.0 - of_b };
            }
            let q = coupled(classes, &moved);
            for i in 0..classes {
                prop_assert!((p[i] - q[to(i)]).abs() < 1e-9, "{p:?} {q:?}");
            }
        }
    }
}
