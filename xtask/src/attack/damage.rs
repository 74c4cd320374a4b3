//! Files of our own that something has damaged.

use super::Draw;
use super::target::{MODELS, Target, ending, timeless};

/// A damaged model is refused, or says what the whole one says.
pub fn model(target: &Target, draw: &mut Draw) -> Result<(), String> {
    let (name, words) = *draw.pick(&MODELS);
    let data = words.split_whitespace().next().unwrap_or_default();
    let whole = std::fs::read(target.path(name)).map_err(|error| error.to_string())?;
    let damaged = draw.damaged(&whole);
    if damaged == whole {
        return Ok(());
    }
    std::fs::write(target.path("bad.json"), &damaged).map_err(|error| error.to_string())?;
    let output = target.run(&format!("predict bad.json {data}"), None)?;
    let code = ending(&output, &[0, 4], &|| format!("a damaged {name}"))?;
    if code == 0 {
        let expected = target.run(&format!("predict {name} {data}"), None)?;
        if expected.stdout != output.stdout {
            return Err(format!("a damaged {name} predicts otherwise"));
        }
    }
    target.tidy();
    Ok(())
}

/// A damaged record is refused, or gone on from to the same result.
pub fn record(target: &Target, draw: &mut Draw) -> Result<(), String> {
    let known = &target.commands[2];
    target.run(&known.words, None)?;
    let path = target.path("record/folds.jsonl");
    let whole = std::fs::read(&path).map_err(|error| error.to_string())?;
    std::fs::write(&path, draw.damaged(&whole)).map_err(|error| error.to_string())?;
    let output = target.run(&known.words, None)?;
    let code = ending(&output, &[0, 2], &|| "a damaged record".into())?;
    target.tidy();
    match code == 0 && timeless(&output) != known.printed {
        true => Err("a damaged record gives another result".into()),
        false => Ok(()),
    }
}
