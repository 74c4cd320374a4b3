//! Every call of the system that changes files, made to fail in turn: nothing is lost, nothing is half
//! there, one sentence and the documented code tell of it, and the same command then gives what it
//! always gives.
//!
//! Some points of failure of each command; with `PFCVM_FAULTS=all` every one, in three ways
//! (`cargo xtask attack --only faults`).

#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;
mod server;

use common::{Place, Ran};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

/// How calls fail: one alone, it and all later ones, it after half of its bytes and all later ones.
const WAYS: [&str; 3] = ["once", "from", "torn"];

/// Points of failure of a command in an ordinary run of the tests.
const SOME: usize = 9;

/// A command, what it needs and what it makes.
struct Case {
    words: String,
    /// Makes what it needs in an empty place.
    prepare: Box<dyn Fn(&Place)>,
    /// Files that it makes, together.
    results: &'static [&'static str],
    /// Unfinished files that are left on purpose, for the next time.
    kept: Option<&'static str>,
    /// Whether it prints the same every time but for what the clock says.
    prints: bool,
}

/// The library that lets calls fail, compiled once; the compiler of the tests is there.
fn shim() -> &'static Path {
    static SHIM: OnceLock<PathBuf> = OnceLock::new();
    SHIM.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let library = folder.join(format!("faults-{}.so", std::process::id()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/shim.rs");
        let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
        command.args(["--edition", "2024", "--crate-type", "cdylib", "-C", "panic=abort", "-O"]);
        let made = command.arg("-o").arg(&library).arg(&source).output().expect("rustc runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        library
    })
}

fn command(place: &Place, case: &Case) -> Command {
    let words: Vec<&str> = case.words.split_whitespace().collect();
    let mut command = place.command(&words);
    command.env("XDG_CACHE_HOME", place.path("cache")).env("LD_PRELOAD", shim());
    command
}

fn run(place: &Place, case: &Case, fault: Option<(usize, &str)>) -> Ran {
    let mut command = command(place, case);
    match fault {
        Some((at, way)) => command.env("FAULT_AT", at.to_string()).env("FAULT_HOW", way),
        None => command.env("FAULT_LOG", place.path("calls")),
    };
    let output = command.output().unwrap();
    // A write that is torn may end within a character.
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
}

/// What a run says but for times.
fn said(case: &Case, ran: &Ran) -> Option<String> {
    if !case.prints {
        return None;
    }
    let mut value = ran.json();
    value.as_object_mut().map(|members| members.remove("timing"));
    Some(value.to_string())
}

/// What stands in the results. Of a page, which tells how long things took, whether it is whole.
fn content(place: &Place, case: &Case) -> Vec<Option<Vec<u8>>> {
    let read = |name: &&str| {
        let bytes = std::fs::read(place.path(name)).ok()?;
        let page = name.ends_with(".html") && bytes.trim_ascii_end().ends_with(b"</html>");
        Some(if page { b"a whole page".to_vec() } else { bytes })
    };
    case.results.iter().map(read).collect()
}

/// A place where the results of an earlier command are, or none.
fn prepared(case: &Case, old: bool) -> Place {
    let place = Place::new();
    (case.prepare)(&place);
    for name in case.results.iter().filter(|_| old) {
        let path = place.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "what was here before").unwrap();
    }
    place
}

/// Unfinished files anywhere below a folder.
fn parts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        match entry.path() {
            path if path.is_dir() => parts(&path, found),
            path if path.extension().is_some_and(|end| end == "part") => found.push(path),
            _ => {}
        }
    }
}

