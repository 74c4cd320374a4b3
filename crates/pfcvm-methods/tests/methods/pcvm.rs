//! The probabilistic classification vector machine as a whole.

use crate::common::circle;
use pfcvm_methods::relatives::pcvm::{self, Settings};
use pfcvm_methods::relatives::{Fit, Inputs};

/// Where nothing was dropped EM cannot lower the posterior.
fn assert_rises(fit: &Fit) -> usize {
    let mut compared = 0;
    for pair in fit.trace.windows(2).filter(|pair| pair[0].samples == pair[1].samples) {
        let (before, after) = (pair[0].objective, pair[1].objective);
        assert!(after >= before - 1e-9 * before.abs(), "{before} {after}");
        compared += 1;
    }
    compared
}

#[test]
fn the_posterior_rises_between_drops() {
    let mut compared = 0;
    for (rows, cols) in [(60, 2), (90, 4)] {
        for kernel in ["rbf", "linear", "poly:2"] {
            for learn_width in [true, false] {
                let inputs = Inputs { kernel: kernel.parse().unwrap(), ..Inputs::default() };
                let settings = Settings { inputs, learn_width, ..Settings::default() };
                let fit = pcvm::fit(&circle(rows, cols), &settings).unwrap();
                compared += assert_rises(&fit);
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn kept_samples_speak_for_their_class_and_the_seed_decides() {
    let data = circle(80, 2);
    let of_seed = |seed| {
        let inputs = Inputs { seed, ..Inputs::default() };
        pcvm::fit(&data, &Settings { inputs, ..Settings::default() }).unwrap().model
    };
    let (one, again, other) = (of_seed(1), of_seed(1), of_seed(2));
    for (&row, v) in one.selected_samples().iter().zip(one.sample_weights()) {
        assert_eq!(data.positive()[row], *v > 0.0);
        assert!(v.abs() > 1e-3);
    }
    assert!(one.selected_samples().len() < 40);
    assert_eq!(one.sample_weights(), again.sample_weights());
    assert_ne!(one.sample_weights(), other.sample_weights());
    assert_ne!(one.feature_weights()[0], 0.5, "the width is learned");
}

#[test]
fn more_restarts_are_never_worse_by_their_own_measure() {
    let data = circle(70, 3);
    let worth = |restarts| {
        let settings = Settings { restarts, ..Settings::default() };
        let model = pcvm::fit(&data, &settings).unwrap().model;
        let probability = model.predict(data.x()).unwrap().probability.unwrap();
        let pairs = probability.iter().zip(data.positive());
        let log: f64 = pairs.map(|(p, t)| if *t { p.ln() } else { (1.0 - p).ln() }).sum();
        log - 0.5 * (model.selected_samples().len() as f64 + 1.0) * 70f64.ln()
    };
    assert!(worth(5) >= worth(1) - 1e-6);
}
