//! Which rows train and which test: pure functions of labels, sizes and a seed.
//!
//! Every split lists its rows in ascending order. The same seed gives the same splits on every
//! machine.

use crate::Error;
use crate::error::at_least;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::collections::{BTreeMap, BTreeSet};

/// Rows to learn from and rows to be tested on, ascending; together not always all rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Rows to learn from. Only [`bootstrap`] lists a row twice.
    pub train: Vec<usize>,
    /// Rows to be tested on.
    pub test: Vec<usize>,
}

/// K folds, `repeats` times with other draws; each class is spread evenly over the folds. Splits
/// come fold by fold, repeat by repeat.
///
/// ```
/// let positive = [true, true, false, false, false, false];
/// let splits = pfcvm_eval::stratified_folds(&positive, 2, 3, 7)?;
/// assert_eq!(splits.len(), 6);
/// assert!(splits.iter().all(|split| split.test.iter().filter(|row| positive[**row]).count() == 1));
/// # Ok::<(), pfcvm_eval::Error>(())
/// ```
pub fn stratified_folds<L: Ord>(
    labels: &[L],
    folds: usize,
    repeats: usize,
    seed: u64,
) -> Result<Vec<Split>, Error> {
    at_least("folds", folds, 2)?;
    at_least("repeats", repeats, 1)?;
    let classes = members(labels);
    enough_in(&classes, folds)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut splits = Vec::with_capacity(folds * repeats);
    for _ in 0..repeats {
        let mut fold_of = vec![0; labels.len()];
        // A class goes on where the one before ended, so that fold sizes differ by one at most.
        let mut next = 0;
        for class in &classes {
            let mut rows = class.clone();
            rows.shuffle(&mut rng);
            for row in rows {
                fold_of[row] = next % folds;
                next += 1;
            }
        }
        splits.extend((0..folds).map(|fold| split_where(&fold_of, |of| *of == fold)));
    }
    Ok(splits)
}

/// Each row tested once, by what all the others teach.
pub fn leave_one_out<L: Ord>(labels: &[L]) -> Result<Vec<Split>, Error> {
    // Without one of its rows a class must still be there.
    enough_in(&members(labels), 2)?;
    let rows: Vec<usize> = (0..labels.len()).collect();
    Ok(rows.iter().map(|left_out| split_where(&rows, |row| row == left_out)).collect())
}

/// `repeats` draws of `per_class` rows of each class to learn from; all others are tested on.
pub fn hold_out<L: Ord>(
    labels: &[L],
    per_class: usize,
    repeats: usize,
    seed: u64,
) -> Result<Vec<Split>, Error> {
    at_least("rows per class", per_class, 1)?;
    at_least("repeats", repeats, 1)?;
    let classes = members(labels);
    enough_in(&classes, per_class + 1)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let draw = |_| {
        let mut trains = vec![false; labels.len()];
        for class in &classes {
            let mut rows = class.clone();
            rows.shuffle(&mut rng);
            rows[..per_class].iter().for_each(|row| trains[*row] = true);
        }
        split_where(&trains, |trains| !trains)
    };
    Ok((0..repeats).map(draw).collect())
}

/// `repeats` samples with replacement, as many rows of each class as there are; rows not drawn are
/// tested on. Draws that leave nothing to test on are made again.
pub fn bootstrap<L: Ord>(labels: &[L], repeats: usize, seed: u64) -> Result<Vec<Split>, Error> {
    at_least("repeats", repeats, 1)?;
    let classes = members(labels);
    enough_in(&classes, 2)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut draw = || loop {
        let mut train: Vec<usize> = Vec::with_capacity(labels.len());
        for class in &classes {
            train.extend((0..class.len()).map(|_| class[rng.random_range(0..class.len())]));
        }
        train.sort_unstable();
        let drawn = |row: &usize| train.binary_search(row).is_ok();
        let test: Vec<usize> = (0..labels.len()).filter(|row| !drawn(row)).collect();
        if !test.is_empty() {
            return Split { train, test };
        }
    };
    Ok((0..repeats).map(|_| draw()).collect())
}

