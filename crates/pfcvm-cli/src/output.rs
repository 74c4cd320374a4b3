//! Results in files: all of them or none.

use crate::failure::{Failure, Outcome};
use pfcvm_io::Staged;
use std::io::Write;
use std::path::Path;

/// Refuses at once what could not be written after a long fit.
pub fn check<'a>(targets: impl IntoIterator<Item = &'a Path>) -> Outcome {
    let mut seen: Vec<&Path> = Vec::new();
    for target in targets {
        if seen.contains(&target) {
            let target = target.display();
            return Err(Failure::Usage(format!(
                "{target} is named for two results; name two files"
            )));
        }
        seen.push(target);
        Staged::check(target).map_err(|error| Failure::writing(target, &error))?;
    }
    Ok(())
}

/// Files that take their names together, once all are complete.
#[derive(Default)]
pub struct Outputs(Vec<Staged>);

impl Outputs {
    /// Writes one of them beside its target.
    pub fn add(
        &mut self,
        target: &Path,
        write: impl FnOnce(&mut Staged) -> std::io::Result<()>,
    ) -> Outcome {
        let staged = Staged::create(target).and_then(|mut file| {
            write(&mut file)?;
            file.settle()?;
            Ok(file)
        });
        self.0.push(staged.map_err(|error| Failure::writing(target, &error))?);
        Ok(())
    }

    /// Gives all of them their names, and says so.
    pub fn finish(self) -> Outcome {
        for file in self.0 {
            let target = file.target().to_path_buf();
            file.finish().map_err(|error| Failure::writing(&target, &error))?;
            note(&format!("wrote {}", target.display()));
        }
        Ok(())
    }
}

/// One line on standard error.
pub fn note(text: &str) {
    anstream::eprintln!("{text}");
}

/// One JSON object on standard output.
pub fn print_json(value: &impl serde::Serialize) -> Outcome {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    serde_json::to_writer_pretty(&mut out, value).map_err(std::io::Error::from)?;
    writeln!(out)?;
    out.flush()?;
    Ok(())
}
