//! Recordings in SEED's layout: what is read, and what is said where they cannot be.
//!
//! The files are made up by `reference/make_seed_files.py`; `reference/test_seed_files.py` checks
//! with SciPy that they hold what [`value`] says.

mod common;

use common::{Stored, mat, packed_mat};
use pfcvm_io::Error;
#[cfg(debug_assertions)]
use pfcvm_io::checks;
use pfcvm_io::seed::{BANDS, CHANNELS, Recordings, SeedSplit, feature_names};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

const LABELS: [i8; 15] = [1, 0, -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 0, 1, -1];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seed")
}

/// The value of a made-up session (counted from 1, as clips are) at a place (from 0).
fn value(session: usize, clip: usize, channel: usize, window: usize, band: usize) -> f64 {
    let whole = (7 * session + 31 * clip + 11 * channel + 5 * window + 3 * band) % 256;
    (whole as f64 - 128.0) / if session == 1 { 10.0 } else { 1.0 }
}

/// Packed doubles; integers of every size, packed or not; the same with the big end first.
#[test]
fn sessions_hold_what_scipy_reads() {
    let recordings = Recordings::open(folder().join("features")).unwrap();
    let found: Vec<(u32, &str)> =
        recordings.sessions().iter().map(|s| (s.subject, s.date.as_str())).collect();
    assert_eq!(found, [(1, "20131027"), (2, "20140404"), (10, "20131130")]);
    assert_eq!(recordings.labels(), LABELS);
    for (at, session) in recordings.sessions().iter().enumerate() {
        let split = recordings.split(session).unwrap();
        assert_eq!(split.training_clips, [1, 3, 4, 6, 7, 9]);
        assert_eq!(split.test_clips, [10, 12, 14, 15]);
        assert_eq!(split.feature_names, feature_names());
        let parts = [(&split.training, &split.training_clips), (&split.test, &split.test_clips)];
        for (part, clips) in parts {
            let mut row = 0;
            for &clip in clips {
                for window in 0..1 + clip % 3 {
                    assert_eq!(part.positive()[row], LABELS[clip - 1] == 1);
                    for (column, name) in split.feature_names.iter().enumerate() {
                        let (channel, band) = name.split_once(' ').unwrap();
                        let channel = CHANNELS.iter().position(|c| *c == channel).unwrap();
                        let band = BANDS.iter().position(|b| *b == band).unwrap();
                        let expected = value(at + 1, clip, channel, window, band);
                        let found = part.x().get(row, column);
                        assert_eq!(found.to_bits(), expected.to_bits(), "{at} {clip} {name}");
                    }
                    row += 1;
                }
            }
            assert_eq!(part.len(), row);
        }
    }
}

/// The published lengths of the clips add up to the paper's 1,376 training rows.
#[test]
fn the_published_lengths_give_the_papers_count() {
    const LENGTHS: [i32; 15] =
        [235, 233, 206, 238, 185, 195, 237, 216, 265, 237, 235, 233, 235, 238, 206];
    let names: Vec<String> = (1..=15).map(|clip| format!("de_LDS{clip}")).collect();
    let shapes = LENGTHS.map(|windows| [62, windows, 5]);
    let clips: Vec<Stored> = (0..15)
        .map(|at| clip(&names[at], &shapes[at], 1, vec![1; 310 * LENGTHS[at] as usize]))
        .collect();
    let split = session(&packed_mat(&clips)).unwrap();
    assert_eq!((split.training.len(), split.test.len()), (1376, 914));
}

fn clip<'a>(name: &'a str, dimensions: &'a [i32], kind: u32, values: Vec<u8>) -> Stored<'a> {
    Stored { name, flags: 6, dimensions, kind, values }
}

/// What comes of a session with the given bytes, beside the labels of the fixtures.
fn session(bytes: &[u8]) -> Result<SeedSplit, String> {
    let place = tempfile::tempdir().unwrap();
    fs::copy(folder().join("features/label.mat"), place.path().join("label.mat")).unwrap();
    fs::write(place.path().join("7_20131111.mat"), bytes).unwrap();
    fs::write(place.path().join("readme.txt"), "other files").unwrap();
    let recordings = Recordings::open(place.path()).unwrap();
    let file = place.path().join("7_20131111.mat").display().to_string();
    recordings.split(&recordings.sessions()[0]).map_err(|error| without(&file, &error))
}

