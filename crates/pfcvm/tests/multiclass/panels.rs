//! Panels of more than two classes: one list for all, and a row of probabilities.

use crate::common::Random;
use crate::names;
use pfcvm::Matrix;
use pfcvm::multiclass::{self, Dataset, Machines, Scheme};
use pfcvm::panel::{Panel, PanelSettings};
use pfcvm::settings::CertaintyPolicy;

const ROWS: usize = 60;
const COLUMNS: usize = 150;

/// Three classes; the first features tell one class each, the others say nothing.
fn drawn(seed: u64, signal: f64) -> (Matrix, Vec<usize>) {
    let mut random = Random::new(seed);
    let codes: Vec<usize> = (0..ROWS).map(|i| i % 3).collect();
    let mut rows = random.rows(ROWS, COLUMNS);
    rows.iter_mut().zip(&codes).for_each(|(row, code)| row[*code] += signal);
    let x = Matrix::from_rows(&rows);
    (x, codes)
}

fn settings() -> PanelSettings {
    PanelSettings { size: 8, members: 10, seed: 3, ..PanelSettings::default() }
}

fn fitted(x: &Matrix, codes: &[usize], settings: &PanelSettings) -> Machines<Panel> {
    let data = Dataset::new(x.clone(), codes.to_vec(), names(3)).unwrap();
    multiclass::fit_panel(&data, Scheme::Joint, settings).unwrap()
}

#[test]
fn there_is_one_list_with_a_verdict_and_what_it_is_worth_for_each_class() {
    let (x, codes) = drawn(1, 3.0);
    let panels = fitted(&x, &codes, &settings());
    assert_eq!((panels.scheme(), panels.machines().len()), (Scheme::Joint, 3));
    let list = panels.machines()[0].selected_features();
    assert!(panels.machines().iter().all(|panel| panel.selected_features() == list));
    assert!([0, 1, 2].iter().all(|k| list.contains(k)) && list.len() <= 8, "{list:?}");
    let together = panels.certainty().unwrap();
    assert!(!together.nothing_found);
    let worth = |k: usize| {
        let of = together.features.iter().find(|feature| feature.feature == k).unwrap();
        of.worth.clone().unwrap()
    };
    for class in 0..3 {
        // Each class has its own feature, which is worth most for it.
        let classes = worth(class).classes;
        assert!((0..3).all(|other| classes[other] <= classes[class]), "{classes:?}");
    }
    let noise = list.iter().filter(|k| **k > 2).map(|k| worth(*k).importance).fold(0.0, f64::max);
    assert!((0..3).all(|k| worth(k).importance > noise), "{noise}");
    let said = panels.predict(&x).unwrap();
    for (row, class) in codes.iter().enumerate() {
        let p = said.row(row);
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(p[said.class[row]] >= p[*class]);
    }
    let right = said.class.iter().zip(&codes).filter(|(a, b)| a == b).count();
    assert!(right > 50, "{right}");
}

#[test]
fn a_file_threads_and_needed_columns_give_the_same_bits() {
    let (x, codes) = drawn(2, 2.0);
    let panels = fitted(&x, &codes, &settings());
    let expected = panels.predict(&x).unwrap();
    let stored: Machines<Panel> =
        serde_json::from_str(&serde_json::to_string(&panels).unwrap()).unwrap();
    assert_eq!(stored.predict(&x).unwrap(), expected);
    let narrow = x.select_columns(&panels.needed_columns());
    assert_eq!(panels.compact().predict(&narrow).unwrap(), expected);
    let alone = PanelSettings { parallel: false, ..settings() };
    assert_eq!(fitted(&x, &codes, &alone).predict(&x).unwrap(), expected);
}

/// What the classes are called decides which column of probabilities they have, and nothing else.
#[test]
fn other_names_of_classes_change_nothing() {
    let (x, codes) = drawn(3, 1.5);
    let quick = PanelSettings { certainty: CertaintyPolicy::Off, ..settings() };
    let expected = fitted(&x, &codes, &quick).predict(&x).unwrap();
    let turned: Vec<usize> = codes.iter().map(|code| (code + 1) % 3).collect();
    let found = fitted(&x, &turned, &quick).predict(&x).unwrap();
    for row in 0..ROWS {
        let (a, b) = (expected.row(row), found.row(row));
        // The sums over the classes run in another order.
        let off = (0..3).map(|class| (a[class] - b[(class + 1) % 3]).abs()).fold(0.0, f64::max);
        assert!(off < 1e-12, "{off}");
    }
}

#[test]
fn noise_is_nothing_and_gives_the_shares() {
    let (x, codes) = drawn(4, 0.0);
    let panels = fitted(&x, &codes, &settings());
    assert!(panels.certainty().unwrap().nothing_found && panels.selected_features().is_empty());
    // What is stored of them can be read again.
    for panel in panels.machines() {
        let text = serde_json::to_string(panel).unwrap();
        assert!(serde_json::from_str::<Panel>(&text).unwrap().selected_features().is_empty());
    }
    let said = panels.predict(&x).unwrap();
    assert!(said.row(7).iter().all(|p| (p - 1.0 / 3.0).abs() < 1e-12), "{:?}", said.row(7));
}
