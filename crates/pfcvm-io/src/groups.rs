//! Columns that belong together and are one feature.

use crate::detect::separator;
use crate::error::shown;
use crate::{Error, input};
use regex_lite::Regex;
use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::Path;

/// Which columns belong together, by a list or by a pattern in their names. The default: none do.
#[derive(Debug, Clone, Default)]
pub struct Groups {
    /// Columns with their groups.
    listed: Vec<(String, String)>,
    /// Where the list comes from, for errors.
    source: String,
    pattern: Option<Regex>,
}

/// What the features of a table are.
pub(crate) struct Grouping {
    /// The feature of every column, numbered from 0 in the order of their first columns.
    pub(crate) feature_of: Vec<usize>,
    /// The names of the features.
    pub(crate) names: Vec<String>,
}

impl Groups {
    /// Reads a list: a column and its group on each line, perhaps below the words `column,group`.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let source = path.display().to_string();
        let mut text = Vec::new();
        let read = input::open(path)
            .and_then(|mut file| file.read_to_end(&mut text).map_err(Error::Unreadable));
        read.map_err(|error| error.within(&source))?;
        Self::parse(&text, &source).map_err(|error| error.within(&source))
    }

    fn parse(text: &[u8], source: &str) -> Result<Self, Error> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator(text.trim_ascii_start(), b",;\t"))
            .trim(csv::Trim::All)
            .from_reader(text);
        let mut listed = Vec::new();
        let mut lines: HashMap<String, u64> = HashMap::new();
        for (at, record) in reader.records().enumerate() {
            let bad = |line: u64, problem: String| Error::BadLine { line, problem };
            let record =
                record.map_err(|error| bad(at as u64 + 1, format!("cannot be read ({error})")))?;
            let line = record.position().map_or(0, |position| position.line());
            let [column, group] = Vec::from_iter(record.iter())[..] else {
                let found = record.len();
                let problem = format!("{found} fields where a column and its group are expected");
                return Err(bad(line, problem));
            };
            let is_head = listed.is_empty() && lines.is_empty();
            if is_head
                && column.eq_ignore_ascii_case("column")
                && group.eq_ignore_ascii_case("group")
            {
                continue;
            }
            if column.is_empty() || group.is_empty() {
                return Err(bad(line, "the name of a column or of its group is missing".into()));
            }
            if let Some(first) = lines.insert(column.into(), line) {
                let column = shown(column.as_bytes());
                let problem = format!("the column `{column}` has a group already, on line {first}");
                return Err(bad(line, problem));
            }
            listed.push((column.to_string(), group.to_string()));
        }
        if listed.is_empty() {
            return Err(Error::Groups(
                "there is no group in it; write a column and its group on each line".into(),
            ));
        }
        Ok(Self { listed, source: source.into(), pattern: None })
    }

    /// Columns whose names are alike where the pattern captures: a regular expression with one
    /// pair of parentheses. Its words are those of the error.
    pub fn by_pattern(pattern: &str) -> Result<Self, String> {
        let regex = Regex::new(pattern)
            .map_err(|error| format!("`{pattern}` is no regular expression ({error})"))?;
        match regex.captures_len() {
            2 => Ok(Self { pattern: Some(regex), ..Self::default() }),
            found => Err(format!(
                "`{pattern}` has {} pairs of parentheses; one is needed, around what names the group",
                found - 1
            )),
        }
    }

    /// Whether none belong together.
    pub fn is_empty(&self) -> bool {
        self.listed.is_empty() && self.pattern.is_none()
    }

    /// The features of columns with the given names; `others` are columns of the file that are
    /// not among them, such as the label.
    pub(crate) fn of(&self, columns: &[String], others: &[String]) -> Result<Grouping, Error> {
        let groups: HashMap<&str, &str> = match &self.pattern {
            Some(pattern) => columns
                .iter()
                .filter_map(|name| Some((name.as_str(), captured(pattern, name)?)))
                .collect(),
            None => {
                self.listed.iter().map(|(name, group)| (name.as_str(), group.as_str())).collect()
            }
        };
        self.check(&groups, columns, others)?;
        let mut grouping = Grouping { feature_of: Vec::new(), names: Vec::new() };
        let mut features: HashMap<&str, usize> = HashMap::new();
        let single: HashSet<&str> =
            columns.iter().map(String::as_str).filter(|name| !groups.contains_key(name)).collect();
        for name in columns {
            let feature = groups.get(name.as_str()).copied();
            if let Some(group) = feature.filter(|group| single.contains(group)) {
                let group = shown(group.as_bytes());
                return Err(Error::Groups(format!(
                    "the group `{group}` has the name of a column that is not in it; rename one of \
                     them"
                )));
            }
            let feature = feature.unwrap_or(name);
            let number = *features.entry(feature).or_insert_with(|| {
                grouping.names.push(feature.into());
                grouping.names.len() - 1
            });
            grouping.feature_of.push(number);
        }
        Ok(grouping)
    }

    /// Refuses groups of columns that are not there.
    fn check(
        &self,
        groups: &HashMap<&str, &str>,
        columns: &[String],
        others: &[String],
    ) -> Result<(), Error> {
        const LISTED: usize = 5;
        if let Some(pattern) = self.pattern.as_ref().filter(|_| groups.is_empty()) {
            return Err(Error::Groups(format!(
                "no column's name fits the pattern `{}`; the first column is `{}`",
                shown(pattern.as_str().as_bytes()),
                shown(columns.first().map_or("", String::as_str).as_bytes())
            )));
        }
        let known: HashSet<&str> = columns.iter().chain(others).map(String::as_str).collect();
        let unknown: Vec<String> = self
            .listed
            .iter()
            .filter(|(name, _)| !known.contains(name.as_str()))
            .map(|(name, _)| format!("`{}`", shown(name.as_bytes())))
            .collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let (verb, noun) = match unknown.len() {
            1 => ("is", "column"),
            _ => ("are", "columns"),
        };
        let more = unknown.len().saturating_sub(LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let named = unknown[..unknown.len().min(LISTED)].join(", ");
        Err(Error::Groups(format!(
            "the {noun} {named}{more} of {} {verb} not there; mend the names of the groups' columns",
            self.source
        )))
    }
}

