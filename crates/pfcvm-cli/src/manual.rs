//! Shell completions and manual pages, both made from the command line's own documentation.

use crate::args::Args;
use crate::failure::{Failure, Outcome};
use crate::output::Outputs;
use clap::CommandFactory;
use clap_mangen::Man;
use std::io::Write;
use std::path::Path;

/// Prints the completion script of a shell.
pub fn completions(shell: clap_complete::Shell) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "pfcvm", &mut script);
    print(&script)
}

/// Prints the manual page, or writes those of all commands.
pub fn pages(folder: Option<&Path>) -> Outcome {
    let mut command = Args::command();
    command.build();
    let Some(folder) = folder else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        return print(&page);
    };
    std::fs::create_dir_all(folder).map_err(|error| Failure::writing(folder, &error))?;
    let mut outputs = Outputs::default();
    outputs.add(&folder.join("pfcvm.1"), |file| Man::new(command.clone()).render(file))?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let page = Man::new(sub.clone());
        outputs.add(&folder.join(page.get_filename()), |file| page.render(file))?;
    }
    outputs.finish()
}

fn print(text: &[u8]) -> Outcome {
    let mut out = std::io::stdout().lock();
    out.write_all(text)?;
    Ok(out.flush()?)
}
