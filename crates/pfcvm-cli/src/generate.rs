//! `pfcvm generate`: data to try things on.

use crate::args::{Generate, Generator};
use crate::failure::Outcome;
use crate::output::{self, Outputs};
use pfcvm_io::generate::{Labelling, eeg_like, ringnorm, twonorm, waveform};
use pfcvm_io::{Table, write_csv};
use serde_json::json;
use std::io::{BufWriter, Write};

/// Dimensions of the two normal problems, as in the benchmark files.
const NORM_FEATURES: usize = 20;

/// Runs the command.
pub fn run(options: &Generate) -> Outcome {
    let table = draw(options);
    let Some(path) = &options.out else {
        let mut out = BufWriter::new(std::io::stdout().lock());
        write_csv(&table, &mut out)?;
        return Ok(out.flush()?);
    };
    output::check(&[Some(path)], &[])?;
    let mut outputs = Outputs::default();
    outputs.add(path, |file| write_csv(&table, file))?;
    outputs.finish()?;
    if options.json {
        return output::print_json(&json!({
            "file": path,
            "rows": table.x().rows(),
            "features": table.x().cols(),
            "classes": table.class_names(),
            "seed": options.seed,
        }));
    }
    Ok(())
}

fn draw(options: &Generate) -> Table {
    let (rows, seed) = (options.n as usize, options.seed);
    // Classes take turns: the first rows of a few more are what is wanted.
    let (halves, thirds) = (rows.div_ceil(2), rows.div_ceil(3));
    let table = match options.what {
        Generator::Waveform => waveform(Labelling::Uci, &[0, 1], halves, seed),
        Generator::WaveformTextbook => waveform(Labelling::Textbook, &[0, 1], halves, seed),
        Generator::WaveformThree => waveform(Labelling::Uci, &[0, 1, 2], thirds, seed),
        Generator::EegLike => eeg_like(rows, seed),
        Generator::Twonorm => twonorm(NORM_FEATURES, halves, seed),
        Generator::Ringnorm => ringnorm(NORM_FEATURES, halves, seed),
    };
    if table.x().rows() == rows { table } else { table.slice(0, rows) }
}
