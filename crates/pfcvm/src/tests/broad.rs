//! What must hold of the machine of all features whatever the data are. Its numbers are held to
//! `reference/slow_broad.py` in `golden_broad`.

use super::common::{assert_close, two_gaussians};
use super::golden_broad::likelihood;
use crate::algebra::Work;
use crate::broad::{Shape, learn, shape};
use crate::multiclass::{self, Scheme};
use crate::posterior::{Classes, Observed};
use crate::settings::CertaintyPolicy;
use crate::{ClassWeights, Dataset, Goal, Kernel, Matrix, Settings, fit};

const KERNELS: [Kernel; 3] = [Kernel::Rbf, Kernel::Linear, Kernel::Polynomial { degree: 2 }];
/// Sets of pure noise.
const SETS: u64 = 10;
const SHAPE: Shape = Shape { feature_weight: 0.1, variance: 4.0 };

fn rows(seed: u64, n: usize, m: usize, shift: f64) -> (Matrix, Vec<usize>) {
    let (x, positive) = two_gaussians(seed, n, m, 2, shift);
    (Matrix::from_rows(&x), positive.into_iter().map(usize::from).collect())
}

/// Decision values of rows, one machine after the other.
fn decision(x: &Matrix, classes: &Classes, kernel: Kernel, shape: Shape, at: &Matrix) -> Vec<f64> {
    let work = &mut Work::new(false);
    let machines =
        learn(x, classes, kernel, (shape, None), work).unwrap().machines(kernel, shape, work);
    machines.iter().flat_map(|machine| machine.decision(at, work)).collect()
}

#[test]
fn a_row_given_twice_is_a_row_that_counts_twice() {
    let (x, codes) = rows(1, 40, 5, 0.8);
    let twice: Vec<usize> = (0..80).map(|i| i / 2).collect();
    let codes_twice: Vec<usize> = twice.iter().map(|&i| codes[i]).collect();
    for kernel in KERNELS {
        let once = decision(&x, &likelihood(&codes, &[2.0; 40], 2), kernel, SHAPE, &x);
        let repeated = likelihood(&codes_twice, &[1.0; 80], 2);
        let found = decision(&x.select_rows(&twice), &repeated, kernel, SHAPE, &x);
        // The jitter on the kernel's diagonal is shared by the two.
        assert_close(&kernel.to_string(), &found, &once, 1e-5);
    }
}

/// Where all rows are samples, what is left without some of them is what is learned from the others: they are
/// samples of no weight then.
#[test]
fn without_some_rows_it_is_what_the_others_teach() {
    for (kernel, machines) in KERNELS.into_iter().flat_map(|kernel| [(kernel, 2), (kernel, 3)]) {
        let (x, mut codes) = rows(3, 60, 5, 0.8);
        if machines == 3 {
            (0..60).step_by(4).for_each(|i| codes[i] = 2);
        }
        let (out, rest): (Vec<usize>, Vec<usize>) = (0..60).partition(|i| i % 5 == 1);
        let classes = likelihood(&codes, &[2.0; 60], machines);
        let work = &mut Work::new(false);
        let learned = learn(&x, &classes, kernel, (SHAPE, None), work).unwrap();
        let share = |left: f64| (0..60).map(|i| if i % 5 == 1 { left } else { 1.0 }).collect();
        let shares: [Vec<f64>; 2] = [share(0.0), share(0.5)];
        let found = learned.without(&classes, SHAPE.variance, &shares, work);

        let codes_left: Vec<usize> = rest.iter().map(|&i| codes[i]).collect();
        let left = likelihood(&codes_left, &[2.0; 48], machines);
        let expected = decision(&x.select_rows(&rest), &left, kernel, SHAPE, &x.select_rows(&out));
        let of_out = |f: &[f64]| -> Vec<f64> {
            f.chunks(60).flat_map(|f| out.iter().map(|&i| f[i]).collect::<Vec<_>>()).collect()
        };
        let name = format!("{kernel}, {machines} classes");
        let found_out = of_out(found[0].as_ref().unwrap());
        assert_close(&name, &apart(&found_out, 12), &apart(&expected, 12), 5e-3);

        let weights: Vec<f64> = shares[1].iter().map(|share| 2.0 * share).collect();
        let half = likelihood(&codes, &weights, machines);
        let expected = decision(&x, &half, kernel, SHAPE, &x);
        let found = apart(found[1].as_ref().unwrap(), 60);
        assert_close(&name, &found, &apart(&expected, 60), 5e-3);
    }
}

