//! The page of this machine, asked over a plain connection.

use super::common::Place;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

/// A running server.
struct Server {
    process: Child,
    /// Host with port, and the secret.
    host: String,
    secret: String,
}

impl Server {
    fn start(place: &Place) -> Self {
        let mut command = place.command(&["app", "--no-browser"]);
        command.env("TMPDIR", place.folder()).env("TMP", place.folder());
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (host, rest) = line.trim().trim_start_matches("http://").split_once('/').unwrap();
        Self { process, host: host.into(), secret: rest.trim_end_matches('/').into() }
    }

    fn ask(&self, method: &str, path: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let (host, secret) = (&self.host, &self.secret);
        let head = format!(
            "{method} /{secret}/{path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let status = String::from_utf8_lossy(&bytes[9..12]).parse().unwrap();
        (status, bytes[end + 4..].to_vec())
    }

    fn get(&self, path: &str) -> (u16, Vec<u8>) {
        self.ask("GET", path, b"")
    }

    fn post(&self, path: &str, body: &str) -> u64 {
        let (status, said) = self.ask("POST", path, body.as_bytes());
        let said: Value = serde_json::from_slice(&said).unwrap();
        assert_eq!(status, 200, "{path}: {said}");
        said["id"].as_u64().unwrap_or_default()
    }

    fn state(&self) -> Value {
        serde_json::from_slice(&self.get("state").1).unwrap()
    }

    /// Waits for what something becomes.
    fn until(&self, what: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..6000 {
            let state = self.state();
            if what(&state) {
                return state;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("it never came: {}", self.state());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn stage<'a>(state: &'a Value, at: usize, task: &str) -> &'a str {
    let steps = state["results"][at]["steps"].as_array();
    let step = steps.into_iter().flatten().find(|step| step["task"] == task);
    step.and_then(|step| step["stage"].as_str()).unwrap_or_default()
}

fn folders(place: &Place) -> usize {
    place.files().iter().filter(|name| name.starts_with("pfcvm-app-")).count()
}

#[test]
fn a_table_becomes_a_report_a_model_and_predictions() {
    let place = Place::new();
    place.run("generate waveform --n 60 --out waves.csv");
    let server = Server::start(&place);
    let table = server.post("tables?name=my%20waves.csv", &place.read("waves.csv"));
    server.until(|state| state["tables"][0]["step"]["stage"] == "done");
    let columns: Value =
        serde_json::from_slice(&server.get(&format!("tables/{table}/columns")).1).unwrap();
    let label = columns["label"].as_str().unwrap();
    assert_eq!(
        (columns["rows"].as_u64(), columns["columns"].as_array().unwrap().len()),
        (Some(60), 41)
    );
    let asked =
        format!(r#"{{"table":{table},"label":"{label}","features":3,"test":false,"price":false}}"#);
    let result = server.post("results", &asked);
    let state = server.until(|state| ["done", "failed"].contains(&stage(state, 0, "onnx")));
    assert_eq!((stage(&state, 0, "fit"), stage(&state, 0, "onnx")), ("done", "done"), "{state}");
    assert!(state["results"][0]["figures"]["fit"]["features"].as_u64().unwrap() <= 3);

    // The command that is shown has the user's own name of the file, and gives the same bytes.
    let command = state["results"][0]["steps"][0]["command"].as_str().unwrap();
    assert!(command.contains("'my waves.csv'"), "{command}");
    let words = command.strip_prefix("pfcvm ").unwrap().replace("'my waves.csv'", "waves.csv");
    place.run(&words);
    let model = server.get(&format!("results/{result}/files/model.json")).1;
    assert_eq!(String::from_utf8(model).unwrap(), place.read("model.json"));
    let report = server.get(&format!("results/{result}/files/report.html")).1;
    assert!(report.starts_with(b"<!DOCTYPE html>"));

    server.post(&format!("results/{result}/rows?name=my%20waves.csv"), &place.read("waves.csv"));
    let state = server.until(|state| ["done", "failed"].contains(&stage(state, 0, "predict")));
    let file =
        state["results"][0]["steps"].as_array().unwrap().last().unwrap()["file"].as_str().unwrap();
    let said = server.get(&format!("results/{result}/files/{file}?save=1"));
    let lines = String::from_utf8(said.1).unwrap().lines().count();
    assert_eq!((said.0, lines), (200, 61), "{state}");
    server.post(&format!("results/{result}/remove"), "");
    assert_eq!(server.state()["results"].as_array().unwrap().len(), 0);
}

#[test]
fn jobs_are_stopped_and_wrong_files_told() {
    let place = Place::new();
    place.run("generate waveform --n 900 --out waves.csv");
    let server = Server::start(&place);
    server.post("tables?name=wrong.csv", "\u{1}\u{2}\u{3}");
    let state = server.until(|state| state["tables"][0]["step"]["stage"] == "failed");
    assert!(!state["tables"][0]["step"]["error"].as_str().unwrap().is_empty(), "{state}");
    let table = server.post("tables?name=waves.csv", &place.read("waves.csv"));
    let asked = format!(r#"{{"table":{table},"label":"","test":true,"price":true}}"#);
    let result = server.post("results", &asked);
    server.until(|state| stage(state, 0, "fit") == "running");
    server.post(&format!("results/{result}/stop"), "");
    let state = server.until(|state| stage(state, 0, "fit") != "running");
    for task in ["fit", "test", "price", "onnx"] {
        assert_eq!(stage(&state, 0, task), "stopped", "{task}");
    }
    assert_eq!(server.get(&format!("results/{result}/files/model.json")).0, 404);
}

#[test]
fn nothing_is_left() {
    let place = Place::new();
    let mut killed = Server::start(&place);
    killed.post("tables?name=a.csv", "x,y\n1,a\n2,b\n");
    killed.process.kill().unwrap();
    killed.process.wait().unwrap();
    assert_eq!(folders(&place), 1);
    let mut next = Server::start(&place);
    assert_eq!(folders(&place), 1, "the next one has cleared up");
    next.post("end", "");
    assert!(next.process.wait().unwrap().success());
    assert_eq!(folders(&place), 0);
    let ran = place.run("app --port 70000");
    assert_eq!(ran.code, Some(2));
}

#[test]
fn columns_are_told_in_words_and_as_json() {
    let place = Place::new();
    place.write("t.csv", "x,w,class\n1,a,p\n2,b,q\n,a,p\n4,b,q\n");
    let ran = place.run("columns t.csv");
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("most likely class") && ran.out.contains("1 to 4"), "{}", ran.out);
    let json: Value = serde_json::from_str(&place.run("columns t.csv --json").out).unwrap();
    assert_eq!(
        (json["label"].as_str(), json["columns"][0]["gaps"].as_u64()),
        (Some("class"), Some(1))
    );
}
