//! `pfcvm app` in Chromium, as a user goes through it.

mod data;
mod tab;

use super::{chromium, fonts};
use crate::browser::chromium::Chromium;
use crate::step::{Outcome, built, scratch};
use data::{Data, HOSTILE_QUOTED};
use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tab::Tab;

/// Whatever takes longer than this does not come any more, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Has the first answer that tells of work under way come late, after others that tell of its end.
const HELD_BACK: &str = r#"{
    const plain = window.fetch;
    let held = false;
    window.fetch = async (...asked) => {
        const answer = await plain(...asked);
        const text = String(asked[0]).startsWith('state') ? await answer.clone().text() : '';
        if (!held && /"stage":"(running|waiting)"/.test(text)) {
            held = true;
            await new Promise((done) => setTimeout(done, 2000));
        }
        return answer;
    };
}"#;

/// Goes through the page with a table (a made-up one if none is given). Returns how many things were
/// checked. Pictures of every step are written into a folder, if one is given.
pub fn check(table: Option<&Path>, pictures: Option<&Path>) -> Outcome<usize> {
    let folder = scratch("browser/app")?;
    let data = Data::write(&folder, table)?;
    let sets = fonts::sets()?;
    let fonts = sets.first().and_then(|set| set.configuration.clone());
    let mut chromium = Chromium::start(&chromium()?, fonts.as_deref())?;
    let mut story = Story {
        folder,
        data,
        checked: 0,
        problems: Vec::new(),
        pictures: pictures.map(Path::to_owned),
    };
    let end = story.tell(&mut chromium);
    story.problems.extend(end.err());
    if story.problems.is_empty() { Ok(story.checked) } else { Err(story.problems.join("\n")) }
}

/// A server, killed with this value.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(temporary: &Path) -> Outcome<Self> {
        let mut command = Command::new(built("pfcvm"));
        command.args(["app", "--no-browser"]).env("TMPDIR", temporary).env_remove("PFCVM_DATA");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().map_err(|error| format!("pfcvm app: {error}"))?;
        let output = process.stdout.take().ok_or("pfcvm app has no output")?;
        let mut address = String::new();
        BufReader::new(output).read_line(&mut address).map_err(|error| error.to_string())?;
        Ok(Self { process, address: address.trim().into() })
    }

    fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

struct Story {
    folder: PathBuf,
    data: Data,
    checked: usize,
    /// What was wrong and does not keep us from going on.
    problems: Vec<String>,
    pictures: Option<PathBuf>,
}

