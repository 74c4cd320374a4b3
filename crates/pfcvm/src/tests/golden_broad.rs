//! The machine of all features against the slow transcription (`reference/slow_broad.py`), which works with
//! covariances of rows by rows: evidence, width and scale, decision values.

use super::common::{assert_close, golden, indices, numbers, table};
use super::point::kernel;
use crate::algebra::Work;
use crate::broad::{Settled, Shape, Space, learn, shape, shape_rows, spread_out};
use crate::posterior::{Classes, Likelihood};
use crate::{Kernel, Matrix};
use serde_json::Value;

const FILES: [&str; 8] = [
    "broad_rbf.json",
    "broad_rbf_samples.json",
    "broad_linear_tall.json",
    "broad_linear_wide.json",
    "broad_linear_samples.json",
    "broad_rbf_three.json",
    "broad_rbf_three_many.json",
    "broad_linear_three_wide.json",
];
/// The kernel among the samples has a condition number of up to 1e8, and so have both routes to f.
const TOLERANCE: f64 = 1e-6;

struct Case {
    name: &'static str,
    file: Value,
    x: Matrix,
    likelihood: Classes,
    kernel: Kernel,
    shape: Shape,
}

impl Case {
    fn read(name: &'static str) -> Self {
        let file = golden(name);
        let shape = match numbers(&file["shape"])[..] {
            [feature_weight, variance] => Shape { feature_weight, variance },
            _ => panic!("{name}: no shape"),
        };
        let x = Matrix::from_rows(&table(&file["x"]));
        let classes = file["classes"].as_u64().unwrap() as usize;
        let likelihood =
            likelihood(&indices(&file["codes"]), &numbers(&file["row_weights"]), classes);
        Self { name, x, likelihood, kernel: kernel(&file["kernel"]), shape, file }
    }

    /// Of one machine after the other.
    fn expected(&self, key: &str) -> Vec<f64> {
        Matrix::from_rows(&table(&self.file[key])).as_slice().to_vec()
    }

    fn samples(&self) -> Vec<usize> {
        indices(&self.file["samples"])
    }
}

/// Two classes are one machine, which says how likely the second is.
pub(super) fn likelihood(codes: &[usize], weights: &[f64], classes: usize) -> Classes {
    let machine = |k: usize| Likelihood {
        signs: codes.iter().map(|code| if *code == k { 1.0 } else { -1.0 }).collect(),
        weights: weights.to_vec(),
    };
    let machines = if classes == 2 { 1..2 } else { 0..classes };
    Classes { machines: machines.map(machine).collect() }
}

fn each(check: impl Fn(Case, &mut Work)) {
    FILES.into_iter().for_each(|name| check(Case::read(name), &mut Work::new(false)));
}

#[test]
fn evidence_of_widths_and_scales() {
    each(|case, work| {
        let rows = shape_rows(&case.likelihood);
        let (x, likelihood) = (case.x.select_rows(&rows), case.likelihood.select(&rows));
        let all: Vec<usize> = (0..x.rows()).collect();
        for expected in table(&case.file["evidence"]) {
            let space = Space::new(&x, &all, case.kernel, expected[0], work).unwrap();
            let settled = Settled::of(&space, None, &likelihood, expected[1], work).unwrap();
            let found = settled.log_evidence(&likelihood, work).unwrap();
            assert_close(case.name, &[found], &expected[2..], TOLERANCE);
        }
    });
}

#[test]
fn the_width_and_the_scale_of_the_largest_evidence() {
    each(|case, work| {
        let (found, _) = shape(&case.x, &case.likelihood, case.kernel, work).unwrap();
        let expected = [case.shape.feature_weight, case.shape.variance];
        assert_close(case.name, &[found.feature_weight, found.variance], &expected, 1e-12);
    });
}

/// f as it is learned, and as the machine that is kept says it of the rows and of new ones.
#[test]
fn decision_values() {
    each(|case, work| {
        let Case { name, x, likelihood, kernel, shape, .. } = &case;
        let space = Space::new(x, &case.samples(), *kernel, shape.feature_weight, work).unwrap();
        let settled = Settled::of(&space, None, likelihood, shape.variance, work).unwrap();
        assert_close(name, &settled.mode.f, &case.expected("decision"), TOLERANCE);
        let kept: Vec<_> =
            settled.mode.u.iter().map(|u| space.machine(u, *kernel, *shape, work)).collect();
        let new = Matrix::from_rows(&table(&case.file["new_rows"]));
        for (rows, key) in [(x, "decision"), (&new, "decision_of_new")] {
            let found: Vec<f64> =
                kept.iter().flat_map(|machine| machine.decision(rows, work)).collect();
            assert_close(&format!("{name} {key}"), &found, &case.expected(key), TOLERANCE);
        }
        if case.samples().len() == x.rows() {
            let learned = learn(x, likelihood, *kernel, (*shape, None), work).unwrap();
            assert_eq!(learned.machines(*kernel, *shape, work), kept, "{name}");
        }
    });
}

/// Every class in proportion, evenly over the order of the rows: of some, and of all.
#[test]
fn rows_that_stand_for_all() {
    each(|case, _| {
        let samples = case.samples();
        assert_eq!(spread_out(&case.likelihood, samples.len()), samples, "{}", case.name);
        let fewer = samples.len() < case.x.rows();
        assert_eq!(fewer, case.name.contains("samples"), "{}", case.name);
    });
}
