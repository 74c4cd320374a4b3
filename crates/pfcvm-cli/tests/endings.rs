//! Interrupts, full disks and readers that leave: nothing half-written, the documented exit code.

#![cfg(unix)]

mod common;

use common::{Place, Ran};
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn generate(place: &Place, what: &str, rows: usize) {
    place.good(&format!("generate {what} --n {rows} --seed 1 --out data.csv"));
}

/// Ctrl-C while a fit runs that would take minutes.
#[test]
fn an_interrupted_fit_leaves_nothing() {
    let place = Place::new();
    generate(&place, "eeg-like", 1400);
    // What the reader noticed is told before the fit begins.
    let named = place.read("data.csv");
    place.write("data.csv", named.split_once('\n').unwrap().1);
    let arguments =
        ["fit", "data.csv", "--model", "m.json", "--report", "r.html", "--samples", "dense"];
    let mut child =
        place.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut sign = String::new();
    stderr.read_line(&mut sign).unwrap();
    assert!(sign.starts_with("note: the first line holds numbers"), "{sign}");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let start = Instant::now();
    let mut said = String::new();
    stderr.read_to_string(&mut said).unwrap();
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(130), "{said}");
    assert!(start.elapsed() < Duration::from_secs(60), "it went on");
    assert!(said.contains("interrupted") && ran.out.is_empty(), "{said}");
    assert_eq!(place.files(), ["data.csv"]);
}

/// Ctrl-C while the price of short lists is found out, after the fit.
#[test]
#[cfg(unix)]
fn an_interrupted_price_leaves_nothing() {
    let (place, cache) = (Place::new(), Place::new());
    generate(&place, "waveform", 400);
    let arguments = ["fit", "data.csv", "--price", "--model", "m.json", "--report", "r.html"];
    let mut command = place.command(&arguments);
    command.env("PFCVM_PROGRESS", "lines").env("XDG_CACHE_HOME", cache.folder());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains(" folds, ") {
        line.clear();
        assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended before any fold was told");
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let mut said = String::new();
    stderr.read_to_string(&mut said).unwrap();
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(130), "{said}");
    assert!(said.contains("interrupted") && ran.out.is_empty(), "{said}");
    assert_eq!(place.files(), ["data.csv"]);
}

