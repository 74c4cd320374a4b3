//! The list of a fit on all rows.

use pfcvm::certainty::Certainty;
use pfcvm_eval::Estimate;
use pfcvm_methods::{FittedClasses, Stored};
use serde::Serialize;

/// A feature of a list, with what held-out rows say of it where they were asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ListedFeature {
    /// The feature, as numbered in the data.
    pub feature: usize,
    /// Rise of the mean log loss of held-out rows without it.
    pub importance: Option<Estimate>,
    /// How likely it is listed for nothing.
    pub false_alarm: Option<f64>,
}

/// The same with its name, as it is written down.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NamedFeature<'a> {
    feature: &'a str,
    column: usize,
    importance: Option<f64>,
    importance_error: Option<f64>,
    false_alarm: Option<f64>,
}

impl ListedFeature {
    /// With its name among those of all features.
    pub fn named(self, names: &[String]) -> NamedFeature<'_> {
        NamedFeature {
            feature: names.get(self.feature).map_or("", String::as_str),
            column: self.feature,
            importance: self.importance.map(|worth| worth.mean),
            importance_error: self.importance.map(|worth| worth.error),
            false_alarm: self.false_alarm,
        }
    }
}

/// The list of a fit, what is worth most first where that is known.
pub fn listed(fitted: &FittedClasses) -> Vec<ListedFeature> {
    let stored: Vec<Stored> = fitted.machines().map(|(_, machine)| machine.stored()).collect();
    let certainties = stored.iter().map(|stored| match stored {
        Stored::Model(model) => model.certainty(),
        Stored::Panel(panel) => panel.certainty(),
        _ => None,
    });
    let certainties: Vec<Option<&Certainty>> = certainties.collect();
    let known = |feature: usize| -> Option<(Estimate, f64)> {
        let first = (*certainties.first()?)?;
        let at = first.features.iter().position(|one| one.feature == feature)?;
        let own = &first.features[at];
        let estimate = |mean, error| Estimate { mean, error };
        match (&first.shared, certainties.len()) {
            (_, 1) => Some((estimate(own.importance, own.importance_error), own.false_alarm)),
            (Some(shared), _) => {
                let all = shared.features.get(at)?;
                let alarms =
                    certainties.iter().map(|one| Some(one.as_ref()?.features.get(at)?.false_alarm));
                let least = alarms.collect::<Option<Vec<f64>>>()?.into_iter().fold(1.0, f64::min);
                Some((estimate(all.importance, all.importance_error), least))
            }
            _ => None,
        }
    };
    let one = |feature| {
        let (importance, false_alarm) = known(feature).unzip();
        ListedFeature { feature, importance, false_alarm }
    };
    let mut list: Vec<ListedFeature> =
        list_of(fitted).unwrap_or_default().into_iter().map(one).collect();
    let worth = |one: &ListedFeature| one.importance.map_or(f64::NEG_INFINITY, |worth| worth.mean);
    list.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then(a.feature.cmp(&b.feature)));
    list
}

/// The features that any machine selects, ascending; nothing for a method that uses all.
pub fn list_of(fitted: &FittedClasses) -> Option<Vec<usize>> {
    let lists = fitted.machines().map(|(_, machine)| machine.selected_features());
    let mut all = lists.collect::<Option<Vec<_>>>()?.concat();
    all.sort_unstable();
    all.dedup();
    Some(all)
}