/// Lets the calls of a command fail in turn, and says how many there are and how many failed.
fn withstood(case: &Case, old: bool) -> (usize, usize) {
    let place = prepared(case, old);
    let ran = run(&place, case, None);
    assert_eq!(ran.code, Some(0), "{}: {}", case.words, ran.err);
    let (whole, printed) = (content(&place, case), said(case, &ran));
    let log = place.read("calls");
    let calls = log.len();
    let all = std::env::var("PFCVM_FAULTS").is_ok_and(|which| which == "all");
    let mut faults = 0;
    for at in 1..=calls {
        // Spread over the calls; the ways take turns.
        let picked = at * SOME / calls > (at - 1) * SOME / calls;
        let ways = match (all, picked) {
            (true, _) => &WAYS[..],
            (false, true) => &WAYS[faults % WAYS.len()..][..1],
            (false, false) => &[],
        };
        for way in ways {
            fault(case, old, (at, way), log.as_bytes(), &whole, printed.as_deref());
            faults += 1;
        }
    }
    (calls, faults)
}

fn fault(
    case: &Case,
    old: bool,
    fault: (usize, &str),
    calls: &[u8],
    whole: &[Option<Vec<u8>>],
    printed: Option<&str>,
) {
    let what = format!("{} with {fault:?}", case.words);
    let place = prepared(case, old);
    let before = content(&place, case);
    let ran = run(&place, case, Some(fault));
    let told = &ran.err;
    // Some calls are only tried: where they fail, all is as it would be without.
    assert!(matches!(ran.code, Some(0 | 5)), "{what}: {:?} {told}", ran.code);
    assert!(!told.contains("panicked"), "{what}: {told}");
    let errors = told.lines().filter(|line| line.starts_with("error: ")).count();
    assert_eq!(errors, usize::from(ran.code == Some(5)), "{what}: {told}");
    let found = content(&place, case);
    // Standard output may fail after the files are there. Where the system gives one name, then no
    // other, and does not let the first be taken back, each file is whole, the new one or the old one,
    // and those that are new are named.
    let each = found.iter().zip(whole).zip(&before).all(|((f, w), b)| f == w || f == b);
    let new = case.results.iter().zip(found.iter().zip(&before)).filter(|(_, (f, b))| f != b);
    let named = told
        .split_once("not to be taken back: ")
        .map(|(_, names)| names.trim_end().trim_end_matches(')'));
    let names: Vec<&str> = new.map(|(name, _)| *name).collect();
    let stuck = calls[fault.0 - 1] == b'r' && fault.1 != "once" && each;
    let together = found == before || (stuck && named == Some(&names.join(", ")));
    assert!(found == whole || (together && ran.code == Some(5)), "{what}: {told}");
    let mut left = Vec::new();
    parts(place.folder(), &mut left);
    left.retain(|path| !case.kept.is_some_and(|kept| path.ends_with(kept)));
    assert!(left.is_empty(), "{what}: {left:?}");

    let again = run(&place, case, None);
    assert_eq!(again.code, Some(0), "{what}, once more: {}", again.err);
    assert!(content(&place, case) == whole, "{what}: another result once more");
    assert!(said(case, &again).as_deref() == printed, "{what}: other words once more");
}

/// Names a command and tells the counts.
fn all_withstood(name: &str, case: &Case, old: bool) {
    let (calls, faults) = withstood(case, old);
    println!("{name}: {calls} calls, {faults} faults withstood");
    assert!(calls > 3);
    let (last, refusals) = without_memory(case, old);
    println!("{name}: memory refused at {refusals} of about {last} times that it is asked for");
    assert!(refusals > 1);
}