/// Decision values less what all machines have in common, which says nothing of the classes.
fn apart(f: &[f64], rows: usize) -> Vec<f64> {
    let machines = f.len() / rows;
    let common = |i: usize| match machines {
        1 => 0.0,
        _ => f.iter().skip(i).step_by(rows).sum::<f64>() / machines as f64,
    };
    f.iter().enumerate().map(|(at, f)| f - common(at % rows)).collect()
}

/// Labels that have nothing to do with the features: the evidence is for a scale so small that the same is said
/// of all rows, but for sets in which noise happens to look like something; and there little is lost on new rows.
#[test]
fn of_noise_hardly_anything_is_said() {
    let log_two = 2.0f64.ln();
    for kernel in [Kernel::Rbf, Kernel::Linear] {
        let (mut constant, mut excess) = (0, 0.0);
        for seed in 0..SETS {
            let (x, codes) = rows(seed, 120, 5, 0.0);
            let (new, new_codes) = rows(seed + 100, 400, 5, 0.0);
            let classes = likelihood(&codes, &[1.0; 120], 2);
            let (chosen, _) = shape(&x, &classes, kernel, &mut Work::new(false)).unwrap();
            let f = decision(&x, &classes, kernel, chosen, &new);
            let ends = f.iter().fold((f64::MAX, f64::MIN), |(a, b), f| (a.min(*f), b.max(*f)));
            constant += u64::from(ends.1 - ends.0 < 0.2);
            excess += -likelihood(&new_codes, &[1.0; 400], 2).log(&f) / 400.0 - log_two;
        }
        let excess = excess / SETS as f64;
        assert!(constant >= SETS / 2, "{kernel}: {constant} of {SETS}");
        assert!(excess < 0.02, "{kernel}: {excess}");
    }
}

/// Two machines that share a row of probabilities, each with half of the variance, differ by what one says
/// with all of it. They take turns until a round gains less than 1e-5 of the objective, which leaves f some
/// thousandths off, and have twice the variance in the bias.
#[test]
fn two_classes_by_two_machines() {
    let (x, codes) = rows(2, 50, 4, 0.8);
    let one = likelihood(&codes, &[1.0; 50], 2);
    let second = one.machines[0].clone();
    let mut first = second.clone();
    first.signs.iter_mut().for_each(|sign| *sign = -*sign);
    let two = Classes { machines: vec![first, second] };
    for kernel in KERNELS {
        let half = Shape { variance: SHAPE.variance / 2.0, ..SHAPE };
        let of_two = decision(&x, &two, kernel, half, &x);
        let differences: Vec<f64> = (0..50).map(|i| of_two[50 + i] - of_two[i]).collect();
        let of_one = decision(&x, &one, kernel, SHAPE, &x);
        assert_close(&kernel.to_string(), &differences, &of_one, 5e-3);
    }
}

fn settings(kernel: Kernel, goal: Goal, certainty: CertaintyPolicy) -> Settings {
    Settings { goal, certainty, ..Settings::new(kernel) }
}

#[test]
fn two_classes_with_names_are_the_same_machine() {
    let (x, codes) = rows(3, 60, 5, 1.0);
    let data = Dataset::new(x.clone(), codes.iter().map(|code| *code == 1).collect()).unwrap();
    let named = multiclass::Dataset::new(x, codes, vec!["a".into(), "b".into()]).unwrap();
    for certainty in [CertaintyPolicy::On, CertaintyPolicy::Off] {
        let settings = settings(Kernel::Rbf, Goal::Accuracy, certainty);
        let one = fit(&data, &settings).unwrap();
        let machines = multiclass::fit(&named, Scheme::Joint, &settings).unwrap();
        assert_eq!(machines.machines().len(), 1);
        assert!(one.model.broad.is_some());
        assert_eq!(machines.machines()[0].model, one.model);
    }
}

