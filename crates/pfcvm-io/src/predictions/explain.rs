//! What moved each row, as it is written.

use super::{Form, Line};
use crate::{FittedMachine, ModelFile};
use pfcvm::Matrix;
use pfcvm::effects::Explanation;
use pfcvm::multiclass::{Machines, Task};

/// Samples told of a row, at most.
const MOST_ALIKE: usize = 3;

/// The names that explanations need, machine by machine.
#[derive(Debug)]
pub(super) struct Explain {
    machines: Vec<Names>,
}

/// All texts are quoted as the form asks for it.
#[derive(Debug)]
struct Names {
    /// `positive` and `negative` of JSON, where there are several machines.
    classes: String,
    features: Vec<String>,
    /// Row of the training data and class of each kept sample.
    samples: Vec<(usize, String)>,
}

impl Explain {
    pub(super) fn new(file: &ModelFile, form: &Form) -> Self {
        let names = |(task, machine): (Task, &FittedMachine)| {
            let negative = task.negative.map(|class| form.quoted(&file.classes[class]));
            let positive = form.quoted(&file.classes[task.positive]);
            let label = |is_positive: bool| match (is_positive, &negative) {
                (true, _) => positive.clone(),
                (false, Some(negative)) => negative.clone(),
                (false, None) => form.quoted("another"),
            };
            let model = machine.model();
            let signs = model.map_or_else(Vec::new, |model| model.sample_positive());
            let features = match (model, machine.panel()) {
                (Some(model), _) => model.selected_features(),
                (None, Some(panel)) => panel.selected_features(),
                (None, None) => &[],
            };
            let other = negative.clone().unwrap_or_else(|| "null".into());
            Names {
                classes: format!("\"positive\":{positive},\"negative\":{other},"),
                features: features
                    .iter()
                    .map(|&feature| match form.json {
                        true => form.quoted(&file.feature_names[feature]),
                        false => form.quoted(&format!("moved:{}", file.feature_names[feature])),
                    })
                    .collect(),
                samples: machine
                    .sample_rows
                    .iter()
                    .copied()
                    .zip(signs.into_iter().map(label))
                    .collect(),
            }
        };
        Self { machines: file.machines.iter().map(names).collect() }
    }

    /// The columns of CSV, for the only machine.
    pub(super) fn header(&self) -> Vec<String> {
        let Some(only) = self.machines.first() else { return Vec::new() };
        let alike = (1..=only.samples.len().min(MOST_ALIKE))
            .flat_map(|at| ["row", "label", "kernel"].map(|what| format!("alike_{at}_{what}")));
        only.features.iter().cloned().chain(alike).collect()
    }

    /// What moved the rows of a block.
    pub(super) fn of(
        &self,
        machines: &Machines<FittedMachine>,
        x: &Matrix,
    ) -> Result<Vec<Explanation>, pfcvm::Error> {
        machines.machines().iter().map(|machine| machine.explain(x)).collect()
    }

    /// Further cells of a line of CSV.
    pub(super) fn record(&self, line: &mut Line, told: &[Explanation], row: usize) {
        for (names, told) in self.machines.iter().zip(told) {
            for feature in 0..names.features.len() {
                line.words(",");
                line.number(told.moved.get(row, feature));
            }
            for alike in told.alike.get(row).into_iter().flatten() {
                let (in_file, label) = &names.samples[alike.sample];
                line.words(&format!(",{in_file},{label},"));
                line.number(alike.kernel);
            }
        }
    }

    /// A further member of a JSON object.
    pub(super) fn object(&self, line: &mut Line, told: &[Explanation], row: usize) {
        let several = self.machines.len() > 1;
        line.words(if several { ",\"explain\":[" } else { ",\"explain\":" });
        for (at, (names, told)) in self.machines.iter().zip(told).enumerate() {
            line.words(if at > 0 { ",{" } else { "{" });
            line.words(if several { &names.classes } else { "" });
            line.words("\"moved\":{");
            for (feature, name) in names.features.iter().enumerate() {
                line.words(if feature > 0 { "," } else { "" });
                line.words(&format!("{name}:"));
                line.number(told.moved.get(row, feature));
            }
            line.words("},\"alike\":[");
            for (at, alike) in told.alike.get(row).into_iter().flatten().enumerate() {
                let (in_file, label) = &names.samples[alike.sample];
                line.words(if at > 0 { "," } else { "" });
                line.words(&format!("{{\"row\":{in_file},\"label\":{label},\"kernel\":"));
                line.number(alike.kernel);
                line.words("}");
            }
            line.words("]}");
        }
        line.words(if several { "]" } else { "" });
    }
}
