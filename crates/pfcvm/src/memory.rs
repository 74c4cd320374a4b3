//! What a fit will need in memory.

use crate::basis::{BLOCK_ROWS, STORED_BYTES};
use crate::error::Error;
use crate::settings::Settings;

/// Estimated peak memory of a fit in bytes: the data as given and scaled, the kept columns and
/// three matrices of their size (slopes, scaled slopes, a product), the kernel values now and at
/// the weights being tried, the scaled copy of a block, and four n × n matrices.
pub(crate) fn estimate(rows: usize, cols: usize, basis: usize) -> usize {
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
pub(crate) fn check(
    rows: usize,
    cols: usize,
    basis: usize,
    settings: &Settings,
) -> Result<(), Error> {
    let needed_mib = estimate(rows, cols, basis) >> 20;
    match settings.memory_limit_mib {
        Some(limit_mib) if needed_mib > limit_mib => {
            Err(Error::Memory { needed_mib, limit_mib, basis })
        }
        _ => Ok(()),
    }
}
