//! What lists of other lengths cost, where that was asked for.

use super::{FitAccount, ListPrice};
use crate::page::Section;
use crate::studies::Form;

/// The curve over lengths, and what it says of this fit.
pub fn section(account: &FitAccount, form: Form) -> Option<Section> {
    let ListPrice::Found(lists) = &account.price else { return None };
    let option = if account.summary.is_panel { "--panel" } else { "--features" };
    Some(lists.section(option, account.summary.uses_all_features, form))
}

/// How to have it, where there is a list and it was not asked for.
pub fn hint(account: &FitAccount) -> Option<&'static str> {
    let can_be_had = account.price == ListPrice::Unasked && !account.summary.features.is_empty();
    can_be_had.then_some("What a shorter list would cost is not known: “--price” finds it out.")
}
