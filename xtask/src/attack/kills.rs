//! Programs that are ended at a random moment.

use super::Draw;
use super::target::{Known, Target, ending, timeless, waited, whole_or_absent};
use std::process::Command;
use std::time::Duration;

/// Ended without a word: no file is half there, and the same command then gives the same.
pub fn killed(target: &Target, draw: &mut Draw) -> Result<(), String> {
    let known = draw.turn(&target.commands);
    target.begin(known);
    for _ in 0..1 + draw.below(3) {
        started(target, known, draw, "KILL")?;
        check(target, known)?;
    }
    again(target, known)
}

/// Ended by Ctrl-C: the same, and nothing unfinished is left.
pub fn interrupted(target: &Target, draw: &mut Draw) -> Result<(), String> {
    let known = draw.turn(&target.commands);
    target.begin(known);
    let output = started(target, known, draw, "INT")?;
    // Before it watches for interrupts, the system ends it.
    if output.status.code().is_some() {
        ending(&output, &[0, 130], &|| known.words.clone())?;
    }
    check(target, known)?;
    if target.has_part() {
        target.tidy();
        return Err(format!("{}: an unfinished file was left", known.words));
    }
    again(target, known)
}

fn started(
    target: &Target,
    known: &Known,
    draw: &mut Draw,
    signal: &str,
) -> Result<std::process::Output, String> {
    let child = target.command(&known.words, None).spawn().map_err(|error| error.to_string())?;
    std::thread::sleep(Duration::from_secs_f64(1.1 * draw.share() * known.seconds));
    let id = child.id().to_string();
    // It may have ended by itself.
    let sent = Command::new("kill").args([&format!("-{signal}"), &id]).output();
    sent.map_err(|error| format!("no signal can be sent: {error}"))?;
    waited(child, &known.words)
}

fn check(target: &Target, known: &Known) -> Result<(), String> {
    match &known.file {
        Some((name, content)) => whole_or_absent(&target.path(name), content),
        None => Ok(()),
    }
}

fn again(target: &Target, known: &Known) -> Result<(), String> {
    let output = target.run(&known.words, None)?;
    ending(&output, &[0], &|| format!("{} once more", known.words))?;
    let same = match &known.file {
        Some((name, content)) => std::fs::read(target.path(name)).is_ok_and(|f| f == *content),
        None => timeless(&output) == known.printed,
    };
    target.tidy();
    if same { Ok(()) } else { Err(format!("{} once more gives another result", known.words)) }
}
