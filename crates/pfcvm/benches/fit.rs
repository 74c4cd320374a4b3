//! Time of whole fits: RBF over samples and features, linear over many features.
//!
//! `cargo bench -p pfcvm`

use criterion::{BenchmarkId, Criterion};
use pfcvm::{Dataset, Kernel, Matrix, Settings, fit};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::hint::black_box;
use std::time::Duration;

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

fn group(criterion: &mut Criterion, name: &str, kernel: Kernel, sizes: &[(usize, usize)]) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10).warm_up_time(Duration::from_millis(100));
    group.measurement_time(Duration::from_secs(2));
    let settings = Settings::new(kernel);
    for &(n, m) in sizes {
        let data = data(n, m);
        group.bench_function(BenchmarkId::from_parameter(format!("{n}x{m}")), |bencher| {
            bencher.iter(|| fit(black_box(&data), &settings).unwrap());
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let sizes = [(100, 20), (100, 200), (400, 20), (400, 200), (1000, 20), (1000, 200)];
    group(&mut criterion, "rbf few", Kernel::Rbf, &sizes);
    group(&mut criterion, "linear", Kernel::Linear, &[(60, 2000), (60, 8000)]);
    criterion.final_summary();
}
