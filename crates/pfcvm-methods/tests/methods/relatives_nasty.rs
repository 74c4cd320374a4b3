//! Inputs nobody would wish for: each gives a refusal with a sentence or finite decisions and
//! probabilities.

use crate::common::{circle, spread};
use pfcvm::{Dataset, Matrix};
use pfcvm_methods::relatives::{Error, Inputs, Prediction, epcvm, jcfo, pcvm, pfcvm_em, rsfm, rvm};

type Method = (String, Box<dyn Fn(&Dataset, &Matrix) -> Result<Prediction, Error>>);

fn methods() -> Vec<Method> {
    let mut methods: Vec<Method> = Vec::new();
    for kernel in ["rbf", "linear", "poly:3"] {
        let inputs = Inputs { kernel: kernel.parse().unwrap(), ..Inputs::default() };
        for algorithm in [rvm::Algorithm::Fast, rvm::Algorithm::Batch] {
            for bias in [true, false] {
                let settings = rvm::Settings {
                    inputs: inputs.clone(),
                    algorithm,
                    bias,
                    max_iterations: 300,
                    ..rvm::Settings::default()
                };
                let fit =
                    move |data: &Dataset, x: &Matrix| rvm::fit(data, &settings)?.model.predict(x);
                methods.push((format!("rvm {algorithm:?} {kernel} {bias}"), Box::new(fit)));
            }
        }
    }
    for base in [rsfm::Settings::batch(), rsfm::Settings::incremental()] {
        for kernel in ["rbf", "linear", "poly:3"] {
            let inputs = Inputs { kernel: kernel.parse().unwrap(), ..Inputs::default() };
            let settings = rsfm::Settings { inputs, ..base.clone() };
            let name = format!("rsfm {:?} {kernel}", settings.algorithm);
            let fit =
                move |data: &Dataset, x: &Matrix| rsfm::fit(data, &settings)?.model.predict(x);
            methods.push((name, Box::new(fit)));
        }
    }
    for algorithm in [
        epcvm::Algorithm::Batch("exact".parse().unwrap()),
        epcvm::Algorithm::Batch("sigmoid:5".parse().unwrap()),
        epcvm::Algorithm::Incremental,
    ] {
        for kernel in ["rbf", "linear", "poly:3"] {
            let inputs = Inputs { kernel: kernel.parse().unwrap(), ..Inputs::default() };
            let settings = epcvm::Settings { inputs, algorithm, ..epcvm::Settings::default() };
            let fit =
                move |data: &Dataset, x: &Matrix| epcvm::fit(data, &settings)?.model.predict(x);
            methods.push((format!("epcvm {algorithm:?} {kernel}"), Box::new(fit)));
        }
    }
    for (kernel, restarts) in [("rbf", 2), ("linear", 1), ("poly:3", 1)] {
        let inputs = Inputs { kernel: kernel.parse().unwrap(), ..Inputs::default() };
        let settings = pcvm::Settings { inputs, restarts, ..pcvm::Settings::default() };
        let fit = move |data: &Dataset, x: &Matrix| pcvm::fit(data, &settings)?.model.predict(x);
        methods.push((format!("pcvm {kernel}"), Box::new(fit)));
        let inputs = Inputs { kernel: kernel.parse().unwrap(), ..Inputs::default() };
        let settings = pfcvm_em::Settings { inputs, ..pfcvm_em::Settings::default() };
        let fit =
            move |data: &Dataset, x: &Matrix| pfcvm_em::fit(data, &settings)?.model.predict(x);
        methods.push((format!("pfcvm-em {kernel}"), Box::new(fit)));
        for rate in [1e-3, 0.5, 50.0] {
            let inputs = Inputs { kernel: kernel.parse().unwrap(), ..Inputs::default() };
            let settings = jcfo::Settings {
                inputs,
                sample_rate: rate,
                feature_rate: rate,
                ..jcfo::Settings::default()
            };
            let fit =
                move |data: &Dataset, x: &Matrix| jcfo::fit(data, &settings)?.model.predict(x);
            methods.push((format!("jcfo {kernel} {rate}"), Box::new(fit)));
        }
    }
    methods
}

fn cases() -> Vec<(&'static str, Dataset)> {
    let circle = circle(40, 3);
    let same = |x: Matrix| Dataset::new(x, circle.positive().to_vec()).unwrap();
    let scaled = |by: f64| {
        same(Matrix::from_fn(40, 3, |i, k| circle.x().get(i, k) * if k == 1 { by } else { 1.0 }))
    };
    let only = |rows: &[usize]| circle.select(rows).unwrap();
    let positive = circle.positive().iter().position(|p| *p).unwrap();
    let negatives: Vec<usize> = (0..40).filter(|&i| !circle.positive()[i]).collect();
    let twice: Vec<usize> = (0..40).chain(0..40).collect();
    let wide = Matrix::from_fn(12, 500, |i, k| spread(i * 31 + 7, k) - 0.5);
    let one_column = Matrix::from_fn(30, 1, |i, _| f64::from(i as u32 % 2));
    vec![
        (
            "constant columns",
            same(Matrix::from_fn(40, 3, |i, k| if k == 0 { spread(i, 0) } else { 7.0 })),
        ),
        ("all constant", same(Matrix::from_fn(40, 2, |_, _| 1.0))),
        ("duplicated samples", only(&twice)),
        ("contradicting labels", {
            let x = circle.x().select_rows(&twice);
            Dataset::new(x, (0..80).map(|i| circle.positive()[i % 40] == (i < 40)).collect())
                .unwrap()
        }),
        ("one sample of a class", only(&[&negatives[..], &[positive]].concat())),
        ("two samples", only(&[negatives[0], positive])),
        ("one class", only(&negatives)),
        ("few samples, many features", {
            Dataset::new(wide, (0..12).map(|i| i % 3 == 0).collect()).unwrap()
        }),
        ("1e150", scaled(1e150)),
        ("1e-150", scaled(1e-150)),
        ("separable", Dataset::new(one_column, (0..30).map(|i| i % 2 == 1).collect()).unwrap()),
        ("one weight of 0", {
            let weights = (0..40).map(|i| if i == 3 { 0.0 } else { 1.0 }).collect();
            circle.clone().with_sample_weights(weights).unwrap()
        }),
        ("unequal weights", {
            let weights = (0..40).map(|i| if i == 3 { 1e9 } else { 1e-9 }).collect();
            circle.clone().with_sample_weights(weights).unwrap()
        }),
    ]
}

#[test]
fn every_method_is_finite_or_refuses() {
    for (name, method) in methods() {
        for (case, data) in cases() {
            let clock = std::time::Instant::now();
            for x in [
                data.x().clone(),
                Matrix::from_fn(3, data.x().cols(), |i, k| [1e150, -1e150, 0.0][(i + k) % 3]),
            ] {
                match method(&data, &x) {
                    Err(refusal) => assert!(refusal.to_string().len() > 20, "{name}, {case}"),
                    Ok(prediction) => {
                        assert_eq!(prediction.decision.len(), x.rows());
                        let finite = prediction.decision.iter().all(|f| f.is_finite());
                        assert!(finite, "{name}, {case}: {:?}", prediction.decision);
                        let sane = prediction.probability.iter().all(|p| (0.0..=1.0).contains(p));
                        assert!(sane, "{name}, {case}: {:?}", prediction.probability);
                    }
                }
            }
            let seconds = clock.elapsed().as_secs_f64();
            assert!(seconds < 20.0, "{name}, {case}: {seconds} s");
        }
    }
}