fn captured<'a>(pattern: &Regex, name: &'a str) -> Option<&'a str> {
    let group = pattern.captures(name)?.get(1)?.as_str();
    (!group.is_empty()).then_some(group)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn a_pattern_or_a_list_says_which_columns_belong_together() {
        let columns = names(&["FP1_alpha", "age", "FP2_alpha", "FP1_beta"]);
        let electrodes = Groups::by_pattern("^(.*)_").unwrap().of(&columns, &[]).unwrap();
        assert_eq!(electrodes.names, ["FP1", "age", "FP2"]);
        assert_eq!(electrodes.feature_of, [0, 1, 2, 0]);
        let bands = Groups::by_pattern("_(.*)$").unwrap().of(&columns, &[]).unwrap();
        assert_eq!(
            (bands.names, bands.feature_of),
            (names(&["alpha", "age", "beta"]), vec![0, 1, 0, 2])
        );
        let list = b"column,group\nFP1_alpha,left\nFP1_beta,left\ny,whatever\n";
        let list = Groups::parse(list, "g.csv").unwrap();
        let sides = list.of(&columns, &names(&["y"])).unwrap();
        assert_eq!(sides.names, ["left", "age", "FP2_alpha"]);
    }

    #[test]
    fn what_is_wrong_with_groups_is_said() {
        let columns = names(&["a", "b", "c"]);
        let parse = |text: &str| Groups::parse(text.as_bytes(), "g.csv");
        let of = |text: &str| parse(text).unwrap().of(&columns, &[]).err().unwrap().to_string();
        assert_eq!(
            parse("a,g\na,h\n").unwrap_err().to_string(),
            "line 2: the column `a` has a group already, on line 1"
        );
        assert_eq!(
            parse("a\n").unwrap_err().to_string(),
            "line 1: 1 fields where a column and its group are expected"
        );
        assert_eq!(
            of("a,g\nx,g\ny,g\n"),
            "the columns `x`, `y` of g.csv are not there; mend the names of the groups' columns"
        );
        assert!(of("a,b\n").contains("has the name of a column that is not in it"));
        assert!(Groups::by_pattern("(a)(b)").unwrap_err().contains("2 pairs of parentheses"));
        assert!(Groups::by_pattern("(a").unwrap_err().contains("is no regular expression"));
        let none = Groups::by_pattern("^(x)").unwrap().of(&columns, &[]).err().unwrap();
        assert!(none.to_string().contains("no column's name fits the pattern"));
    }
}
