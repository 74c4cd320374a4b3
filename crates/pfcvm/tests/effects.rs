//! What kept features do, and what moved a row: each number by another way.

use pfcvm::data::{Columns, Kind};
use pfcvm::effects::{Effect, Place, Shape};
use pfcvm::panel::{PanelSettings, fit_panel};
use pfcvm::settings::CertaintyPolicy;
use pfcvm::{Dataset, Goal, Kernel, Matrix, Model, Settings, fit};

const GAP: f64 = f64::NAN;

/// A number in 0..1 that looks drawn.
fn drawn(i: usize, k: usize) -> f64 {
    let v = ((i * 7919 + k * 104_729 + 17) as f64 * 0.618_033_988_75).fract() * 9_301.0;
    (v.sin() * 43_758.545_3).fract().abs()
}

fn numbers(rows: usize, cols: usize, positive: impl Fn(&[f64], usize) -> bool) -> Dataset {
    // Every column in units of its own.
    let x = Matrix::from_fn(rows, cols, |i, k| (10.0 * drawn(i, k) - 3.0) * (k + 1) as f64);
    let row = |i: usize| (0..cols).map(|k| x.get(i, k) / (k + 1) as f64).collect::<Vec<f64>>();
    let positive = (0..rows).map(|i| positive(&row(i), i)).collect();
    Dataset::new(x, positive).unwrap()
}

fn model(data: &Dataset, kernel: Kernel) -> Model {
    model_for(data, kernel, Goal::List)
}

fn model_for(data: &Dataset, kernel: Kernel, goal: Goal) -> Model {
    let settings = Settings { goal, certainty: CertaintyPolicy::Off, ..Settings::new(kernel) };
    let model = fit(data, &settings).unwrap().model;
    assert_eq!(model.broad().is_some(), goal == Goal::Accuracy);
    model
}

fn at(effect: &Effect) -> Vec<(f64, f64)> {
    let number = |place: &Place| match place {
        Place::Number(value) => *value,
        _ => f64::NAN,
    };
    effect.points.iter().map(|point| (number(&point.place), point.effect)).collect()
}

