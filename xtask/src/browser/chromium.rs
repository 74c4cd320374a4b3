//! A headless Chromium at the other end of a pipe.
//!
//! Started with `--remote-debugging-pipe`, Chromium reads commands from file descriptor 3 and
//! answers on 4, as JSON between zero bytes. A shell connects these to our pipes, so neither a
//! network port nor a library for web sockets is needed.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// A page that needs longer than this is broken, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

const FLAGS: [&str; 12] = [
    "--headless",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-sync",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--no-default-browser-check",
    "--hide-scrollbars",
];

static STARTED: AtomicUsize = AtomicUsize::new(0);

/// A running Chromium. It ends, and its profile goes, with this value.
pub struct Chromium {
    process: Child,
    commands: Option<ChildStdin>,
    answers: Receiver<Value>,
    profile: PathBuf,
    next: u64,
    /// What happened while an answer was awaited.
    pub events: Vec<Value>,
}

impl Chromium {
    /// Starts the program, with the fonts of a configuration only if one is given.
    pub fn start(program: &Path, fonts: Option<&Path>) -> Result<Self, String> {
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let name = format!("xtask-browser-{}-{number}", std::process::id());
        let profile = std::env::temp_dir().join(name);
        let mut command = Command::new("sh");
        command.args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 1>&2"#]).arg(program).args(FLAGS);
        let mut user_data = std::ffi::OsString::from("--user-data-dir=");
        user_data.push(&profile);
        command.arg(user_data);
        if is_root() {
            // Its sandbox refuses to work for root.
            command.arg("--no-sandbox");
        }
        if let Some(fonts) = fonts {
            command.env("FONTCONFIG_FILE", fonts);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().map_err(|error| format!("no shell: {error}"))?;
        let commands = process.stdin.take();
        let output = process.stdout.take().ok_or("Chromium has no output")?;

        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(output).split(0).map_while(Result::ok) {
                let Ok(message) = serde_json::from_slice(&message) else { continue };
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Ok(Self { process, commands, answers, profile, next: 0, events: Vec::new() })
    }

    /// Sends a command, to a page if a session is given, and waits for its result.
    pub fn call(&mut self, session: &str, method: &str, mut arguments: Value) -> Outcome {
        self.next += 1;
        let id = self.next;
        if arguments.is_null() {
            arguments = json!({});
        }
        let mut message = json!({ "id": id, "method": method, "params": arguments });
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        let pipe = self.commands.as_mut().ok_or("Chromium has no input")?;
        let sent = pipe.write_all(format!("{message}\0").as_bytes()).and_then(|()| pipe.flush());
        sent.map_err(|error| format!("Chromium does not listen: {error}"))?;
        loop {
            let mut answer = self.receive(method)?;
            if answer["id"] == id {
                return match answer.get("error") {
                    Some(error) => Err(format!("{method}: {error}")),
                    None => Ok(answer["result"].take()),
                };
            }
            self.events.push(answer);
        }
    }

    /// Waits until something has happened.
    pub fn wait_for(&mut self, session: &str, event: &str) -> Outcome<()> {
        let is_it = |e: &Value| e["method"] == event && e["sessionId"] == session;
        while !self.events.iter().any(is_it) {
            let message = self.receive(event)?;
            self.events.push(message);
        }
        Ok(())
    }

    fn receive(&self, what: &str) -> Outcome {
        self.answers.recv_timeout(PATIENCE).map_err(|error| match error {
            RecvTimeoutError::Timeout => format!("Chromium gives no answer to {what}"),
            RecvTimeoutError::Disconnected => {
                "Chromium cannot be started or has ended; is the package `chromium` installed?"
                    .into()
            }
        })
    }
}

/// A result, or why there is none.
pub type Outcome<T = Value> = Result<T, String>;

impl Drop for Chromium {
    fn drop(&mut self) {
        // It leaves by itself when its pipe closes; asking first lets it tidy up.
        let _ = self.call("", "Browser.close", Value::Null);
        self.commands = None;
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

#[cfg(unix)]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
