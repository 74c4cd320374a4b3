//! Which rows are held out together.

use crate::data::Dataset;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Parts that are held out in turn.
const FOLDS: usize = 5;
/// Samples of each class that must be left to learn from.
const LEAST_LEFT: usize = 2;
/// At most so many copies in all, or so many for each row: beyond it rows are split more coarsely.
const MOST_COPIES: (f64, f64) = (1e4, 5.0);

/// The samples one by one: a row that stands for several is several.
pub(crate) struct Copies {
    /// The row of the data that each copy is one of.
    pub rows: Vec<usize>,
    /// What each counts.
    pub weights: Vec<f64>,
    /// The class of each.
    pub class: Vec<usize>,
    /// How many classes there are.
    pub classes: usize,
}

impl Copies {
    /// Of canonical rows: one of weight 3 is three copies, one of weight 2.6 three of 0.87.
    pub fn of(rows: &Dataset) -> Self {
        let total: f64 = rows.sample_weights().iter().sum();
        let most = MOST_COPIES.0.max(MOST_COPIES.1 * rows.len() as f64);
        let coarser = (total / most).max(1.0);
        let classes = rows.classes();
        let mut all = Self { rows: Vec::new(), weights: Vec::new(), class: Vec::new(), classes };
        for (i, (&weight, &class)) in rows.sample_weights().iter().zip(rows.class()).enumerate() {
            let copies = (weight / coarser).round().max(1.0) as usize;
            all.rows.extend(std::iter::repeat_n(i, copies));
            all.weights.extend(std::iter::repeat_n(weight / copies as f64, copies));
            all.class.extend(std::iter::repeat_n(class, copies));
        }
        all
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether a copy belongs to the positive one of two classes.
    pub fn positive(&self, copy: usize) -> bool {
        self.class[copy] == 1
    }

    /// The copies of one class against all others.
    pub fn one_against_rest(&self, class: usize) -> Self {
        let own = self.class.iter().map(|c| usize::from(*c == class)).collect();
        Self { rows: self.rows.clone(), weights: self.weights.clone(), class: own, classes: 2 }
    }

    /// Copies that are held out together, with a share of all classes in each; nothing where fewer
    /// than two classes have enough of them for anything to be learned from the others.
    pub fn folds(&self, seed: u64) -> Option<Vec<Vec<usize>>> {
        let mut classes: Vec<Vec<usize>> = vec![Vec::new(); self.classes];
        (0..self.len()).for_each(|i| classes[self.class[i]].push(i));
        classes.reverse();
        // Of more than two classes, those of one or two samples are not what it fails for.
        let mut sizes: Vec<usize> = classes.iter().map(Vec::len).collect();
        sizes.sort_unstable();
        let fewest = match self.classes {
            2 => sizes[0],
            several => {
                sizes.iter().copied().find(|n| *n > LEAST_LEFT).unwrap_or(0).min(sizes[several - 2])
            }
        };
        let count = FOLDS.min(fewest);
        if count < 2 || fewest - fewest.div_ceil(count) < LEAST_LEFT {
            return None;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut folds = vec![Vec::new(); count];
        let mut next = 0;
        for class in &mut classes {
            class.shuffle(&mut rng);
            for &copy in class.iter() {
                folds[next % count].push(copy);
                next += 1;
            }
        }
        folds.iter_mut().for_each(|fold| fold.sort_unstable());
        Some(folds)
    }

    /// The rows without the copies of a fold, with what is left of their weights.
    pub fn without(&self, rows: &Dataset, fold: &[usize]) -> Dataset {
        let mut weights = rows.sample_weights().to_vec();
        fold.iter().for_each(|&copy| weights[self.rows[copy]] -= self.weights[copy]);
        let (_, left) = self.left(fold);
        let kept: Vec<usize> = (0..rows.len()).filter(|&i| left[i] > 0).collect();
        rows.weighted(&kept, kept.iter().map(|&i| weights[i]).collect())
    }

    /// What share of each row is left without the copies of a fold.
    pub fn shares_left(&self, fold: &[usize]) -> Vec<f64> {
        let (all, left) = self.left(fold);
        left.iter().zip(all).map(|(left, all)| *left as f64 / all as f64).collect()
    }

    /// How many copies there are of each row, and how many are left without those of a fold.
    fn left(&self, fold: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let mut all = vec![0usize; self.rows.last().map_or(0, |last| last + 1)];
        self.rows.iter().for_each(|&row| all[row] += 1);
        let mut left = all.clone();
        fold.iter().for_each(|&copy| left[self.rows[copy]] -= 1);
        (all, left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;

    fn rows(weights: &[f64], positive: &[bool]) -> Dataset {
        let x = Matrix::from_fn(weights.len(), 1, |i, _| i as f64);
        Dataset::new(x, positive.to_vec()).unwrap().with_sample_weights(weights.to_vec()).unwrap()
    }

    #[test]
    fn a_weight_is_so_many_copies() {
        let copies = Copies::of(&rows(&[1.0, 3.0, 0.2, 2.6], &[true, false, true, false]));
        assert_eq!(copies.rows, [0, 1, 1, 1, 2, 3, 3, 3]);
        assert_eq!(copies.weights[4], 0.2);
        assert!((copies.weights[5..].iter().sum::<f64>() - 2.6).abs() < 1e-15);
    }

    #[test]
    fn folds_part_the_copies_and_both_classes() {
        let positive: Vec<bool> = (0..60).map(|i| i % 4 == 0).collect();
        let data = rows(&[1.0; 60], &positive);
        let copies = Copies::of(&data);
        let folds = copies.folds(3).unwrap();
        let mut all = folds.concat();
        all.sort_unstable();
        assert_eq!(all, (0..60).collect::<Vec<_>>());
        for fold in &folds {
            assert_eq!(fold.len(), 12);
            assert_eq!(fold.iter().filter(|&&i| positive[i]).count(), 3);
            assert_eq!(copies.without(&data, fold).len(), 48);
        }
        assert_ne!(folds, copies.folds(4).unwrap());
    }

    #[test]
    fn a_row_of_many_copies_is_split() {
        let data = rows(&[10.0, 10.0], &[true, false]);
        let copies = Copies::of(&data);
        let folds = copies.folds(0).unwrap();
        assert_eq!(folds.len(), 5);
        for fold in &folds {
            assert_eq!(copies.without(&data, fold).sample_weights(), [8.0, 8.0]);
        }
    }

    #[test]
    fn too_few_of_a_class_cannot_be_parted() {
        assert!(
            Copies::of(&rows(&[1.0; 6], &[true, true, false, false, false, false]))
                .folds(0)
                .is_none()
        );
        let three = Copies::of(&rows(&[1.0; 6], &[true, true, true, false, false, false]));
        assert_eq!(three.folds(0).unwrap().len(), 3);
    }
}
