//! The machine's own measure, to set a fit's speed beside.

use crate::Matrix;
use crate::algebra::{Work, product};
use std::time::Instant;

/// Best rate of five products of two n × n matrices, in 10⁹ operations per second, with the
/// backend and threads that a fit uses.
pub fn matrix_product_gflops(n: usize) -> f64 {
    let a = Matrix::from_fn(n, n, |i, j| ((i * 7 + j * 13) % 101) as f64 / 101.0);
    let mut work = Work::new(true);
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let clock = Instant::now();
        let c = product(&a, &a, &mut work);
        std::hint::black_box(&c);
        best = best.min(clock.elapsed().as_secs_f64());
    }
    2.0 * (n as f64).powi(3) / best / 1e9
}
