//! H = JᵀCJ + diag(a) by its two routes, k × k and N × N, and against plain elimination.

use super::common::{Random, assert_close};
use super::point::{solve, symmetric};
use crate::Matrix;
use crate::algebra::{self, Work};
use crate::posterior::{Columns, Precision};

/// A random problem whose prior precisions lie between 10^`low` and 10^`high`.
struct Case {
    j: Matrix,
    c: Vec<f64>,
    a: Vec<f64>,
    g: Vec<f64>,
    rows: Matrix,
}

fn case(seed: u64, n: usize, k: usize, low: f64, high: f64) -> Case {
    let mut random = Random::new(seed);
    Case {
        j: Matrix::from_rows(&random.rows(n, k)),
        c: (0..n).map(|_| 0.01 + 0.24 * random.uniform()).collect(),
        a: (0..k).map(|_| 10f64.powf(low + (high - low) * random.uniform())).collect(),
        g: (0..k).map(|_| random.normal()).collect(),
        rows: Matrix::from_rows(&random.rows(4, k)),
    }
}

impl Case {
    fn routes(&self, work: &mut Work) -> [Precision; 2] {
        let free: Vec<usize> = (0..self.a.len()).collect();
        let gram = self.j.gram(&self.c, &free, work);
        let scaled = self.j.scaled(&self.c, &free, work);
        let dense = Precision::dense(gram, &self.a, work).unwrap();
        [dense, Precision::woodbury(scaled, &self.a, work).unwrap()]
    }

    /// S⁻¹ x: in units of the prior's deviation, where every entry counts alike.
    fn in_units(&self, x: &[f64]) -> Vec<f64> {
        x.iter().zip(&self.a).map(|(x, a)| x * a.sqrt()).collect()
    }
}

/// Precisions of ordinary size: all four results agree by both routes with elimination.
#[test]
fn both_routes_agree_with_elimination() {
    for (seed, n, k) in [(1, 30, 7), (2, 9, 9), (3, 8, 25), (4, 1, 5), (5, 40, 1)] {
        let case = case(seed, n, k, -1.0, 2.0);
        let mut work = Work::new(false);
        let free: Vec<usize> = (0..k).collect();
        let mut h = symmetric(&case.j.gram(&case.c, &free, &mut work));
        (0..k).for_each(|i| h[i][i] += case.a[i]);
        let unit = |i: usize| (0..k).map(|j| f64::from(u8::from(i == j))).collect::<Vec<f64>>();
        let inverse: Vec<Vec<f64>> = (0..k).map(|i| solve(&h, &unit(i))).collect();
        let along = |r: usize| -> f64 {
            let row: Vec<f64> = (0..k).map(|i| case.rows.get(r, i)).collect();
            solve(&h, &row).iter().zip(&row).map(|(x, r)| x * r).sum()
        };
        for precision in case.routes(&mut work) {
            assert_close("solve", &precision.solve(&case.g, &work), &solve(&h, &case.g), 1e-12);
            let log_det = log_determinant(&h);
            assert_close("log_det", &[precision.log_det()], &[log_det], 1e-12);
            let covariance = precision.covariance(&mut work);
            let expected: Vec<f64> = (0..k).map(|i| inverse[i][i]).collect();
            assert_close("variances", &covariance.variances(), &expected, 1e-12);
            let expected: Vec<f64> = (0..4).map(along).collect();
            let found = covariance.variance_along(&case.rows, &mut work);
            assert_close("variance_along", &found, &expected, 1e-12);
        }
    }
}

/// By elimination without pivoting, which a positive definite matrix allows.
fn log_determinant(h: &[Vec<f64>]) -> f64 {
    let mut h = h.to_vec();
    let mut log = 0.0;
    for k in 0..h.len() {
        log += h[k][k].ln();
        for i in k + 1..h.len() {
            let factor = h[i][k] / h[k][k];
            for c in k..h.len() {
                let top = h[k][c];
                h[i][c] -= factor * top;
            }
        }
    }
    log
}

