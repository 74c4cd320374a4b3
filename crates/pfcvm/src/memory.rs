//! What a fit will need in memory, before it begins.

use crate::basis::{ABSENT_NUMBERS, BLOCK_ROWS, STORED_BYTES};
use crate::data::taken;
use crate::error::Error;
use crate::matrix::Matrix;
use crate::schedule;
use crate::settings::Settings;
use crate::sparse::Sparse;

/// Estimated peak memory of a fit in bytes, from what there is and what was measured of the program
/// (`docs/reliability.md`): the data in 7 copies (as read, in the order of fits, scaled, the kept columns,
/// their slopes, these scaled, a product); 5 more where there are more features than rows, whose
/// posterior is held in the space of the rows; where several machines share their features 3 for each of
/// them (their slopes, these below each other and scaled); the kernel values now, at the weights being tried and
/// before more samples joined, a scaled block of them, three n × n matrices; and absent features set against the kept ones.
pub(crate) fn estimate(rows: usize, cols: usize, basis: usize, machines: usize) -> usize {
    let wide = cols > rows;
    let copies = if wide { 12 } else { 7 } + if machines > 1 { 3 * machines } else { 0 };
    let data = rows.saturating_mul(cols).saturating_mul(copies);
    let values = rows.saturating_mul(basis);
    let fits = values.saturating_mul(8 * machines) <= STORED_BYTES;
    let stored = if fits { values.saturating_mul(machines) } else { 0 };
    let block = rows.min(BLOCK_ROWS).saturating_mul(basis);
    let squares = basis.saturating_mul(basis);
    let against = cols.saturating_mul(rows.saturating_add(basis)).min(ABSENT_NUMBERS);
    data.saturating_add(stored.saturating_mul(3))
        .saturating_add(block)
        .saturating_add(squares.saturating_mul(3))
        .saturating_add(if wide { against } else { 0 })
        .saturating_mul(8)
}

/// The same of a panel: the data in 5½ copies, on each thread a half of the rows in 7 (as they are, times
/// θ, their slopes, what their posterior is made of), and the weights of all members three times.
pub(crate) fn estimate_panel(rows: usize, cols: usize, members: usize, threads: usize) -> usize {
    let data = rows.saturating_mul(cols).saturating_mul(11_usize.saturating_add(7 * threads)) / 2;
    let weights = cols.saturating_mul(members).saturating_mul(3);
    let squares = rows.saturating_mul(rows).saturating_mul(2 * threads);
    data.saturating_add(weights).saturating_add(squares).saturating_mul(8)
}

/// How many samples are candidates of a fit.
fn basis(rows: usize, cols: usize, machines: usize, settings: &Settings) -> usize {
    match schedule::is_usual(settings) {
        true => {
            let most = schedule::most_candidates(settings, rows, cols);
            taken((rows, cols), settings.kernel, most, machines)
        }
        false => rows.min(settings.max_basis),
    }
}

/// Copies of all data where a fit begins with some of the features: as read, in the order of fits, scaled, and
/// scaled for the machine of all features.
const WHOLE_COPIES: usize = 4;

/// Of a fit on so many rows and columns, of which so many cells are written where that is not all.
fn needed(
    (rows, cols, written): (usize, usize, Option<usize>),
    (basis, machines): (usize, usize),
    settings: &Settings,
) -> usize {
    let Some(begins) = settings.features_to_begin_with(rows, cols) else {
        return estimate(rows, cols, basis, machines);
    };
    let data = bytes((rows, cols, written)).saturating_mul(WHOLE_COPIES);
    estimate(rows, begins, basis, machines).saturating_add(data)
}

/// What the data take once.
fn bytes((rows, cols, written): (usize, usize, Option<usize>)) -> usize {
    match written {
        // A value, and the number of its row.
        Some(written) => written.saturating_mul(12),
        None => rows.saturating_mul(cols).saturating_mul(8),
    }
}

/// How many rows, columns and written cells there are.
pub(crate) fn size(x: &Matrix, cols: usize) -> (usize, usize, Option<usize>) {
    (x.rows(), cols, x.sparse().map(Sparse::written))
}

/// Memory that a fit is foreseen to need, in MiB.
pub fn mib_of_fit(rows: usize, cols: usize, settings: &Settings) -> usize {
    needed((rows, cols, None), (basis(rows, cols, 1, settings), 1), settings) >> 20
}

/// Memory that a panel is foreseen to need on so many threads, in MiB.
pub fn mib_of_panel(rows: usize, cols: usize, members: usize, threads: usize) -> usize {
    estimate_panel(rows, cols, members, threads) >> 20
}

/// Refuses a fit that would need more memory than allowed, before it starts.
pub(crate) fn check(
    size: (usize, usize, Option<usize>),
    (basis, machines): (usize, usize),
    settings: &Settings,
) -> Result<(), Error> {
    let needed_mib = needed(size, (basis, machines), settings) >> 20;
    match settings.memory_limit_mib {
        Some(limit_mib) if needed_mib > limit_mib => {
            Err(Error::Memory { needed_mib, limit_mib, basis })
        }
        _ => Ok(()),
    }
}

/// Fits run side by side where each needs no more memory than this.
const SIDE_BY_SIDE_BYTES: usize = 512 << 20;

/// Whether so many fits may run side by side: as many at once as there are threads, within what is
/// allowed, beside the data as each of them saw them.
pub(crate) fn side_by_side(
    size: (usize, usize, Option<usize>),
    (fits, machines): (usize, usize),
    settings: &Settings,
) -> bool {
    let one = needed(size, (basis(size.0, size.1, machines, settings), machines), settings);
    let at_once = fits.min(rayon::current_num_threads());
    let allowed = settings.memory_limit_mib.map_or(usize::MAX, |mib| mib.saturating_mul(1 << 20));
    let waiting = bytes(size).saturating_mul(fits);
    one < SIDE_BY_SIDE_BYTES && one.saturating_mul(at_once).saturating_add(waiting) <= allowed
}
