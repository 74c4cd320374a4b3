//! What held-out rows say of a list of features, in words.

use super::{choice, goals, words};
use crate::number::{count, counted, fixed};
use pfcvm_io::{Found, ListSureness, Summary};

/// What importance is, for a terminal.
pub const IMPORTANCE_IN_TEXT: &str = "Importance: how much worse (mean −log p) held-out rows are predicted without the feature, \
     everything else settled again. False alarm: how likely it is listed for nothing. ░ may be \
     nothing.";
/// The same for a picture.
pub const FALSE_ALARM: &str = " “False alarm” is how likely a feature is listed for nothing. Filled bars are certain; hollow \
     ones may be nothing.";

/// What there is to know of the list before reading it; nothing of a model that knows nothing.
pub fn sentences(summary: &Summary) -> Option<Vec<String>> {
    let listed = summary.features.len();
    let mut sentences = match (summary.sureness(), nothing_found(summary)) {
        (Some(_), true) if listed == 0 => {
            let mut sentences = vec![why_nothing(summary)];
            sentences.extend(goals::instead_of_a_list(summary));
            sentences.push(what_to_do(summary));
            sentences
        }
        _ if listed == 0 => return None,
        (None, _) => {
            vec!["Nothing is known of false alarms: no rows were held out to ask.".into()]
        }
        (Some(sure), true) => vec![format!(
            "Do not trust this list. No feature does better than chance ({}); it is shown because \
             it was insisted on.{}",
            chance(sure.p_value),
            expected(listed, &sure)
        )],
        (Some(sure), false) => {
            let how_many = how_many(summary, &sure);
            vec![format!("{how_many}{}", expected(listed, &sure))]
        }
    };
    sentences.extend(goals::sentences(summary));
    sentences.extend(choice::sentence(summary));
    Some(sentences)
}

/// Whether no feature does better than chance.
fn nothing_found(summary: &Summary) -> bool {
    summary.nothing_found == Some(true)
}

/// Whether the model has no features for that reason.
pub fn is_empty(summary: &Summary) -> bool {
    nothing_found(summary) && summary.features.is_empty()
}

/// That nothing was found, and what is predicted then; nothing where something was.
pub fn verdict(summary: &Summary) -> Option<String> {
    let sure = summary.sureness().filter(|_| nothing_found(summary))?;
    let what = format!("No feature does better than chance ({})", chance(sure.p_value));
    Some(match summary.features.len() {
        0 if summary.uses_all_features => format!(
            "No short list does better than chance ({}), and all features together do: the model \
             predicts with all of them.",
            chance(sure.p_value)
        ),
        0 => format!("{what}: the model predicts the shares of the classes."),
        n => format!("{what}; the list of {} was insisted on.", counted(n, "feature")),
    })
}

/// A probability of chance.
pub fn chance(p: f64) -> String {
    match p {
        p if !p.is_finite() => "p unknown".into(),
        p if p < 0.001 => "p < 0.001".into(),
        p if p < 0.1 => format!("p = {}", fixed(p, 3)),
        p => format!("p = {}", fixed(p, 2)),
    }
}

fn why_nothing(summary: &Summary) -> String {
    if summary.uses_all_features {
        return "None: held-out rows were predicted no better with a list of features than by chance."
            .into();
    }
    let rows = summary.class_rows.as_ref().map(|rows| {
        let classes = summary.classes.iter().zip(rows).take(6);
        let rows =
            classes.map(|(class, rows)| format!("{} of {}", count(*rows), words::said(class)));
        format!(" (rows: {})", rows.collect::<Vec<_>>().join(", "))
    });
    format!(
        "None: held-out rows were predicted no better with the features than by chance. So the \
         model has no features, and every row gets the shares of the classes as its \
         probabilities{}.",
        rows.unwrap_or_default()
    )
}

fn what_to_do(summary: &Summary) -> String {
    format!(
        "This does not prove that there is nothing: more rows may show what {} do not. \
         “--certainty insist” lists the features that came nearest all the same.",
        count(summary.n_samples_in)
    )
}

/// How many features are certain, and what that means.
fn how_many(summary: &Summary, sure: &ListSureness) -> String {
    // Beside a machine of all features it predicts with more than the list.
    let which = if summary.uses_all_features { "on the list" } else { "it predicts with" };
    let who = match (summary.features.len(), sure.certain) {
        (1, 1) => format!("The only feature {which} is certain"),
        (1, _) => format!("The only feature {which} is not certain"),
        (n, 0) => format!("Of the {} features {which}, none is certain", count(n)),
        (n, k) if n == k => format!("All {} features {which} are certain", count(n)),
        (n, 1) => format!("Of the {} features {which}, one is certain", count(n)),
        (n, k) => format!("Of the {} features {which}, {} are certain", count(n), count(k)),
    };
    match sure.max_false {
        None => format!(
            "{who}: at most {}\u{202f}% of features that say nothing are called so.",
            shortest(100.0 * sure.rate)
        ),
        Some(most) => {
            format!(
                "{who}: of those called so, at most {} are expected to be false.",
                shortest(most)
            )
        }
    }
}

/// How many are expected to be false, after another sentence; of one feature its row says it.
fn expected(listed: usize, sure: &ListSureness) -> String {
    let about = |value: f64| match value {
        value if value < 0.05 => "Fewer than 0.1".into(),
        value => format!("About {}", fixed(value, 1)),
    };
    if listed == 1 {
        return String::new();
    }
    let all = format!(
        " {} of the {} are expected to be false",
        about(sure.expected_false),
        count(listed)
    );
    match sure.certain {
        0 => format!("{all}."),
        certain if certain == listed => format!("{all}."),
        _ => format!(
            "{all}; of the certain ones, {}.",
            about(sure.expected_false_certain).to_lowercase()
        ),
    }
}

/// A number as somebody typed it.
fn shortest(value: f64) -> String {
    ((1e6 * value).round() / 1e6).to_string()
}

/// How to read the picture of importances.
pub fn caption(only: &Found, classes: &[String]) -> String {
    let mut text = String::from(
        "How much worse rows that did not train are predicted (mean −log p) if the feature is left \
         out and everything else is settled again. The thin line is the 95 % interval. Features \
         that say the same can stand in for each other, so each of them looks cheap; and what is \
         certainly not nothing can still be little, so the line of a certain one may reach zero.",
    );
    text += FALSE_ALARM;
    if only.panel.is_some() {
        let class = classes.last().map_or_else(String::new, |class| words::said(class));
        text += &format!(
            " The sign of a weight, in the numbers below, says whether high values speak for \
             {class} or against it."
        );
    }
    text
}

/// What the columns of the table of numbers mean.
pub fn columns(only: &Found) -> &'static str {
    match only.panel {
        None => {
            "Kept in: the share of the fits without a part of the rows that keep it. Weight: inside \
             the kernel, for features scaled to the same spread, with its posterior standard \
             deviation and the precision of its prior; features that stand out share one weight. \
             Worth: rise of the mean −log p of the training rows without it, nothing else changed."
        }
        Some(_) => {
            "Kept in: the share of the panels without a part of the rows that keep it. Weight: for \
             ranks of its values, with its standard deviation. Chosen by: the share of the members \
             that would list it from their half of the rows alone."
        }
    }
}
