//! Data to measure on.

use crate::{Outcome, npy};
use pfcvm::{Dataset, Matrix};
use pfcvm_io::generate::{
    Labelling, WAVE_FEATURES, eeg_like, twonorm, waveform, waveform_log_odds,
};
use pfcvm_io::{Input, ReadOptions, Table, read_table};
use std::path::Path;

/// Training and test data.
pub type Pair = (Dataset, Dataset);

/// The leading rows of a table, and the rest.
fn parted(table: &Table, train: usize, classes: [&str; 2]) -> Outcome<Pair> {
    let [negative, positive] = classes;
    let rows = |from: usize, to: usize| table.rows(&Vec::from_iter(from..to), negative, positive);
    Ok((rows(0, train)?, rows(train, table.x().rows())?))
}

/// 400 rows of two waves to fit, 3000 to test, half of each class.
pub fn waves(labelling: Labelling, seed: u64) -> Outcome<Pair> {
    parted(&waveform(labelling, &[0, 1], 1700, seed), 400, ["0", "1"])
}

/// 3000 rows of two waves to fit, 2000 to test.
pub fn many_waves() -> Outcome<Pair> {
    parted(&waveform(Labelling::Uci, &[0, 1], 2500, 1100), 3000, ["0", "1"])
}

/// As many EEG-like rows as the paper has: 1376 to fit, 914 to test.
pub fn recordings() -> Outcome<Pair> {
    parted(&eeg_like(1376 + 914, 1), 1376, ["-1", "1"])
}

/// 72 × 7129: the leukemia data, or normal deviates of that shape, and which of the two.
pub fn wide(real: Option<&Path>) -> Outcome<(Dataset, &'static str)> {
    let file = real.map(|folder| folder.join("leukemia/data.csv.gz")).filter(|file| file.exists());
    let (table, about) = match file {
        Some(file) => {
            let table = read_table(&Input::from(file), &ReadOptions::default(), &mut |_| ())?;
            (table, "leukemia")
        }
        None => (twonorm(7129, 36, 1), "two normals, generated"),
    };
    Ok((table.into_two_classes("-1", "1")?, about))
}

/// Writes `NAME-{train,test}-{x,y}.npy`; y holds −1 and +1.
pub fn write(folder: &Path, name: &str, train: &Dataset, test: &Dataset) -> Outcome {
    for (part, data) in [("train", train), ("test", test)] {
        let sign = |i: usize, _| if data.positive()[i] { 1.0 } else { -1.0 };
        let y = Matrix::from_fn(data.len(), 1, sign);
        npy::write(&folder.join(format!("{name}-{part}-x.npy")), data.x())?;
        npy::write(&folder.join(format!("{name}-{part}-y.npy")), &y)?;
    }
    Ok(())
}

/// Mean accuracy and log loss, over the test rows of some fresh waveforms, of the best possible
/// rule.
pub fn bayes(labelling: &str, sets: u64, first_seed: u64) -> Outcome<(f64, f64)> {
    let labelling = match labelling {
        "uci" => Labelling::Uci,
        "textbook" => Labelling::Textbook,
        other => return Err(format!("`{other}` is no labelling: uci or textbook").into()),
    };
    let (mut right, mut loss, mut rows) = (0.0, 0.0, 0.0);
    for set in 0..sets {
        let (_, test) = waves(labelling, first_seed + set)?;
        for i in 0..test.len() {
            let row: Vec<f64> = (0..WAVE_FEATURES).map(|j| test.x().get(i, j)).collect();
            let odds = waveform_log_odds(labelling, &row);
            let margin = if test.positive()[i] { odds } else { -odds };
            right += if margin >= 0.0 { 1.0 } else { 0.0 };
            loss += (-margin).exp().ln_1p();
            rows += 1.0;
        }
    }
    Ok((right / rows, loss / rows))
}