/// The message behind the name of the file, which must come first.
fn without(file: &str, error: &Error) -> String {
    let message = error.to_string();
    message.strip_prefix(&format!("{file}: ")).expect(&message).to_string()
}

#[test]
fn sessions_that_cannot_be_used() {
    let doubles = |values: &[f64]| values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let mut odd = vec![0.5; 62 * 2 * 5];
    odd[2 + 62 * (1 + 2 * 3)] = f64::NAN;
    let again = || clip("de_LDS3", &[62, 1, 5], 1, vec![0; 310]);
    let kind = |flags| mat(&[Stored { flags, ..clip("de_LDS1", &[62, 1, 5], 9, Vec::new()) }]);
    let cases: [(Vec<u8>, &str); 16] = [
        (Vec::new(), "the file is empty; rows of data are expected"),
        (
            b"1,2\n".to_vec(),
            "this is not a MATLAB file of version 5 to 7 (it does not begin as one); save it with \
             -v7",
        ),
        (
            fs::read(folder().join("v73.mat")).unwrap(),
            "this is a MATLAB 7.3 file (HDF5), which cannot be read here; load it in MATLAB and \
             save it with -v7",
        ),
        (
            fs::read(folder().join("cut.mat")).unwrap(),
            "the MATLAB file breaks off before its end; copy or download the file again",
        ),
        (
            mat(&[clip("de_LDS7", &[61, 230, 5], 1, vec![0; 61 * 230 * 5])]),
            "de_LDS7: 61 x 230 x 5 where 62 x T x 5 is expected (channels, windows of time, bands)",
        ),
        (
            mat(&[clip("de_LDS1", &[62, 0, 5], 9, vec![])]),
            "de_LDS1: 62 x 0 x 5 where 62 x T x 5 is expected (channels, windows of time, bands)",
        ),
        (
            mat(&[clip("de_LDS1", &[62, 2_000_000_000, 5], 9, vec![0; 8])]),
            "de_LDS1: 2000000000 windows of time, where a film has a few hundred and 10000 are the \
             most; the file is not of SEED's features",
        ),
        (
            mat(&[clip("de_LDS1", &[62, 2, 5], 9, vec![0; 8])]),
            "de_LDS1: the MATLAB file is damaged (8 bytes are not 62 x 2 x 5); copy or download \
             the file again",
        ),
        (
            mat(&[clip("de_LDS15", &[62, 2, 5], 9, doubles(&odd))]),
            "de_LDS15: channel 3 (FP2), window 2, band 4 (beta): `NaN` is not a finite number; get \
             the file anew or leave the session out",
        ),
        (
            mat(&[again(), again()]),
            "de_LDS3: there are two variables of this name; get the file anew",
        ),
        (
            mat(&[again()]),
            "there is no variable de_LDS1 (and 8 variables more missing); a file of SEED's \
             features has de_LDS1 to de_LDS15",
        ),
        (
            kind(6 | 0x800),
            "de_LDS1: this is an array of complex numbers; a full array of real numbers is needed",
        ),
        (kind(1), "de_LDS1: this is a cell array; a full array of real numbers is needed"),
        (kind(5), "de_LDS1: this is a sparse matrix; a full array of real numbers is needed"),
        (kind(3), "de_LDS1: this is an object; a full array of real numbers is needed"),
        (
            mat(&[clip("de_LDS1", &[62, 1, 5], 16, vec![0; 310])]),
            "de_LDS1: the MATLAB file is damaged (values of type 16 are no numbers); copy or \
             download the file again",
        ),
    ];
    for (bytes, message) in cases {
        assert_eq!(session(&bytes).unwrap_err(), message);
    }
}

