//! Linear and second-order cone programs: the only module that names the solver behind them.

use crate::Error;
use crate::stop::{self, wanted};
use clarabel::algebra::CscMatrix;
use clarabel::solver::SupportedConeT::{self, NonnegativeConeT, SecondOrderConeT, ZeroConeT};
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus};

/// Relative and absolute gap, and infeasibility, that end the interior-point steps: the next where
/// one cannot be reached. Programs whose solutions are many lose their digits early.
const TOLERANCES: [f64; 3] = [1e-9, 1e-7, 1e-5];

/// A constant and the factors of variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Affine {
    pub constant: f64,
    pub terms: Vec<(usize, f64)>,
}

impl Affine {
    pub fn new(constant: f64, terms: impl IntoIterator<Item = (usize, f64)>) -> Self {
        Self { constant, terms: terms.into_iter().collect() }
    }
}

/// min costᵀx under constraints on affine functions of x.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    cost: Vec<f64>,
    constants: Vec<f64>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
}

/// Where a program is least.
#[derive(Clone, Debug)]
pub(crate) struct Optimum {
    pub x: Vec<f64>,
    /// One for each affine function, in the order they were given.
    pub multipliers: Vec<f64>,
}

impl Program {
    pub fn new(cost: Vec<f64>) -> Self {
        Self {
            cost,
            constants: Vec::new(),
            rows: Vec::new(),
            columns: Vec::new(),
            values: Vec::new(),
            cones: Vec::new(),
        }
    }

    /// The function is 0.
    pub fn zero(&mut self, function: Affine) {
        self.push(function);
        self.cones.push(ZeroConeT(1));
    }

    /// The function is not below 0.
    pub fn not_negative(&mut self, function: Affine) {
        self.push(function);
        match self.cones.last_mut() {
            Some(NonnegativeConeT(count)) => *count += 1,
            _ => self.cones.push(NonnegativeConeT(1)),
        }
    }

    /// The norm of the others is at most the first.
    pub fn norm_at_most(&mut self, first: Affine, others: impl IntoIterator<Item = Affine>) {
        let before = self.constants.len();
        self.push(first);
        others.into_iter().for_each(|function| self.push(function));
        self.cones.push(SecondOrderConeT(self.constants.len() - before));
    }

    /// The solver's form is Ax + s = b with s in the cones.
    fn push(&mut self, function: Affine) {
        let row = self.constants.len();
        self.constants.push(function.constant);
        for (column, value) in function.terms {
            if value != 0.0 {
                self.rows.push(row);
                self.columns.push(column);
                self.values.push(-value);
            }
        }
    }

    /// Solves by interior points. `method` is named where that fails.
    pub fn solve(self, method: &'static str) -> Result<Optimum, Error> {
        let refused = |reason: String| Error::Solver { method, reason };
        let variables = self.cost.len();
        let matrix = CscMatrix::new_from_triplets(
            self.constants.len(),
            variables,
            self.rows,
            self.columns,
            self.values,
        );
        let none = CscMatrix::zeros((variables, variables));
        let mut last = SolverStatus::Unsolved;
        for tolerance in wanted(TOLERANCES.into_iter()) {
            let settings = DefaultSettings {
                verbose: false,
                max_threads: 1,
                tol_gap_abs: tolerance,
                tol_gap_rel: tolerance,
                tol_feas: tolerance,
                ..DefaultSettings::default()
            };
            let (cost, constants, cones) = (&self.cost, &self.constants, &self.cones);
            let solver = DefaultSolver::new(&none, cost, &matrix, constants, cones, settings);
            let mut solver = solver.map_err(|error| refused(error.to_string()))?;
            solver.set_termination_callback(|_| stop::asked());
            solver.solve();
            let solution = solver.solution;
            last = solution.status;
            match last {
                SolverStatus::Solved | SolverStatus::AlmostSolved => {
                    return Ok(Optimum { x: solution.x, multipliers: solution.z });
                }
                SolverStatus::PrimalInfeasible | SolverStatus::DualInfeasible => break,
                _ => {}
            }
        }
        Err(refused(format!("{last:?}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cone_program_with_a_known_end() {
        // The point of the line x + y = 2 nearest to 0, and the distance.
        let mut program = Program::new(vec![0.0, 0.0, 1.0]);
        program.zero(Affine::new(-2.0, [(0, 1.0), (1, 1.0)]));
        program.norm_at_most(Affine::new(0.0, [(2, 1.0)]), {
            [0, 1].map(|at| Affine::new(0.0, [(at, 1.0)]))
        });
        let optimum = program.solve("test").unwrap();
        for (found, expected) in optimum.x.iter().zip([1.0, 1.0, 2f64.sqrt()]) {
            assert!((found - expected).abs() < 1e-7, "{found}");
        }
    }

    #[test]
    fn what_cannot_be_met_is_refused() {
        let mut program = Program::new(vec![1.0]);
        program.not_negative(Affine::new(-1.0, [(0, 1.0)]));
        program.not_negative(Affine::new(-1.0, [(0, -1.0)]));
        let sentence = program.solve("test").unwrap_err().to_string();
        assert!(sentence.contains("PrimalInfeasible"), "{sentence}");
    }
}
