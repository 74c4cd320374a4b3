//! Which commands make up a result.

use crate::desk::Task;
use crate::names::quoted;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What a user asks about a table.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    /// The table.
    pub(crate) table: u64,
    /// The label column, as `--label` takes it.
    pub(crate) label: String,
    /// What columns hold, where the user says so.
    #[serde(default)]
    kinds: Vec<(String, Kind)>,
    #[serde(default)]
    goal: Goal,
    /// At most so many features.
    #[serde(default)]
    features: Option<u32>,
    /// Whether it is tested by cross-validation.
    pub(crate) test: bool,
    /// Whether the price of short lists is found out.
    pub(crate) price: bool,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Number,
    Words,
    Date,
    Ignore,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Goal {
    #[default]
    List,
    Accuracy,
}

impl Asked {
    /// What is out of range, as a sentence.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        const LONGEST: usize = 10_000;
        let long = |name: &str| name.len() > LONGEST || name.contains('\0');
        match self.features {
            Some(0 | 1_000_001..) => Some("The number of features must be from 1 to 1000000."),
            _ if long(&self.label) || self.kinds.iter().any(|(name, _)| long(name)) => {
                Some("A name of a column is too long.")
            }
            _ => None,
        }
    }

    fn reading(&self) -> Vec<String> {
        let kind = |(name, kind): &(String, Kind)| {
            let kind = match kind {
                Kind::Number => "number",
                Kind::Words => "words",
                Kind::Date => "date",
                Kind::Ignore => "ignore",
            };
            format!("--kind={name}={kind}")
        };
        let label = (!self.label.is_empty()).then(|| format!("--label={}", self.label));
        label.into_iter().chain(self.kinds.iter().map(kind)).collect()
    }

    /// The arguments of a step. `found` has the figures of the steps before it.
    pub(crate) fn arguments(
        &self,
        (task, about, file): (Task, &str, &str),
        table: &str,
        found: &serde_json::Map<String, Value>,
    ) -> Vec<String> {
        // A fit of many more features than rows is a panel, which the studies are told.
        let panel = found.get("fit").is_some_and(|fit| fit["kind"] == "panel");
        let accuracy = self.goal == Goal::Accuracy && !panel;
        let mut words = vec![match task {
            Task::Columns => "columns",
            Task::Fit => "fit",
            Task::Onnx => "export",
            Task::Test => "evaluate",
            Task::Price => "price",
            Task::Compare => "compare",
            Task::Predict => "predict",
        }];
        let size = self.features.map(|most| most.to_string());
        let (set_size, report) =
            (format!("--set=size={}", size.as_deref().unwrap_or("")), format!("--report={file}"));
        let (features, methods) =
            (format!("--features={}", size.as_deref().unwrap_or("")), format!("--methods={about}"));
        let (out, onnx) = (format!("--out={file}"), format!("--onnx={file}"));
        let mut reading = self.reading();
        match task {
            Task::Columns => words.extend([table]),
            Task::Fit => {
                words.extend([table, "--model=model.json", &report]);
                words.extend(accuracy.then_some("--goal=accuracy"));
                words.extend(size.is_some().then_some(&*features));
            }
            Task::Test => {
                words.extend([table, &report]);
                match panel {
                    true => words.push("--method=pfcvm-panel"),
                    // As `fit` does it.
                    false => words.extend(["--set=kernel=auto", "--set=samples=auto"]),
                }
                words.extend(accuracy.then_some("--set=goal=accuracy"));
                words.extend(size.is_some().then_some(&*set_size));
            }
            Task::Price => {
                words.extend([table, &report]);
                words.extend(panel.then_some("--panel"));
            }
            Task::Compare => words.extend([table, &methods, &report]),
            Task::Onnx | Task::Predict => {
                reading.clear();
                match task {
                    Task::Onnx => words.extend(["model.json", &onnx]),
                    _ => words.extend(["model.json", about, &out, "--safe-csv"]),
                }
            }
        }
        words.into_iter().map(String::from).chain(reading).collect()
    }
}

/// A command as one would type it.
pub(crate) fn shown(arguments: &[String]) -> String {
    let words: Vec<String> = arguments.iter().map(|word| quoted(word)).collect();
    format!("pfcvm {}", words.join(" "))
}

/// The figures to see first, from what a command says in JSON.
pub(crate) fn figures(task: Task, said: &Value) -> Option<(&'static str, Value)> {
    match task {
        Task::Fit => {
            let features = said["selected_features"].as_array();
            let names: Vec<&Value> =
                features.into_iter().flatten().take(3).map(|one| &one["name"]).collect();
            let certain = |one: &&Value| one["certain"] == true;
            let figures = json!({
                "kind": said["kind"],
                "classes": said["classes"],
                "class_rows": said["class_rows"],
                "rows": said["n_samples_in"],
                "columns": said["n_features_in"],
                "features": features.map_or(0, Vec::len),
                "certain": features.into_iter().flatten().filter(certain).count(),
                "names": names,
                "nothing": said["nothing_found"],
                "accuracy": said["held_out"]["accuracy"],
                "log_loss": said["held_out"]["log_loss"],
            });
            Some(("fit", figures))
        }
        Task::Test => {
            let measures = &said["measures"];
            let figures = json!({
                "accuracy": measures["accuracy"]["mean"],
                "interval": measures["accuracy"]["interval"],
                "baseline": measures["baseline"]["accuracy"],
                "log_loss": measures["log_loss"]["mean"],
                "auc": measures["auc"]["mean"],
            });
            Some(("test", figures))
        }
        Task::Price => Some(("price", json!({ "suggested": said["suggested"] }))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(more: &str) -> Asked {
        serde_json::from_str(&format!(
            r#"{{"table":1,"label":"a b","test":true,"price":true{more}}}"#
        ))
        .unwrap()
    }

    #[test]
    fn commands_are_what_a_user_would_type() {
        let none = serde_json::Map::new();
        let plain = asked("");
        let command = |asked: &Asked, task, about, file, found| {
            shown(&asked.arguments((task, about, file), "t.csv", found))
        };
        assert_eq!(
            command(&plain, Task::Fit, "", "report.html", &none),
            "pfcvm fit t.csv --model=model.json --report=report.html '--label=a b'"
        );
        let told = asked(r#","kinds":[["-x=y","ignore"]],"goal":"accuracy","features":5"#);
        assert_eq!(
            command(&told, Task::Fit, "", "report.html", &none),
            "pfcvm fit t.csv --model=model.json --report=report.html --goal=accuracy --features=5 \
             '--label=a b' --kind=-x=y=ignore"
        );
        let panel: serde_json::Map<_, _> =
            [("fit".into(), json!({ "kind": "panel" }))].into_iter().collect();
        assert_eq!(
            command(&plain, Task::Price, "", "price.html", &panel),
            "pfcvm price t.csv --report=price.html --panel '--label=a b'"
        );
        assert_eq!(
            command(&plain, Task::Predict, "new.csv", "predictions-1.csv", &none),
            "pfcvm predict model.json new.csv --out=predictions-1.csv --safe-csv"
        );
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        assert_eq!(asked("").problem(), None);
        assert!(asked(r#","features":0"#).problem().is_some());
        assert!(asked(r#","kinds":[["a\u0000b","words"]]"#).problem().is_some());
        let unknown = r#"{"table":1,"label":"","test":true,"price":true,"out":"/etc"}"#;
        assert!(serde_json::from_str::<Asked>(unknown).is_err());
    }
}
