//! The report's content, from an account of several machines.

use super::account::{Account, MachineSummary};
use crate::failure::{Failure, Outcome};
use pfcvm_report::{
    Feature, MachineReport, MulticlassReport, MulticlassTest, Origin, OverallFeature, Tile,
    render_multiclass,
};

/// The page as one piece of HTML.
pub fn render(account: &Account, title: String) -> Outcome<String> {
    render_multiclass(&report(account, title))
        .map_err(|error| Failure::Internal(format!("the report cannot be made ({error})")))
}

fn report(account: &Account, title: String) -> MulticlassReport {
    let summary = &account.summary;
    let feature = |feature: &super::account::Overall| OverallFeature {
        name: feature.name.clone().unwrap_or_default(),
        share: feature.share,
        machines: feature.machines,
        strongest: summary.machines[feature.strongest].name(),
    };
    MulticlassReport {
        title,
        lead: lead(account),
        tiles: tiles(account),
        notes: account.notes.clone(),
        features: summary.features.iter().map(feature).collect(),
        machines: summary.machines.iter().map(machine).collect(),
        test: account.test.as_ref().map(|test| MulticlassTest {
            classes: test.classes.clone(),
            confusion: test.confusion.clone(),
        }),
        settings: settings(account),
        origin: Origin {
            program: format!("pfcvm {}", env!("CARGO_PKG_VERSION")),
            seed: Some(summary.seed),
        },
    }
}

fn machine(machine: &MachineSummary) -> MachineReport {
    let feature = |feature: &crate::account::SelectedFeature| Feature {
        name: feature.name.clone(),
        weight: feature.weight,
        deviation: Some(feature.std),
        ..Feature::default()
    };
    let samples = machine.selected_samples.len();
    MachineReport {
        name: machine.name(),
        ending: format!("{} after {} steps", machine.termination, machine.iterations),
        rows: machine.n_samples_in,
        samples: (samples > 0).then_some(samples),
        features: machine.selected_features.iter().map(feature).collect(),
    }
}

fn lead(account: &Account) -> String {
    let summary = &account.summary;
    let what = format!(
        "From {} labelled rows, {} machines ({}) tell {} classes apart with {} of {} features.",
        summary.n_samples_in,
        summary.machines.len(),
        summary.scheme,
        summary.classes.len(),
        summary.features.len(),
        summary.n_features_in,
    );
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
        let remark = format!("knowing nothing costs {:.3}", (test.classes.len() as f64).ln());
        tiles.push(tile("Log loss", format!("{:.3}", test.log_loss), remark));
        let remark = "mean over the classes".into();
        tiles.push(tile("Macro F1", format!("{:.3}", test.macro_f1), remark));
    }
    let by = |all: usize| format!("kept by some machine, of {all}");
    let count = summary.features.len().to_string();
    tiles.push(tile("Features", count, by(summary.n_features_in)));
    if !summary.is_panel() {
        let count = summary.samples.len().to_string();
        tiles.push(tile("Samples", count, by(summary.n_samples_in)));
    }
    let machines = format!("{} machines", summary.machines.len());
    tiles.push(tile("Time", pfcvm_report::duration(account.seconds), machines));
    tiles
}

fn settings(account: &Account) -> Vec<(String, String)> {
    let mut all = vec![("data".to_string(), account.data.clone())];
    if let Some(test) = &account.test {
        all.push(("test data".into(), test.data.clone()));
    }
    all.push(("classes".into(), account.summary.classes.join(", ")));
    all.push(("scheme".into(), account.summary.scheme.clone()));
    if let Some(settings) = account.summary.settings.as_object() {
        for (name, value) in settings.iter().filter(|(_, v)| !v.is_object() && !v.is_null()) {
            let value = value.as_str().map(String::from).unwrap_or_else(|| value.to_string());
            all.push((name.replace('_', " "), value));
        }
    }
    all
}
