//! Kernel values with a weight θₖ ≥ 0 for every feature, and the M step of these weights, which
//! PFCVM_EM and JCFO share.

use crate::relatives::inputs::Prepared;
use pfcvm::algebra::{Work, times_vector, transpose_times_vector};
use pfcvm::posterior::Precision;
use pfcvm::{Kernel, Matrix};

/// Weights at or below this share of the start are dropped.
const LEAST_SHARE: f64 = 1e-3;
/// One step moves no weight further than by this factor, so that a feature is judged by several
/// estimates of the hidden variables before it goes.
const REACH: f64 = 2.0;
const HALVINGS: usize = 8;

/// Kept samples and features, and the kernel values between all rows and the kept samples.
pub(crate) struct Features {
    kernel: Kernel,
    /// Positions among the varying columns.
    pub kept: Vec<usize>,
    pub theta: Vec<f64>,
    /// All rows, kept features.
    x: Matrix,
    /// Kept samples, kept features.
    z: Matrix,
    pub values: Matrix,
    /// Where the weights started.
    start: f64,
}

impl Features {
    pub fn new(prepared: &Prepared, work: &mut Work) -> Self {
        let theta = prepared.theta.clone();
        Self {
            kernel: prepared.kernel,
            kept: (0..theta.len()).collect(),
            values: prepared.kernel.values(&prepared.x, &prepared.z, &theta, work),
            start: theta[0],
            theta,
            x: prepared.x.clone(),
            z: prepared.z.clone(),
        }
    }

    /// Keeps only the samples at these positions.
    pub fn keep_samples(&mut self, positions: &[usize]) {
        if positions.len() < self.z.rows() {
            self.z = self.z.select_rows(positions);
            self.values = self.values.select_columns(positions);
        }
    }

    /// Σ ρ (target − Kv)² + θᵀBθ.
    fn loss(&self, theta: &[f64], f: &[f64], task: &Task) -> f64 {
        let rows = f.iter().zip(task.target).zip(task.rho);
        let squares: f64 = rows.map(|((f, t), r)| r * (t - f).powi(2)).sum();
        let penalty = theta.iter().zip(task.penalty).map(|(t, b)| b * t * t);
        squares + penalty.sum::<f64>()
    }

    /// Half the negative slope of the loss: Dᵀρ(target − Kv) − Bθ, with D = ∂(Kv)/∂θ.
    fn slope(&self, task: &Task, work: &mut Work) -> (Matrix, Vec<f64>) {
        let slopes = self.kernel.slopes(&self.x, &self.z, &self.theta, &self.values, work);
        let d = self.kernel.derivative(&self.x, &self.z, &slopes, task.v, work);
        let f = times_vector(&self.values, task.v, work);
        let rows = f.iter().zip(task.target).zip(task.rho);
        let residual: Vec<f64> = rows.map(|((f, t), r)| r * (t - f)).collect();
        let mut slope = transpose_times_vector(&d, &residual, work);
        let penalties = self.theta.iter().zip(task.penalty);
        slope.iter_mut().zip(penalties).for_each(|(g, (t, b))| *g -= b * t);
        (d, slope)
    }

    /// One projected Gauss-Newton step on the loss: the direction (DᵀRD + B)⁻¹ times the slope,
    /// halved until the loss falls; where the bounds have bent it too far, the slope over the
    /// diagonal of that matrix, which no bound can turn uphill. Returns the largest change, as a
    /// share of the largest weight.
    pub fn step(&mut self, task: &Task, work: &mut Work) -> f64 {
        let (d, slope) = self.slope(task, work);
        let all: Vec<usize> = (0..self.theta.len()).collect();
        let precision = Precision::new(&d, task.rho, &all, task.penalty.to_vec(), work);
        let newton = precision.map(|precision| precision.solve(&slope, work));
        let curve = |(column, b): (&[f64], &f64)| {
            column.iter().zip(task.rho).map(|(d, r)| r * d * d).sum::<f64>() + b
        };
        let scaled = d.columns().zip(task.penalty).map(curve);
        let scaled: Vec<f64> = slope.iter().zip(scaled).map(|(g, h)| g / h).collect();
        let now = self.loss(&self.theta, &times_vector(&self.values, task.v, work), task);
        for mut direction in newton.into_iter().chain([scaled]) {
            if task.keeps_sum {
                self.keep_sum(&mut direction);
            }
            if direction.iter().all(|d| d.is_finite())
                && let Some(change) = self.search(&direction, now, task, work)
            {
                return change;
            }
        }
        0.0
    }

    /// Takes from a direction what changes Σθ: a part of θ itself.
    fn keep_sum(&self, direction: &mut [f64]) {
        let share = direction.iter().sum::<f64>() / self.theta.iter().sum::<f64>();
        direction.iter_mut().zip(&self.theta).for_each(|(d, t)| *d -= share * t);
    }

    /// Halves a step until the loss is below what it is `now`, and takes it.
    fn search(&mut self, direction: &[f64], now: f64, task: &Task, work: &mut Work) -> Option<f64> {
        let largest = self.theta.iter().fold(0.0f64, |m, t| m.max(*t));
        for halving in 0..HALVINGS {
            let length = 0.5f64.powi(halving as i32);
            let moves = self.theta.iter().zip(direction);
            let theta: Vec<f64> =
                moves.map(|(t, d)| (t + length * d).clamp(t / REACH, t * REACH)).collect();
            let values = self.kernel.values(&self.x, &self.z, &theta, work);
            if self.loss(&theta, &times_vector(&values, task.v, work), task) < now {
                let change = |m: f64, (a, b): (&f64, &f64)| m.max((a - b).abs());
                let change = theta.iter().zip(&self.theta).fold(0.0, change);
                (self.theta, self.values) = (theta, values);
                return Some(change / largest);
            }
        }
        None
    }

