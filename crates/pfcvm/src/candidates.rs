//! Which samples may enter the basis, and what the fit will need in memory.

use crate::basis::{BLOCK_ROWS, STORED_BYTES};
use crate::{Dataset, Error, Settings};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// With more rows than `max_basis` never fewer candidates than this (or than `max_basis`).
const LEAST: usize = 500;

/// How many of `rows` samples may enter the basis: all up to `max_basis`. Of more, so many that
/// rows × candidates², the cost of an iteration, stays what it is at `max_basis` rows.
fn size(rows: usize, max_basis: usize) -> usize {
    if rows <= max_basis {
        return rows;
    }
    let most = max_basis as f64;
    let affordable = (most * most * most / rows as f64).sqrt() as usize;
    affordable.max(LEAST.min(max_basis))
}

/// All samples where they are few enough; otherwise a draw in which both classes have their
/// share. Samples of weight 0 are no candidates.
pub(crate) fn draw(data: &Dataset, max_basis: usize, seed: u64) -> Vec<usize> {
    let weighted = |i: &usize| data.sample_weights()[*i] > 0.0;
    let all: Vec<usize> = (0..data.len()).filter(weighted).collect();
    let size = size(all.len(), max_basis);
    if all.len() == size {
        return all;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut positive, mut negative): (Vec<usize>, Vec<usize>) =
        all.iter().partition(|&&i| data.positive()[i]);
    positive.shuffle(&mut rng);
    negative.shuffle(&mut rng);
    let share = size as f64 * positive.len() as f64 / all.len() as f64;
    let from_positive = (share.round() as usize).clamp(1, size - 1);
    let mut drawn: Vec<usize> = positive.into_iter().take(from_positive).collect();
    drawn.extend(negative.into_iter().take(size - from_positive));
    drawn.sort_unstable();
    drawn
}

/// Estimated peak memory of a fit in bytes: the data as given and scaled, the kept columns and
/// three matrices of their size (slopes, scaled slopes, a product), the kernel values now and at
/// the weights being tried, the scaled copy of a block, and four n × n matrices.
pub(crate) fn memory(rows: usize, cols: usize, basis: usize) -> usize {
    let data = rows.saturating_mul(cols).saturating_mul(6);
    let values = rows.saturating_mul(basis);
    let stored = if values.saturating_mul(8) <= STORED_BYTES { values } else { 0 };
    let block = rows.min(BLOCK_ROWS).saturating_mul(basis);
    let squares = basis.saturating_mul(basis);
    data.saturating_add(stored.saturating_mul(2))
        .saturating_add(block.saturating_mul(2))
        .saturating_add(squares.saturating_mul(4))
        .saturating_mul(8)
}

/// Refuses a fit that would need more memory than allowed, before it starts.
pub(crate) fn check_memory(
    rows: usize,
    cols: usize,
    basis: usize,
    settings: &Settings,
) -> Result<(), Error> {
    let needed_mib = memory(rows, cols, basis) >> 20;
    match settings.memory_limit_mib {
        Some(limit_mib) if needed_mib > limit_mib => {
            Err(Error::Memory { needed_mib, limit_mib, basis })
        }
        _ => Ok(()),
    }
}
