//! Data that nobody would write.

use super::Draw;
use super::target::{Target, ending};

/// Any bytes are fitted or refused, in one sentence and without a file.
pub fn data(target: &Target, draw: &mut Draw) -> Result<(), String> {
    let mut bytes = draw.pick(&target.corpus).clone();
    for _ in 0..draw.below(4) {
        bytes = draw.damaged(&bytes);
    }
    // Pieces of two files make columns and rows that do not fit.
    if draw.below(4) == 0 {
        let other = draw.pick(&target.corpus);
        let at = draw.below(bytes.len() + 1);
        bytes.splice(at..at, other.iter().copied());
    }
    std::fs::write(target.path("hostile"), &bytes).map_err(|error| error.to_string())?;
    let words = "fit hostile --model out.json --max-iterations 20";
    let output = target.run(words, None)?;
    let code = ending(&output, &[0, 3], &|| format!("{} hostile bytes", bytes.len()))?;
    let written = target.path("out.json").exists();
    let part = target.has_part();
    target.tidy();
    match (code == 0) == written && !part {
        true => Ok(()),
        false => Err(format!("code {code}, and a model is {written}ly there")),
    }
}
