//! A method with its settings, as it is written.

use crate::catalogue::{Made, find};
use crate::chain::Chain;
use crate::rows::check_factors;
use crate::{Entry, Error, Grid, Learner, Role, Selector, Values, catalogue};
use pfcvm::multiclass::ClassFactors;
use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// A method with its settings: `NAME[/key=value…]`, or two of them with a `+`, the second to work
/// on the features that the first selects.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    steps: Vec<(&'static Entry, Values)>,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Spec {
    /// The name, without settings.
    pub fn name(&self) -> String {
        Vec::from_iter(self.steps.iter().map(|(entry, _)| entry.name)).join("+")
    }

    /// Every setting with its value; those of the first of two methods carry its name.
    pub fn settings(&self) -> Vec<(String, String)> {
        let last = self.steps.len() - 1;
        let named = |at: usize, key: &str| match at == last {
            true => key.to_string(),
            false => format!("{}.{key}", self.steps[at].0.name),
        };
        let of = |at: usize| {
            let all = self.steps[at].1.all();
            Vec::from_iter(all.map(move |(key, value)| (named(at, key), value.to_string())))
        };
        (0..=last).flat_map(of).collect()
    }

    /// Gives a setting a value: `key` is one of the last method, `NAME.key` of one before it.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        let last = self.steps.len() - 1;
        let before = key.split_once('.').and_then(|(name, key)| {
            let at = self.steps[..last].iter().position(|(entry, _)| entry.name == name)?;
            Some((at, key))
        });
        let (at, key) = before.unwrap_or((last, key));
        self.steps[at].1.set(key, value)
    }

    /// The same with another value for a setting of the last method.
    pub fn with(&self, key: &str, value: &str) -> Result<Self, Error> {
        let mut spec = self.clone();
        let last = spec.steps.len() - 1;
        spec.steps[last].1.replace(key, value)?;
        Ok(spec)
    }

    /// Gives a setting a value, written as `key=value`.
    pub fn set_text(&mut self, text: &str) -> Result<(), Error> {
        match text.split_once('=') {
            Some((key, value)) => self.set(key.trim(), value.trim()),
            None => Err(Error::NotASetting { text: text.into() }),
        }
    }

    /// The grid that the methods propose, without what is set already. What a classifier proposes
    /// counts only where it classifies.
    pub fn grid(&self) -> Grid {
        let last = self.steps.len() - 1;
        let mut grid = Grid::default();
        for (at, (entry, values)) in self.steps.iter().enumerate() {
            if at < last && entry.role != Role::Filter {
                continue;
            }
            let open = entry.grid.iter().filter(|(key, _)| !values.is_given(key));
            for (key, values) in open {
                let prefix = if at < last { format!("{}.", entry.name) } else { String::new() };
                grid.insert(format!("{prefix}{key}"), values);
            }
        }
        grid
    }

    /// The name of each method with its settings.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (&'static str, &Values)> {
        self.steps.iter().map(|(entry, values)| (entry.name, values))
    }

    /// The learner.
    pub fn build(&self) -> Result<Box<dyn Learner>, Error> {
        let mut steps = self.steps.iter();
        let mut selectors: Vec<Box<dyn Selector>> = Vec::new();
        let mut last = None;
        for (entry, values) in &mut steps {
            if let Some(learner) = last.take() {
                selectors.push(Box::new(crate::chain::BySelection(learner)));
            }
            match entry.made(values)? {
                Made::Learner { learner, .. } => last = Some(learner),
                Made::Selector(selector) => selectors.push(selector),
            }
        }
        let learner = last.ok_or_else(|| Error::NothingClassifies {
            selector: self.name(),
            example: catalogue()[0].name.into(),
        })?;
        let chained = selectors.into_iter().rev().fold(learner, |learner, selector| {
            Box::new(Chain { selector, learner }) as Box<dyn Learner>
        });
        Ok(chained)
    }

    /// Refuses settings that do not go with so many classes.
    ///
    /// # Errors
    /// If there are factors for another number of classes.
    pub fn check_classes(&self, classes: usize) -> Result<(), Error> {
        check_factors(&self.class_factors()?, classes)
    }

    /// How the classes count, to the method that classifies.
    pub(crate) fn class_factors(&self) -> Result<ClassFactors, Error> {
        let last = self.steps.len() - 1;
        self.steps[last].1.get("class_weights")
    }

    /// The same with other class weights for every method that has any.
    pub(crate) fn with_class_weights(&self, text: &str) -> Self {
        let mut spec = self.clone();
        for (_, values) in &mut spec.steps {
            // A method without class weights is left as it is.
            let _ = values.replace("class_weights", text);
        }
        spec
    }

    /// What selects features: a filter, or a classifier by what it selects.
    pub fn selector(&self) -> Result<Box<dyn Selector>, Error> {
        if let [(entry, values)] = &self.steps[..]
            && let Made::Selector(selector) = entry.made(values)?
        {
            return Ok(selector);
        }
        Ok(Box::new(crate::chain::BySelection(self.build()?)))
    }

    /// As [`FromStr`], for a text that may also name a filter alone.
    pub fn of_selector(text: &str) -> Result<Self, Error> {
        let spec = Self::parse(text)?;
        spec.selector()?;
        Ok(spec)
    }

    fn parse(text: &str) -> Result<Self, Error> {
        let mut steps = Vec::new();
        for step in steps_of(text) {
            let mut parts = step.split('/');
            let entry = find(parts.next().unwrap_or_default().trim())?;
            let mut values = Values::new(entry);
            parts.try_for_each(|part| set_in(&mut values, part))?;
            steps.push((entry, values));
        }
        Ok(Self { steps })
    }
}

