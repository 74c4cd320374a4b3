//! Results in words, about a screen long.

use crate::account::{Account, Best, SelectedFeature, Summary, Test};
use anstyle::{AnsiColor, Style};
use std::io::{Result, Write};

pub const BOLD: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const MAIN: Style = AnsiColor::Cyan.on_default();
const CONTRAST: Style = AnsiColor::Yellow.on_default();

/// Widest bar, in characters.
pub const BAR: f64 = 30.0;
/// Features and samples listed without being asked for all of them.
pub const LISTED: usize = 30;
/// Longest name shown in full.
const NAME: usize = 24;

/// What `fit` and `demo` found; `mark` sets some features apart.
pub fn account(
    out: &mut impl Write,
    account: &Account,
    mark: impl Fn(&SelectedFeature) -> Option<&'static str>,
) -> Result<()> {
    if let Some(test) = &account.test {
        tested(out, test)?;
    }
    kept(out, &account.summary)?;
    verdict(out, &account.summary)?;
    features(out, &account.summary, LISTED, mark)?;
    ending(out, &account.summary, Some(account.seconds))
}

/// What `inspect` tells of a model file.
pub fn model(out: &mut impl Write, summary: &Summary) -> Result<()> {
    let [negative, positive] = summary.classes.each_ref().map(|class| shown(class));
    writeln!(out, "{BOLD}`{positive}` against `{negative}`{BOLD:#}\n")?;
    kept(out, summary)?;
    verdict(out, summary)?;
    features(out, summary, usize::MAX, |_| None)?;
    samples(out, summary)?;
    settings(out, &summary.settings)?;
    ending(out, summary, None)
}

/// Settings that are one word each.
pub fn settings(out: &mut impl Write, settings: &serde_json::Value) -> Result<()> {
    writeln!(out)?;
    if let Some(settings) = settings.as_object() {
        let simple = settings.iter().filter(|(_, value)| !value.is_object() && !value.is_null());
        let words: Vec<String> =
            simple.map(|(name, value)| format!("{name} {}", plain(value))).collect();
        writeln!(out, "{DIM}settings: {}{DIM:#}", words.join(", "))?;
    }
    Ok(())
}

fn tested(out: &mut impl Write, test: &Test) -> Result<()> {
    let accuracy = format!("{:.1} %", 100.0 * test.accuracy);
    line(out, "accuracy", &accuracy, &format!("of {} test rows", test.rows))?;
    line(out, "log loss", &format!("{:.3}", test.log_loss), "knowing nothing costs 0.693")?;
    match test.auc {
        Some(auc) => line(out, "AUC", &format!("{auc:.3}"), "tossing a coin gives 0.5"),
        None => line(out, "AUC", "none", "the test rows are all of one class"),
    }
}

fn kept(out: &mut impl Write, summary: &Summary) -> Result<()> {
    let count = summary.selected_features.len().to_string();
    line(out, "features", &count, &format!("kept of {}", summary.n_features_in))?;
    if summary.panel.is_none() {
        let count = summary.selected_samples.len().to_string();
        line(out, "samples", &count, &format!("kept of {}", summary.n_samples_in))?;
    }
    Ok(())
}

fn verdict(out: &mut impl Write, summary: &Summary) -> Result<()> {
    let Some(panel) = &summary.panel else { return Ok(()) };
    if let Some(accuracy) = panel.expected_accuracy {
        let remark = "accuracy to expect on new rows: each half of the samples, tried on the other";
        line(out, "expected", &format!("{:.1} %", 100.0 * accuracy), remark)?;
    }
    let (answer, meaning) = match panel.verdict {
        Best::ShortList => ("yes", "short lists predict new rows as well as all features do"),
        Best::AllFeatures => ("no", "all features together predict better; leave out --panel"),
        Best::Neither => ("no", "neither short lists nor all features are better than chance"),
    };
    line(out, "suffices?", answer, meaning)?;
    if let (Some(list), Some(all)) = (panel.expected_log_loss, panel.all_features_log_loss) {
        let remark = format!("log loss {list:.3} with short lists, {all:.3} with all features");
        line(out, "", "", &remark)?;
    }
    Ok(())
}

pub fn line(out: &mut impl Write, what: &str, value: &str, remark: &str) -> Result<()> {
    writeln!(out, "  {what:<9} {BOLD}{value:>7}{BOLD:#}   {DIM}{remark}{DIM:#}")
}

