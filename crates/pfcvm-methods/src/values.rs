//! Settings of one method as texts, checked against those it has.

use crate::error::{Error, nearest};
use crate::{Entry, Setting};
use pfcvm::ClassWeights;
use pfcvm::multiclass::ClassFactors;
use std::fmt::Display;
use std::str::FromStr;

/// The settings of one method: those given, and defaults for the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    method: &'static str,
    settings: &'static [Setting],
    /// Beside each setting.
    given: Vec<Option<String>>,
}

impl Values {
    /// Nothing but defaults.
    pub fn new(entry: &Entry) -> Self {
        let given = vec![None; entry.settings.len()];
        Self { method: entry.name, settings: entry.settings, given }
    }

    /// Gives a setting a value, once.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        let at = self.position(key)?;
        if self.given[at].is_some() {
            let (method, key) = (self.method.into(), key.into());
            return Err(Error::GivenTwice { method, key });
        }
        self.given[at] = Some(value.to_string());
        Ok(())
    }

    /// Gives a setting another value, whether it was given one or not.
    pub fn replace(&mut self, key: &str, value: &str) -> Result<(), Error> {
        let at = self.position(key)?;
        self.given[at] = Some(value.to_string());
        Ok(())
    }

    /// Whether a value was given.
    pub fn is_given(&self, key: &str) -> bool {
        self.position(key).is_ok_and(|at| self.given[at].is_some())
    }

    /// The setting, read as what the method needs.
    pub fn get<T: FromStr<Err: Display>>(&self, key: &str) -> Result<T, Error> {
        let text = self.text(self.position(key)?);
        text.parse().map_err(|error: T::Err| self.bad(key, format!("`{text}`: {error}")))
    }

    /// A setting that is a number, within the range that it states.
    pub fn number(&self, key: &str) -> Result<f64, Error> {
        let number: f64 = self.get(key)?;
        self.within(key, number)?;
        Ok(number)
    }

    /// A setting that is a whole number, not below the least that it states.
    pub fn count(&self, key: &str) -> Result<usize, Error> {
        let count: usize = self.get(key)?;
        self.within(key, count as f64)?;
        Ok(count)
    }

    fn within(&self, key: &str, number: f64) -> Result<(), Error> {
        let takes = self.settings[self.position(key)?].takes;
        match takes.iter().any(|takes| takes.has(number)) {
            true => Ok(()),
            false => {
                let takes = Vec::from_iter(takes.iter().map(ToString::to_string)).join(", or ");
                Err(self.bad(key, format!("`{number}` is out of range: {takes}")))
            }
        }
    }

    /// A setting that is `yes` or `no`.
    pub fn flag(&self, key: &str) -> Result<bool, Error> {
        match self.text(self.position(key)?) {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => Err(self.bad(key, format!("`{other}` is neither yes nor no"))),
        }
    }

    /// `class_weights`, for a method that takes them itself and knows two classes. More factors than
    /// that are refused before it is asked.
    pub(crate) fn class_weights(&self) -> Result<ClassWeights, Error> {
        Ok(self.get::<ClassFactors>("class_weights")?.of_two())
    }

    /// The error of a setting whose value cannot be used.
    pub fn bad(&self, key: &str, reason: impl Into<String>) -> Error {
        Error::BadValue { method: self.method.into(), key: key.into(), reason: reason.into() }
    }

    /// The error of settings that the core refuses, under the name it gives them.
    pub(crate) fn out_of_range(&self, error: pfcvm::Error) -> Error {
        match error {
            pfcvm::Error::Setting { name, value, allowed } => {
                self.bad(name, format!("`{value}` is out of range: {allowed}"))
            }
            other => self.bad("settings", other.to_string()),
        }
    }

    /// All settings with their values.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, &str)> {
        (0..self.settings.len()).map(|at| (self.settings[at].key, self.text(at)))
    }

    /// Those given.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let pairs = self.settings.iter().zip(&self.given);
        pairs.filter_map(|(setting, value)| Some((setting.key, value.as_deref()?)))
    }

    fn text(&self, at: usize) -> &str {
        self.given[at].as_deref().unwrap_or(self.settings[at].default)
    }

    fn position(&self, key: &str) -> Result<usize, Error> {
        let keys = || self.settings.iter().map(|setting| setting.key);
        keys().position(|known| known == key).ok_or_else(|| Error::UnknownSetting {
            method: self.method.into(),
            key: key.into(),
            nearest: nearest(key, keys()),
            known: Vec::from_iter(keys()).join(", "),
        })
    }
}