impl FromStr for Spec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let spec = Self::parse(text)?;
        spec.build()?;
        Ok(spec)
    }
}

/// Cut at each `+` that a letter follows: 1e+3 stays whole.
fn steps_of(text: &str) -> Vec<&str> {
    let mut steps = Vec::new();
    let mut rest = text;
    let mut from = 0;
    while let Some(at) = rest[from..].find('+').map(|at| at + from) {
        if rest[at + 1..].starts_with(|c: char| c.is_alphabetic()) {
            steps.push(&rest[..at]);
            rest = &rest[at + 1..];
            from = 0;
        } else {
            from = at + 1;
        }
    }
    steps.push(rest);
    steps
}

fn set_in(values: &mut Values, text: &str) -> Result<(), Error> {
    match text.split_once('=') {
        Some((key, value)) => values.set(key.trim(), value.trim()),
        None => Err(Error::NotASetting { text: text.into() }),
    }
}

/// As it is read back: names, and what was set.
impl Display for Spec {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        for (at, (entry, values)) in self.steps.iter().enumerate() {
            write!(out, "{}{}", if at > 0 { "+" } else { "" }, entry.name)?;
            for (key, value) in values.given() {
                write!(out, "/{key}={value}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        text.parse::<Spec>().unwrap_err().to_string()
    }

    #[test]
    fn texts_read_back() {
        for text in
            ["pfcvm-lp", "pfcvm-lp/kernel=poly:2/class_weights=1,2.5", "pfcvm-panel+pfcvm-lp"]
        {
            let spec: Spec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
        }
        let spec: Spec = "pfcvm-panel/size=5+pfcvm-lp/seed=3".parse().unwrap();
        assert_eq!(spec.name(), "pfcvm-panel+pfcvm-lp");
        let settings = spec.settings();
        assert!(settings.contains(&("pfcvm-panel.size".into(), "5".into())));
        assert!(settings.contains(&("seed".into(), "3".into())));
        assert_eq!(steps_of("a/x=1e+3+b"), ["a/x=1e+3", "b"]);
    }

    #[test]
    fn refusals_teach() {
        assert!(
            refused("pfcvm_lp").contains("did you mean `pfcvm-lp`?"),
            "{}",
            refused("pfcvm_lp")
        );
        let message = refused("pfcvm-lp/kernal=rbf");
        assert!(message.contains("did you mean `kernel`?"), "{message}");
        assert!(refused("pfcvm-lp/kernel=round").contains("`round` is no kernel"));
        assert!(refused("pfcvm-lp/kernel").contains("key=value"));
        assert!(refused("pfcvm-lp/seed=1/seed=2").contains("twice"));
        assert!(refused("").contains("there is no method ``"));
        assert!(refused("pfcvm-lp/false_positive_rate=0.7").contains("below 0.5"));
    }

    #[test]
    fn filters_are_chosen_with_their_classifier() {
        let mut spec: Spec = "fisher+pfcvm-lp/kernel=linear".parse().unwrap();
        let grid = spec.grid().to_string();
        assert!(
            grid.starts_with("fisher.features=") && grid.contains("false_positive_rate"),
            "{grid}"
        );
        spec.set("fisher.features", "7").unwrap();
        assert_eq!(spec.to_string(), "fisher/features=7+pfcvm-lp/kernel=linear");
        assert!(!spec.grid().to_string().contains("features="));
        let learner: Spec = "pfcvm-lp+svm".parse().unwrap();
        assert!(!learner.grid().to_string().contains("pfcvm-lp."));
    }

    #[test]
    fn what_is_set_is_not_chosen() {
        let mut spec: Spec = "pfcvm-lp".parse().unwrap();
        let all = spec.grid().points().len();
        spec.set("kernel", "linear").unwrap();
        assert!(spec.grid().points().len() < all);
    }
}
