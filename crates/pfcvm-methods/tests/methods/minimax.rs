//! Minimax machines against another solver (reference/make_golden_programs.py), against every
//! plane in two dimensions, and their bound on simulated samples.

use crate::common::{all_close, close, dataset, golden, made, numbers};
use pfcvm::{Dataset, Matrix};
use pfcvm_methods::margin::{Gamma, MarginKernel};
use pfcvm_methods::minimax::{Clusters, MpmSettings, SmpmSettings, mpm, smpm};
use pfcvm_methods::probability::Probability;
use rand::{RngExt, SeedableRng};

fn quiet() -> MpmSettings {
    MpmSettings { probability: Probability::No, ..MpmSettings::default() }
}

fn given(clusters: usize) -> SmpmSettings {
    let clusters = Clusters::Given(clusters);
    SmpmSettings { clusters, common: quiet() }
}

/// Gaussian clouds, as many samples each, in two dimensions: centre, deviations, class.
fn clouds(seed: u64, each: usize, centres: &[([f64; 2], [f64; 2], bool)]) -> Dataset {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut normal = move || {
        // Box and Muller.
        let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
        radius * (std::f64::consts::TAU * rng.random::<f64>()).cos()
    };
    let mut rows = Vec::new();
    let mut positive = Vec::new();
    for (centre, deviation, class) in centres {
        for _ in 0..each {
            rows.push(Vec::from([0, 1].map(|j| centre[j] + deviation[j] * normal())));
            positive.push(*class);
        }
    }
    Dataset::new(Matrix::from_rows(&rows), positive).unwrap()
}

#[test]
fn kappa_and_decisions_are_those_of_another_solver() {
    for case in golden("programs.json")["cases"].as_array().unwrap() {
        let data = dataset(case);
        for program in case["mpm"].as_array().unwrap() {
            let ridge = program["ridge"].as_f64().unwrap();
            let found = mpm::fit(&data, &MpmSettings { ridge, ..quiet() }).unwrap();
            let kappa = program["kappa"].as_f64().unwrap();
            close(found.kappa(), kappa, 1e-7, "kappa");
            close(found.bound(), kappa * kappa / (1.0 + kappa * kappa), 1e-7, "bound");
            let decisions = found.decide(data.x()).unwrap();
            // The solver ends at a gap of 1e-9, which leaves about its root to the plane.
            all_close(&decisions, &numbers(&program["decisions"]), 2e-4, "decision");
        }
    }
}

#[test]
fn one_cluster_a_class_is_the_machine_without_clusters() {
    let rbf = MarginKernel::Rbf(Gamma::Scale(1.0));
    for (data, kernel) in [
        (made(41, 60, 5, 2), MarginKernel::Linear),
        (made(42, 24, 90, 5), MarginKernel::Linear),
        (made(43, 40, 3, 1), rbf),
    ] {
        let one = mpm::fit(&data, &MpmSettings { kernel, ..quiet() }).unwrap();
        let other = smpm::fit(
            &data,
            &SmpmSettings { common: MpmSettings { kernel, ..quiet() }, ..given(1) },
        )
        .unwrap();
        close(other.kappa(), one.kappa(), 1e-5, "kappa");
        assert_eq!(other.clusters(), [1, 1]);
        // The same plane, in another unit.
        let (f, g) = (one.decide(data.x()).unwrap(), other.decide(data.x()).unwrap());
        let unit = f.iter().map(|f| f * f).sum::<f64>()
            / f.iter().zip(&g).map(|(f, g)| f * g).sum::<f64>();
        for (f, g) in f.iter().zip(&g) {
            close(g * unit, *f, 1e-3, "decision");
        }
    }
}

#[test]
fn no_plane_of_two_dimensions_does_better() {
    let data = clouds(
        7,
        40,
        &[
            ([0.0, 0.0], [0.6, 0.3], false),
            ([3.0, 2.5], [0.3, 0.9], false),
            ([1.5, -3.5], [0.8, 0.4], true),
            ([4.5, -1.0], [0.4, 0.4], true),
        ],
    );
    let common = MpmSettings { standardise: false, ridge: 0.0, ..quiet() };
    let settings = SmpmSettings { common, ..given(2) };
    let found = smpm::fit(&data, &settings).unwrap();
    assert_eq!(found.clusters(), [2, 2]);
    // The clouds are far apart: k-means finds them as they were made.
    let moments = Vec::from_iter((0..4).map(|cloud| {
        let rows = Vec::from_iter(cloud * 40..cloud * 40 + 40);
        let mean = |f: &dyn Fn(usize) -> f64| rows.iter().map(|&i| f(i)).sum::<f64>() / 40.0;
        let x = data.x();
        let m = [0, 1].map(|j| mean(&|i| x.get(i, j)));
        let c = |j: usize, k: usize| mean(&|i| (x.get(i, j) - m[j]) * (x.get(i, k) - m[k]));
        (m, [c(0, 0), c(0, 1), c(1, 1)])
    }));
    let mut best = 0.0f64;
    for step in 0..20_000 {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(step) / 20_000.0).sin_cos();
        let projected = Vec::from_iter(moments.iter().map(|(m, c)| {
            let variance = cos * cos * c[0] + 2.0 * sin * cos * c[1] + sin * sin * c[2];
            (cos * m[0] + sin * m[1], variance.sqrt())
        }));
        // The best b lies between one cloud of each class.
        for low in &projected[..2] {
            for high in &projected[2..] {
                let kappa = (high.0 - low.0) / (high.1 + low.1);
                let b = low.0 + kappa * low.1;
                let below = projected[..2].iter().map(|(m, d)| (b - m) / d);
                let above = projected[2..].iter().map(|(m, d)| (m - b) / d);
                best = best.max(below.chain(above).fold(f64::INFINITY, f64::min));
            }
        }
    }
    // The grid of directions is fine to 1e-7 of κ around its top.
    close(found.kappa(), best, 1e-5, "kappa");
}