/// Refuses memory, to the program's allocator or to the system's library, at one time after the other
/// (in an ordinary run of the tests further and further apart), alone and from then on by turns, until
/// the command has all that it asks for. A program that is refused some is ended, which is a kill to its
/// files: none is half there, an older one is as it was, and the same command then gives what it always
/// gives.
fn without_memory(case: &Case, old: bool) -> (usize, usize) {
    let place = prepared(case, old);
    let ran = run(&place, case, None);
    let (whole, printed) = (content(&place, case), said(case, &ran));
    let all = std::env::var("PFCVM_FAULTS").is_ok_and(|which| which == "all");
    let (mut at, mut refusals) = (1, 0);
    loop {
        let place = prepared(case, old);
        let before = content(&place, case);
        let way = WAYS[refusals % 2];
        let what = format!("{} without memory at {at}, {way}", case.words);
        let mut command = command(&place, case);
        command.env("FAULT_MEMORY", "yes").env("FAULT_AT", at.to_string()).env("FAULT_HOW", way);
        let output = command.output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        let ended = output.status.signal().is_some();
        let coded = output.status.code().is_some_and(|code| code <= 5 && code != 1);
        assert!(ended || coded, "{what}: {:?} {told}", output.status);
        let found = content(&place, case);
        assert!(found == before || found == whole, "{what}: {told}");
        let again = run(&place, case, None);
        assert_eq!(again.code, Some(0), "{what}, once more: {}", again.err);
        assert!(content(&place, case) == whole, "{what}: another result once more");
        assert!(said(case, &again).as_deref() == printed.as_deref(), "{what}: other words");
        // One alone may be for something that a program can do without.
        if output.status.success() && way == "from" {
            return (at, refusals);
        }
        refusals += 1;
        at += if all { 1 } else { 1 + 4 * at };
    }
}

fn drawn(place: &Place) {
    place.good("generate waveform --n 40 --seed 1 --out d.csv");
}

#[test]
fn fit() {
    let case = Case {
        words: "fit d.csv --model m.json --report r.html --certainty off".into(),
        prepare: Box::new(drawn),
        results: &["m.json", "r.html"],
        kept: None,
        // It says how long it took.
        prints: false,
    };
    all_withstood("fit", &case, false);
    all_withstood("fit in place of older files", &case, true);
}

#[test]
fn predict() {
    let case = Case {
        words: "predict m.json d.csv --out p.csv".into(),
        prepare: Box::new(|place| {
            drawn(place);
            place.good("fit d.csv --model m.json --certainty off");
        }),
        results: &["p.csv"],
        kept: None,
        prints: false,
    };
    all_withstood("predict", &case, false);
    all_withstood("predict in place of an older file", &case, true);
}

#[test]
fn evaluate() {
    let words = "evaluate d.csv --cv kfold:4 --set kernel=linear --set certainty=off --threads 1 \
                 --json --predictions p.csv";
    let case = |words: String| Case {
        words,
        prepare: Box::new(drawn),
        results: &["p.csv"],
        kept: None,
        prints: true,
    };
    all_withstood("evaluate with a record in the cache", &case(words.into()), false);
    all_withstood("evaluate", &case(format!("{words} --results r")), true);
}

/// All but the last fold is there: what is left is to be recorded, and the page to be written.
#[test]
fn experiment() {
    const RECORD: &str = "e/folds/truncation/splits/folds.jsonl";
    let words = "experiment truncation --quick --out e --threads 1";
    let first = Place::new();
    first.good(words);
    let record = first.read(RECORD);
    let most = record.trim_end().rfind('\n').unwrap() + 1;
    let case = Case {
        words: words.into(),
        prepare: Box::new(move |place| {
            std::fs::create_dir_all(place.path(RECORD).parent().unwrap()).unwrap();
            place.write(RECORD, &record[..most]);
        }),
        results: &["e/truncation.json"],
        kept: None,
        prints: false,
    };
    all_withstood("experiment", &case, false);
}

#[test]
fn fetch() {
    let Ok(real) = std::env::var("PFCVM_DATA") else {
        return println!("skipped: PFCVM_DATA is not set, so there is nothing to serve");
    };
    let file = std::fs::read(format!("{real}/wdbc/data.csv")).unwrap();
    let mirror = server::serve("wdbc/data.csv", file, Duration::ZERO).unwrap();
    let case = Case {
        words: format!("data fetch wdbc --mirror {mirror} --data d"),
        prepare: Box::new(|_| ()),
        results: &["d/wdbc/data.csv"],
        kept: Some("data.csv.part"),
        prints: false,
    };
    all_withstood("fetch", &case, false);
}
