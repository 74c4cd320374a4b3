//! Systems that give little.

use super::Draw;
use super::target::{Target, ending, whole_or_absent};

/// Files up to some size only: a result is whole, or told not to be, and nothing is left of it.
pub fn files(target: &Target, draw: &mut Draw) -> Result<(), String> {
    let known = &target.commands[draw.below(2)];
    let Some((name, content)) = &known.file else { return Ok(()) };
    // In blocks of 512 bytes, about as many as the file has.
    let blocks = draw.below(content.len() / 512 * 5 / 4 + 2);
    let output = target.run(&known.words, Some(&format!("ulimit -f {blocks}")))?;
    let code = ending(&output, &[0, 5], &|| format!("{} in {blocks} blocks", known.words))?;
    whole_or_absent(&target.path(name), content)?;
    let (written, part) = (target.path(name).exists(), target.has_part());
    target.tidy();
    match (code == 0) == written && !part {
        true => Ok(()),
        false => Err(format!("{} in {blocks} blocks: code {code}, not tidy", known.words)),
    }
}

/// Addresses for so much memory only: a fit is done or refused beforehand.
pub fn memory(target: &Target, draw: &mut Draw) -> Result<(), String> {
    let rows = 100 + draw.below(900);
    let what = draw.pick(&["waveform", "eeg-like"]);
    let data = format!("generate {what} --n {rows} --out wide.csv");
    ending(&target.run(&data, None)?, &[0], &|| data.clone())?;
    // Addresses count, of which products of matrices take many where caches are large.
    let mib = 64 + draw.below(4000);
    let words = "fit wide.csv --max-iterations 3 --threads 2 --certainty off";
    let output = target.run(words, Some(&format!("ulimit -v {}", mib << 10)))?;
    target.tidy();
    // 1: not even the threads of the program could be had.
    ending(&output, &[0, 1, 3], &|| format!("{what}, {rows} rows, {mib} MiB")).map(drop)
}