fn features(
    out: &mut impl Write,
    summary: &Summary,
    most: usize,
    mark: impl Fn(&SelectedFeature) -> Option<&'static str>,
) -> Result<()> {
    let all = &summary.selected_features;
    if all.is_empty() {
        return Ok(());
    }
    let meaning = match summary.panel {
        None if all[0].worth.is_some() => {
            "kept features by weight, ± posterior standard deviation; worth: how much the log loss\n\
             of the training rows would rise without the feature (those that stand out on their\n\
             own share one weight: compare them by worth)"
        }
        None => "kept features by weight, ± posterior standard deviation",
        Some(_) => {
            "listed features, the most important first: weight ± its uncertainty, and the share of\nmembers that would list the feature from their half of the samples alone"
        }
    };
    writeln!(out, "\n{DIM}{meaning}{DIM:#}")?;
    let listed = &all[..all.len().min(most)];
    let widest = listed.iter().map(|f| f.weight.abs()).fold(0.0, f64::max);
    let longest = listed.iter().map(|f| shown(&f.name).chars().count()).max().unwrap_or(0);
    for feature in listed {
        let mark = mark(feature);
        let style = if mark.is_some() || feature.weight < 0.0 { CONTRAST } else { MAIN };
        let bar = blocks(BAR * feature.weight.abs() / widest);
        let pad = " ".repeat(BAR as usize - bar.chars().count().min(BAR as usize));
        let name = shown(&feature.name);
        let indent = " ".repeat(longest - name.chars().count());
        let (weight, std) = (number(feature.weight), number(feature.std));
        write!(out, "  {indent}{name} {style}{bar}{style:#}{pad} {weight:>8} ± {std}")?;
        if let Some(worth) = feature.worth {
            write!(out, "  {DIM}worth {}{DIM:#}", number(worth))?;
        }
        if let Some(standing) = &feature.standing {
            write!(out, "  {DIM}listed by {:.0} %{DIM:#}", 100.0 * standing.frequency)?;
        }
        writeln!(
            out,
            "{CONTRAST}{}{CONTRAST:#}",
            mark.map(|m| format!("  {m}")).unwrap_or_default()
        )?;
    }
    more(out, all.len(), listed.len(), "features")
}

fn samples(out: &mut impl Write, summary: &Summary) -> Result<()> {
    let all = &summary.selected_samples;
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{DIM}kept samples by weight; rows of the training data count from 0{DIM:#}")?;
    let listed = &all[..all.len().min(LISTED)];
    for sample in listed {
        let (weight, std) = (number(sample.weight), number(sample.std));
        let label = shown(&sample.label);
        writeln!(out, "  row {:<8} {weight:>8} ± {std:<10} {DIM}{label}{DIM:#}", sample.index)?;
    }
    more(out, all.len(), listed.len(), "samples")
}

pub fn more(out: &mut impl Write, all: usize, listed: usize, what: &str) -> Result<()> {
    if all > listed {
        writeln!(out, "  {DIM}and {} more {what}; --json lists all{DIM:#}", all - listed)?;
    }
    Ok(())
}

fn ending(out: &mut impl Write, summary: &Summary, seconds: Option<f64>) -> Result<()> {
    let time = seconds.map(|seconds| format!(", {seconds:.2} s")).unwrap_or_default();
    let (what, steps) = match summary.panel {
        None => ("fit", "iterations"),
        Some(_) => ("panel", "rounds"),
    };
    writeln!(
        out,
        "\nThe {what} {} after {} {steps}{time}; seed {}.",
        summary.termination, summary.iterations, summary.seed
    )
}

/// A setting without JSON's quotes.
fn plain(value: &serde_json::Value) -> String {
    value.as_str().map(String::from).unwrap_or_else(|| value.to_string())
}

/// Four significant digits, in powers of ten where that is shorter.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        "0".into()
    } else if !(1e-4..1e6).contains(&size) {
        format!("{value:.2e}")
    } else {
        let decimals = (3 - size.log10().floor() as i32).clamp(0, 7);
        format!("{value:.*}", decimals as usize)
    }
}

/// A name from a file, safe for a terminal and not too long.
pub fn shown(name: &str) -> String {
    let safe = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    if name.chars().count() <= NAME {
        return name.chars().map(safe).collect();
    }
    name.chars().take(NAME - 1).map(safe).chain(['…']).collect()
}

/// A bar of the given length, to an eighth of a character and at least one eighth.
pub fn blocks(length: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (8.0 * length).round().max(1.0) as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_end_at_the_nearest_eighth() {
        assert_eq!(blocks(2.0), "██");
        assert_eq!(blocks(1.5), "█▌");
        assert_eq!(blocks(0.0001), "▏");
        assert_eq!(blocks(1.99), "██");
        assert_eq!(blocks(f64::NAN), "▏");
    }

    #[test]
    fn numbers_keep_four_digits() {
        let cases = [
            (0.0, "0"),
            (0.01234567, "0.01235"),
            (12.3456, "12.35"),
            (-1234.56, "-1235"),
            (1.5e-7, "1.50e-7"),
            (2e9, "2.00e9"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn names_cannot_command_the_terminal() {
        assert_eq!(shown("a\u{1b}[31m\n"), "a\u{fffd}[31m\u{fffd}");
        assert_eq!(shown(&"x".repeat(30)).chars().count(), NAME);
    }
}
