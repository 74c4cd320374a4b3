//! Complementary halves of the samples.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Samples each class needs, so that every half holds one of them.
pub(super) const LEAST_IN_CLASS: usize = 2;

/// `members` sets of rows: each pair splits all rows into two halves, both with half of each class
/// (of an odd number, one more on one side; the classes take turns at which). A row that is all there
/// is of its class, because the others are the same, belongs to both.
pub(super) fn draw(class: &[usize], classes: usize, members: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut halves = Vec::with_capacity(members);
    for _ in 0..members / 2 {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let mut larger_first = true;
        for one in (0..classes).rev() {
            let mut rows: Vec<usize> = (0..class.len()).filter(|&i| class[i] == one).collect();
            if let [only] = rows[..] {
                first.push(only);
                second.push(only);
                continue;
            }
            rows.shuffle(&mut rng);
            let cut = if larger_first { rows.len().div_ceil(2) } else { rows.len() / 2 };
            larger_first = rows.len().is_multiple_of(2);
            second.extend(rows.split_off(cut));
            first.append(&mut rows);
        }
        first.sort_unstable();
        second.sort_unstable();
        halves.push(first);
        halves.push(second);
    }
    halves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_complementary_and_stratified() {
        let class: Vec<usize> = (0..23).map(|i| usize::from(i % 3 == 0)).collect(); // 15 and 8
        let halves = draw(&class, 2, 6, 7);
        assert_eq!(halves.len(), 6);
        for pair in halves.chunks(2) {
            let mut all: Vec<usize> = pair.concat();
            all.sort_unstable();
            assert_eq!(all, (0..23).collect::<Vec<_>>());
            for half in pair {
                let count = half.iter().filter(|&&i| class[i] == 1).count();
                assert_eq!(count, 4);
                assert!(half.len() - count == 7 || half.len() - count == 8);
            }
        }
        assert_ne!(halves[0], halves[2]);
    }

    #[test]
    fn two_odd_classes_give_equal_halves() {
        let class: Vec<usize> = (0..12).map(|i| usize::from(i < 5)).collect();
        let halves = draw(&class, 2, 2, 0);
        assert_eq!((halves[0].len(), halves[1].len()), (6, 6));
    }

    #[test]
    fn a_class_of_one_row_is_in_both_halves() {
        let halves = draw(&[0, 1, 0, 0], 2, 2, 0);
        assert!(halves.iter().all(|half| half.contains(&1)));
        assert_eq!(halves.concat().len(), 5);
    }

    #[test]
    fn every_class_is_split() {
        let class: Vec<usize> = (0..30).map(|i| [0, 1, 2, 2, 3, 3][i % 6]).collect();
        for half in draw(&class, 4, 4, 5) {
            let counts = [0, 1, 2, 3].map(|k| half.iter().filter(|&&i| class[i] == k).count());
            assert!((2..=3).contains(&counts[0]) && (2..=3).contains(&counts[1]), "{counts:?}");
            assert_eq!(counts[2..], [5, 5]);
        }
    }

    #[test]
    fn the_seed_decides() {
        let class: Vec<usize> = (0..20).map(|i| usize::from(i < 9)).collect();
        assert_eq!(draw(&class, 2, 4, 1), draw(&class, 2, 4, 1));
        assert_ne!(draw(&class, 2, 4, 1), draw(&class, 2, 4, 2));
    }
}
