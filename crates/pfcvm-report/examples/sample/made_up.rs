//! Numbers that nobody measured, in the form of an account of a fit.

use pfcvm::multiclass::Scheme;
use pfcvm_io::{
    ClassWorth, ColumnEffect, Course, EffectsSummary, Found, HeldOut, HeldOutOfAll, MachineSummary,
    PairColumn, PairEffect, SelectedFeature, SelectedSample, SelectedShare, Shape, Standing, Step,
    Summary, Sureness, Values,
};
use pfcvm_report::studies::ShortLists;
use pfcvm_report::{FitAccount, Test};
use pfcvm_study::{Estimate, ListedFeature, Price, PricePoint};
use serde_json::json;

/// An account of a fit of two classes that found nothing yet.
pub fn account(title: &str) -> FitAccount {
    let machine = machine("wave 1", Some("wave 2"));
    FitAccount {
        title: title.into(),
        data: "waves.csv".into(),
        summary: summary(&["wave 1", "wave 2"], vec![machine]),
        constant_features: Vec::new(),
        seconds: 1.9,
        test: None,
        price: Default::default(),
        notes: Vec::new(),
        marks: Default::default(),
        program: "the example of pfcvm-report".into(),
    }
}

/// What lists of so many features cost, with these log losses: the last without a bound. The place of the
/// best and of the suggested one come with them.
pub fn short_lists(
    losses: &[(Option<usize>, f64)],
    best: usize,
    suggested: usize,
    asked: Option<usize>,
) -> ShortLists {
    let estimate = |mean, error| Estimate { mean, error };
    let point = |&(size, loss): &(Option<usize>, f64)| PricePoint {
        size,
        features: size.map_or(7.4, |size| size as f64),
        log_loss: estimate(loss, 0.03),
        error_rate: estimate(loss / 4.0, 0.02),
        difference: estimate(loss - losses[best].1, 0.012),
    };
    let points: Vec<PricePoint> = losses.iter().map(point).collect();
    let list = (0..points[suggested].size.unwrap_or(7)).map(|feature| ListedFeature {
        feature,
        importance: Some(estimate(0.2 / (1.0 + feature as f64), 0.02)),
        false_alarm: Some(0.01),
    });
    ShortLists {
        protocol: "pfcvm-lp/kernel=auto/samples=auto, kfold:5, seed 1".into(),
        list: list.collect(),
        price: Price { points, best, suggested, rows: 400, folds: 5 },
        feature_names: (1..=40).map(|at| format!("listed {at}")).collect(),
        asked,
    }
}

/// A summary of these machines; shares are filled in by [`with_features`].
pub fn summary(classes: &[&str], machines: Vec<MachineSummary>) -> Summary {
    Summary {
        classes: classes.iter().map(|class| class.to_string()).collect(),
        class_rows: Some(vec![200; classes.len()]),
        n_samples_in: 200 * classes.len(),
        n_features_in: 40,
        n_features_needed: 5,
        choice: None,
        unlabelled: None,
        rows_kept: None,
        goal: pfcvm::Goal::List,
        uses_all_features: false,
        columns: None,
        scheme: Scheme::OneVsOne,
        is_panel: false,
        nothing_found: None,
        p_value: None,
        held_out: None,
        features: Vec::new(),
        samples: Vec::new(),
        machines,
        seed: 1,
        settings: json!({"kernel": "rbf", "false_positive_rate": 0.05, "samples": "few"}),
    }
}

/// A machine that found nothing yet.
pub fn machine(positive: &str, negative: Option<&str>) -> MachineSummary {
    MachineSummary {
        positive: positive.into(),
        negative: negative.map(String::from),
        n_samples_in: 400,
        found: Found {
            termination: pfcvm::Termination::Converged,
            iterations: 44,
            log_evidence: -95.0,
            nothing_found: None,
            held_out: None,
            selected_features: Vec::new(),
            selected_samples: Vec::new(),
            bias: 0.3,
            panel: None,
            effects: None,
            course: None,
        },
    }
}

/// The same with these features in every machine.
pub fn with_features(mut summary: Summary, features: Vec<SelectedFeature>) -> Summary {
    let all: f64 = features.iter().map(|f| f.weight.abs()).filter(|w| w.is_finite()).sum();
    let share = |feature: &SelectedFeature| SelectedShare {
        index: feature.index,
        name: Some(feature.name.clone()),
        machines: summary.machines.len(),
        share: feature.weight.abs() / all.max(f64::MIN_POSITIVE),
        strongest: 0,
        largest_share: feature.weight.abs() / all.max(f64::MIN_POSITIVE),
        false_alarm: feature.sureness.map(|sure| sure.false_alarm),
        certain: feature.sureness.map(|sure| sure.certain),
        worth: None,
    };
    summary.features = features.iter().map(share).collect();
    for machine in &mut summary.machines {
        machine.found.selected_features = features.clone();
    }
    summary
}

