//! What an experiment found, beside what the paper prints.

use pfcvm_report::page::Section;
use serde::Serialize;

/// The result of one experiment.
#[derive(Debug, Clone, Default)]
pub struct Chapter {
    /// One or two sentences: what was done, on which data, with which seed.
    pub lead: String,
    /// Tables and pictures.
    pub sections: Vec<Section>,
    /// Printed figures beside ours.
    pub findings: Vec<Finding>,
    /// Every figure; no times, so that the same command gives the same bits.
    pub results: serde_json::Value,
}

/// A figure or statement of the paper beside ours.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// What is measured.
    pub claim: String,
    /// What the paper has.
    pub paper: String,
    /// What came out.
    pub ours: String,
    /// What still counts as the same.
    pub within: String,
    /// How the two compare.
    pub verdict: Verdict,
    /// Whether a clock had a part in it: such findings differ from run to run.
    #[serde(skip)]
    pub timed: bool,
}

/// How our figure compares with the paper's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The same within the tolerance that the finding states.
    Same,
    /// Better than printed.
    Better,
    /// Worse than printed.
    Worse,
    /// A statement that does not hold here.
    Differs,
    /// It could not be measured here, or on other data only.
    NotMeasured,
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Same => "as printed",
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::Differs => "differs",
            Verdict::NotMeasured => "not measured",
        }
    }
}

impl Finding {
    /// A figure of which more is better. `tolerance` is what still counts as the same, and how
    /// that is said; the other texts are written by `show`.
    pub fn figure(
        claim: impl Into<String>,
        paper: f64,
        (tolerance, within): (f64, &str),
        ours: Option<f64>,
        show: impl Fn(f64) -> String,
    ) -> Self {
        let verdict = match ours {
            None => Verdict::NotMeasured,
            Some(ours) if (ours - paper).abs() <= tolerance => Verdict::Same,
            Some(ours) if ours > paper => Verdict::Better,
            Some(_) => Verdict::Worse,
        };
        Self {
            claim: claim.into(),
            paper: show(paper),
            ours: ours.map_or_else(|| "the method is not there yet".into(), show),
            within: within.into(),
            verdict,
            timed: false,
        }
    }

    /// A figure of which less is better.
    pub fn smaller_figure(
        claim: impl Into<String>,
        paper: f64,
        tolerance: (f64, &str),
        ours: Option<f64>,
        show: impl Fn(f64) -> String,
    ) -> Self {
        let finding = Self::figure(claim, paper, tolerance, ours, show);
        let verdict = match finding.verdict {
            Verdict::Better => Verdict::Worse,
            Verdict::Worse => Verdict::Better,
            other => other,
        };
        Self { verdict, ..finding }
    }

    /// A statement that holds or does not.
    pub fn statement(
        claim: impl Into<String>,
        paper: impl Into<String>,
        ours: impl Into<String>,
        holds: bool,
    ) -> Self {
        let verdict = if holds { Verdict::Same } else { Verdict::Differs };
        let (claim, paper, ours) = (claim.into(), paper.into(), ours.into());
        Self { claim, paper, ours, within: String::new(), verdict, timed: false }
    }

    /// What could not be measured, and why.
    pub fn missing(
        claim: impl Into<String>,
        paper: impl Into<String>,
        why: impl Into<String>,
    ) -> Self {
        let verdict = Verdict::NotMeasured;
        Self { verdict, ..Self::statement(claim, paper, why, true) }
    }
}

/// What reproduces and what does not, in a few sentences made from the findings.
pub fn commentary(findings: &[Finding]) -> Vec<String> {
    let with = |verdict: Verdict| findings.iter().filter(move |f| f.verdict == verdict);
    let count = |verdict| with(verdict).count();
    let measured = findings.len() - count(Verdict::NotMeasured);
    if measured == 0 {
        return vec!["None of the paper's figures could be measured here.".into()];
    }
    let mut text = vec![format!(
        "Of {} figures and statements of the paper, {measured} could be measured here: {} came out \
         as printed, {} better, {} worse; {} statements do not hold here.",
        findings.len(),
        count(Verdict::Same),
        count(Verdict::Better),
        count(Verdict::Worse),
        count(Verdict::Differs),
    )];
    let list = |verdict| {
        let words =
            with(verdict).map(|f| format!("{} ({} here, {} printed)", f.claim, f.ours, f.paper));
        Vec::from_iter(words).join("; ")
    };
    if count(Verdict::Worse) > 0 {
        text.push(format!("What does not reproduce: {}.", list(Verdict::Worse)));
    }
    if count(Verdict::Differs) > 0 {
        text.push(format!("What does not hold: {}.", list(Verdict::Differs)));
    }
    if count(Verdict::Better) > 0 {
        text.push(format!("What comes out better: {}.", list(Verdict::Better)));
    }
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for finding in with(Verdict::NotMeasured) {
        match reasons.iter_mut().find(|(reason, _)| *reason == finding.ours) {
            Some((_, count)) => *count += 1,
            None => reasons.push((&finding.ours, 1)),
        }
    }
    if !reasons.is_empty() {
        let words = reasons.iter().map(|(reason, count)| format!("{count} because {reason}"));
        text.push(format!("Not measured: {}.", Vec::from_iter(words).join(", ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_the_direction() {
        let show = |v: f64| format!("{v}");
        let verdict = |ours| Finding::figure("c", 1.0, (0.1, "0.1"), ours, show).verdict;
        assert_eq!(verdict(Some(1.05)), Verdict::Same);
        assert_eq!(verdict(Some(1.2)), Verdict::Better);
        assert_eq!(verdict(Some(0.8)), Verdict::Worse);
        assert_eq!(verdict(None), Verdict::NotMeasured);
        let smaller =
            |ours| Finding::smaller_figure("c", 1.0, (0.1, "0.1"), Some(ours), show).verdict;
        assert_eq!((smaller(1.2), smaller(0.8)), (Verdict::Worse, Verdict::Better));
    }

    #[test]
    fn the_commentary_hides_nothing() {
        let show = |v: f64| format!("{v:.1}");
        let findings = [
            Finding::figure("first", 1.0, (0.1, ""), Some(0.5), show),
            Finding::figure("second", 1.0, (0.1, ""), Some(1.0), show),
            Finding::missing("third", "2", "no data"),
        ];
        let text = commentary(&findings).join(" ");
        assert!(text.contains("2 could be measured here: 1 came out as printed"), "{text}");
        assert!(text.contains("does not reproduce: first (0.5 here, 1.0 printed)"), "{text}");
        assert!(text.contains("Not measured: 1 because no data."), "{text}");
    }
}