impl Story {
    fn tell(&mut self, chromium: &mut Chromium) -> Outcome {
        let temporary = self.folder.join("temporary");
        let saved = self.folder.join("saved");
        for folder in [&temporary, &saved] {
            let _ = fs::remove_dir_all(folder);
            fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        }
        let allow = json!({ "behavior": "allow", "downloadPath": saved });
        chromium.call("", "Browser.setDownloadBehavior", allow)?;
        let mut server = Server::start(&temporary)?;
        let mut tab = Tab::open(chromium, &server.address)?;

        // From nothing to a saved report: choose a file, find what matters, save.
        tab.until("!document.getElementById('start').hidden && document.getElementById('formats').textContent")?;
        let sizes = r"/\sGiB\b/.test(document.getElementById('formats').textContent)";
        self.holds(&mut tab, sizes, "sizes are told in powers of 1024")?;
        let alone = "document.getElementById('new').hidden";
        self.holds(&mut tab, alone, "nothing leads to the start from the start")?;
        self.look(&mut tab, "1-start")?;
        tab.evaluate(HELD_BACK)?;
        tab.choose("#file", &self.data.table)?;
        tab.until("!document.getElementById('table-body').hidden")?;
        self.holds(
            &mut tab,
            "document.getElementById('label').value.length > 0",
            "a label is suggested",
        )?;
        let read = r"/^[\d,]+ rows and [\d,]+ columns \(.+\s(bytes|[KMG]iB)\)$/.test(document.getElementById('table-status').textContent)";
        self.holds(&mut tab, read, "what was read is told")?;
        // Nor does the answer that was held back change that.
        std::thread::sleep(Duration::from_millis(2500));
        self.holds(&mut tab, read, "what was read is still told")?;
        self.look(&mut tab, "2-table")?;
        tab.click("#ask [type=submit]")?;
        tab.until("document.querySelector('#steps .running')")?;
        let stale = "!/reading 100%/.test(document.getElementById('steps').textContent)";
        self.holds(&mut tab, stale, "what was read is no longer being read")?;
        self.look(&mut tab, "3-working")?;
        tab.until("!document.getElementById('save').hidden")?;
        tab.click("#save-report")?;
        self.saved(&saved, "-report.html", b"<!DOCTYPE html>")?;
        tab.until("parseFloat(document.querySelector('iframe')?.style.height) > 500")?;
        self.look(&mut tab, "4-report")?;

        // The rest of the result.
        tab.until("document.getElementById('work').hidden")?;
        self.look(&mut tab, "5-done")?;
        tab.click("#save-model")?;
        self.saved(&saved, "-model.json", b"{")?;
        tab.click("#save-onnx")?;
        self.saved(&saved, "-model.onnx", b"")?;
        for (name, part) in [("test", "6-test"), ("price", "7-price")] {
            tab.click(&format!("#tab-{name}"))?;
            tab.until("parseFloat(document.querySelector('iframe')?.style.height) > 500")?;
            self.look(&mut tab, part)?;
        }
        tab.click("#tab-predict")?;
        tab.choose(".pane input[type=file]", &self.data.rows)?;
        tab.until("document.querySelectorAll('.predictions tbody tr').length > 2")?;
        let of = r"[...document.querySelectorAll('.predictions th')].every((one) => one.textContent !== 'probability') && /probability(_| of “.+”)/.test(document.querySelector('.predictions').textContent)";
        self.holds(&mut tab, of, "it is told of which class a probability is")?;
        self.look(&mut tab, "8-predictions")?;
        tab.click(".predictions a")?;
        self.saved(&saved, ".csv", b"label,")?;
        tab.click("#tab-commands")?;
        let command = "document.querySelector('pre').textContent.startsWith('pfcvm fit ')";
        self.holds(&mut tab, command, "the commands are told")?;
        let names = [&self.data.table, &self.data.rows].map(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            format!("document.querySelector('pre').textContent.includes({})", json!(name))
        });
        self.holds(&mut tab, &names.join(" && "), "files have their own names in commands")?;
        self.look(&mut tab, "9-commands")?;

        // A comparison that is stopped.
        tab.click("#tab-compare")?;
        tab.until("document.querySelectorAll('.methods input:checked').length > 2")?;
        self.look(&mut tab, "10-compare")?;
        tab.evaluate(
            "document.querySelectorAll('.methods input').forEach((box) => { box.checked = true; })",
        )?;
        tab.click(".pane form [type=submit]")?;
        tab.until(
            "document.querySelector('#steps .running') && !document.getElementById('stop').hidden",
        )?;
        tab.click("#stop")?;
        tab.until(
            "document.querySelector('#steps .stopped') && document.getElementById('stop').hidden",
        )?;
        self.checked += 1;

        // Keys move between the parts.
        tab.evaluate("document.getElementById('tab-compare').focus()")?;
        tab.press("ArrowRight")?;
        let moved = "document.activeElement.id === 'tab-predict' && \
                     document.activeElement.getAttribute('aria-selected') === 'true'";
        self.holds(&mut tab, moved, "arrow keys move between tabs")?;

        // A second tab sees the same, and what it asks for is seen in the first one.
        let address = server.address.clone();
        let mut second = Tab::open(tab.chromium(), &address)?;
        second.until("document.querySelectorAll('#trail a').length === 2")?;
        second.click("#trail a")?;
        second.until("!document.getElementById('table-body').hidden")?;
        second.evaluate(
            "for (const name of ['test', 'price']) document.getElementById(name).checked = false",
        )?;
        second.click("#ask [type=submit]")?;
        second.until("!document.getElementById('save').hidden")?;
        second.close()?;
        let mut tab = tab.again()?;
        tab.until("document.querySelectorAll('#trail a').length === 3")?;
        tab.until("document.querySelectorAll('#beside option').length === 2")?;
        tab.evaluate("{ const s = document.getElementById('beside'); s.selectedIndex = 1; \
                       s.dispatchEvent(new Event('change')); document.getElementById('tab-fit').click(); }")?;
        tab.until("document.querySelectorAll('iframe').length === 2")?;
        self.look(&mut tab, "11-beside")?;
        self.checked += 1;