/// Straight lines with the slope of the linear form, through 0 at the mean.
#[test]
fn effects_of_a_linear_model_are_its_slopes() {
    let data = numbers(200, 4, |row, i| row[0] - 0.6 * row[2] > 6.0 * drawn(i, 9) - 3.0);
    let model = model(&data, Kernel::Linear);
    let slopes = model.linear_form().unwrap().coefficients;
    let found = model.effects();
    assert_eq!(found.pair, None);
    let columns: Vec<usize> = found.columns.iter().map(|effect| effect.column).collect();
    assert_eq!(columns, model.selected_features(), "what is not kept has no effect");
    for (effect, slope) in found.columns.iter().zip(slopes) {
        let (column, points) = (data.x().column(effect.column), at(effect));
        let mean = column.iter().sum::<f64>() / 200.0;
        assert_eq!(points.len(), 21);
        for (value, change) in points {
            let expected = slope * (value - mean);
            assert!((change - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{value} {change}");
        }
        assert_eq!(effect.shape, if slope > 0.0 { Shape::Rises } else { Shape::Falls });
        let deviations: Vec<f64> = effect.points.iter().map(|point| point.deviation).collect();
        assert!(deviations[10] < 1e-9 && deviations[0] > 0.0 && deviations[20] > deviations[15]);
    }
}

/// Partial dependence at the training rows, which the model does not have any more.
#[test]
fn effects_are_near_partial_dependence() {
    let data = numbers(300, 3, |row, i| {
        let (a, b) = ((row[0] - 2.0) / 5.0, (row[1] - 2.0) / 5.0);
        (a * a + 0.7 * b < 0.3) != (drawn(i, 40) < 0.05)
    });
    for kernel in [Kernel::Rbf, Kernel::Polynomial { degree: 2 }] {
        let model = model(&data, kernel);
        assert_eq!(model.selected_features(), [0, 1]);
        let found = model.effects();
        for effect in &found.columns {
            let mean_with = |value: f64| {
                let mut x = data.x().clone();
                x.column_mut(effect.column).fill(value);
                model.predict(&x).unwrap().decision.iter().sum::<f64>() / 300.0
            };
            let points = at(effect);
            let centre = mean_with(points[10].0);
            let (mut off, mut all) = (0.0, 0.0);
            for (value, change) in points {
                let expected = mean_with(value) - centre;
                off += (change - expected).powi(2);
                all += expected.powi(2);
            }
            assert!(off < 0.15 * 0.15 * all, "{kernel:?} {}: {off} of {all}", effect.column);
        }
        assert_eq!(found.columns[0].shape, Shape::Peaks);
        let second = at(&found.columns[1]);
        assert!(second[4].1 > second[10].1 && second[10].1 > second[16].1, "{second:?}");
        assert_eq!(found, model.effects(), "the same model says the same");
    }
}

/// A word is worth what the model says of it, and words that were taken together are told so.
#[test]
fn words_have_a_bar_each() {
    // 0 and 1 often, 2 and 3 rarely, gaps often.
    let code = |i: usize| match i % 40 {
        0 => 2.0,
        1 => 3.0,
        2..8 => GAP,
        k => (k % 2) as f64,
    };
    let x = Matrix::from_fn(160, 2, |i, k| if k == 0 { code(i) } else { drawn(i, 1) });
    let positive: Vec<bool> = (0..160).map(|i| (code(i) == 1.0) != (drawn(i, 5) < 0.15)).collect();
    let columns = Columns::new(vec![Kind::Words { levels: 4 }, Kind::Number]);
    let data = Dataset::new(x.clone(), positive).unwrap().with_columns(columns).unwrap();
    let model = model(&data, Kernel::Linear);
    let found = model.effects();
    let effect = found.columns.iter().find(|effect| effect.column == 0).unwrap();
    assert_eq!(effect.shape, Shape::Differs);
    let words = |list: &[usize], gap: bool| Place::Words { words: list.to_vec(), gap };
    let places: Vec<&Place> = effect.points.iter().map(|point| &point.place).collect();
    let expected =
        [words(&[0], false), words(&[1], false), words(&[2, 3], false), words(&[], true)];
    assert_eq!(places, Vec::from_iter(&expected));
    let f = |cell: f64| model.predict(&Matrix::from_rows(&[vec![cell, 0.5]])).unwrap().decision[0];
    let cells = [0.0, 1.0, 2.0, GAP];
    for (point, cell) in effect.points.iter().zip(cells) {
        let difference = point.effect - effect.points[0].effect;
        assert!((difference - (f(cell) - f(0.0))).abs() < 1e-9, "{point:?}");
    }
    // As often as each occurred, they cancel.
    let total: f64 = (0..160)
        .map(|i| match code(i) {
            c if c.is_nan() => effect.points[3].effect,
            c => effect.points[(c as usize).min(2)].effect,
        })
        .sum();
    assert!(total.abs() < 1e-8, "{total}");
    let moved = model.explain(&x).unwrap();
    let k = moved.features.iter().position(|feature| *feature == 0).unwrap();
    assert!((moved.moved.get(9, k) - effect.points[1].effect).abs() < 1e-9);
}

#[test]
fn two_that_act_together_are_found() {
    let data =
        numbers(400, 4, |row, i| ((row[1] > 2.0) == (row[3] > 2.0)) != (drawn(i, 30) < 0.05));
    let model = model(&data, Kernel::Rbf);
    let found = model.effects();
    let pair = found.pair.unwrap();
    assert_eq!((pair.features, pair.columns), ([1, 3], [1, 3]));
    assert_eq!((pair.effects.rows(), pair.effects.cols()), (15, 15));
    assert!(pair.effects.get(7, 7).abs() < 1e-12, "both at their centres");
    let corner = |i: usize, j: usize| pair.effects.get(i, j);
    assert!(corner(2, 2) > corner(2, 12) + 1.0 && corner(12, 12) > corner(12, 2) + 1.0);
    assert!(pair.departure > 0.5, "{}", pair.departure);
}

/// Each part is a difference of two predictions; of a linear model they add up.
#[test]
fn explanations_are_differences_of_predictions() {
    let data = numbers(200, 4, |row, i| row[0] - 0.6 * row[2] > 6.0 * drawn(i, 9) - 3.0);
    let mut rows = data.x().row_range(0, 5);
    rows.set(1, 0, GAP);
    let mean = |k: usize| data.x().column(k).iter().sum::<f64>() / 200.0;
    let both = [Kernel::Linear, Kernel::Rbf].into_iter();
    for (kernel, goal) in both.flat_map(|k| [(k, Goal::List), (k, Goal::Accuracy)]) {
        let model = model_for(&data, kernel, goal);
        let decision = |x: &Matrix| model.predict(x).unwrap().decision;
        let f = decision(&rows);
        let told = model.explain(&rows).unwrap();
        assert_eq!(told.features, model.selected_features());
        let mut centre = rows.clone();
        for (k, &feature) in told.features.iter().enumerate() {
            let mut other = rows.clone();
            other.column_mut(feature).fill(mean(feature));
            centre.column_mut(feature).fill(mean(feature));
            for (i, without) in decision(&other).iter().enumerate() {
                assert!((told.moved.get(i, k) - (f[i] - without)).abs() < 1e-9);
            }
        }
        assert_eq!(told.moved.get(1, 0), 0.0, "a gap stands at the mean");
        if kernel == Kernel::Linear {
            for (i, at_centre) in decision(&centre).iter().enumerate() {
                let sum: f64 = (0..told.features.len()).map(|k| told.moved.get(i, k)).sum();
                assert!((sum - (f[i] - at_centre)).abs() < 1e-9);
            }
        }
        let (z, theta) = (model.sample_values(), model.feature_weights());
        let scaled = model.scaler().apply(&rows);
        let kept = model.selected_features();
        for (i, alike) in told.alike.iter().enumerate() {
            assert_eq!(alike.len(), model.selected_samples().len().min(3));
            let kernel_of = |j: usize| {
                let parts = kept.iter().enumerate().map(|(k, &feature)| {
                    let (x, z) = (scaled.get(i, feature), z.get(j, k));
                    theta[k] * if kernel == Kernel::Rbf { -(x - z) * (x - z) } else { x * z }
                });
                let sum: f64 = parts.sum();
                if kernel == Kernel::Rbf { sum.exp() } else { sum }
            };
            assert!((kernel_of(alike[0].sample) - alike[0].kernel).abs() < 1e-9);
            let largest = (0..z.rows()).map(kernel_of).fold(f64::NEG_INFINITY, f64::max);
            assert!((largest - alike[0].kernel).abs() < 1e-9);
            assert!(alike.windows(2).all(|pair| pair[0].kernel >= pair[1].kernel));
        }
    }
}

/// A linear machine beside a linear list is one linear function, of all features; effects have its
/// slopes, and only the listed features are told of.
#[test]
fn a_linear_model_of_all_features_is_linear() {
    let data = numbers(90, 6, |row, i| row[0] - 0.6 * row[2] > 6.0 * drawn(i, 9) - 3.0);
    let model = model_for(&data, Kernel::Linear, Goal::Accuracy);
    let form = model.linear_form().unwrap();
    assert_eq!(form.features, [0, 1, 2, 3, 4, 5]);
    let listed = model.selected_features();
    assert!(!listed.is_empty() && listed.len() < 6, "{listed:?}");
    let rows = data.x().row_range(0, 7);
    let said = model.predict(&rows).unwrap().decision;
    for (i, f) in said.iter().enumerate() {
        let parts = form.coefficients.iter().enumerate().map(|(k, c)| c * rows.get(i, k));
        let sum = form.constant + parts.sum::<f64>();
        assert!((sum - f).abs() < 1e-9 * (1.0 + f.abs()), "{sum} for {f}");
    }
    let found = model.effects();
    let columns: Vec<usize> = found.columns.iter().map(|effect| effect.column).collect();
    assert_eq!(columns, listed);
    for effect in &found.columns {
        let points = at(effect);
        let slope = (points[20].1 - points[0].1) / (points[20].0 - points[0].0);
        assert!((slope - form.coefficients[effect.column]).abs() < 1e-9, "{slope}");
    }
    // The list alone has its own part of it.
    let alone = model.list_alone();
    assert_eq!(alone.linear_form().unwrap().features, listed);
    assert_eq!(alone.needed_columns(), listed);
}

/// The columns of a group have an effect each; a group is explained whole.
#[test]
fn groups_and_panels() {
    let data = numbers(120, 6, |row, _| row[1] + row[4] > 4.2);
    let columns = Columns::numbers(6).grouped(&[0, 1, 2, 0, 1, 2]).unwrap();
    let grouped = data.clone().with_columns(columns).unwrap();
    let group = model(&grouped, Kernel::Rbf);
    let found = group.effects();
    assert_eq!(found.columns.len(), 2 * group.selected_features().len());
    let of = |column: usize| found.columns.iter().find(|e| e.column == column).unwrap();
    assert_eq!((of(1).feature, of(4).feature), (1, 1));
    assert_eq!((of(1).shape, of(4).shape), (Shape::Rises, Shape::Rises));
    // Two deviations of the column itself, whatever the group is divided by.
    let points = at(of(4));
    let column = data.x().column(4);
    let mean = column.iter().sum::<f64>() / 120.0;
    let deviation = (column.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 120.0).sqrt();
    assert!((points[20].0 - mean - 2.0 * deviation).abs() < 1e-9 * deviation);
    assert_eq!(group.explain(data.x()).unwrap().moved.cols(), group.selected_features().len());

    let settings = PanelSettings { size: 3, members: 10, ..PanelSettings::default() };
    let panel = fit_panel(&data, &settings).unwrap();
    let found = panel.effects();
    let listed: Vec<usize> = found.columns.iter().map(|effect| effect.feature).collect();
    let mut expected = panel.selected_features().to_vec();
    assert_eq!(listed, expected);
    expected.truncate(2);
    expected.sort_unstable();
    assert_eq!(expected, [1, 4]);
    for effect in found.columns.iter().filter(|effect| [1, 4].contains(&effect.feature)) {
        assert_eq!(effect.shape, Shape::Rises);
    }
    let told = panel.explain(data.x()).unwrap();
    assert!(told.alike.is_empty());
    let mut other = data.x().clone();
    other.column_mut(told.features[0]).fill(panel.scaler().centre()[told.features[0]]);
    let (f, g) = (panel.predict(data.x()).unwrap(), panel.predict(&other).unwrap());
    assert!((told.moved.get(7, 0) - (f.decision[7] - g.decision[7])).abs() < 1e-9);
}

/// A model that found nothing does nothing.
#[test]
fn a_model_without_features_has_no_effects() {
    let data = numbers(80, 3, |_, i| drawn(i, 60) < 0.5);
    let model = fit(&data, &Settings::new(Kernel::Rbf)).unwrap().model;
    assert!(model.selected_features().is_empty());
    assert!(model.effects().columns.is_empty() && model.effects().pair.is_none());
    assert_eq!(model.explain(data.x()).unwrap().moved.cols(), 0);
}
