//! The methods there are.

use crate::error::{Error, nearest};
use crate::{
    Learner, Selector, Values, epcvm, filters, jcfo, l1svm, lp, minimax, panel, pcvm, pfcvm_em,
    rsfm, rvm, svm, wsvm,
};

/// A method as it is listed.
#[derive(Debug)]
pub struct Entry {
    /// What it is called, everywhere.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// What can be set.
    pub settings: &'static [Setting],
    /// Settings that are worth choosing by cross-validation, each with values to try.
    pub grid: &'static [(&'static str, &'static [&'static str])],
    pub(crate) make: fn(&Values) -> Result<Made, Error>,
}

/// Something that can be set.
#[derive(Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name.
    pub key: &'static str,
    /// Its value unless given.
    pub default: &'static str,
    /// What it does, and which values it takes.
    pub about: &'static str,
}

/// What an entry makes of its settings.
#[derive(Debug)]
pub(crate) enum Made {
    Learner(Box<dyn Learner>),
    Selector(Box<dyn Selector>),
}

static CATALOGUE: [&Entry; 19] = [
    &lp::ENTRY,
    &panel::ENTRY,
    &pfcvm_em::ENTRY,
    &rvm::ENTRY,
    &pcvm::ENTRY,
    &epcvm::ENTRY,
    &jcfo::ENTRY,
    &rsfm::RSFM,
    &rsfm::IRSFM,
    &svm::ENTRY,
    &l1svm::ENTRY,
    &wsvm::ENTRY,
    &minimax::MPM,
    &minimax::SMPM,
    &filters::FISHER,
    &filters::LAPLACIAN,
    &filters::MRMR,
    &filters::TRC,
    &filters::FSNM,
];

/// Every method there is.
pub fn catalogue() -> &'static [&'static Entry] {
    &CATALOGUE
}

/// The method of a name.
pub fn find(name: &str) -> Result<&'static Entry, Error> {
    let names = || CATALOGUE.iter().map(|entry| entry.name);
    let found = CATALOGUE.iter().find(|entry| entry.name == name);
    found.copied().ok_or_else(|| Error::UnknownMethod {
        name: name.into(),
        nearest: nearest(name, names()),
        known: Vec::from_iter(names()).join(", "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;

    #[test]
    fn every_entry_can_be_made_and_its_grid_is_of_its_own_settings() {
        for entry in catalogue() {
            let values = Values::new(entry);
            (entry.make)(&values).unwrap();
            let mut grid = Grid::default();
            entry.grid.iter().for_each(|(key, values)| grid.insert(key.to_string(), values));
            for point in grid.points() {
                let mut values = Values::new(entry);
                for (key, value) in &point {
                    values.set(key, value).unwrap();
                }
                (entry.make)(&values).unwrap();
            }
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names = Vec::from_iter(catalogue().iter().map(|entry| entry.name));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), catalogue().len());
    }
}
