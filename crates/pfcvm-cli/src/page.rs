//! The report's content, from an account.

use crate::account::{Account, Best, SelectedFeature, Step};
use crate::failure::{Failure, Outcome};
use pfcvm_report::{Feature, Iteration, Origin, Report, Sample, Test, Tile};

/// The page as one piece of HTML; `mark` sets some features apart.
pub fn render(
    account: &Account,
    title: String,
    mark: impl Fn(&SelectedFeature) -> Option<&'static str>,
) -> Outcome<String> {
    pfcvm_report::render(&report(account, title, mark))
        .map_err(|error| Failure::Internal(format!("the report cannot be made ({error})")))
}

/// Everything the page shows.
fn report(
    account: &Account,
    title: String,
    mark: impl Fn(&SelectedFeature) -> Option<&'static str>,
) -> Report {
    let summary = &account.summary;
    Report {
        title,
        lead: lead(account),
        tiles: tiles(account),
        notes: account.notes.clone(),
        features_caption: caption(account).into(),
        features: summary
            .selected_features
            .iter()
            .map(|feature| Feature {
                name: feature.name.clone(),
                weight: feature.weight,
                deviation: Some(feature.std),
                worth: feature.worth,
                mark: mark(feature).map(String::from),
                frequency: feature.standing.as_ref().map(|standing| standing.frequency),
            })
            .collect(),
        trace: account.trace.iter().map(step).collect(),
        samples: summary
            .selected_samples
            .iter()
            .map(|sample| Sample {
                index: sample.index,
                class: sample.label.clone(),
                weight: sample.weight,
                deviation: Some(sample.std),
            })
            .collect(),
        test: account.test.as_ref().map(|test| Test {
            truth: test.truth.clone(),
            probability: test.probability.clone(),
            classes: summary.classes.clone(),
        }),
        settings: settings(account),
        origin: Origin {
            program: format!("pfcvm {}", env!("CARGO_PKG_VERSION")),
            seed: Some(summary.seed),
        },
    }
}

fn lead(account: &Account) -> String {
    let summary = &account.summary;
    let [negative, positive] = &summary.classes;
    let (features, samples) = (summary.selected_features.len(), summary.selected_samples.len());
    let of_features = format!("{features} of {} features", summary.n_features_in);
    let what = match &summary.panel {
        None => format!(
            "Of {} labelled rows the fit keeps {samples}, and {of_features}, to tell “{positive}” \
             from “{negative}”.",
            summary.n_samples_in
        ),
        Some(panel) if panel.verdict == Best::Neither => format!(
            "From {} labelled rows, no list was found that tells “{positive}” from “{negative}” \
             better than chance; the {of_features} below came nearest.",
            summary.n_samples_in
        ),
        Some(_) => format!(
            "From {} labelled rows, {of_features} make a list that tells “{positive}” from \
             “{negative}”.",
            summary.n_samples_in
        ),
    };
    match &account.test {
        None => what,
        Some(test) => format!(
            "{what} Of {} test rows, {:.1} % are classified correctly.",
            test.rows,
            100.0 * test.accuracy
        ),
    }
}

fn tiles(account: &Account) -> Vec<Tile> {
    let summary = &account.summary;
    let tile =
        |label: &str, value: String, remark: String| Tile { label: label.into(), value, remark };
    let mut tiles = Vec::new();
    if let Some(test) = &account.test {
        let accuracy = format!("{:.1} %", 100.0 * test.accuracy);
        tiles.push(tile("Accuracy", accuracy, format!("on {} test rows", test.rows)));
        let remark = "knowing nothing costs 0.693".into();
        tiles.push(tile("Log loss", format!("{:.3}", test.log_loss), remark));
    }
    let count = summary.selected_features.len().to_string();
    tiles.push(tile("Features", count, format!("kept of {}", summary.n_features_in)));
    match &summary.panel {
        None => {
            let count = summary.selected_samples.len().to_string();
            tiles.push(tile("Samples", count, format!("kept of {}", summary.n_samples_in)));
        }
        Some(panel) => {
            if let Some(accuracy) = panel.expected_accuracy {
                let remark = "accuracy on new rows: each half of the samples, tried on the other";
                let accuracy = format!("{:.1} %", 100.0 * accuracy);
                tiles.push(tile("To expect", accuracy, remark.into()));
            }
            let answer = match panel.verdict {
                Best::ShortList => "yes",
                Best::AllFeatures => "no",
                Best::Neither => "no better than chance",
            };
            let remark = match (panel.expected_log_loss, panel.all_features_log_loss) {
                (Some(list), Some(all)) => {
                    format!("log loss {list:.3} with short lists, {all:.3} with all features")
                }
                _ => "judged by halves of the samples".into(),
            };
            tiles.push(tile("Short list suffices", answer.into(), remark));
        }
    }
    let remark = format!("{} after {} steps", summary.termination, summary.iterations);
    tiles.push(tile("Time", pfcvm_report::duration(account.seconds), remark));
    tiles
}

fn caption(account: &Account) -> &'static str {
    match account.summary.panel {
        None => {
            "Each bar is the weight of a kept feature inside the kernel, for features scaled to \
             the same spread; the line through its end reaches one posterior standard deviation \
             to either side. Features that are not listed have weight zero. Features that stand \
             out on their own are drawn to a common weight, so bars of the same length are no \
             accident; what each of them is worth is shown below."
        }
        Some(_) => {
            "Each bar is the weight of a listed feature, for ranks of its values: to the right, \
             high values speak for the second class, to the left for the first. The line through \
             its end reaches one standard deviation to either side."
        }
    }
}

fn step(step: &Step) -> Iteration {
    match step {
        Step::Iteration(iteration) => Iteration {
            number: iteration.number,
            stage: iteration.stage.clone(),
            samples: Some(iteration.samples),
            features: iteration.features,
            log_evidence: iteration.log_evidence,
            seconds: iteration.seconds,
        },
        Step::Round(round) => Iteration {
            number: round.number,
            stage: "rounds".into(),
            samples: None,
            features: round.features,
            log_evidence: round.log_evidence,
            seconds: round.seconds,
        },
    }
}

fn settings(account: &Account) -> Vec<(String, String)> {
    let mut all = vec![("data".to_string(), account.data.clone())];
    if let Some(test) = &account.test {
        all.push(("test data".into(), test.data.clone()));
    }
    let [negative, positive] = &account.summary.classes;
    all.push(("classes".into(), format!("{negative} (negative), {positive} (positive)")));
    if let Some(settings) = account.summary.settings.as_object() {
        for (name, value) in settings.iter().filter(|(_, v)| !v.is_object() && !v.is_null()) {
            let value = value.as_str().map(String::from).unwrap_or_else(|| value.to_string());
            all.push((name.replace('_', " "), value));
        }
    }
    all
}
