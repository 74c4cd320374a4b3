//! The demo's account in words.

use crate::demo::{Account, KeptFeature};
use anstyle::{AnsiColor, Style};
use std::io::{Result, Write};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const WAVE: Style = AnsiColor::Cyan.on_default();
const NOISE: Style = AnsiColor::Yellow.on_default();

/// Widest bar, in characters.
const BAR: f64 = 30.0;

/// Writes the account, about a screen long.
pub fn write(out: &mut impl Write, account: &Account) -> Result<()> {
    let a = account;
    writeln!(
        out,
        "{BOLD}Two classes of waveforms{BOLD:#}, {} features of which 19 are pure noise",
        a.feature_count
    )?;
    writeln!(
        out,
        "{DIM}{} rows to learn from, {} fresh rows to test on, seed {}{DIM:#}\n",
        a.training_rows, a.test_rows, a.seed
    )?;

    let best = 100.0 * a.bayes_accuracy;
    line(
        out,
        "accuracy",
        format!("{:.1} %", 100.0 * a.accuracy),
        format!("the best possible rule reaches {best:.1} % on the same rows"),
    )?;
    line(out, "log loss", format!("{:.3}", a.log_loss), "knowing nothing costs 0.693".into())?;
    line(out, "samples", a.samples_kept.to_string(), format!("kept of {}", a.training_rows))?;
    let noise = a.features.iter().filter(|feature| feature.noise).count();
    line(
        out,
        "features",
        a.features.len().to_string(),
        format!(
            "kept of {}, {} noise",
            a.feature_count,
            if noise == 0 { "none of them".into() } else { format!("{noise} of them") }
        ),
    )?;

    writeln!(out, "\n{DIM}kept features by weight, ± posterior standard deviation;{DIM:#}")?;
    writeln!(out, "{DIM}those that stand out on their own are drawn to a common weight{DIM:#}")?;
    let widest = a.features.iter().map(|f| f.weight).fold(0.0, f64::max);
    for feature in &a.features {
        bar(out, feature, widest)?;
    }

    writeln!(
        out,
        "\nThe fit {} after {} iterations, {:.2} s.",
        a.termination, a.iterations, a.seconds
    )
}

fn line(out: &mut impl Write, what: &str, value: String, remark: String) -> Result<()> {
    writeln!(out, "  {what:<9} {BOLD}{value:>7}{BOLD:#}   {DIM}{remark}{DIM:#}")
}

fn bar(out: &mut impl Write, feature: &KeptFeature, widest: f64) -> Result<()> {
    let style = if feature.noise { NOISE } else { WAVE };
    let bar = blocks(BAR * feature.weight / widest);
    let pad = " ".repeat(BAR as usize - bar.chars().count());
    let mark = if feature.noise { "  noise" } else { "" };
    writeln!(
        out,
        "  {:>4} {style}{bar}{style:#}{pad}  {:.4} ± {:.4}{NOISE}{mark}{NOISE:#}",
        feature.name, feature.weight, feature.deviation
    )
}

/// A bar of the given length, to an eighth of a character and at least one eighth.
fn blocks(length: f64) -> String {
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
    }
}
