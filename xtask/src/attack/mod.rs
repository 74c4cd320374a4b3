//! `cargo xtask attack`: the program under kills, damage, hostile files and tight limits.
//!
//! Every attack is drawn from a seed and its number, so that a bad one can be done again. What must
//! hold is in `docs/reliability.md`.

mod damage;
mod hostile;
mod kills;
mod limits;
mod parts;
#[path = "../../../crates/pfcvm-cli/tests/faults/server.rs"]
mod server;
mod target;

use crate::step::{OPTIONAL, Outcome, built, cargo, quietly, scratch};
use std::ops::Range;
use std::time::Instant;
use target::Target;

/// Bad attacks of a group that are shown.
const SHOWN: usize = 5;

/// After so many attacks it is told how far a group is.
const TOLD: u64 = 50;

/// What is attacked, and how often.
struct Group {
    name: &'static str,
    about: &'static str,
    quick: u64,
    long: u64,
    /// Says what is wrong, if anything is.
    attack: fn(&Target, &mut Draw) -> Result<(), String>,
}

const GROUPS: [Group; 10] = [
    Group {
        name: "kills",
        about: "fit (plain, panel, streamed), predict, evaluate, experiment, price, update, fetch killed at random, then run again",
        quick: 18,
        long: 900,
        attack: kills::killed,
    },
    Group {
        name: "interrupts",
        about: "the same with Ctrl-C",
        quick: 9,
        long: 450,
        attack: kills::interrupted,
    },
    Group {
        name: "models",
        about: "model files and panels with flipped bits, cut, with bytes doubled or gone",
        quick: 50,
        long: 5000,
        attack: damage::model,
    },
    Group {
        name: "records",
        about: "records of folds with the same damage, gone on from",
        quick: 10,
        long: 500,
        attack: damage::record,
    },
    Group {
        name: "data",
        about: "files of the fuzzer's corpus, mutated, fitted",
        quick: 50,
        long: 5000,
        attack: hostile::data,
    },
    Group {
        name: "sparse",
        about: "LIBSVM text whose indices claim anything, fitted and predicted",
        quick: 20,
        long: 1000,
        attack: hostile::sparse,
    },
    Group {
        name: "streams",
        about: "files fitted part by part: damaged, other rows midway, changed while read, a damaged record",
        quick: 12,
        long: 1200,
        attack: parts::streamed,
    },
    Group {
        name: "options",
        about: "texts of options and files of groups that nobody would write",
        quick: 20,
        long: 1000,
        attack: hostile::options,
    },
    Group {
        name: "file sizes",
        about: "limits on the size of files, as on a disk that fills up",
        quick: 10,
        long: 300,
        attack: limits::files,
    },
    Group {
        name: "memory",
        about: "limits on memory: a fit is done or refused, never ended by the system",
        quick: 6,
        long: 60,
        attack: limits::memory,
    },
];

/// Groups that must know beforehand what commands give.
const OF_COMMANDS: [&str; 4] = ["kills", "interrupts", "records", "file sizes"];