        // Another table: back to the start, and nothing is lost.
        tab.click("#new")?;
        tab.until(
            "!document.getElementById('start').hidden && document.getElementById('result').hidden",
        )?;
        let kept = "document.querySelectorAll('#trail a').length === 3 && document.activeElement.id === 'main' && \
                    document.getElementById('drop').getBoundingClientRect().top < innerHeight";
        self.holds(&mut tab, kept, "one can begin with another table")?;
        self.look(&mut tab, "11-another")?;

        // Wrong and hostile files, dropped.
        tab.drop("#drop", &self.data.wrong)?;
        tab.until("!document.getElementById('table-problem').hidden")?;
        self.look(&mut tab, "12-wrong")?;
        tab.click("#new")?;
        tab.drop("#drop", &self.data.hostile)?;
        tab.until("!document.getElementById('table-body').hidden")?;
        self.look(&mut tab, "13-hostile")?;
        tab.click("#ask [type=submit]")?;
        tab.until("!document.getElementById('result').hidden && document.querySelector('#steps .done') && !document.getElementById('save').hidden")?;
        self.look(&mut tab, "14-hostile-result")?;
        tab.click("#tab-commands")?;
        let quoted = format!("pfcvm fit {HOSTILE_QUOTED} --model=model.json ");
        let quoted =
            format!("document.querySelector('pre').textContent.startsWith({})", json!(quoted));
        self.holds(&mut tab, &quoted, "a hostile name is one word of a shell")?;
        self.look(&mut tab, "14-hostile-commands")?;
        let harmless =
            "window.harmed === undefined && !document.querySelector('main img, main b.harm')";
        self.holds(&mut tab, harmless, "names are text")?;
        self.quiet(&mut tab, &server.address)?;

        // The server is killed; the page says so, and the next one clears up.
        server.kill();
        tab.until("!document.getElementById('lost').hidden")?;
        self.look(&mut tab, "15-lost")?;
        let folders = || -> usize { fs::read_dir(&temporary).map_or(0, Iterator::count) };
        self.counts(folders(), 1, "a killed server leaves its folder")?;
        let mut server = Server::start(&temporary)?;
        self.counts(folders(), 1, "the next one removes it")?;
        let mut tab = Tab::open(tab.chromium(), &server.address)?;
        tab.until("document.getElementById('formats').textContent")?;
        tab.click("#end")?;
        tab.until("!document.getElementById('lost').hidden")?;
        server.process.wait().map_err(|error| error.to_string())?;
        self.counts(folders(), 0, "nothing is left in the end")
    }

    /// Looks at a page as at all others: in three widths, light and dark.
    fn look(&mut self, tab: &mut Tab, name: &str) -> Outcome {
        let problems = tab.look(name, self.pictures.as_deref())?;
        self.checked += 1;
        self.problems.extend(problems.into_iter().map(|what| format!("pfcvm app, {name}: {what}")));
        Ok(())
    }

    fn holds(&mut self, tab: &mut Tab, expression: &str, what: &str) -> Outcome {
        self.checked += 1;
        match tab.evaluate(expression)?.as_bool() {
            Some(true) => Ok(()),
            _ => Err(format!("pfcvm app: it does not hold that {what}")),
        }
    }

    fn counts(&mut self, found: usize, expected: usize, what: &str) -> Outcome {
        self.checked += 1;
        if found == expected {
            Ok(())
        } else {
            Err(format!("pfcvm app: {what}: {found} and not {expected}"))
        }
    }

    /// Nothing was loaded from elsewhere, nothing failed.
    fn quiet(&mut self, tab: &mut Tab, address: &str) -> Outcome {
        self.checked += 1;
        let complaints = tab.complaints(address);
        self.problems.extend(complaints.into_iter().map(|what| format!("pfcvm app: {what}")));
        Ok(())
    }

    /// Waits for a file to be saved whole.
    fn saved(&mut self, folder: &Path, end: &str, begins: &[u8]) -> Outcome {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            let entries =
                fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
            for path in entries.filter(|path| path.to_string_lossy().ends_with(end)) {
                let bytes = fs::read(&path).unwrap_or_default();
                if !bytes.is_empty() && bytes.starts_with(begins) {
                    self.checked += 1;
                    return Ok(());
                }
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Err(format!("pfcvm app: no file …{end} was saved"))
    }
}
