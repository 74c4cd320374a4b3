//! Which samples may enter a basis.

use super::Dataset;
use crate::Kernel;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// With more rows than `max_basis` never fewer candidates than this (or than `max_basis`).
const LEAST: usize = 500;

/// How many of `rows` samples may enter the basis of so many machines: all up to `max_basis` for one
/// machine. Of more, so many that rows × candidates², the cost of an iteration, stays what it is at
/// `max_basis` rows; half of that for several machines together.
fn size(rows: usize, max_basis: usize, machines: usize) -> usize {
    let most = max_basis as f64;
    let times = if machines > 1 { 2 * machines } else { 1 };
    let affordable = (most * most * most / rows.saturating_mul(times) as f64).sqrt() as usize;
    affordable.max(LEAST.min(max_basis)).min(rows)
}

/// In curved kernels one takes part of so many that may enter, or so many: a fit begins with few of them, and few
/// fits ask for more (`docs/research.md`).
const ONE_OF_ALLOWED: usize = 3;
pub(crate) const ENOUGH: usize = 300;
/// In the linear kernel as many samples as there are features point in all directions. A third as many do as well, within
/// these bounds.
const STRAIGHT_OF_FEATURES: usize = 3;
const STRAIGHT: (usize, usize) = (60, 300);

/// How many of `rows` samples a fit takes as candidates: all up to what is enough, and never more than may enter.
pub(crate) fn taken(
    (rows, features): (usize, usize),
    kernel: Kernel,
    max_basis: usize,
    machines: usize,
) -> usize {
    let enough = match kernel {
        Kernel::Linear => (features / STRAIGHT_OF_FEATURES).clamp(STRAIGHT.0, STRAIGHT.1),
        _ => (max_basis / ONE_OF_ALLOWED).max(ENOUGH),
    };
    size(rows, max_basis, machines).min(enough)
}

impl Dataset {
    /// The candidates of a fit: enough of those that [may enter](Self::basis_candidates).
    pub(crate) fn enough_candidates(
        &self,
        kernel: Kernel,
        (max_basis, at_most): (usize, usize),
        seed: u64,
    ) -> Vec<usize> {
        let features = self.columns().features();
        self.drawn(seed, |rows, machines| {
            taken((rows, features), kernel, max_basis, machines).min(at_most)
        })
    }

    /// The samples that may enter a basis: all where they are at most `max_basis`; otherwise a draw
    /// in which all classes have their share. Samples of weight 0 are no candidates.
    pub fn basis_candidates(&self, max_basis: usize, seed: u64) -> Vec<usize> {
        self.drawn(seed, |rows, machines| size(rows, max_basis, machines))
    }

    /// As many samples as `size` says for so many that count, and so many machines.
    fn drawn(&self, seed: u64, size: impl Fn(usize, usize) -> usize) -> Vec<usize> {
        let weighted = |i: &usize| self.weights[*i] > 0.0;
        let all: Vec<usize> = (0..self.len()).filter(weighted).collect();
        let size = size(all.len(), if self.classes == 2 { 1 } else { self.classes });
        if all.len() == size {
            return all;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // Every class its share, the largest ones what rounding leaves.
        let mut drawn = Vec::with_capacity(size);
        let mut of_classes: Vec<Vec<usize>> = vec![Vec::new(); self.classes];
        all.iter().for_each(|&i| of_classes[self.class[i]].push(i));
        let (mut left, mut room) = (all.len(), size);
        for class in of_classes.iter_mut().rev().filter(|class| !class.is_empty()) {
            class.shuffle(&mut rng);
            let share = room as f64 * class.len() as f64 / left as f64;
            let most = if left > class.len() { room - 1 } else { room };
            let taken = (share.round() as usize).clamp(1.min(most), most);
            drawn.extend(class.iter().take(taken));
            (left, room) = (left - class.len(), room - taken);
        }
        drawn.sort_unstable();
        drawn
    }
}
