//! Settings of a fit as a JSON object laid over the defaults, as Python gives them.

use crate::Error;
use pfcvm::multiclass::{ClassFactors, Dataset};
use pfcvm::panel::PanelSettings;
use pfcvm::settings::{Algorithm, Auto, Hyperprior, PrecisionRule, Stage};
use pfcvm::{Goal, Kernel, SamplePolicy, Settings};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt::Display;

fn refused(problem: impl Display) -> Error {
    Error::Settings(problem.to_string())
}

/// Settings of a fit, and the data with the factors of their classes. What the object does not say is
/// as the algorithm has it. A stage that is not stated in full has the values of a new one.
pub fn single(text: &str, data: Dataset) -> Result<(Settings, Dataset), Error> {
    let (mut given, data) = weighed(text, data)?;
    let mut told = |key: &str| match given.get(key) {
        Some(Value::String(word)) if word == "auto" => given.remove(key).is_none(),
        _ => true,
    };
    let mut auto = Auto { kernel: !told("kernel"), samples: !told("samples") };
    let kernel = if auto.kernel { Kernel::Rbf } else { taken(&mut given, "kernel")? };
    let algorithm: Algorithm = taken(&mut given, "algorithm")?;
    let goal: Goal = match given.contains_key("goal") {
        true => taken(&mut given, "goal")?,
        false => Goal::default(),
    };
    if algorithm == Algorithm::Paper {
        auto = Auto::default();
    }
    let samples = if goal == Goal::Accuracy { SamplePolicy::Dense } else { SamplePolicy::Few };
    let base = Settings { goal, samples, ..Settings::of(algorithm, kernel) };
    let rate = given.get("false_positive_rate").and_then(Value::as_f64);
    if let Some(Value::Array(stages)) = given.get_mut("stages") {
        let rate = rate.unwrap_or(base.false_positive_rate).clamp(1e-12, 0.49);
        let new = Stage::new(PrecisionRule::MacKay, Hyperprior::from_false_positive_rate(rate));
        for stage in stages {
            let whole: Stage = laid_over(&new, stage.take(), "a stage")?;
            *stage = serde_json::to_value(whole).map_err(refused)?;
        }
    }
    let settings: Settings = laid_over(&base, Value::Object(given), "the settings")?;
    settings.check()?;
    Ok((Settings { auto, ..settings }, data))
}

/// What decides on the defaults, and so comes first.
fn taken<T: DeserializeOwned>(given: &mut Map<String, Value>, key: &str) -> Result<T, Error> {
    serde_json::from_value(given.remove(key).unwrap_or_default()).map_err(refused)
}

/// Settings of a panel, and the data with the factors of their classes.
pub fn panel(text: &str, data: Dataset) -> Result<(PanelSettings, Dataset), Error> {
    let (given, data) = weighed(text, data)?;
    let base = PanelSettings::default();
    let settings: PanelSettings = laid_over(&base, Value::Object(given), "the settings")?;
    settings.check()?;
    Ok((settings, data))
}

/// Factors of two classes are a setting; those of more belong to the data.
fn weighed(text: &str, data: Dataset) -> Result<(Map<String, Value>, Dataset), Error> {
    let mut given: Map<String, Value> = serde_json::from_str(text).map_err(refused)?;
    let Some(Value::Array(factors)) = given.get("class_weights") else { return Ok((given, data)) };
    let factors: Vec<f64> = factors.iter().filter_map(Value::as_f64).collect();
    let (weights, data) = ClassFactors::Given(factors).applied(data).map_err(refused)?;
    given.insert("class_weights".into(), weights.to_string().into());
    Ok((given, data))
}

/// The object over what there is, key by key, objects within likewise.
fn laid_over<T: Serialize + DeserializeOwned>(
    base: &T,
    over: Value,
    what: &str,
) -> Result<T, Error> {
    let mut whole = serde_json::to_value(base).map_err(refused)?;
    merge(&mut whole, over, what)?;
    serde_json::from_value(whole).map_err(|error| refused(format!("{what}: {error}")))
}

fn merge(base: &mut Value, over: Value, what: &str) -> Result<(), Error> {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (key, value) in over {
                let Some(target) = base.get_mut(&key) else {
                    let known = Vec::from_iter(base.keys().map(String::as_str)).join(", ");
                    return Err(refused(format!("{what}: there is no `{key}`; there are {known}")));
                };
                // Rules are alternatives, not objects to be completed.
                match target {
                    Value::Object(_) if value.is_object() && key != "pruning" => {
                        merge(target, value, &key)?;
                    }
                    _ => *target = value,
                }
            }
            Ok(())
        }
        (base, over) => {
            *base = over;
            Ok(())
        }
    }
}