/// Runs the groups; the options are `--quick`, `--seed S`, `--only NAME`, `--numbers A..B` for some
/// attacks once more, and `--program FILE`, for a program that is not to be built first.
pub fn run(options: &[&str]) -> Outcome {
    let (mut quick, mut seed, mut only, mut program) = (false, 1, None, None);
    let mut numbers = None;
    let mut words = options.iter();
    while let Some(word) = words.next() {
        match (*word, words.as_slice().first()) {
            ("--quick", _) => quick = true,
            ("--seed", Some(number)) => {
                seed = number.parse().map_err(|_| format!("`{number}` is no seed"))?;
                words.next();
            }
            ("--numbers", Some(text)) => {
                let ends = text.split_once("..").map(|(a, b)| (a.parse(), b.parse()));
                let Some((Ok(start), Ok(end))) = ends else {
                    return Err(format!("`{text}` are no numbers, as in 10..20"));
                };
                numbers = Some(start..end);
                words.next();
            }
            ("--only", Some(name)) => only = Some(*words.next().unwrap_or(name)),
            ("--program", Some(file)) => program = Some(*words.next().unwrap_or(file)),
            _ => {
                let known = "--quick, --seed S, --only NAME, --numbers A..B, --program FILE";
                return Err(format!("`{word}` is no option: {known}"));
            }
        }
    }
    let known = |name: &str| name == FAULTS || GROUPS.iter().any(|group| group.name == name);
    if let Some(name) = only.filter(|name| !known(name)) {
        return Err(format!("there is no group `{name}`"));
    }
    if only == Some(FAULTS) {
        return faults(quick);
    }
    let program = match program {
        Some(file) => std::path::absolute(file).map_err(|error| error.to_string())?,
        None => {
            quietly("the program", &mut cargo(&["build", "--package", "pfcvm-cli", OPTIONAL]))?;
            built("pfcvm")
        }
    };
    let mut target = Target::new(program, scratch(&format!("attack-{seed}"))?)?;
    if only.is_none_or(|name| OF_COMMANDS.contains(&name)) {
        target = target.with_commands()?;
    }
    println!("\n{:<12} {:>7} {:>5} {:>9}  what", "group", "attacks", "bad", "seconds");
    let mut bad = 0;
    for group in GROUPS.iter().filter(|group| only.is_none_or(|name| name == group.name)) {
        let all = 0..if quick { group.quick } else { group.long };
        bad += group.run(&target, numbers.clone().unwrap_or(all), seed);
    }
    if only.is_none() {
        faults(quick)?;
    }
    match bad {
        0 => Ok(()),
        bad => Err(format!("{bad} attacks were not withstood")),
    }
}

/// The group whose attacks are those of a test of the program, all instead of some.
const FAULTS: &str = "faults";

fn faults(quick: bool) -> Outcome {
    let mut command = cargo(&["test", "--package", "pfcvm-cli", "--test", FAULTS]);
    command.args(["--", "--nocapture", "--test-threads", "1"]);
    if !quick {
        command.env("PFCVM_FAULTS", "all");
    }
    println!("\nCalls of the system that fail");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("a fault was not withstood".into()),
        Err(error) => Err(error.to_string()),
    }
}

impl Group {
    fn run(&self, target: &Target, numbers: Range<u64>, seed: u64) -> usize {
        let start = Instant::now();
        let count = numbers.end.saturating_sub(numbers.start);
        let mut bad: Vec<(u64, String)> = Vec::new();
        for (done, number) in (1..).zip(numbers) {
            let outcome = (self.attack)(target, &mut Draw::new(seed, number));
            bad.extend(outcome.err().map(|problem| (number, problem)));
            if u64::is_multiple_of(done, TOLD) && done < count {
                println!("    {done} of {count}, {} bad", bad.len());
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("{:<12} {count:>7} {:>5} {seconds:>9.1}  {}", self.name, bad.len(), self.about);
        for (number, problem) in bad.iter().take(SHOWN) {
            println!("    number {number} of seed {seed}: {problem}");
        }
        bad.len()
    }
}

/// Random numbers, the same for the same seed everywhere (SplitMix64).
pub struct Draw {
    state: u64,
    /// Of the attack.
    number: u64,
}

impl Draw {
    fn new(seed: u64, number: u64) -> Self {
        let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number;
        let mut draw = Self { state, number };
        draw.next();
        draw
    }

    /// One after the other, so that each has as many attacks.
    pub fn turn<'a, T>(&self, from: &'a [T]) -> &'a T {
        &from[(self.number % from.len() as u64) as usize]
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// From 0 up to 1.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// Bytes with some damage.
    pub fn damaged(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        if bytes.is_empty() {
            return bytes;
        }
        let at = self.below(bytes.len());
        let end = (at + 1 + self.below(200)).min(bytes.len());
        match self.below(6) {
            0..3 => bytes[at] ^= 1 << self.below(8),
            3 => bytes.truncate(at),
            4 => drop(bytes.drain(at..end)),
            _ => {
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
        }
        bytes
    }
}
