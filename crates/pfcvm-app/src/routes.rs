//! What is answered to our own page.

use crate::commands::Asked;
use crate::desk::{Desk, Outcome, Stage, Step, Table, Task};
use crate::names::{harmless, own, stem};
use crate::request::Request;
use crate::response::{Kind, Response};
use crate::runner::columns_file;
use crate::server::Inner;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Predictions that the page shows before they are saved.
const HEAD_BYTES: u64 = 32 << 10;

/// Answers a request that was admitted; `path` is what follows the secret.
pub(crate) fn answer(
    path: &str,
    request: &mut Request,
    stream: &mut TcpStream,
    inner: &Arc<Inner>,
) -> Response {
    let parts: Vec<&str> = path.split('/').collect();
    let outcome = match (&*request.method, parts.as_slice()) {
        ("GET", [""]) => Ok(page(include_str!("page/index.html"))),
        ("GET", ["app.js"]) => Ok(Response::ok(Kind::Script, include_str!("page/app.js"))),
        ("GET", ["parts.js"]) => Ok(Response::ok(Kind::Script, include_str!("page/parts.js"))),
        ("GET", ["table.js"]) => Ok(Response::ok(Kind::Script, include_str!("page/table.js"))),
        ("GET", ["result.js"]) => Ok(Response::ok(Kind::Script, include_str!("page/result.js"))),
        ("GET", ["app.css"]) => Ok(Response::ok(Kind::Style, include_str!("page/app.css"))),
        ("GET", ["state"]) => Ok(state(request, inner)),
        ("GET", ["methods"]) => methods(inner),
        ("GET", ["tables", id, "columns"]) => columns(number(id), inner),
        ("GET", ["results", id, "files", name]) => file(number(id), name, request, inner),
        ("POST", ["tables"]) => add_table(request, stream, inner),
        ("POST", ["tables", id, "remove"]) => remove_table(number(id), inner),
        ("POST", ["results"]) => add_result(request, stream, inner),
        ("POST", ["results", id, "compare"]) => compare(number(id), request, stream, inner),
        ("POST", ["results", id, "rows"]) => add_rows(number(id), request, stream, inner),
        ("POST", ["results", id, "stop"]) => stop(number(id), inner),
        ("POST", ["results", id, "remove"]) => remove_result(number(id), inner),
        ("POST", ["leave"]) => {
            inner.page(request.asked("page").unwrap_or_default(), false);
            Ok(done())
        }
        ("POST", ["end"]) => Ok(done().and_end()),
        ("GET" | "POST", _) => Err(Response::bare(404)),
        _ => Err(Response::bare(405)),
    };
    outcome.unwrap_or_else(|refused| refused)
}

type Answer = Result<Response, Response>;

fn page(text: &str) -> Response {
    Response::ok(Kind::Page, text)
}

fn done() -> Response {
    Response::ok(Kind::Json, "{}")
}

fn added(id: u64) -> Response {
    Response::ok(Kind::Json, format!("{{\"id\":{id}}}"))
}

/// The number in an address; 0 is nobody's.
fn number(text: &str) -> u64 {
    text.parse().unwrap_or(0)
}

fn gone() -> Response {
    Response::sentence(404, "It is no longer there.")
}

fn sentence(status: u16) -> Response {
    let text = match status {
        408 => "The file came too slowly and was given up; try again.",
        413 => "The file is larger than is allowed here; use the program on the command line.",
        507 => "The disk is full or cannot be written to; make room and try again.",
        _ => "The file did not arrive whole; try again.",
    };
    Response::sentence(status, text)
}

#[derive(Serialize)]
struct State<'a> {
    version: &'a str,
    formats: &'a str,
    table_bytes: u64,
    tables: &'a [Table],
    results: Vec<&'a Outcome>,
}

fn state(request: &Request, inner: &Inner) -> Response {
    if let Some(page) = request.asked("page") {
        inner.page(page, true);
    }
    let mut desk = inner.desk();
    let Desk { tables, results, .. } = &mut *desk;
    tables.iter_mut().for_each(|table| table.step.look_at_the_clock());
    results.iter_mut().flat_map(|outcome| &mut outcome.steps).for_each(Step::look_at_the_clock);
    let state = State {
        version: &inner.options.version,
        formats: &inner.options.formats,
        table_bytes: inner.options.limits.table_bytes,
        tables,
        results: results.iter().filter(|outcome| !outcome.removed).collect(),
    };
    match serde_json::to_string(&state) {
        // Names are the user's: whoever took this for a page would find no markup in it.
        Ok(json) => Response::ok(Kind::Json, json.replace('<', "\\u003c")),
        Err(_) => Response::bare(500),
    }
}

