//! Settings from Python: a JSON object laid over the defaults.

use crate::refusal::refused;
use pfcvm::settings::{Algorithm, Hyperprior, PrecisionRule, Stage};
use pfcvm::{Kernel, PanelSettings, Settings};
use pyo3::PyResult;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Settings of the engine. `algorithm` is `mended` or `paper`; what the object does not say is as
/// there. A stage that is not stated in full has the values of a new one.
pub fn engine(text: &str, algorithm: &str) -> PyResult<Settings> {
    let mut given = object(text)?;
    let kernel = given.remove("kernel").unwrap_or_else(|| "rbf".into());
    let kernel: Kernel = serde_json::from_value(kernel).map_err(refused)?;
    let algorithm: Algorithm = algorithm.parse().map_err(|_| {
        refused(format!("algorithm = {algorithm:?} is out of range: \"mended\" or \"paper\""))
    })?;
    let base = Settings::of(algorithm, kernel);
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
    settings.check().map_err(refused)?;
    Ok(settings)
}

/// Settings of a panel.
pub fn panel(text: &str, parallel: bool) -> PyResult<PanelSettings> {
    let base = PanelSettings::default();
    let settings: PanelSettings = laid_over(&base, Value::Object(object(text)?), "the settings")?;
    let settings = PanelSettings { parallel, ..settings };
    settings.check().map_err(refused)?;
    Ok(settings)
}

/// The object over what there is, key by key, objects within likewise.
pub fn laid_over<T: Serialize + DeserializeOwned>(
    base: &T,
    over: Value,
    what: &str,
) -> PyResult<T> {
    let mut whole = serde_json::to_value(base).map_err(refused)?;
    merge(&mut whole, over, what)?;
    serde_json::from_value(whole).map_err(|error| refused(format!("{what}: {error}")))
}

fn merge(base: &mut Value, over: Value, what: &str) -> PyResult<()> {
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

/// A JSON object.
pub fn object(text: &str) -> PyResult<Map<String, Value>> {
    serde_json::from_str(text).map_err(refused)
}