    /// Only the products of weights matter to the linear kernel: brings the mean of θ back to where
    /// it started, and gives the factor by which sample weights grow for that.
    pub fn rescale(&mut self) -> f64 {
        if self.kernel != Kernel::Linear || self.theta.is_empty() {
            return 1.0;
        }
        let factor = self.theta.iter().sum::<f64>() / (self.theta.len() as f64 * self.start);
        self.theta.iter_mut().for_each(|t| *t /= factor);
        self.values.as_mut_slice().iter_mut().for_each(|v| *v /= factor);
        factor
    }

    /// Drops the features whose weight is next to nothing. True: some went.
    pub fn drop_small(&mut self, work: &mut Work) -> bool {
        let stay: Vec<usize> =
            (0..self.theta.len()).filter(|&k| self.theta[k] > LEAST_SHARE * self.start).collect();
        if stay.len() == self.theta.len() {
            return false;
        }
        self.kept = stay.iter().map(|&k| self.kept[k]).collect();
        self.theta = stay.iter().map(|&k| self.theta[k]).collect();
        (self.x, self.z) = (self.x.select_columns(&stay), self.z.select_columns(&stay));
        self.values = self.kernel.values(&self.x, &self.z, &self.theta, work);
        true
    }

    /// The weights of all varying features, 0 for those that went.
    pub fn all_weights(&self, count: usize) -> Vec<f64> {
        let mut all = vec![0.0; count];
        self.kept.iter().zip(&self.theta).for_each(|(&k, t)| all[k] = *t);
        all
    }
}

/// What a step is to bring the decision values nearer to.
pub(crate) struct Task<'a> {
    /// Hidden variables less the bias.
    pub target: &'a [f64],
    /// Weights of the rows.
    pub rho: &'a [f64],
    /// Signed weights of the kept samples.
    pub v: &'a [f64],
    /// The diagonal of B.
    pub penalty: &'a [f64],
    /// Whether the scale of θ is none of the step's business.
    pub keeps_sum: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relatives::Inputs;
    use pfcvm::Dataset;

    fn task_data() -> (Dataset, Vec<f64>, Vec<f64>, Vec<f64>) {
        let value =
            |i: usize, k: usize| ((i * 7 + k * 5 + i * i * (k + 1)) % 13) as f64 / 6.0 - 1.0;
        let x = Matrix::from_fn(14, 3, value);
        let data = Dataset::new(x, (0..14).map(|i| i % 3 == 0).collect()).unwrap();
        let target = (0..14).map(|i| value(i, 8)).collect();
        let rho = (0..14).map(|i| 0.5 + (i % 4) as f64 / 3.0).collect();
        let v = (0..14).map(|i| value(i, 4)).collect();
        (data, target, rho, v)
    }

    #[test]
    fn the_slope_is_that_of_central_differences() {
        let (data, target, rho, v) = task_data();
        let penalty = [0.3, 0.0, 2.0];
        let task = Task { target: &target, rho: &rho, v: &v, penalty: &penalty, keeps_sum: false };
        for kernel in ["rbf", "linear", "poly:2"] {
            let inputs = Inputs { kernel: kernel.parse().unwrap(), ..Inputs::default() };
            let prepared = Prepared::new(&data, &inputs).unwrap();
            let mut work = Work::new(false);
            let features = Features::new(&prepared, &mut work);
            let (_, slope) = features.slope(&task, &mut work);
            for k in 0..3 {
                let mut at = |step: f64| {
                    let mut theta = features.theta.clone();
                    theta[k] += step;
                    let values =
                        features.kernel.values(&features.x, &features.z, &theta, &mut work);
                    features.loss(&theta, &times_vector(&values, &v, &work), &task)
                };
                let difference = -0.5 * (at(1e-5) - at(-1e-5)) / 2e-5;
                let scale = slope[k].abs().max(1e-3);
                assert!(
                    (difference - slope[k]).abs() < 1e-5 * scale,
                    "{kernel} {difference} {slope:?}"
                );
                assert!(
                    (difference - 1.01 * slope[k]).abs() > 1e-5 * scale || slope[k].abs() < 1e-3
                );
            }
        }
    }

    #[test]
    fn steps_lower_the_loss_and_stay_positive() {
        let (data, target, rho, v) = task_data();
        let task = Task { target: &target, rho: &rho, v: &v, penalty: &[0.1; 3], keeps_sum: false };
        for kernel in ["rbf", "linear"] {
            let inputs = Inputs { kernel: kernel.parse().unwrap(), ..Inputs::default() };
            let prepared = Prepared::new(&data, &inputs).unwrap();
            let mut work = Work::new(false);
            let mut features = Features::new(&prepared, &mut work);
            let mut last = f64::INFINITY;
            for _ in 0..30 {
                features.step(&task, &mut work);
                let f = times_vector(&features.values, &v, &work);
                let loss = features.loss(&features.theta, &f, &task);
                assert!(loss <= last && features.theta.iter().all(|t| *t > 0.0));
                last = loss;
            }
            let (_, slope) = features.slope(&task, &mut work);
            // What still moves moves towards 0.
            for (g, t) in slope.iter().zip(&features.theta) {
                assert!(
                    g.abs() < 1e-3 || (*g < 0.0 && *t < 1e-3),
                    "{kernel}: {slope:?} {:?}",
                    features.theta
                );
            }
        }
    }
}