/// Precisions from 1e-8 to 1e12 in one problem. Where the data determine a weight, its variance
/// is a small difference for Woodbury (prior 1e8 less nearly all of it): there only 16 − 8 digits
/// of the prior remain, which is the tolerance.
#[test]
fn both_routes_agree_for_precisions_far_apart() {
    for (seed, n, k) in [(11, 30, 7), (12, 9, 9), (13, 8, 25), (14, 60, 40), (15, 40, 60)] {
        let case = case(seed, n, k, -8.0, 12.0);
        let mut work = Work::new(false);
        let [dense, woodbury] = case.routes(&mut work);
        assert_eq!(work.jitter, 0.0, "well conditioned once scaled");

        let (d, w) = (dense.log_det(), woodbury.log_det());
        assert!((d - w).abs() < 1e-6 * d.abs().max(1.0), "log_det {d} {w}");

        let (d, w) = (dense.covariance(&mut work), woodbury.covariance(&mut work));
        for (i, (d, w)) in d.variances().iter().zip(w.variances()).enumerate() {
            let prior = 1.0 / case.a[i];
            assert!(*d > 0.0 && *d <= prior * (1.0 + 1e-9), "variance {d} of {prior}");
            assert!((d - w).abs() <= 1e-7 * d + 1e-10 * prior, "variance {i}: {d:e} {w:e}");
        }
        // Along rows: in all, 1/a of the softest direction sets the scale of the rounding.
        let softest = case.a.iter().fold(f64::INFINITY, |m, a| m.min(*a));
        let (d, w) =
            (d.variance_along(&case.rows, &mut work), w.variance_along(&case.rows, &mut work));
        for (d, w) in d.iter().zip(&w) {
            assert!((d - w).abs() <= 1e-6 * d + 1e-10 / softest, "along: {d:e} {w:e}");
        }
        let (d, w) = (dense.solve(&case.g, &work), woodbury.solve(&case.g, &work));
        let (d, w) = (case.in_units(&d), case.in_units(&w));
        let largest = d.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        for (d, w) in d.iter().zip(&w) {
            assert!((d - w).abs() <= 1e-6 * largest, "solve: {d:e} {w:e}");
        }
    }
}

/// `Precision::new` works in the smaller space, and over the columns it is told.
#[test]
fn the_smaller_space_is_chosen() {
    let case = case(21, 10, 14, -1.0, 1.0);
    let mut work = Work::new(false);
    for free in [vec![0, 3, 13], (0..10).collect(), (0..14).collect()] {
        let a: Vec<f64> = free.iter().map(|&i| case.a[i]).collect();
        let precision = Precision::new(&case.j, &case.c, &free, a.clone(), &mut work).unwrap();
        assert_eq!(matches!(precision, Precision::Dense { .. }), free.len() <= 10);
        let mut h = symmetric(&case.j.gram(&case.c, &free, &mut work));
        (0..free.len()).for_each(|i| h[i][i] += a[i]);
        let g: Vec<f64> = free.iter().map(|&i| case.g[i]).collect();
        assert_close("solve", &precision.solve(&g, &work), &solve(&h, &g), 1e-12);
    }
}

/// I + v vᵀ of every size, where 1 is below the rounding of the rest: the least jitter that counts
/// helps, and what is solved is what was asked.
#[test]
fn a_little_jitter_is_enough_at_any_size() {
    for n in [6, 10, 17, 33, 60, 130, 300] {
        let v = Matrix::from_rows(&Random::new(n as u64).rows(n, 3));
        let entry = |i: usize, j: usize| {
            let sum: f64 = (0..3).map(|k| v.get(i, k) * v.get(j, k)).sum();
            1e17 * sum + f64::from(u8::from(i == j))
        };
        let matrix = Matrix::from_fn(n, n, entry);
        let mut work = Work::new(false);
        let factor = algebra::Cholesky::new(matrix.clone(), &mut work)
            .unwrap_or_else(|| panic!("{n} x {n} refused"));
        assert!(work.jitter <= 1e-10, "{n}: {:e}", work.jitter);
        // v lies where the matrix is large.
        let x = factor.solve(v.column(0));
        let back = algebra::times_vector(&matrix, &x, &work);
        assert_close(&format!("{n}"), &back, v.column(0), 1e-6);
    }
}

/// A matrix that rounding has made indefinite gets its jitter reported; one that is not finite
/// is refused.
#[test]
fn jitter_is_reported_and_infinities_refused() {
    let mut work = Work::new(false);
    let singular = Matrix::from_fn(4, 4, |_, _| 1.0);
    let factor = algebra::Cholesky::new(singular, &mut work).unwrap();
    assert!(work.jitter > 0.0 && work.jitter < 1e-6, "{}", work.jitter);
    assert!(factor.solve(&[1.0, 0.0, 0.0, 0.0]).iter().all(|v| v.is_finite()));
    let mut broken = Matrix::from_fn(3, 3, |i, j| f64::from(u8::from(i == j)));
    broken.set(1, 1, f64::INFINITY);
    assert!(algebra::Cholesky::new(broken.clone(), &mut work).is_none());
    broken.set(1, 1, 1.0);
    broken.set(2, 0, f64::NAN);
    assert!(algebra::Cholesky::new(broken, &mut work).is_none());
}