/// One split per group (a subject, say), which is tested by what all other groups teach. Groups
/// come in the order of their names.
pub fn leave_group_out<L: Ord, G: Ord>(labels: &[L], groups: &[G]) -> Result<Vec<Split>, Error> {
    let mut names: BTreeMap<&G, usize> = groups.iter().map(|group| (group, 0)).collect();
    at_least("groups", names.len(), 2)?;
    names.values_mut().enumerate().for_each(|(number, value)| *value = number);
    let group_of: Vec<usize> = groups.iter().map(|group| names[group]).collect();
    let classes = BTreeSet::from_iter(labels).len();
    (0..names.len())
        .map(|group| {
            let split = split_where(&group_of, |of| *of == group);
            match BTreeSet::from_iter(split.train.iter().map(|&row| &labels[row])).len() {
                0 | 1 => Err(Error::OneClassLeft { group }),
                left if left < classes => Err(Error::ClassGone { group }),
                _ => Ok(split),
            }
        })
        .collect()
}

/// A split with all its rows to learn from, with half of them, with a quarter and so on, the fewest last;
/// each class is halved on its own and keeps at least `least` rows, and each part is a part of the one
/// before. The rows to be tested on stay.
pub fn halvings<L: Ord>(labels: &[L], split: &Split, least: usize, seed: u64) -> Vec<Split> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut classes: BTreeMap<&L, Vec<usize>> = BTreeMap::new();
    for &row in &split.train {
        classes.entry(&labels[row]).or_default().push(row);
    }
    let mut classes: Vec<Vec<usize>> = classes.into_values().collect();
    classes.iter_mut().for_each(|rows| rows.shuffle(&mut rng));
    let mut halvings = vec![split.clone()];
    loop {
        classes.iter_mut().for_each(|rows| rows.truncate(rows.len().div_ceil(2)));
        if classes.iter().any(|rows| rows.len() < least.max(1))
            || classes.iter().all(|rows| rows.len() == 1)
        {
            return halvings;
        }
        let mut train = classes.concat();
        train.sort_unstable();
        halvings.push(Split { train, test: split.test.clone() });
    }
}

/// The rows of each class there is, in the order of the labels.
fn members<L: Ord>(labels: &[L]) -> Vec<Vec<usize>> {
    let mut classes: BTreeMap<&L, Vec<usize>> = BTreeMap::new();
    for (row, label) in labels.iter().enumerate() {
        classes.entry(label).or_default().push(row);
    }
    classes.into_values().collect()
}

fn split_where<T>(values: &[T], tests: impl Fn(&T) -> bool) -> Split {
    let (test, train) = (0..values.len()).partition(|&row| tests(&values[row]));
    Split { train, test }
}

