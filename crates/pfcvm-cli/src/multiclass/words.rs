//! Results of several machines in words, about a screen long.

use super::account::{Account, MachineSummary, Summary, Test};
use crate::words::{BAR, BOLD, DIM, LISTED, MAIN, blocks, line, more, number, settings, shown};
use std::io::{Result, Write};

/// Features listed for each machine.
const OF_MACHINE: usize = 6;

/// What `fit` found.
pub fn account(out: &mut impl Write, account: &Account) -> Result<()> {
    if let Some(test) = &account.test {
        tested(out, test)?;
    }
    kept(out, &account.summary)?;
    features(out, &account.summary, LISTED)?;
    machines(out, &account.summary)?;
    if let Some(test) = &account.test {
        confusion(out, test)?;
    }
    let machines = account.summary.machines.len();
    let (seconds, seed) = (account.seconds, account.summary.seed);
    writeln!(out, "\n{machines} machines were fitted in {seconds:.2} s; seed {seed}.")
}

/// What `inspect` tells of a model file.
pub fn model(out: &mut impl Write, summary: &Summary) -> Result<()> {
    let names: Vec<String> =
        summary.classes.iter().map(|class| format!("`{}`", shown(class))).collect();
    writeln!(out, "{BOLD}{}{BOLD:#}\n", names.join(", "))?;
    kept(out, summary)?;
    features(out, summary, usize::MAX)?;
    machines(out, summary)?;
    settings(out, &summary.settings)?;
    writeln!(out, "\n{} machines; seed {}.", summary.machines.len(), summary.seed)
}

fn tested(out: &mut impl Write, test: &Test) -> Result<()> {
    let accuracy = format!("{:.1} %", 100.0 * test.accuracy);
    line(out, "accuracy", &accuracy, &format!("of {} test rows", test.rows))?;
    let nothing = (test.classes.len() as f64).ln();
    let remark = format!("knowing nothing costs {nothing:.3}");
    line(out, "log loss", &format!("{:.3}", test.log_loss), &remark)?;
    let remark = "mean over the classes of the harmonic mean of precision and recall";
    line(out, "macro F1", &format!("{:.3}", test.macro_f1), remark)
}

fn kept(out: &mut impl Write, summary: &Summary) -> Result<()> {
    let (classes, machines) = (summary.classes.len(), summary.machines.len());
    let remark = format!("told apart {}, by {machines} machines", summary.scheme);
    line(out, "classes", &classes.to_string(), &remark)?;
    let by = |all: usize| format!("kept by some machine, of {all}");
    line(out, "features", &summary.features.len().to_string(), &by(summary.n_features_in))?;
    if !summary.is_panel() {
        line(out, "samples", &summary.samples.len().to_string(), &by(summary.n_samples_in))?;
    }
    Ok(())
}

fn features(out: &mut impl Write, summary: &Summary, most: usize) -> Result<()> {
    let all = &summary.features;
    if all.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\n{DIM}features by their share of a machine's weights, on the mean over all machines; how \
         many\nkeep the feature, and where it weighs most{DIM:#}"
    )?;
    let listed = &all[..all.len().min(most)];
    let name = |at: usize| shown(listed[at].name.as_deref().unwrap_or_default());
    let longest = (0..listed.len()).map(|at| name(at).chars().count()).max().unwrap_or(0);
    let widest = listed[0].share.max(f64::MIN_POSITIVE);
    for (at, feature) in listed.iter().enumerate() {
        let bar = blocks(BAR * feature.share / widest);
        let pad = " ".repeat(BAR as usize - bar.chars().count().min(BAR as usize));
        let indent = " ".repeat(longest - name(at).chars().count());
        let share = format!("{:.1} %", 100.0 * feature.share);
        let where_most = summary.machines[feature.strongest].name();
        writeln!(
            out,
            "  {indent}{} {MAIN}{bar}{MAIN:#}{pad} {share:>7}  {DIM}{} of {}, {where_most}{DIM:#}",
            name(at),
            feature.machines,
            summary.machines.len(),
        )?;
    }
    more(out, all.len(), listed.len(), "features")
}

fn machines(out: &mut impl Write, summary: &Summary) -> Result<()> {
    writeln!(out, "\n{DIM}machine by machine: the features that weigh most{DIM:#}")?;
    for machine in summary.machines.iter().take(LISTED) {
        writeln!(out, "  {BOLD}{}{BOLD:#}  {DIM}{}{DIM:#}", machine.name(), about(machine))?;
        let names = machine.selected_features.iter().take(OF_MACHINE);
        let names: Vec<String> =
            names.map(|f| format!("{} {}", shown(&f.name), number(f.weight))).collect();
        let rest = machine.selected_features.len().saturating_sub(OF_MACHINE);
        let rest = if rest > 0 { format!(", and {rest} more") } else { String::new() };
        writeln!(out, "    {}{rest}", names.join(", "))?;
    }
    more(out, summary.machines.len(), summary.machines.len().min(LISTED), "machines")
}

fn about(machine: &MachineSummary) -> String {
    let features = machine.selected_features.len();
    let samples = match machine.selected_samples.len() {
        0 => String::new(),
        kept => format!(", {kept} of {} samples", machine.n_samples_in),
    };
    format!("{features} features{samples}; it {}", machine.termination)
}

fn confusion(out: &mut impl Write, test: &Test) -> Result<()> {
    const MOST: usize = 10;
    if test.classes.len() > MOST {
        return Ok(());
    }
    writeln!(
        out,
        "\n{DIM}test rows: a line for what they are, a column for what they are called{DIM:#}"
    )?;
    let names: Vec<String> = test.classes.iter().map(|class| shown(&class.name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let cells = |cells: &[String]| -> String {
        cells.iter().map(|cell| format!(" {cell:>width$}")).collect()
    };
    writeln!(out, "  {:>width$} {}", "", cells(&names))?;
    for (name, counts) in names.iter().zip(&test.confusion) {
        let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
        writeln!(out, "  {name:>width$} {}", cells(&counts))?;
    }
    Ok(())
}
