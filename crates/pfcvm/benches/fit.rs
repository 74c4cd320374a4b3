//! Time of whole fits: RBF over samples and features, linear over many features.
//!
//! `cargo bench -p pfcvm`. Plain clock times: a library for benchmarks would be compiled with
//! every run of the tests.

use pfcvm::{Dataset, Kernel, Matrix, Settings, fit};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Fits of each size; the first, which warms up caches and threads, is not counted.
const FITS: usize = 11;
/// No size takes much longer than this.
const PATIENCE: Duration = Duration::from_secs(5);

/// Two classes, apart by half a deviation each way in the first five columns; sums of uniform
/// deviates are normal enough.
fn data(n: usize, m: usize) -> Dataset {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut normal = || {
        let sum: f64 = (0..12).map(|_| (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64).sum();
        sum - 6.0
    };
    let x = Matrix::from_fn(n, m, |i, k| {
        let mean = if k >= 5 {
            0.0
        } else if i % 2 == 0 {
            0.5
        } else {
            -0.5
        };
        normal() + mean
    });
    Dataset::new(x, (0..n).map(|i| i % 2 == 0).collect()).unwrap()
}

/// Milliseconds of some fits, from the fastest to the slowest.
fn times(data: &Dataset, settings: &Settings) -> Vec<f64> {
    let begin = Instant::now();
    let mut times = Vec::new();
    while times.len() < 2 || (times.len() < FITS && begin.elapsed() < PATIENCE) {
        let start = Instant::now();
        black_box(fit(black_box(data), settings).unwrap());
        times.push(1e3 * start.elapsed().as_secs_f64());
    }
    times.remove(0);
    times.sort_by(f64::total_cmp);
    times
}

fn main() {
    let few = [(100, 20), (100, 200), (400, 20), (400, 200), (1000, 20), (1000, 200)];
    let many = [(60, 2000), (60, 8000)];
    println!("{:<8}{:>10}{:>14}{:>12}{:>12}", "kernel", "size", "fastest, ms", "median", "slowest");
    let cases = few.map(|size| (Kernel::Rbf, size)).into_iter();
    for (kernel, (n, m)) in cases.chain(many.map(|size| (Kernel::Linear, size))) {
        let times = times(&data(n, m), &Settings::new(kernel));
        println!(
            "{:<8}{:>10}{:>14.2}{:>12.2}{:>12.2}",
            format!("{kernel:?}"),
            format!("{n}x{m}"),
            times[0],
            times[times.len() / 2],
            times[times.len() - 1]
        );
    }
}
