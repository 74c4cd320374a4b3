//! What tells one run from another: everything that its result depends on.

use crate::Study;
use pfcvm::multiclass::Dataset;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Differences that are told.
const MOST_DIFFERENCES: usize = 3;

/// What a run is: everything that its result depends on, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity(Vec<(String, String)>);

impl Identity {
    /// The program itself; add the rest.
    pub fn of_program() -> Self {
        Self(vec![("program".into(), program_digest())])
    }

    /// The same with one more fact.
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.0.push((name.into(), value.into()));
        self
    }

    /// The same with everything that decides what studies give: data with their classes, weights and
    /// order of rows, groups, splits, method, grid, machines and seed.
    pub fn with_studies(mut self, studies: &[Study]) -> Self {
        for (at, study) in studies.iter().enumerate() {
            let contender = &study.contender;
            let number = at + 1;
            let grid = contender.grid().map_or_else(|| "none".into(), |grid| grid.to_string());
            let groups = study
                .groups
                .as_ref()
                .map_or_else(|| "none".into(), |groups| digest(|hash| whole_numbers(hash, groups)));
            let splits = digest(|hash| {
                for split in study.splits.iter() {
                    whole_numbers(hash, &split.train);
                    whole_numbers(hash, &split.test);
                }
            });
            self = self
                .with(format!("study {number}"), study.name.clone())
                .with(format!("method of study {number}"), contender.label())
                .with(format!("grid of study {number}"), grid)
                .with(format!("data of study {number}"), data_digest(&study.data))
                .with(format!("groups of study {number}"), groups)
                .with(format!("splits of study {number}"), splits)
                .with(format!("scheme of study {number}"), study.scheme.to_string())
                .with(format!("seed of study {number}"), study.seed.to_string());
        }
        self
    }

    /// A short name for it.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for (name, value) in &self.0 {
            hash.update(format!("{}:{name}={}:{value};", name.len(), value.len()));
        }
        short(hash)
    }

    /// What differs, in words.
    pub(crate) fn differences(&self, other: &Self) -> String {
        let of = |identity: &Self, name: &str| {
            let found = identity.0.iter().find(|(known, _)| known == name);
            found.map_or_else(|| "nothing".to_string(), |(_, value)| value.clone())
        };
        let mut names: Vec<&String> = Vec::new();
        for (name, _) in self.0.iter().chain(&other.0) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let differing = names.into_iter().filter(|name| of(self, name) != of(other, name));
        let words = differing.map(|name| match name.as_str() {
            "program" => "another build of pfcvm".to_string(),
            _ => format!("{name} is {} there and {} here", of(other, name), of(self, name)),
        });
        let mut words: Vec<String> = words.collect();
        if words.len() > MOST_DIFFERENCES {
            let more = words.len() - MOST_DIFFERENCES;
            words.truncate(MOST_DIFFERENCES);
            words.push(format!("and {more} more"));
        }
        words.join("; ")
    }
}

/// What tells data from others: all values, what the columns are, classes and weights, in the order of
/// the rows.
pub fn data_digest(data: &Dataset) -> String {
    digest(|hash| {
        whole_numbers(hash, &[data.x().rows(), data.x().cols()]);
        for column in data.x().columns().chain([data.sample_weights()]) {
            let bytes: Vec<u8> = column.iter().flat_map(|value| value.to_le_bytes()).collect();
            hash.update(&bytes);
        }
        // Kinds of columns, and which of them are one feature.
        hash.update(format!("{:?}", data.columns()));
        whole_numbers(hash, data.codes());
        for name in data.class_names() {
            whole_numbers(hash, &[name.len()]);
            hash.update(name);
        }
    })
}

/// What tells this program from other builds of it: results are the same to the bit only within
/// one.
pub fn program_digest() -> String {
    let bytes = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    format!("{} {}", env!("CARGO_PKG_VERSION"), digest(|hash| hash.update(&bytes)))
}

/// Numbers with how many they are, so that lists one after the other cannot be mistaken.
fn whole_numbers(hash: &mut Sha256, numbers: &[usize]) {
    hash.update((numbers.len() as u64).to_le_bytes());
    numbers.iter().for_each(|number| hash.update((*number as u64).to_le_bytes()));
}

/// The first digits of a hash of what is written into it.
pub(crate) fn digest(write: impl FnOnce(&mut Sha256)) -> String {
    let mut hash = Sha256::new();
    write(&mut hash);
    short(hash)
}

fn short(hash: Sha256) -> String {
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