#[test]
fn folders_that_cannot_be_used() {
    let place = tempfile::tempdir().unwrap();
    let open = || {
        let error = Recordings::open(place.path()).unwrap_err();
        without(&place.path().display().to_string(), &error)
    };
    let missing = Recordings::open(place.path().join("nowhere")).unwrap_err().to_string();
    assert!(missing.contains("nowhere: cannot be read ("), "{missing}");
    assert_eq!(
        open(),
        "there is no label.mat; name the folder of SEED's features (ExtractedFeatures)"
    );
    let labels = |values: &[i8]| {
        let bytes: Vec<u8> = values.iter().map(|value| *value as u8).collect();
        mat(&[clip("label", &[1, values.len() as i32], 1, bytes)])
    };
    fs::write(place.path().join("label.mat"), labels(&LABELS)).unwrap();
    for other in ["1_2013.mat", "_20131027.mat", "1_20131027.csv", "1_20131027", "x_20131027.mat"] {
        fs::write(place.path().join(other), "").unwrap();
    }
    assert_eq!(
        open(),
        "there is no session beside label.mat; files named by subject and date, such as \
         1_20131027.mat, are expected"
    );
    for name in ["10_20131204.mat", "9_20140704.mat", "9_20140620.mat"] {
        fs::write(place.path().join(name), "").unwrap();
    }
    let recordings = Recordings::open(place.path()).unwrap();
    let order: Vec<_> = recordings.sessions().iter().map(|s| s.path.file_name().unwrap()).collect();
    assert_eq!(order, ["9_20140620.mat", "9_20140704.mat", "10_20131204.mat"]);

    let mut other = LABELS;
    other[1] = 2;
    let mut few = LABELS;
    few[0] = 0;
    let cases = [
        (labels(&LABELS[1..]), "label: 1 x 14 where 1 x 15 is expected (clips)"),
        (labels(&other), "label: clip 2 has 2 where 1, 0 or -1 is expected"),
        (labels(&few), "label: 4 clips are positive and 5 negative where 5 of each are expected"),
        (mat(&[]), "there is no variable `label`; the file is not SEED's label.mat"),
        (
            mat(&[Stored { flags: 4, ..clip("label", &[1, 15], 4, vec![0; 30]) }]),
            "label: this is text; a full array of real numbers is needed",
        ),
    ];
    for (bytes, message) in cases {
        let file = place.path().join("label.mat");
        fs::write(&file, bytes).unwrap();
        let error = Recordings::open(place.path()).unwrap_err();
        assert_eq!(without(&file.display().to_string(), &error), message);
    }
}

/// Packed zeros of a thousandth of their size: refused for their dimensions, or for not being as many
/// as these say, before they take memory.
#[test]
fn what_is_packed_cannot_claim_memory() {
    let zeros = vec![0; 62 * 20_000 * 5];
    let bomb = packed_mat(&[clip("de_LDS1", &[62, 20_000, 5], 1, zeros.clone())]);
    assert!(bomb.len() < 10_000);
    assert!(session(&bomb).unwrap_err().starts_with("de_LDS1: 20000 windows of time"));
    let bomb = packed_mat(&[clip("de_LDS1", &[62, 2, 5], 1, zeros)]);
    let message = session(&bomb).unwrap_err();
    assert!(message.contains("damaged (6200000 bytes are not 62 x 2 x 5)"), "{message}");
}

/// Every beginning of a file is read or refused. A session lacks clips or breaks off.
#[test]
fn cut_off_anywhere() {
    for name in ["kinds.mat", "kinds_packed.mat", "features/2_20140404.mat"] {
        let bytes = fs::read(folder().join(name)).unwrap();
        for length in (0..bytes.len()).step_by(if name.starts_with("kinds") { 1 } else { 29 }) {
            #[cfg(debug_assertions)]
            checks::mat(&bytes[..length]);
        }
    }
    let bytes = fs::read(folder().join("features/1_20131027.mat")).unwrap();
    for length in (0..bytes.len()).step_by(97) {
        assert!(session(&bytes[..length]).is_err(), "{length}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// One byte changed: a result or an error. Where everything is packed, sums tell, so that no
    /// changed value is taken for a good one.
    #[test]
    fn changed_anywhere(at in any::<prop::sample::Index>(), byte: u8, which in 0..5usize) {
        let names = ["kinds.mat", "kinds_packed.mat", "features/1_20131027.mat",
                     "features/2_20140404.mat", "features/10_20131130.mat"];
        let mut bytes = fs::read(folder().join(names[which])).unwrap();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        #[cfg(debug_assertions)]
        checks::mat(&bytes);
        if which == 2 && let Ok(split) = session(&bytes) {
            let recordings = Recordings::open(folder().join("features")).unwrap();
            let whole = recordings.split(&recordings.sessions()[0]).unwrap();
            prop_assert_eq!(split.training.x(), whole.training.x());
            prop_assert_eq!(split.test.x(), whole.test.x());
        }
    }
}