/// What the program can compare.
fn methods(inner: &Inner) -> Answer {
    let mut command = Command::new(inner.program());
    command.args(["methods", "--json"]).stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().map_err(|_| Response::bare(500))?;
    Ok(Response::ok(Kind::Json, output.stdout))
}

fn columns(id: u64, inner: &Inner) -> Answer {
    let folder = inner.desk().table(id).map(|table| table.folder.clone()).ok_or_else(gone)?;
    let file = File::open(columns_file(&folder)).map_err(|_| gone())?;
    Response::file(Kind::Json, file, u64::MAX, None).map_err(|_| gone())
}

/// A file of a result, if one of its steps has made it.
fn file(id: u64, name: &str, request: &Request, inner: &Inner) -> Answer {
    let mut desk = inner.desk();
    let outcome = desk.outcome(id).ok_or_else(gone)?;
    let fitted = outcome.steps[0].stage == Stage::Done;
    let made = |step: &Step| step.stage == Stage::Done && step.file == name;
    let known = outcome.steps.iter().any(made) || (name == "model.json" && fitted);
    let save_as = request.asked("save").map(|_| format!("{}-{name}", stem(&outcome.file)));
    if name == "commands.txt" {
        let lines: Vec<&str> = outcome
            .steps
            .iter()
            .map(|step| &*step.command)
            .filter(|line| !line.is_empty())
            .collect();
        return Ok(Response::ok(Kind::Text, lines.join("\n") + "\n"));
    }
    if !known {
        return Err(gone());
    }
    let path = outcome.folder.join(name);
    drop(desk);
    let kind = match name.rsplit('.').next() {
        Some("html") => Kind::Report,
        Some("csv") => Kind::Text,
        Some("json") => Kind::Json,
        _ => Kind::Bytes,
    };
    let most = if request.asked("head").is_some() { HEAD_BYTES } else { u64::MAX };
    let file = File::open(path).map_err(|_| gone())?;
    Response::file(kind, file, most, save_as.as_deref()).map_err(|_| gone())
}

/// Takes the body of a request into a new file.
fn take(
    path: &Path,
    request: &mut Request,
    stream: &mut TcpStream,
    inner: &Inner,
) -> Result<(), Response> {
    let (length, limits) = (request.length, &inner.options.limits);
    if length > limits.table_bytes {
        return Err(sentence(413));
    }
    if length == 0 {
        return Err(Response::sentence(400, "The file is empty."));
    }
    let room = |before: u64| before.checked_add(length).filter(|sum| *sum <= limits.all_bytes);
    let reserved = inner.uploaded.fetch_update(Ordering::SeqCst, Ordering::SeqCst, room);
    if reserved.is_err() {
        return Err(Response::sentence(
            413,
            "There are too many large files here; remove some first.",
        ));
    }
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let taken = match file {
        Ok(mut file) => request.copy(stream, &mut file, limits),
        Err(_) => Err(507),
    };
    taken.map_err(|status| {
        let _ = fs::remove_file(path);
        inner.uploaded.fetch_sub(length, Ordering::SeqCst);
        sentence(status)
    })
}

fn add_table(request: &mut Request, stream: &mut TcpStream, inner: &Inner) -> Answer {
    let full = "There are too many tables here; remove some first.";
    let name = request.asked("name").unwrap_or_default();
    let (name, file) = (own(&name), harmless(&name));
    let id = {
        let mut desk = inner.desk();
        if desk.tables.len() >= inner.options.limits.tables {
            return Err(Response::sentence(409, full));
        }
        desk.number()
    };
    let folder = inner.part(&format!("t{id}")).map_err(|_| sentence(507))?;
    if let Err(refused) = take(&folder.join(&file), request, stream, inner) {
        let _ = fs::remove_dir_all(&folder);
        return Err(refused);
    }
    let step = Step::new(Task::Columns, "", "");
    let table = Table { id, name, file, bytes: request.length, folder, step };
    inner.desk().tables.push(table);
    inner.notify();
    Ok(added(id))
}

fn remove_table(id: u64, inner: &Inner) -> Answer {
    let mut desk = inner.desk();
    desk.table(id).ok_or_else(gone)?.step.stop();
    let at = desk.tables.iter().position(|table| table.id == id).ok_or_else(gone)?;
    let table = desk.tables.remove(at);
    drop(desk);
    inner.uploaded.fetch_sub(table.bytes, Ordering::SeqCst);
    let _ = fs::remove_dir_all(table.folder);
    Ok(done())
}

fn parsed<T: for<'a> Deserialize<'a>>(
    request: &mut Request,
    stream: &mut TcpStream,
    inner: &Inner,
) -> Result<T, Response> {
    let text = request.text(stream, &inner.options.limits).map_err(Response::bare)?;
    serde_json::from_str(&text).map_err(|_| Response::sentence(400, "This cannot be asked."))
}

