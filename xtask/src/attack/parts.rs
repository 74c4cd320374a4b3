//! Files that are read again and again instead of being held, and change under the reader.

use super::Draw;
use super::target::{Target, ending, waited, whole_or_absent};
use std::process::Stdio;
use std::time::Duration;

const WORDS: &str = "fit rows --stream --model out.json --max-iterations 20";
const STORED: &str = "out.json.unfinished";

/// A file that is damaged, or has another number of fields or other kinds of cells midway, is fitted or
/// refused; one that changes while it is read is refused, unless nothing was read after the change or
/// before it; and a fit goes on from what it stored only where that is whole.
pub fn streamed(target: &Target, draw: &mut Draw) -> Result<(), String> {
    let outcome = match draw.turn(&[0, 1, 2, 3]) {
        0 => damaged(target, draw),
        1 => midway(target, draw),
        2 => changing(target, draw),
        _ => stored(target, draw),
    };
    target.tidy();
    outcome
}

/// Fits the bytes; the model, where there is one.
fn fitted(target: &Target, bytes: &[u8], what: &str) -> Result<Option<Vec<u8>>, String> {
    target.write("rows", bytes)?;
    let code = ending(&target.run(WORDS, None)?, &[0, 3], &|| what.into())?;
    result(target, code, what)
}

/// A model is there where the code says so, and nothing unfinished.
fn result(target: &Target, code: i32, what: &str) -> Result<Option<Vec<u8>>, String> {
    let model = std::fs::read(target.path("out.json")).ok();
    match model.is_some() == (code == 0) && !target.has_part() {
        true => Ok(model),
        false => Err(format!("{what}: code {code}, and a model is {}ly there", model.is_some())),
    }
}

fn damaged(target: &Target, draw: &mut Draw) -> Result<(), String> {
    let mut bytes = draw.pick(&target.corpus).clone();
    for _ in 0..draw.below(4) {
        bytes = draw.damaged(&bytes);
    }
    fitted(target, &bytes, &format!("{} hostile bytes, streamed", bytes.len())).map(drop)
}

/// Some rows of waveforms, five columns each.
fn rows(target: &Target, draw: &mut Draw) -> Result<Vec<String>, String> {
    let text = target.read("data.csv")?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let few = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        [&fields[8..12], &fields[fields.len() - 1..]].concat().join(",")
    };
    Ok(text.lines().take(20 + draw.below(80)).map(few).collect())
}

fn joined(lines: &[String]) -> Vec<u8> {
    (lines.join("\n") + "\n").into_bytes()
}

fn midway(target: &Target, draw: &mut Draw) -> Result<(), String> {
    const OTHER: [&str; 12] = [
        "1,2,3,4",
        "1,2,3,4,5,1",
        "1,2,word,4,1",
        "1,2,3,4,2",
        "1,2,3,4,",
        ",,,,1",
        "1,2,3,1e999,0",
        "1,2,3,NaN,0",
        "\"1,2,3,4,0",
        "\u{0},1,2,3,0",
        "x9,x10,x11,x12,label",
        "2026-11-18,2,3,4,1",
    ];
    let mut lines = rows(target, draw)?;
    for _ in 0..1 + draw.below(3) {
        let at = draw.below(lines.len() + 1);
        lines.insert(at, draw.pick(&OTHER).to_string());
    }
    fitted(target, &joined(&lines), "other rows midway, streamed").map(drop)
}

fn changing(target: &Target, draw: &mut Draw) -> Result<(), String> {
    let lines = rows(target, draw)?;
    let before = joined(&lines);
    let first = fitted(target, &before, "before a change")?;
    let other = match draw.below(5) {
        0 => draw.damaged(&before),
        1 => before[..draw.below(before.len())].to_vec(),
        2 => [before.clone(), joined(&lines[1..])].concat(),
        3 => draw.pick(&target.corpus).clone(),
        // As long as it was, of the same rows: only values have changed places.
        _ => {
            let mut turned = lines.clone();
            turned[1..].reverse();
            joined(&turned)
        }
    };
    target.remove("out.json");
    let second = fitted(target, &other, "after a change")?;
    target.remove("out.json");
    target.remove(STORED);
    target.write("rows", &before)?;
    let child = target.command(WORDS, None).spawn().map_err(|error| error.to_string())?;
    std::thread::sleep(Duration::from_secs_f64(0.3 * draw.share() * draw.share()));
    match draw.below(6) {
        0 => target.remove("rows"),
        1..3 => target.write("rows", &other)?,
        // In its place at once, as careful programs do it.
        _ => {
            target.write("next", &other)?;
            std::fs::rename(target.path("next"), target.path("rows")).map_err(|e| e.to_string())?;
        }
    }
    let what = "a file that changed while it was read";
    let code = ending(&waited(child, what)?, &[0, 3], &|| what.into())?;
    match result(target, code, what)? {
        None => Ok(()),
        found if found == first || found == second => Ok(()),
        _ => Err(format!("{what}: a model of neither")),
    }
}

fn stored(target: &Target, draw: &mut Draw) -> Result<(), String> {
    let before = joined(&rows(target, draw)?);
    let Some(expected) = fitted(target, &before, "a whole file")? else { return Ok(()) };
    target.remove("out.json");
    for _ in 0..50 {
        let mut command = target.command(WORDS, None);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        for _ in 0..3000 {
            if target.path(STORED).exists() || child.try_wait().is_ok_and(|ended| ended.is_some()) {
                break;
            }
            std::thread::sleep(Duration::from_micros(300));
        }
        let _ = child.kill();
        let _ = child.wait();
        // What a kill may leave.
        target.remove_parts();
        if target.path(STORED).exists() && !target.path("out.json").exists() {
            break;
        }
        target.remove("out.json");
    }
    let Ok(bytes) = target.read(STORED) else {
        return Err("no fit was caught before its end".into());
    };
    target.write(STORED, &draw.damaged(&bytes))?;
    let what = "a damaged record of passes";
    let code = ending(&target.run(WORDS, None)?, &[0], &|| what.into())?;
    result(target, code, what)?;
    whole_or_absent(&target.path("out.json"), &expected)
        .map_err(|_| format!("{what} gives another model"))
}