#[test]
fn the_bound_holds_on_simulated_samples() {
    let centres = [([0.0, 0.0], [1.0, 2.0], false), ([2.5, 1.0], [1.5, 0.5], true)];
    let train = clouds(8, 4000, &centres);
    let found = mpm::fit(&train, &quiet()).unwrap();
    let fresh = clouds(9, 4000, &centres);
    let decisions = found.decide(fresh.x()).unwrap();
    for class in [false, true] {
        let pairs = decisions.iter().zip(fresh.positive()).filter(|(_, p)| **p == class);
        let right = pairs.filter(|(f, _)| (**f >= 0.0) == class).count() as f64 / 4000.0;
        // Gaussians are kinder than the worst case; three standard errors are allowed for.
        assert!(right > found.bound() - 3.0 * (0.25f64 / 4000.0).sqrt(), "{right}");
    }
    // Not by being empty: the bound says something, and the worst distribution comes near it.
    assert!(found.bound() > 0.3, "{}", found.bound());
}

#[test]
fn the_worst_distribution_meets_the_bound() {
    // Three points with mean 0 and variance 1 of which a share 1 / (1 + κ²) lies at −κ.
    let kappa: f64 = 1.5;
    let found = {
        let x = Matrix::from_fn(400, 1, |i, _| {
            let sign = if i % 4 < 2 { -1.0 } else { 1.0 };
            sign * kappa + if i % 2 == 0 { 1.0 } else { -1.0 }
        });
        let data = Dataset::new(x, (0..400).map(|i| i % 4 >= 2).collect()).unwrap();
        mpm::fit(&data, &MpmSettings { ridge: 0.0, ..quiet() }).unwrap()
    };
    close(found.kappa(), kappa, 1e-7, "kappa");
    close(found.bound(), 1.0 - 1.0 / (1.0 + kappa * kappa), 1e-7, "bound");
}

#[test]
fn clusters_are_chosen_where_they_help() {
    // The negative class is three clouds, one far off: as one cloud it is wide in every direction.
    let data = clouds(
        10,
        40,
        &[
            ([-4.0, 0.0], [0.4, 0.4], false),
            ([0.0, -4.0], [0.4, 0.4], false),
            ([-12.0, -12.0], [0.4, 0.4], false),
            ([0.5, 0.5], [0.4, 0.4], true),
        ],
    );
    let one = smpm::fit(&data, &given(1)).unwrap();
    let three = smpm::fit(&data, &given(3)).unwrap();
    assert_eq!((one.clusters()[0], three.clusters()[0]), (1, 3));
    assert!(three.kappa() > 2.0 * one.kappa(), "{} {}", three.kappa(), one.kappa());
    let chosen = SmpmSettings { common: quiet(), ..SmpmSettings::default() };
    let found = smpm::fit(&data, &chosen).unwrap();
    assert!(found.clusters()[0] > 1, "{:?}", found.clusters());
}

#[test]
fn clusters_that_no_plane_parts_are_joined() {
    // In a line, outer, inner, outer.
    let data = clouds(
        11,
        30,
        &[
            ([-4.0, 0.0], [0.3, 0.3], false),
            ([4.0, 0.0], [0.3, 0.3], false),
            ([0.0, 0.5], [0.3, 0.3], true),
            ([0.0, -0.2], [0.3, 0.3], true),
        ],
    );
    assert_eq!(smpm::fit(&data, &given(2)).unwrap().clusters(), [1, 1]);
    let kernel = MarginKernel::Rbf(Gamma::Scale(1.0));
    let curved =
        smpm::fit(&data, &SmpmSettings { common: MpmSettings { kernel, ..quiet() }, ..given(2) })
            .unwrap();
    assert_eq!(curved.clusters(), [2, 2]);
}

#[test]
fn many_features_cost_what_samples_do() {
    let data = made(44, 30, 3000, 8);
    let found = mpm::fit(&data, &quiet()).unwrap();
    assert!(found.kappa() > 0.0 && found.bound() < 1.0);
    let columns = Vec::from_iter((0..3000).rev());
    let turned = Dataset::new(data.x().select_columns(&columns), data.positive().to_vec());
    let other = mpm::fit(&turned.unwrap(), &quiet()).unwrap();
    close(other.kappa(), found.kappa(), 1e-6, "kappa");
}