/// The same with these samples in every machine.
pub fn with_samples(mut summary: Summary, samples: Vec<SelectedSample>) -> Summary {
    summary.samples = samples
        .iter()
        .map(|sample| SelectedShare {
            index: sample.index,
            name: None,
            machines: 1,
            share: 1.0 / samples.len() as f64,
            strongest: 0,
            largest_share: 1.0 / samples.len() as f64,
            false_alarm: None,
            certain: None,
            worth: None,
        })
        .collect();
    for machine in &mut summary.machines {
        machine.found.selected_samples = samples.clone();
    }
    summary
}

/// The same with effects of all features, every fourth of them words, and of the first two together.
pub fn with_effects(mut summary: Summary) -> Summary {
    for machine in &mut summary.machines {
        let features = machine.found.selected_features.iter().enumerate();
        let columns: Vec<ColumnEffect> = features.map(|(at, f)| effect(at, f)).collect();
        let pair = match columns.as_slice() {
            [first, second, ..] => Some(pair([first, second])),
            _ => None,
        };
        machine.found.effects = Some(EffectsSummary { columns, pair });
    }
    summary
}

/// An effect of one of several shapes.
pub fn effect(at: usize, feature: &SelectedFeature) -> ColumnEffect {
    let mut random = Random(at as u64 + 11);
    let size = 2.0 * (-0.15 * at as f64).exp();
    let (shape, of): (Shape, fn(f64) -> f64) = match at % 4 {
        0 => (Shape::Rises, |x| (1.5 * x).tanh()),
        1 => (Shape::Peaks, |x| -0.6 * x * x),
        2 => (Shape::Falls, |x| -0.5 * x),
        _ => (Shape::Differs, |x| (2.1 * x).sin()),
    };
    let count = if shape == Shape::Differs { 3 + 4 * (at % 5) } else { 21 };
    let step = |k: usize| 4.0 * k as f64 / (count - 1) as f64 - 2.0;
    let effect: Vec<f64> = (0..count).map(|k| size * of(step(k))).collect();
    let low = effect.iter().copied().fold(0.0, f64::min);
    let high = effect.iter().copied().fold(0.0, f64::max);
    ColumnEffect {
        index: feature.index,
        name: feature.name.clone(),
        column: (at % 5 == 4).then(|| format!("band {at} of {}", feature.name)),
        shape,
        range: [low, high],
        values: match shape {
            Shape::Differs => Values::Words { words: (0..count).map(words).collect() },
            _ => Values::Number { values: (0..count).map(|k| 120.0 + 31.0 * step(k)).collect() },
        },
        deviation: (0..count).map(|k| 0.1 * size * (step(k).abs() + random.next())).collect(),
        effect,
        gap: (at.is_multiple_of(3) && shape != Shape::Differs).then_some([0.31 * size, 0.08]),
    }
}

fn words(at: usize) -> Vec<Option<String>> {
    let words = ["blue", "dark green", "red", "black", "white", "rather yellow than orange"];
    match at {
        1 => vec![Some("teal".into()), Some("violet".into()), Some("pink".into()), None],
        4 => vec![None],
        at => vec![Some(format!("{}{}", words[at % 6], if at < 6 { "" } else { " (other)" }))],
    }
}

fn pair(columns: [&ColumnEffect; 2]) -> PairEffect {
    let of_one = |column: &ColumnEffect| PairColumn {
        index: column.index,
        name: column.name.clone(),
        values: match &column.values {
            Values::Number { values } => {
                Values::Number { values: values.iter().copied().skip(3).take(15).collect() }
            }
            words => words.clone(),
        },
    };
    let columns = columns.map(of_one);
    let at = |which: usize, k: usize| {
        let count = columns[which].values.count().max(2) as f64 - 1.0;
        2.0 * k as f64 / count - 1.0
    };
    let value = |i: usize, j: usize| 2.0 * at(0, i) * at(1, j) + 0.5 * at(0, i);
    let [rows, cols] = [0, 1].map(|which| columns[which].values.count());
    let effect = (0..rows).map(|i| (0..cols).map(|j| value(i, j)).collect()).collect();
    PairEffect { columns, effect, departure: 0.62 }
}

