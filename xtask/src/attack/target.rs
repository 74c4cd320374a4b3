//! The program with everything that attacks need of it, made once.

use super::server::serve;
use crate::step::{Outcome, root};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// After so long a program hangs.
const HANGS: Duration = Duration::from_secs(600);

/// Model files of every kind, and how each is made: with the list alone and for accuracy, of one machine
/// and of a panel, of two classes and of three, with the rows to learn on from.
pub const MODELS: [(&str, &str); 7] = [
    ("m.json", "data.csv"),
    ("panel.json", "data.csv --panel 5"),
    ("pair.json", "data.csv --goal accuracy"),
    ("panel-pair.json", "data.csv --panel 5 --goal accuracy"),
    ("three.json", "three.csv --goal accuracy"),
    ("panel-three.json", "three.csv --panel 5"),
    ("kept.json", "data.csv --keep-rows"),
];

/// A command whose result is known.
pub struct Known {
    pub words: String,
    /// The file it writes, with what stands in it at the end; nothing for what it prints.
    pub file: Option<(&'static str, Vec<u8>)>,
    pub printed: String,
    pub seconds: f64,
    /// What lies there before it is begun: most of a record that would take long.
    pub before: Option<(&'static str, Vec<u8>)>,
}

pub struct Target {
    program: PathBuf,
    folder: PathBuf,
    pub commands: Vec<Known>,
    /// Files of the fuzzer's corpus.
    pub corpus: Vec<Vec<u8>>,
}

impl Target {
    pub fn new(program: PathBuf, folder: PathBuf) -> Outcome<Self> {
        let _ = std::fs::remove_dir_all(&folder);
        let mut target = Self { program, folder, commands: Vec::new(), corpus: Vec::new() };
        std::fs::create_dir_all(target.place()).map_err(|error| error.to_string())?;
        for words in [
            "generate waveform --n 100 --seed 1 --out data.csv",
            "generate waveform --n 20000 --seed 2 --out many.csv",
            "generate waveform-three --n 90 --seed 3 --out three.csv",
            "generate waveform --n 20 --seed 4 --out more.csv",
        ] {
            target.good(words)?;
        }
        for (name, words) in MODELS {
            target.good(&format!("fit {words} --certainty off --model {name}"))?;
        }
        const FORMATS: [&str; 10] =
            ["csv", "arff", "libsvm", "npy", "npz", "gzip", "zstd", "excel", "parquet", "arrow"];
        for format in FORMATS {
            let folder = root().join("fuzz/corpus").join(format);
            let entries = std::fs::read_dir(&folder).map_err(|error| error.to_string())?;
            let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
            paths.sort();
            target.corpus.extend(paths.iter().filter_map(|path| std::fs::read(path).ok()));
        }
        Ok(target)
    }

    /// Learns what commands give, of which one takes long.
    pub fn with_commands(mut self) -> Outcome<Self> {
        self.commands = vec![
            self.known("fit data.csv --model out.json", Some("out.json"))?,
            self.known("predict m.json many.csv --out out.csv", Some("out.csv"))?,
            self.known("evaluate data.csv --cv kfold:5x2 --json --results record", None)?,
            self.experiment()?,
            self.known(
                "fit data.csv --panel 5 --goal accuracy --model out.json",
                Some("out.json"),
            )?,
            self.known("price data.csv --sizes 1,3 --cv kfold:3 --kernel linear --json", None)?,
            self.known("update kept.json more.csv --model out.json", Some("out.json"))?,
            self.known("fit data.csv --stream --model out.json", Some("out.json"))?,
        ];
        match std::env::var("PFCVM_DATA") {
            Err(_) => {
                println!("fetch is left out: PFCVM_DATA is not set, and nothing can be served")
            }
            Ok(real) => {
                let file = std::fs::read(Path::new(&real).join("wdbc/data.csv"));
                let file = file.map_err(|error| format!("wdbc/data.csv in PFCVM_DATA: {error}"))?;
                let mirror = serve("wdbc/data.csv", file, Duration::from_millis(10));
                let mirror = mirror.map_err(|error| error.to_string())?;
                let words = format!("data fetch wdbc --mirror {mirror} --data got");
                self.commands.push(self.known(&words, Some("got/wdbc/data.csv"))?);
            }
        }
        Ok(self)
    }

    /// Where the program runs.
    pub fn place(&self) -> PathBuf {
        self.folder.join("place")
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.place().join(name)
    }

    pub fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        std::fs::read(self.path(name)).map_err(|error| format!("{name}: {error}"))
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        std::fs::write(self.path(name), bytes).map_err(|error| format!("{name}: {error}"))
    }

    /// Where it is not there, all the better.
    pub fn remove(&self, name: &str) {
        let _ = std::fs::remove_file(self.path(name));
    }

    /// The program with words, after a command of the shell if there is one.
    pub fn command(&self, words: &str, first: Option<&str>) -> Command {
        let mut command = match first {
            None => Command::new(&self.program),
            Some(first) => {
                let mut shell = Command::new("sh");
                shell.args(["-c", &format!("{first}; exec \"$0\" \"$@\"")]).arg(&self.program);
                shell
            }
        };
        command.args(words.split_whitespace()).current_dir(self.place());
        command.env("XDG_CACHE_HOME", self.folder.join("cache"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs to the end, unless it hangs.
    pub fn run(&self, words: &str, first: Option<&str>) -> Result<Output, String> {
        let child = self.command(words, first).spawn().map_err(|error| error.to_string())?;
        waited(child, words)
    }

    fn good(&self, words: &str) -> Outcome<Output> {
        let output = self.run(words, None)?;
        match output.status.success() {
            true => Ok(output),
            false => Err(format!("{words}: {}", String::from_utf8_lossy(&output.stderr))),
        }
    }

    /// An experiment of which most folds are done.
    fn experiment(&self) -> Outcome<Known> {
        const RECORD: &str = "e/folds/truncation/splits/folds.jsonl";
        let words = "experiment truncation --quick --out e";
        self.good(words)?;
        let text = std::fs::read(self.path(RECORD)).map_err(|error| error.to_string())?;
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let ends: Vec<usize> = ends.map(|(at, _)| at + 1).collect();
        let most = text[..ends[ends.len().saturating_sub(3)]].to_vec();
        self.tidy();
        let before = Some((RECORD, most));
        self.lay(&before);
        let known = self.known(words, Some("e/truncation.json"))?;
        Ok(Known { before, ..known })
    }

    /// Lays there what a command begins with.
    pub fn begin(&self, known: &Known) {
        self.lay(&known.before);
    }

    fn lay(&self, before: &Option<(&'static str, Vec<u8>)>) {
        if let Some((name, content)) = before {
            let path = self.path(name);
            // Where it cannot be laid, the command does all of its work.
            let _ = path.parent().map(std::fs::create_dir_all);
            let _ = std::fs::write(path, content);
        }
    }

    fn known(&self, words: &str, file: Option<&'static str>) -> Outcome<Known> {
        let start = Instant::now();
        let output = self.good(words)?;
        let seconds = start.elapsed().as_secs_f64();
        let file = file.map(|name| (name, std::fs::read(self.path(name)).unwrap_or_default()));
        self.tidy();
        let printed = timeless(&output);
        Ok(Known { words: words.into(), file, printed, seconds, before: None })
    }

    /// Removes what attacks left.
    pub fn tidy(&self) {
        let data = ["data.csv", "many.csv", "three.csv", "more.csv"].into_iter();
        let kept: Vec<&str> = data.chain(MODELS.map(|(name, _)| name)).collect();
        for path in self.found().into_iter().filter(|path| !kept.iter().any(|k| path.ends_with(k)))
        {
            let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path));
        }
    }

    /// Everything in the place.
    pub fn found(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.place()).into_iter().flatten();
        entries.flatten().map(|entry| entry.path()).collect()
    }

    /// Whether an unfinished file was left.
    pub fn has_part(&self) -> bool {
        self.found().iter().any(|path| is_part(path))
    }

    /// Removes them.
    pub fn remove_parts(&self) {
        for path in self.found().iter().filter(|path| is_part(path)) {
            let _ = std::fs::remove_file(path);
        }
    }
}

fn is_part(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "part")
}

/// What was printed, but for what the clock says.
pub fn timeless(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    match serde_json::from_str::<serde_json::Value>(&text) {
        Ok(mut value) => {
            value.as_object_mut().map(|object| object.remove("timing"));
            value.to_string()
        }
        // An account in words tells how long it took.
        Err(_) => String::new(),
    }
}

/// Waits, and gives up on what hangs.
pub fn waited(mut child: Child, words: &str) -> Result<Output, String> {
    let start = Instant::now();
    // Pipes that fill up would look like a program that hangs.
    let mut pipes = (child.stdout.take(), child.stderr.take());
    let drain = |pipe: Option<Box<dyn std::io::Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut pipe) = pipe {
                let _ = pipe.read_to_end(&mut bytes);
            }
            bytes
        })
    };
    let out = drain(pipes.0.take().map(|pipe| Box::new(pipe) as _));
    let err = drain(pipes.1.take().map(|pipe| Box::new(pipe) as _));
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status,
            None if start.elapsed() > HANGS => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("{words}: it hangs"));
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let text = |thread: std::thread::JoinHandle<Vec<u8>>| thread.join().unwrap_or_default();
    Ok(Output { status, stdout: text(out), stderr: text(err) })
}

/// What is wrong with how a program ended: its code must be one of those given, and an error is one
/// sentence.
pub fn ending(output: &Output, codes: &[i32], what: &dyn Fn() -> String) -> Result<i32, String> {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let Some(code) = output.status.code() else {
        return Err(format!("{}: {} ({})", what(), output.status, said.trim()));
    };
    if !codes.contains(&code) || said.contains("panicked") {
        return Err(format!("{}: code {code} ({})", what(), said.trim()));
    }
    let errors = said.lines().filter(|line| line.starts_with("error: ")).count();
    // Wrong usage is told by a line and a hint.
    if errors != usize::from(code != 0 && code != 130) && code != 2 {
        return Err(format!("{}: code {code} with {errors} errors ({})", what(), said.trim()));
    }
    Ok(code)
}

/// Whether a file holds what is expected, or is not there.
pub fn whole_or_absent(path: &Path, expected: &[u8]) -> Result<(), String> {
    match std::fs::read(path) {
        Ok(found) if found != expected => Err(format!("{} is not whole", path.display())),
        _ => Ok(()),
    }
}
