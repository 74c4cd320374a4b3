//! What a fit of a method will need in memory, before it begins.
//!
//! Numbers of 8 bytes at the peak, in two parts: so many times the data, and so many times the values
//! between samples and basis candidates, which are all samples where there is no draw. The factors are
//! measured (`docs/reliability.md`).

use crate::{Error, Spec, Values};
use pfcvm::panel::PanelSettings;
use pfcvm::{Settings, memory};

/// How often a method holds what.
struct Held {
    /// Rows × columns.
    data: f64,
    /// Rows × basis candidates.
    values: f64,
}

const fn held(data: f64, values: f64) -> Held {
    Held { data, values }
}

/// Of one step of a method; nothing where there is no such method.
fn step_mib(name: &str, values: &Values, rows: usize, cols: usize) -> Option<usize> {
    let most: usize = values.get("max_basis").unwrap_or(usize::MAX);
    let is = |key: &str, word: &str| values.get::<String>(key).is_ok_and(|value| value == word);
    let held = match name {
        "pfcvm-lp" => {
            let settings = Settings { max_basis: most, ..Settings::default() };
            return Some(memory::mib_of_fit(rows, cols, &settings));
        }
        "pfcvm-panel" => {
            let members = values.get("members").unwrap_or(PanelSettings::default().members);
            return Some(memory::mib_of_panel(rows, cols, members, 1));
        }
        "rvm" if is("algorithm", "batch") => held(8.0, 10.0),
        "rvm" => held(8.0, 3.0),
        "pcvm" => held(8.0, 6.5),
        "epcvm" => held(8.0, 4.0),
        "pfcvm-em" => held(14.5, 4.0),
        "jcfo" => held(14.5, 6.5),
        "rsfm" => held(10.5, 5.0),
        "irsfm" => held(10.0, 3.0),
        "svm" => held(7.0, 1.5),
        "l1svm" => held(10.0, 0.0),
        "wsvm" => held(9.0, 3.0),
        "mpm" | "smpm" if is("kernel", "rbf") => held(12.5, 4.0),
        "mpm" => held(12.5, 0.0),
        "smpm" => held(10.0, 0.0),
        "fisher" | "trc" => held(5.0, 0.0),
        "mrmr" => held(6.0, 0.0),
        "laplacian" => held(7.0, 0.0),
        "fsnm" => held(9.0, 3.5),
        _ => return None,
    };
    let (n, m, b) = (rows as f64, cols as f64, rows.min(most) as f64);
    let numbers = n * m * held.data + n * b * held.values;
    // Beyond what can be counted it is too much anyway.
    Some((8.0 * numbers / f64::from(1 << 20)) as usize)
}

impl Spec {
    /// Memory that a fit to so many rows and columns is foreseen to need, in MiB: of the step that needs
    /// most.
    pub fn memory_mib(&self, rows: usize, cols: usize) -> usize {
        let mut left = cols;
        let steps = self.steps().map(|(name, values)| {
            let needed = step_mib(name, values, rows, left).unwrap_or(0);
            // What follows a filter sees no more than it takes.
            left = values.get("features").map_or(left, |features: usize| left.min(features));
            needed
        });
        steps.max().unwrap_or(0)
    }

    /// Refuses fits that would need more memory than allowed, so many of them at once, before they
    /// start.
    ///
    /// # Errors
    /// With what they need.
    pub fn check_memory(
        &self,
        (rows, cols): (usize, usize),
        at_once: usize,
        limit_mib: usize,
    ) -> Result<(), Error> {
        let needed_mib = self.memory_mib(rows, cols).saturating_mul(at_once);
        match needed_mib > limit_mib {
            true => Err(Error::Memory { method: self.name(), needed_mib, limit_mib, at_once }),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    #[test]
    fn every_method_says_what_it_needs() {
        for entry in catalogue() {
            let values = Values::new(entry);
            let mib = |rows, cols| step_mib(entry.name, &values, rows, cols).expect(entry.name);
            assert!(mib(1000, 1000) > 0, "{}", entry.name);
            assert!(mib(2000, 1000) > mib(1000, 1000), "{}", entry.name);
            assert!(mib(usize::MAX, usize::MAX) > 1 << 40, "{}", entry.name);
        }
    }

    #[test]
    fn too_much_is_refused_with_figures() {
        let spec: Spec = "fisher+svm".parse().unwrap();
        let one = spec.memory_mib(20_000, 10);
        assert!(one > (20_000 * 20_000 * 8) >> 20);
        assert_eq!(spec.check_memory((20_000, 10), 1, one), Ok(()));
        let refusal = spec.check_memory((20_000, 10), 2, one).unwrap_err().to_string();
        assert!(refusal.contains(&(2 * one).to_string()), "{refusal}");
        assert!(refusal.contains("fewer threads"), "{refusal}");
        let few: Spec = "rvm/max_basis=10".parse().unwrap();
        assert!(few.memory_mib(20_000, 10) < 100);
    }
}