/// Where no row was held out, nothing says which of the two is better: they count alike.
#[test]
fn without_certainty_the_list_and_all_features_count_alike() {
    let (x, codes) = rows(4, 60, 5, 1.0);
    let data = Dataset::new(x.clone(), codes.iter().map(|code| *code == 1).collect()).unwrap();
    for kernel in [Kernel::Rbf, Kernel::Linear] {
        let fit_for = |goal| fit(&data, &settings(kernel, goal, CertaintyPolicy::Off)).unwrap();
        let (list, both) = (fit_for(Goal::List), fit_for(Goal::Accuracy));
        assert!(list.model.broad.is_none());
        let work = &mut Work::new(false);
        let canonical = data.canonical();
        let scaler = list.model.scaler();
        let scaled = scaler.apply(canonical.data.x());
        let classes = Classes::new(&canonical.data, ClassWeights::Equal);
        let (chosen, sketch) = shape(&scaled, &classes, kernel, work).unwrap();
        let learned = learn(&scaled, &classes, kernel, (chosen, Some(sketch)), work).unwrap();
        let machine = &learned.machines(kernel, chosen, work)[0];
        let all = machine.decision(&scaler.apply(&x), work);
        // Where it begins is hardly where it ends.
        let from_nothing = decision(&scaled, &classes, kernel, chosen, &scaler.apply(&x));
        assert_close(&format!("{kernel}, from nothing"), &all, &from_nothing, 1e-4);
        let list = list.model.predict(&x).unwrap().decision;
        let expected: Vec<f64> = list.iter().zip(&all).map(|(f, g)| 0.5 * f + 0.5 * g).collect();
        let found = both.model.predict(&x).unwrap().decision;
        assert_close(&kernel.to_string(), &found, &expected, 1e-12);
    }
}

/// A prediction leans on the list and on all features: a row is as far as the farther of the two says, and 99 of
/// 100 training rows have samples other than themselves within reach of both.
#[test]
fn a_row_is_as_far_as_the_farther_of_both_says() {
    let (x, codes) = rows(5, 200, 6, 2.0);
    let data = Dataset::new(x.clone(), codes.iter().map(|code| *code == 1).collect()).unwrap();
    let settings = settings(Kernel::Rbf, Goal::Accuracy, CertaintyPolicy::Off);
    let model = fit(&data, &settings).unwrap().model;
    let (broad, scaled) = (model.broad().unwrap(), model.scaler().apply(&x));
    let kept = scaled.select_columns(&model.scaled_columns());
    let distance = |x: &Matrix, i: usize, z: &Matrix, theta: &[f64], others: bool| {
        let to = |j: usize| -> f64 {
            let squares = (0..x.cols()).map(|k| theta[k] * (x.get(i, k) - z.get(j, k)).powi(2));
            squares.sum::<f64>().sqrt()
        };
        let all = (0..z.rows()).map(to).filter(|d| !others || *d > 0.0);
        all.fold(f64::INFINITY, f64::min)
    };
    let theta = vec![broad.feature_weight(); scaled.cols()];
    let far = |i: usize, others: bool| {
        let list = distance(&kept, i, model.sample_values(), model.feature_weights(), others);
        let all = distance(&scaled, i, broad.samples(), &theta, others);
        (list / model.reach.unwrap()).max(all / broad.reach.unwrap())
    };
    let expected: Vec<f64> = (0..200).map(|i| far(i, false)).collect();
    assert_close("novelty", &model.novelty(&x).unwrap().unwrap(), &expected, 1e-12);
    let beyond = (0..200).filter(|&i| far(i, true) > 1.0 + 1e-12).count();
    assert_eq!(beyond, 2);

    let other = (0..6).find(|k| !model.selected_features().contains(k)).expect("one is not kept");
    let mut strange = x.select_rows(&[0]);
    strange.set(0, other, 40.0);
    let of = |model: &crate::Model| model.novelty(&strange).unwrap().unwrap()[0];
    assert!(of(&model.list_alone()) < 1.0 && of(&model) > 2.0);
    assert!(model.tells_novelty());
}
