//! Which samples may enter the basis, and what the fit will need in memory.

use crate::basis::{BLOCK_ROWS, STORED_BYTES};
use crate::{Dataset, Error, Settings};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// All samples up to `max_basis`; of more, a draw of that many in which both classes have their
/// share. Samples of weight 0 are no candidates.
pub(crate) fn draw(data: &Dataset, max_basis: usize, seed: u64) -> Vec<usize> {
    let weighted = |i: &usize| data.sample_weights()[*i] > 0.0;
    let all: Vec<usize> = (0..data.len()).filter(weighted).collect();
    if all.len() <= max_basis {
        return all;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut positive, mut negative): (Vec<usize>, Vec<usize>) =
        all.iter().partition(|&&i| data.positive()[i]);
    positive.shuffle(&mut rng);
    negative.shuffle(&mut rng);
    let share = max_basis as f64 * positive.len() as f64 / all.len() as f64;
    let from_positive = (share.round() as usize).clamp(1, max_basis - 1);
    let mut drawn: Vec<usize> = positive.into_iter().take(from_positive).collect();
    drawn.extend(negative.into_iter().take(max_basis - from_positive));
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