/// Ctrl-C while predictions are being written: the unfinished file goes.
#[test]
fn an_interrupted_prediction_leaves_nothing() {
    let place = Place::new();
    generate(&place, "waveform", 400);
    place.good("fit data.csv --model m.json");
    // Standard input that never ends keeps the program in the middle of its work.
    let mut child = place
        .command(&["predict", "m.json", "-", "--out", "p.csv"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let data = place.read("data.csv");
    std::io::Write::write_all(&mut stdin, data.as_bytes()).unwrap();
    let unfinished = |place: &Place| place.files().iter().any(|name| name.ends_with(".part"));
    for _ in 0..600 {
        if unfinished(&place) {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(unfinished(&place), "{:?}", place.files());
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    let ran = Ran::of(child.wait_with_output().unwrap());
    drop(stdin);
    assert_eq!(ran.code, Some(130), "{}", ran.err);
    assert_eq!(place.files(), ["data.csv", "m.json"]);
}

/// Runs under a limit on the size of files, as on a disk that fills up. The signal that goes with
/// the limit must not end the program half-way.
fn limited(place: &Place, kib: usize, arguments: &str) -> Ran {
    under(place, &format!("ulimit -f {}", 2 * kib), arguments)
}

/// Runs after a command of the shell.
fn under(place: &Place, first: &str, arguments: &str) -> Ran {
    let script = format!("{first} || exit 77; exec \"$0\" {arguments}");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_pfcvm")]).current_dir(place.folder());
    Ran::of(command.output().unwrap())
}

#[test]
fn results_too_large_for_the_disk_leave_nothing() {
    let place = Place::new();
    generate(&place, "waveform", 400);
    place.good("fit data.csv --model m.json");
    let cases = [
        "fit data.csv --model n.json --samples dense",
        // The model fits; the report beside it does not: neither may appear.
        "fit data.csv --model n.json --report r.html",
        "predict m.json data.csv --out p.csv",
        "generate waveform --n 400 --out g.csv",
        "demo --out .",
    ];
    for arguments in cases {
        let ran = limited(&place, 4, arguments);
        assert_eq!(ran.code, Some(5), "{arguments}: {}", ran.err);
        assert!(ran.err.contains("cannot be written"), "{arguments}: {}", ran.err);
        assert_eq!(place.files(), ["data.csv", "m.json"], "{arguments}");
    }
}

/// A real full disk, where one may be mounted.
#[test]
fn a_full_disk_is_told_and_leaves_nothing() {
    let place = Place::new();
    generate(&place, "waveform", 400);
    place.good("fit data.csv --model m.json");
    let program = env!("CARGO_BIN_EXE_pfcvm");
    let script = format!(
        "mkdir disk && mount -t tmpfs -o size=16k none disk || exit 77; \
         for run in 'fit data.csv --model disk/m.json --report disk/r.html' \
                    'predict m.json data.csv --out disk/p.csv'; do \
           '{program}' $run; echo \"code $?\"; ls -A disk; done"
    );
    let mut command = Command::new("unshare");
    command.args(["--mount", "--map-root-user", "sh", "-c", &script]).current_dir(place.folder());
    let Ok(output) = command.output() else {
        return eprintln!("skipped: there is no unshare to mount a small disk with");
    };
    if !output.status.success() {
        return eprintln!("skipped: a small disk cannot be mounted here");
    }
    let ran = Ran::of(output);
    assert_eq!(ran.out, "code 5\ncode 5\n", "{}", ran.err);
    assert_eq!(ran.err.matches("the disk is full; nothing was written").count(), 2, "{}", ran.err);
}

#[test]
fn standard_output_that_is_full_is_told() {
    let place = Place::new();
    generate(&place, "waveform", 400);
    place.good("fit data.csv --model m.json");
    for arguments in [
        "inspect m.json --json",
        "predict m.json data.csv",
        "generate twonorm",
        "--help",
        "fit --help",
        "--version",
        "man",
        "completions bash",
    ] {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ran = Ran::of(place.command(&words).stdout(full).output().unwrap());
        assert_eq!(ran.code, Some(5), "{arguments}: {}", ran.err);
        assert!(ran.err.contains("standard output: cannot be written"), "{}", ran.err);
    }
}

/// `pfcvm … | head -1` ends quietly.
#[test]
fn a_reader_that_leaves_is_no_error() {
    let place = Place::new();
    generate(&place, "waveform", 20_000);
    place.good("fit data.csv --model m.json --max-basis 50");
    for arguments in
        [&["generate", "waveform", "--n", "20000"][..], &["predict", "m.json", "data.csv"]]
    {
        let mut child =
            place.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(!first.is_empty());
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments:?}: {said}");
        assert!(said.is_empty(), "{said}");
    }
}

/// What must be read more than once is refused, not waited for.
#[test]
fn groups_do_not_come_through_a_pipe() {
    let place = Place::new();
    let made = Command::new("mkfifo").arg(place.path("pipe")).status();
    if !made.is_ok_and(|status| status.success()) {
        return eprintln!("skipped: there is no mkfifo");
    }
    let ran = place.run("evaluate pipe --cv groups:g");
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("can be read only once"), "{}", ran.err);
}

/// Fewer threads than asked for, or none but the first: the same result.
#[test]
fn threads_that_the_system_does_not_give_are_done_without() {
    let place = Place::new();
    generate(&place, "waveform", 200);
    let fit = "fit data.csv --json";
    let usual = place.good(fit).json();
    let same = |ran: &Ran, how: &str| {
        assert_eq!(ran.code, Some(0), "{how}: {}", ran.err);
        assert_eq!(ran.json()["selected_samples"], usual["selected_samples"], "{how}");
    };
    let many = "export RAYON_NUM_THREADS=60000";
    same(&under(&place, many, fit), many);
    // Stacks of 1 GiB each, and addresses for a few of them.
    let few = "ulimit -v 6000000; export RUST_MIN_STACK=1073741824";
    same(&under(&place, few, fit), few);
    // Not even the thread that waits for interrupts may start: that is told.
    for kib in [2_500_000, 1_500_000] {
        let ran = under(&place, &format!("ulimit -v {kib}; export RUST_MIN_STACK=1073741824"), fit);
        assert!(ran.code == Some(0) || ran.code == Some(1), "{:?}: {}", ran.code, ran.err);
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
    }
}

/// Whatever the system gives, a fit is done or refused beforehand.
#[test]
#[cfg(target_os = "linux")]
fn a_fit_that_does_not_fit_into_memory_is_refused() {
    let place = Place::new();
    generate(&place, "eeg-like", 700);
    let fit = "fit data.csv --max-iterations 2 --threads 2 --certainty off";
    let mut refused = 0;
    for mib in [100, 200, 300, 600, 6000] {
        let ran = under(&place, &format!("ulimit -v {}", mib << 10), fit);
        match ran.code {
            Some(0) => {}
            Some(3) => {
                assert!(ran.err.contains(" MiB") && ran.err.lines().count() == 1, "{}", ran.err);
                refused += 1;
            }
            other => panic!("{mib} MiB: {other:?} {}", ran.err),
        }
        assert!(mib < 6000 || ran.code == Some(0), "{}", ran.err);
    }
    assert!(refused > 0);
}

/// The same of panels, and of methods that are tried.
#[test]
#[cfg(target_os = "linux")]
fn a_panel_or_a_method_that_does_not_fit_into_memory_is_refused() {
    let place = Place::new();
    generate(&place, "waveform", 3000);
    let cases = [
        "fit data.csv --panel 5 --memory-limit 5",
        // Every pair of samples is compared: 400 MiB.
        "evaluate data.csv --cv holdout:1450 --method pcvm --threads 1",
        "compare data.csv --cv holdout:1450 --methods fisher+mpm,pcvm --threads 1",
    ];
    for arguments in cases {
        let ran = under(&place, "ulimit -v 600000", arguments);
        assert_eq!(ran.code, Some(3), "{arguments}: {}", ran.err);
        let told: Vec<&str> = ran.err.lines().filter(|line| line.contains(" MiB")).collect();
        // Of processors with large caches there may be nothing left before the data are read.
        let refused = |line: &str| line.contains("allowed") || line.contains("the limit of 0 MiB");
        assert!(told.len() == 1 && refused(told[0]), "{arguments}: {}", ran.err);
    }
}

/// The most memory that a command has at a time, as long as it is seen.
#[cfg(target_os = "linux")]
fn peak_mib(place: &Place, words: &[&str]) -> f64 {
    let mut command = place.command(words);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut taken = 0.0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
        taken = kib.map_or(taken, |kib: f64| kib / 1024.0);
        std::thread::sleep(Duration::from_millis(1));
    }
    taken
}

/// Of an array stored column after column (Fortran's order) `predict` holds the columns that the model
/// needs, and not the array.
#[test]
#[cfg(target_os = "linux")]
fn of_an_array_by_columns_a_prediction_holds_what_it_needs() {
    const COLUMNS: usize = 120;
    let place = Place::new();
    let array = |name: &str, rows: usize| {
        let shape = format!("'fortran_order': True, 'shape': ({rows}, {COLUMNS})");
        let header = format!("{{'descr': '<f8', {shape}, }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        for column in 0..COLUMNS {
            for row in 0..rows {
                let noise = ((row * 7919 + column * 104_729) % 1009) as f64 / 1009.0;
                let class = (row % 2) as f64;
                let value = if column + 1 == COLUMNS { class } else { noise };
                let apart = if column == 3 { 2.0 * class } else { 0.0 };
                bytes.extend((value + apart).to_le_bytes());
            }
        }
        std::fs::write(place.path(name), &bytes).unwrap();
        bytes.len() as f64 / f64::from(1 << 20)
    };
    array("train.npy", 80);
    let fit = place.good("fit train.npy --model m.json --json").json();
    assert_eq!(fit["selected_features"].as_array().unwrap().len(), 1);
    let words = ["predict", "m.json", "new.npy", "--out", "p.csv", "--threads", "1"];
    array("new.npy", 100);
    let little = peak_mib(&place, &words);
    let size = array("new.npy", 100_000);
    let taken = peak_mib(&place, &words) - little;
    assert_eq!(place.read("p.csv").lines().count(), 100_001);
    // One column of 120, its predictions, and the pieces in between.
    assert!(taken < 0.5 * size, "{taken} MiB more for {size} MiB");
}

/// A model file that is larger than any is refused by its length.
#[test]
fn a_model_file_beyond_the_largest_is_refused_unread() {
    let place = Place::new();
    place.write("m.json", "{\"format\": \"pfcvm model\"");
    let file = std::fs::OpenOptions::new().write(true).open(place.path("m.json")).unwrap();
    // Of such a file the disk has what was written.
    if file.set_len(5 << 30).is_err() {
        return println!("skipped: the file system has no files of 5 GiB");
    }
    for arguments in ["inspect m.json", "predict m.json m.json"] {
        let ran = place.run(arguments);
        assert_eq!(ran.code, Some(4), "{}", ran.err);
        assert!(
            ran.err.contains("larger than 4 GiB") && ran.err.lines().count() == 1,
            "{}",
            ran.err
        );
    }
}

/// What a fit is said to need is what it takes, within a fifth and what the program itself takes.
#[test]
#[cfg(target_os = "linux")]
fn the_memory_of_a_fit_is_foreseen() {
    let place = Place::new();
    // More features than rows, and many rows.
    let names: Vec<String> = (0..20_000).map(|column| format!("g{column}")).collect();
    let mut wide = names.join(",") + ",label\n";
    for row in 0..60 {
        let value = |column: usize| ((row * 7919 + column * 104_729) % 1009) as f64 / 1009.0;
        for column in 0..20_000 {
            wide +=
                &format!("{},", value(column) + f64::from(u8::from(column < 5 && row % 2 == 0)));
        }
        wide += &format!("c{}\n", row % 2);
    }
    place.write("wide.csv", wide);
    // Of so many that the reader needs less than the fit.
    generate(&place, "waveform", 12_000);
    for data in ["wide.csv", "data.csv"] {
        let ran = place.run(&format!("fit {data} --memory-limit 60"));
        let words: Vec<&str> = ran.err.split_whitespace().collect();
        let at = words.iter().position(|word| *word == "about").expect(&ran.err);
        let foreseen: f64 = words[at + 1].parse().unwrap();
        let words = ["fit", data, "--threads", "1", "--max-iterations", "8", "--certainty", "off"];
        // No more samples join than are foreseen then.
        let limit = foreseen.to_string();
        let words = [&words[..], &["--memory-limit", &limit]].concat();
        let taken = peak_mib(&place, &words);
        const PROGRAM: f64 = 20.0;
        let ratio = foreseen / (taken - PROGRAM);
        assert!((0.8..1.25).contains(&ratio), "{data}: {foreseen} foreseen, {taken} taken");
    }
}