/// The same after rows were held out, with this probability of chance.
pub fn asked(mut summary: Summary, p_value: f64) -> Summary {
    let nothing = p_value > 0.05;
    (summary.nothing_found, summary.p_value) = (Some(nothing), Some(p_value));
    for machine in &mut summary.machines {
        let features = machine.found.selected_features.iter();
        let sure = || features.clone().filter_map(|feature| feature.sureness);
        let certain = sure().filter(|sure| sure.certain);
        machine.found.nothing_found = Some(nothing);
        machine.found.held_out = Some(HeldOut {
            p_value,
            folds: 5,
            accuracy: if nothing { 0.512 } else { 0.903 },
            log_loss: if nothing { 0.698 } else { 0.251 },
            baseline_log_loss: 0.693,
            goals: None,
            slope: 0.87,
            offset: 0.03,
            rate: 0.05,
            max_false: None,
            expected_false: sure().map(|sure| sure.false_alarm).sum(),
            expected_false_certain: certain.map(|sure| sure.false_alarm).sum(),
        });
    }
    summary
}

/// Machines for so many classes that learned together: one list of features, each of them worth most for
/// one class.
pub fn together(classes: &[&str], features: Vec<SelectedFeature>, p_value: f64) -> Summary {
    let machines = classes.iter().map(|class| machine(class, None)).collect();
    let mut summary = asked(with_features(summary(classes, machines), features.clone()), p_value);
    summary.scheme = Scheme::Joint;
    summary.held_out = Some(HeldOutOfAll {
        accuracy: 0.871,
        log_loss: 0.402,
        baseline_log_loss: 1.099,
        goals: None,
    });
    let count = classes.len();
    for (at, share) in summary.features.iter_mut().enumerate() {
        let Some(sure) = features[at].sureness else { continue };
        let size = |class: usize| match class {
            class if class == at % count => 1.4 * sure.importance,
            class => sure.importance * (0.3 - 0.1 * class as f64),
        };
        let pair = |a: usize, b: usize| if a == b { 0.0 } else { size(a) + size(b) };
        share.worth = Some(ClassWorth {
            importance: sure.importance,
            importance_interval: sure.importance_interval,
            classes: (0..count).map(size).collect(),
            pairs: match count {
                0..=20 => (0..count).map(|a| (0..count).map(|b| pair(a, b)).collect()).collect(),
                _ => Vec::new(),
            },
        });
    }
    summary
}

/// The same features with what held-out rows say: the first are important and certain.
pub fn sure(mut features: Vec<SelectedFeature>) -> Vec<SelectedFeature> {
    let mut random = Random(7);
    let all = features.len() as f64;
    for (at, feature) in features.iter_mut().enumerate() {
        let rank = at as f64 / all;
        let importance = 0.06 * (-5.0 * rank).exp() + 0.004 * random.next() - 0.002;
        let half = 0.004 + 0.008 * random.next();
        let false_alarm = (0.002 + 0.6 * (rank - 0.5)).max(0.0005 + 0.02 * random.next());
        feature.sureness = Some(Sureness {
            false_alarm,
            certain: false_alarm < 0.06,
            importance,
            importance_interval: [importance - half, importance + half],
            p_value: 0.4 * false_alarm,
            kept_share: (1.2 - false_alarm - 0.4 * random.next()).clamp(0.2, 1.0),
        });
    }
    let importance = |f: &SelectedFeature| f.sureness.map_or(0.0, |sure| sure.importance);
    features.sort_by(|a, b| importance(b).total_cmp(&importance(a)));
    features
}

/// The same features after no rows held out confirmed any of them.
pub fn unsure(features: Vec<SelectedFeature>) -> Vec<SelectedFeature> {
    let mut random = Random(8);
    let mut features = sure(features);
    for sure in features.iter_mut().filter_map(|feature| feature.sureness.as_mut()) {
        sure.importance = 0.012 * (random.next() - 0.4);
        sure.importance_interval = [sure.importance - 0.014, sure.importance + 0.013];
        (sure.false_alarm, sure.certain) = (0.75 + 0.25 * random.next(), false);
    }
    features
}

/// Some features, every seventeenth of them noise.
pub fn features(count: usize) -> Vec<SelectedFeature> {
    let mut random = Random(2);
    let feature = |at: usize| {
        let index = match at % 17 {
            15 => 21 + 40 * (at / 17),
            _ => (at * 5 + 4) % 21 + 40 * (at / 17),
        };
        SelectedFeature {
            index,
            name: format!("x{index}"),
            weight: 0.02 + 0.4 * (-(at as f64) / 8.0).exp() * (0.7 + 0.6 * random.next()),
            deviation: 0.015 + 0.05 * random.next(),
            worth: Some(0.04 * random.next() - 0.002),
            ..SelectedFeature::default()
        }
    };
    (0..count).map(feature).collect()
}