/// Two classes at least, and so many rows of each.
fn enough_in(classes: &[Vec<usize>], needed: usize) -> Result<(), Error> {
    let least = classes.iter().map(Vec::len).min().unwrap_or(0);
    let rows = if classes.len() < 2 { 0 } else { least };
    if rows < needed { Err(Error::SmallClass { rows, needed }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(rows: usize) -> impl Strategy<Value = Vec<bool>> {
        proptest::collection::vec(any::<bool>(), rows)
    }

    proptest! {
        #[test]
        fn folds_test_every_row_once_and_share_the_classes(
            positive in labels(40), folds in 2usize..6, seed in any::<u64>(),
        ) {
            let count = positive.iter().filter(|p| **p).count();
            prop_assume!(count >= folds && 40 - count >= folds);
            let splits = stratified_folds(&positive, folds, 2, seed).unwrap();
            for repeat in splits.chunks(folds) {
                let mut tested: Vec<usize> = repeat.iter().flat_map(|s| s.test.clone()).collect();
                tested.sort_unstable();
                prop_assert_eq!(tested, Vec::from_iter(0..40));
                for split in repeat {
                    let share = split.test.iter().filter(|row| positive[**row]).count();
                    prop_assert!(share.abs_diff(count / folds) <= 1);
                    prop_assert!(split.test.len().abs_diff(40 / folds) <= 1);
                    prop_assert_eq!(split.train.len() + split.test.len(), 40);
                }
            }
            prop_assert_eq!(&splits, &stratified_folds(&positive, folds, 2, seed).unwrap());
        }

        #[test]
        fn held_out_rows_are_never_taught(
            positive in labels(30), per_class in 1usize..8, seed in any::<u64>(),
        ) {
            let count = positive.iter().filter(|p| **p).count();
            prop_assume!(count > per_class && 30 - count > per_class);
            for split in hold_out(&positive, per_class, 3, seed).unwrap() {
                let taught = split.train.iter().filter(|row| positive[**row]).count();
                prop_assert_eq!((taught, split.train.len()), (per_class, 2 * per_class));
                prop_assert!(split.train.iter().all(|row| !split.test.contains(row)));
            }
            for split in bootstrap(&positive, 3, seed).unwrap() {
                let taught = split.train.iter().filter(|row| positive[**row]).count();
                prop_assert_eq!((taught, split.train.len()), (count, 30));
                prop_assert!(split.train.iter().all(|row| !split.test.contains(row)));
                prop_assert!(!split.test.is_empty());
            }
        }
    }

    #[test]
    fn one_row_or_one_group_is_left_out() {
        let positive = [true, false, true, false];
        let splits = leave_one_out(&positive).unwrap();
        assert_eq!(splits[2], Split { train: vec![0, 1, 3], test: vec![2] });
        let splits = leave_group_out(&positive, &["b", "b", "a", "a"]).unwrap();
        assert_eq!(splits[0], Split { train: vec![0, 1], test: vec![2, 3] });
        assert_eq!(splits.len(), 2);
    }

    #[test]
    fn halves_are_parts_of_each_other_and_keep_the_classes() {
        let labels: Vec<usize> = (0..50).map(|row| row % 5 / 4).collect();
        let split = &stratified_folds(&labels, 5, 1, 3).unwrap()[0];
        let parts = halvings(&labels, split, 2, 8);
        let sizes: Vec<usize> = parts.iter().map(|part| part.train.len()).collect();
        assert_eq!(sizes, [40, 20, 10]);
        for pair in parts.windows(2) {
            assert_eq!(pair[0].test, pair[1].test);
            assert!(pair[1].train.iter().all(|row| pair[0].train.contains(row)));
        }
        let few = parts[2].train.iter().filter(|row| labels[**row] == 1).count();
        assert_eq!(few, 2);
        assert_eq!(parts, halvings(&labels, split, 2, 8));
        assert_eq!(halvings(&labels, split, 100, 8), std::slice::from_ref(split));
    }

    #[test]
    fn any_number_of_classes_is_spread_evenly() {
        let labels: Vec<usize> = (0..33).map(|row| row % 3).collect();
        for split in stratified_folds(&labels, 4, 2, 9).unwrap() {
            for class in 0..3 {
                let count = split.test.iter().filter(|row| labels[**row] == class).count();
                assert!(count == 2 || count == 3);
            }
        }
        let split = &hold_out(&labels, 5, 1, 9).unwrap()[0];
        assert_eq!((split.train.len(), split.test.len()), (15, 18));
        let groups: Vec<usize> = labels.iter().map(|label| usize::from(*label == 2)).collect();
        assert_eq!(leave_group_out(&labels, &groups), Err(Error::OneClassLeft { group: 0 }));
        assert_eq!(leave_group_out(&labels, &labels), Err(Error::ClassGone { group: 0 }));
    }

    #[test]
    fn what_cannot_be_split_is_refused() {
        let positive = [true, false, false, false];
        let small = Error::SmallClass { rows: 1, needed: 2 };
        assert_eq!(stratified_folds(&positive, 2, 1, 0), Err(small.clone()));
        assert_eq!(leave_one_out(&positive), Err(small.clone()));
        assert_eq!(hold_out(&positive, 1, 1, 0), Err(small.clone()));
        assert_eq!(bootstrap(&positive, 1, 0), Err(small));
        let folds = stratified_folds(&positive, 1, 1, 0).unwrap_err();
        assert_eq!(folds.to_string(), "folds: 1 given, at least 2 needed");
        let left = leave_group_out(&positive, &[0, 1, 1, 1]);
        assert_eq!(left, Err(Error::OneClassLeft { group: 0 }));
        assert!(leave_group_out(&positive, &[5, 5, 5, 5]).is_err());
        assert!(stratified_folds::<bool>(&[], 2, 1, 0).is_err());
    }
}
