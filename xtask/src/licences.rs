//! Licences of all that is built in: each must be one that a program under MIT or Apache 2.0 can carry.
//!
//! Advisories are not looked up: their list is on a host that tests do not ask.

use crate::step::{Outcome, answer, cargo};
use serde_json::Value;

/// Licences that ask for no more than being named. (CDLA: the roots of trust for downloads.)
const ALLOWED: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Looks at every package that any feature brings on any system, and says how many there are.
pub fn check() -> Outcome<String> {
    let mut ask = cargo(&["metadata", "--quiet", "--locked", "--all-features"]);
    let said = answer(ask.arg("--format-version=1"))?;
    let said: Value = serde_json::from_str(&said).map_err(|error| error.to_string())?;
    let packages = said["packages"].as_array().ok_or("cargo names no packages")?;
    let refused = packages.iter().filter_map(|package| {
        let licence = package["license"].as_str().unwrap_or("none");
        let line = format!("{} {}: {licence}", package["name"], package["version"]);
        (!is_fine(licence)).then_some(line)
    });
    let refused: Vec<String> = refused.collect();
    match (refused.is_empty(), packages.len()) {
        (true, count) => Ok(format!("{count} packages, all under licences that are allowed")),
        (false, _) => Err(format!("licences that are not allowed:\n{}", refused.join("\n"))),
    }
}

/// Whether an expression of SPDX can be met: every part of an `AND` by one of its `OR`s. Parentheses
/// stand around alternatives only, in all that is used here; `/` is the old `OR`.
fn is_fine(expression: &str) -> bool {
    // Without parentheses `AND` binds closer: each alternative is looked at as a whole.
    let met = |one: &str| ALLOWED.contains(&one.trim());
    let any = |part: &str| part.split(" OR ").any(met);
    let expression = expression.replace(" / ", " OR ").replace('/', " OR ");
    if expression.contains('(') {
        expression.split(" AND ").all(|part| any(part.trim().trim_matches(['(', ')'])))
    } else {
        expression.split(" OR ").any(|one| one.split(" AND ").all(met))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_understood() {
        for fine in ["MIT", "MIT OR GPL-3.0", "LGPL-2.1/MIT", "(MIT OR X) AND ISC", "MIT AND ISC"] {
            assert!(is_fine(fine), "{fine}");
        }
        for not in ["none", "GPL-3.0", "MIT AND GPL-3.0", "(GPL-3.0 OR X) AND MIT"] {
            assert!(!is_fine(not), "{not}");
        }
    }
}