/// Genes on a list of a panel.
pub fn genes() -> Vec<SelectedFeature> {
    let mut random = Random(5);
    let genes = ["TP53", "MYC", "HNRNPA1", "DES", "GUCA2B", "MYL9", "CSRP1", "SPINK1", "IL8"];
    let gene = |at: usize| {
        let sign = if random.next() < 0.45 { -1.0 } else { 1.0 };
        let weight = sign * (0.9 * (-0.12 * at as f64).exp() + 0.05 * random.next());
        let name = match genes.get(at) {
            Some(gene) => (*gene).to_owned(),
            None => format!("probe {}", 10_000 + (90_000.0 * random.next()) as usize),
        };
        let frequency = (1.05 - 0.045 * at as f64 + 0.1 * random.next()).clamp(0.0, 1.0);
        SelectedFeature {
            index: at,
            name,
            weight,
            deviation: 0.08 + 0.1 * random.next(),
            standing: Some(Standing { median_share: weight.abs(), frequency }),
            ..SelectedFeature::default()
        }
    };
    (0..20).map(gene).collect()
}

/// Some samples of two waves.
pub fn samples(count: usize) -> Vec<SelectedSample> {
    let mut random = Random(3);
    let sample = |at: usize| SelectedSample {
        index: at * 13 + 5,
        label: if random.next() < 0.5 { "wave 1" } else { "wave 2" }.into(),
        weight: 0.1 - random.next().max(1e-9).ln(),
        precision: 1.0,
        deviation: 0.1 + 0.3 * random.next(),
    };
    let mut samples: Vec<SelectedSample> = (0..count).map(sample).collect();
    samples.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    samples
}

/// Iterations in which most of what there is goes.
pub fn course(iterations: usize, samples: usize) -> Vec<Course> {
    let step = |at: usize| {
        let left = (-6.0 * at as f64 / iterations as f64).exp();
        iteration(
            at + 1,
            if at < iterations * 2 / 3 { "judging features" } else { "thinning samples" },
            31 + (left * (samples as f64 - 31.0).max(0.0)) as usize,
            17 + (left * left * 23.0) as usize,
            -95.0 - 180.0 * left,
            0.004 + 0.2 * left,
        )
    };
    vec![Course { trace: (0..iterations).map(step).collect(), trials: Vec::new() }]
}

/// One iteration. The core lets nobody else make one, but reads any.
pub fn iteration(
    number: usize,
    stage: &str,
    samples: usize,
    features: usize,
    log_evidence: f64,
    seconds: f64,
) -> Step {
    let text = json!({
        "number": number, "stage": stage, "samples": samples, "features": features,
        "log_evidence": 0.0, "log_likelihood": 0.0, "sample_step": 1.0, "feature_step": 1.0,
        "jitter": 0.0, "seconds": 0.0, "flops": 0.0,
    });
    let mut iteration: pfcvm::Iteration = serde_json::from_value(text).expect("an iteration");
    // JSON has no infinite numbers.
    (iteration.log_evidence, iteration.seconds) = (log_evidence, seconds);
    Step::Iteration(iteration)
}

/// Predictions of two classes.
pub fn test(rows: usize, classes: [&str; 2]) -> Test {
    let mut random = Random(4);
    let row = |_| {
        let score = 9.0 * (random.next() - 0.5) + 2.0 * (random.next() - 0.5);
        let chance = 1.0 / (1.0 + (-0.85 * score).exp());
        (random.next() < chance, 1.0 / (1.0 + (-score).exp()))
    };
    let (truth, probability): (Vec<bool>, Vec<f64>) = (0..rows).map(row).unzip();
    tested(&truth, &probability, classes)
}

/// What these probabilities of the second class are worth.
pub fn tested(truth: &[bool], probability: &[f64], classes: [&str; 2]) -> Test {
    let truth: Vec<usize> = truth.iter().map(|positive| usize::from(*positive)).collect();
    let called: Vec<usize> = probability.iter().map(|p| usize::from(*p >= 0.5)).collect();
    let probability: Vec<Vec<f64>> = probability.iter().map(|p| vec![1.0 - p, *p]).collect();
    Test::of("fresh.csv".into(), &classes.map(String::from), &truth, &called, &probability)
}

/// A plain congruential generator: good enough to make up numbers, the same everywhere.
pub struct Random(pub u64);

impl Random {
    /// The next number, from 0 to below 1.
    pub fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}
