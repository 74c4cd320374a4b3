//! The same bits for any number of threads, over odd shapes above the size from which threads are
//! used.

use super::common::{Random, assert_close};
use crate::Matrix;
use crate::algebra::{
    Cholesky, Work, add_gram, outer_gram, product, product_nt, product_tn, times_vector,
    transpose_times_vector,
};

/// What `run` gives in pools of 1 to 4 threads must not differ in a single bit.
#[track_caller]
fn same_bits(what: &str, run: impl Fn(&mut Work) -> Vec<f64> + Send + Sync) {
    let in_pool = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&mut Work::new(true)))
    };
    let one = in_pool(1);
    let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    for threads in 2..=4 {
        assert!(bits(&in_pool(threads)) == bits(&one), "{what}: {threads} threads differ");
    }
    // The plain route, in case every pool falls for the same thing.
    assert_close(what, &run(&mut Work::new(false)), &one, 1e-11);
}

fn random(seed: u64, rows: usize, cols: usize) -> Matrix {
    let mut random = Random::new(seed);
    let values = (0..rows * cols).map(|_| random.uniform() - 0.5).collect();
    Matrix::from_column_major(rows, cols, values)
}

#[test]
fn products() {
    for (m, n, k) in
        [(271, 277, 281), (7001, 3, 1003), (3, 1511, 4603), (1999, 2003, 5), (17, 13, 90_007)]
    {
        let what = format!("{m} x {n} x {k}");
        let (a, b) = (random(1, m, k), random(2, k, n));
        same_bits(&what, |work| product(&a, &b, work).as_slice().to_vec());
        let b = random(2, n, k);
        same_bits(&what, |work| product_nt(&a, &b, work).as_slice().to_vec());
        let (a, b) = (random(3, k, m), random(4, k, n));
        same_bits(&what, |work| product_tn(&a, &b, work).as_slice().to_vec());
    }
}

#[test]
fn gram_matrices() {
    for (n, k) in [(353, 359), (4099, 101), (200_003, 15), (67, 811)] {
        let a = random(5, n, k);
        same_bits(&format!("gram {n} x {k}"), |work| {
            let mut gram = Matrix::zeros(k, k);
            add_gram(&mut gram, &a, work);
            gram.as_slice().to_vec()
        });
        let a = random(6, k, n);
        same_bits(&format!("outer gram {k} x {n}"), |work| {
            outer_gram(&a, work).as_slice().to_vec()
        });
    }
}

#[test]
fn vectors() {
    for (n, k) in [(1031, 1033), (255, 4001), (4001, 257), (300_007, 5)] {
        let a = random(7, n, k);
        let (v, r) = (random(8, k, 1), random(9, n, 1));
        let what = format!("{n} x {k}");
        same_bits(&what, |work| times_vector(&a, v.as_slice(), work));
        same_bits(&what, |work| transpose_times_vector(&a, r.as_slice(), work));
    }
}

#[test]
fn factorisations() {
    for n in [499, 643] {
        let half = random(10, 700, n);
        let matrix = {
            let mut gram = Matrix::from_fn(n, n, |i, j| f64::from(u8::from(i == j)));
            add_gram(&mut gram, &half, &mut Work::new(false));
            gram
        };
        let b = random(11, n, 301);
        same_bits(&format!("Cholesky {n}"), |work| {
            let factor = Cholesky::new(matrix.clone(), work).unwrap();
            assert_eq!(work.jitter, 0.0);
            let mut all = vec![factor.log_det()];
            all.extend(factor.solve(b.column(0)));
            all.extend_from_slice(factor.half_solve(&b, work).as_slice());
            all.extend_from_slice(factor.inverse_factor(work).as_slice());
            all
        });
    }
}

/// A row has the same products alone, among few and among many, so that a prediction does not depend
/// on how many rows come together.
#[test]
fn rows_do_not_depend_on_those_beside_them() {
    const ROWS: usize = 150;
    for (k, n) in [(1, 5), (3, 7), (5, 40), (33, 1), (100, 100), (700, 30), (1500, 101)] {
        let (all, mut work) = (random(1, ROWS, k), Work::new(false));
        let (b, v) = (random(2, k, n), random(3, k, 1));
        let turned = Matrix::from_fn(n, k, |i, j| b.get(j, i));
        let products = |x: &Matrix, work: &mut Work| {
            let vector = times_vector(x, v.column(0), work);
            let vector = Matrix::from_column_major(x.rows(), 1, vector);
            product(x, &b, work)
                .append_columns(&product_nt(x, &turned, work))
                .append_columns(&vector)
        };
        let whole = products(&all, &mut work);
        for count in [1, 2, 3, 5, 8, 17, 64, 127] {
            for start in [0, 11, ROWS - count] {
                let part = products(&all.row_range(start, start + count), &mut work);
                let bits = |m: &Matrix, i: usize| {
                    (0..m.cols()).map(|j| m.get(i, j).to_bits()).collect::<Vec<_>>()
                };
                let differs = (0..count).find(|&i| bits(&part, i) != bits(&whole, start + i));
                assert_eq!(differs, None, "{count} rows from {start}, {k} x {n}");
            }
        }
    }
}
