//! What must hold for every table, list and set of subsets, degenerate ones included.

use pfcvm_eval::*;
use proptest::prelude::*;

/// Scores on a coarse grid, so that there are many ties.
fn tables() -> impl Strategy<Value = Vec<Vec<f64>>> {
    (2..9usize, 2..7usize, 1..12u8).prop_flat_map(|(data_sets, methods, levels)| {
        let score = (0..levels).prop_map(|level| f64::from(level) / 8.0);
        prop::collection::vec(prop::collection::vec(score, methods), data_sets)
    })
}

fn subsets() -> impl Strategy<Value = (Vec<Vec<usize>>, usize)> {
    (2..12usize, 1..9usize).prop_flat_map(|(count, features)| {
        let subset = prop::collection::vec(any::<bool>(), features)
            .prop_map(|held| (0..held.len()).filter(|&at| held[at]).collect::<Vec<_>>());
        (prop::collection::vec(subset, count), Just(features))
    })
}

fn is_probability(p: f64) -> bool {
    (0.0..=1.0).contains(&p)
}

proptest! {
    #[test]
    fn ranks_share_out_the_same_sum(scores in tables()) {
        let k = scores[0].len() as f64;
        for row in ranks(&scores, Better::Higher).unwrap() {
            prop_assert_eq!(row.iter().sum::<f64>(), k * (k + 1.0) / 2.0);
        }
        // Best and worst change places.
        let up = average_ranks(&scores, Better::Higher).unwrap();
        let down = average_ranks(&scores, Better::Lower).unwrap();
        for (up, down) in up.iter().zip(&down) {
            prop_assert!((up + down - (k + 1.0)).abs() < 1e-13);
        }
    }

    #[test]
    fn friedman_is_sound_and_blind_to_order(scores in tables(), turn in 0..7usize) {
        let found = friedman(&scores, Better::Lower).unwrap();
        let (n, k) = (scores.len() as f64, scores[0].len() as f64);
        prop_assert!((0.0..=n * (k - 1.0) * (1.0 + 1e-15)).contains(&found.chi_square));
        prop_assert!(found.iman_davenport.f >= 0.0);
        prop_assert!(is_probability(found.p_value));
        prop_assert!(is_probability(found.iman_davenport.p_value));

        let turn = turn % scores[0].len();
        let mut turned = scores.clone();
        turned.iter_mut().for_each(|row| row.rotate_left(turn));
        turned.reverse();
        let mut expected = found.clone();
        expected.average_ranks.rotate_left(turn);
        prop_assert_eq!(friedman(&turned, Better::Lower).unwrap(), expected);
    }

    #[test]
    fn equal_columns_do_not_differ(column in prop::collection::vec(-1e9..1e9f64, 2..20), methods in 2..9usize) {
        let scores: Vec<Vec<f64>> = column.iter().map(|&score| vec![score; methods]).collect();
        let found = friedman(&scores, Better::Higher).unwrap();
        prop_assert_eq!((found.p_value, found.iman_davenport.p_value), (1.0, 1.0));
        prop_assert_eq!((found.chi_square, found.iman_davenport.f), (0.0, 0.0));
        let pair = wilcoxon(&column, &column).unwrap();
        prop_assert_eq!(pair.p_value, 1.0);
        let none = vec![0.0; column.len()];
        prop_assert_eq!(corrected_resampled_t(&none, 0.1, 0.95).unwrap().p_value, 1.0);
    }

    #[test]
    fn critical_differences_are_ordered(methods in 3..40usize, data_sets in 1..60usize, alpha in 1e-6..0.9f64) {
        let of = |post_hoc, alpha| critical_difference(post_hoc, methods, data_sets, alpha).unwrap();
        let (nemenyi, dunn) = (of(PostHoc::Nemenyi, alpha), of(PostHoc::BonferroniDunn, alpha));
        prop_assert!(nemenyi > 0.0 && nemenyi.is_finite() && dunn > 0.0 && dunn.is_finite());
        // The inequality of Bonferroni for all pairs bounds Nemenyi from above.
        let pairs = (methods * (methods - 1) / 2) as f64;
        let per_pair = alpha * (methods - 1) as f64 / pairs;
        prop_assert!(nemenyi <= of(PostHoc::BonferroniDunn, per_pair) * (1.0 + 1e-12));
        prop_assert!(of(PostHoc::Nemenyi, alpha / 2.0) > nemenyi);
        prop_assert!(of(PostHoc::BonferroniDunn, alpha / 2.0) > dunn);
    }

    #[test]
    fn groups_join_exactly_the_near(ranks in prop::collection::vec(1.0..9.0f64, 0..9), difference in 0.0..9.0f64) {
        let groups = indistinct_groups(&ranks, difference).unwrap();
        for a in 0..ranks.len() {
            for b in 0..ranks.len() {
                let together = groups.iter().any(|group| group.contains(&a) && group.contains(&b));
                let near = (ranks[a] - ranks[b]).abs() < difference;
                prop_assert!(a == b || together == near, "{a} {b} {groups:?}");
            }
        }
        for (at, group) in groups.iter().enumerate() {
            for (other_at, other) in groups.iter().enumerate() {
                let inside = group.iter().all(|method| other.contains(method));
                prop_assert!(at == other_at || !inside, "{groups:?}");
            }
        }
    }

    #[test]
    fn tests_of_pairs_are_sound(pairs in prop::collection::vec((-4..5i8, -4..5i8), 0..70), ratio in 0.0..3.0f64) {
        let (first, second): (Vec<f64>, Vec<f64>) =
            pairs.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
        let (there, back) = (wilcoxon(&first, &second).unwrap(), wilcoxon(&second, &first).unwrap());
        prop_assert!(is_probability(there.p_value));
        prop_assert_eq!(there.p_value, back.p_value);
        prop_assert_eq!(there.positive_rank_sum, back.negative_rank_sum);
        prop_assert_eq!(there.pairs + there.zeros, pairs.len());

        let differences: Vec<f64> = first.iter().zip(&second).map(|(a, b)| a - b).collect();
        match corrected_resampled_t(&differences, ratio, 0.9) {
            Ok(found) => {
                prop_assert!(is_probability(found.p_value) && !found.t.is_nan());
                prop_assert!(found.interval.0 <= found.mean && found.mean <= found.interval.1);
                // The interval leaves out 0 exactly if the test rejects at its level.
                let leaves_out = found.interval.0 > 0.0 || found.interval.1 < 0.0;
                let decided = (found.p_value - 0.1).abs() > 1e-9;
                prop_assert!(!decided || leaves_out == (found.p_value < 0.1));
            }
            Err(_) => prop_assert!(differences.len() < 2),
        }
    }

    #[test]
    fn mcnemar_is_sound(b in 0..5000usize, c in 0..5000usize) {
        let found = mcnemar(b, c);
        prop_assert!(is_probability(found.exact_p_value) && is_probability(found.chi_square_p_value));
        prop_assert_eq!(found, mcnemar(c, b));
        // One more row on the larger side makes it less likely.
        prop_assert!(mcnemar(b.max(c) + 1, b.min(c)).exact_p_value <= found.exact_p_value + 1e-13);
    }

    #[test]
    fn kappa_is_sound(cells in prop::collection::vec(0..20usize, 9)) {
        let table: Vec<Vec<usize>> = cells.chunks(3).map(<[usize]>::to_vec).collect();
        let mirrored: Vec<Vec<usize>> = (0..3).map(|j| (0..3).map(|i| table[i][j]).collect()).collect();
        match cohen_kappa_table(&table, 0.95) {
            Ok(found) => {
                prop_assert!(found.kappa.abs() <= 1.0 && found.standard_error >= 0.0);
                prop_assert!(found.interval.0 <= found.kappa && found.kappa <= found.interval.1);
                let mirror = cohen_kappa_table(&mirrored, 0.95).unwrap();
                prop_assert!((mirror.kappa - found.kappa).abs() < 1e-13);
                // A variance of 0 is a rounding error, and its root is larger.
                prop_assert!((mirror.standard_error - found.standard_error).abs() < 1e-7);
            }
            Err(error) => {
                let rows: usize = cells.iter().sum();
                prop_assert!(rows == 0 || error == Error::OneClass);
            }
        }
    }

    #[test]
    fn stability_is_sound((subsets, features) in subsets()) {
        let found = selection_stability(&subsets, features, 0.95).unwrap();
        let least = -1.0 / (subsets.len() - 1) as f64;
        prop_assert!(least - 1e-12 <= found.stability && found.stability <= 1.0 + 1e-12);
        prop_assert!(found.interval.0 <= found.stability && found.stability <= found.interval.1);
        let same_size = subsets.iter().all(|subset| subset.len() == subsets[0].len());
        if same_size {
            let pearson = mean_pearson(&subsets, features).unwrap();
            prop_assert!((found.stability - pearson).abs() < 1e-12);
        }
        // Every subset twice or the order of subsets turned: the same shares.
        let mut turned = subsets.clone();
        turned.reverse();
        let again = selection_stability(&turned, features, 0.95).unwrap();
        prop_assert!((again.standard_error - found.standard_error).abs() < 1e-12);
    }

    #[test]
    fn average_precision_is_sound(rows in prop::collection::vec((any::<bool>(), 0..6u8), 1..60)) {
        let (truth, score): (Vec<bool>, Vec<f64>) =
            rows.iter().map(|&(truth, score)| (truth, f64::from(score))).unzip();
        let share = truth.iter().filter(|&&t| t).count() as f64 / truth.len() as f64;
        match average_precision(&truth, &score) {
            Ok(found) => {
                prop_assert!(is_probability(found));
                let points = precision_recall_curve(&truth, &score).unwrap();
                let last = points[points.len() - 1];
                prop_assert_eq!((last.precision, last.recall), (share, 1.0));
                prop_assert!(points.windows(2).all(|pair| pair[0].recall <= pair[1].recall));
                prop_assert!(points.windows(2).all(|pair| pair[0].threshold > pair[1].threshold));
            }
            Err(_) => prop_assert_eq!(share, 0.0),
        }
    }
}