fn add_result(request: &mut Request, stream: &mut TcpStream, inner: &Inner) -> Answer {
    let asked: Asked = parsed(request, stream, inner)?;
    if let Some(problem) = asked.problem() {
        return Err(Response::sentence(400, problem));
    }
    let mut desk = inner.desk();
    if desk.results.len() >= inner.options.limits.results {
        return Err(Response::sentence(409, "There are too many results here; remove some first."));
    }
    let table = desk.table(asked.table).ok_or_else(gone)?;
    let (name, file) = (table.name.clone(), table.file.clone());
    let source = table.folder.join(&file);
    let id = desk.number();
    let folder = inner.part(&format!("r{id}")).map_err(|_| sentence(507))?;
    let target = folder.join(&file);
    let linked =
        fs::hard_link(&source, &target).or_else(|_| fs::copy(&source, &target).map(|_| ()));
    linked.map_err(|_| sentence(507))?;
    let mut steps = vec![Step::new(Task::Fit, "", "report.html")];
    steps.extend(asked.test.then(|| Step::new(Task::Test, "", "test.html")));
    steps.extend(asked.price.then(|| Step::new(Task::Price, "", "price.html")));
    steps.push(Step::new(Task::Onnx, "", "model.onnx"));
    let figures = serde_json::Map::new();
    desk.results.push(Outcome {
        id,
        name,
        file,
        asked,
        folder,
        steps,
        figures,
        bytes: 0,
        removed: false,
    });
    drop(desk);
    inner.notify();
    Ok(added(id))
}

/// Adds a step to a result.
fn add_step(id: u64, step: Step, inner: &Inner) -> Answer {
    let mut desk = inner.desk();
    let most = inner.options.limits.steps;
    let outcome = desk.outcome(id).ok_or_else(gone)?;
    if outcome.steps.len() >= most {
        return Err(Response::sentence(409, "This result has too many parts; begin another."));
    }
    outcome.steps.push(step);
    drop(desk);
    inner.notify();
    Ok(added(id))
}

#[derive(Deserialize)]
struct Methods {
    methods: Vec<String>,
}

fn compare(id: u64, request: &mut Request, stream: &mut TcpStream, inner: &Inner) -> Answer {
    let Methods { methods } = parsed(request, stream, inner)?;
    let plain = |name: &String| {
        let known = |c: char| c.is_ascii_alphanumeric() || "-_/=+.:".contains(c);
        !name.is_empty() && name.len() < 200 && name.chars().all(known)
    };
    if methods.len() < 2 || methods.len() > 30 || !methods.iter().all(plain) {
        return Err(Response::sentence(400, "Choose at least two methods."));
    }
    let count = inner.desk().outcome(id).ok_or_else(gone)?.steps.len();
    add_step(
        id,
        Step::new(Task::Compare, methods.join(","), format!("comparison-{count}.html")),
        inner,
    )
}

fn add_rows(id: u64, request: &mut Request, stream: &mut TcpStream, inner: &Inner) -> Answer {
    let name = request.asked("name").unwrap_or_default();
    let (name, asked) = (own(&name), harmless(&name));
    let (folder, count) = {
        let mut desk = inner.desk();
        let outcome = desk.outcome(id).ok_or_else(gone)?;
        (outcome.folder.clone(), outcome.steps.len())
    };
    let taken = folder.join(&asked).exists();
    let rows = if taken { format!("new-{count}-{asked}") } else { asked };
    take(&folder.join(&rows), request, stream, inner)?;
    match inner.desk().outcome(id) {
        Some(outcome) => outcome.bytes += request.length,
        None => drop(inner.uploaded.fetch_sub(request.length, Ordering::SeqCst)),
    }
    let step = Step::new(Task::Predict, name, format!("predictions-{count}.csv"));
    add_step(id, Step { rows, ..step }, inner)
}

fn stop(id: u64, inner: &Inner) -> Answer {
    let mut desk = inner.desk();
    desk.outcome(id).ok_or_else(gone)?.steps.iter_mut().for_each(Step::stop);
    Ok(done())
}

fn remove_result(id: u64, inner: &Inner) -> Answer {
    let mut desk = inner.desk();
    let outcome = desk.outcome(id).ok_or_else(gone)?;
    outcome.steps.iter_mut().for_each(Step::stop);
    outcome.removed = true;
    inner.uploaded.fetch_sub(std::mem::take(&mut outcome.bytes), Ordering::SeqCst);
    if !outcome.steps.iter().any(Step::is_under_way) {
        let folder = outcome.folder.clone();
        desk.results.retain(|outcome| outcome.id != id);
        drop(desk);
        let _ = fs::remove_dir_all(folder);
    }
    Ok(done())
}
