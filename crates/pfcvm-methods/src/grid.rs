//! Settings to choose among.

use crate::Error;

const MOST_POINTS: usize = 10_000;

/// Some settings with the values to try, all combinations of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    axes: Vec<(String, Vec<String>)>,
}

impl Grid {
    /// Adds an axis.
    pub(crate) fn insert(&mut self, key: String, values: &[&str]) {
        self.axes.push((key, values.iter().map(|value| value.to_string()).collect()));
    }

    /// Adds an axis in the form `key=value,value`. A value given twice counts once.
    pub fn add(&mut self, text: &str) -> Result<(), Error> {
        let (key, values) = match text.split_once('=') {
            Some((key, values)) if !key.trim().is_empty() && !values.trim().is_empty() => {
                (key.trim().to_string(), values)
            }
            _ => return Err(Error::NotASetting { text: text.into() }),
        };
        if self.axes.iter().any(|(known, _)| *known == key) {
            return Err(Error::GivenTwice { method: "the grid".into(), key });
        }
        let mut distinct: Vec<String> = Vec::new();
        for value in values.split(',').map(str::trim) {
            if !distinct.iter().any(|known| known == value) {
                distinct.push(value.into());
            }
        }
        self.axes.push((key, distinct));
        let points = self.axes.iter().map(|(_, values)| values.len()).product();
        if points > MOST_POINTS {
            return Err(Error::LargeGrid { points, limit: MOST_POINTS });
        }
        Ok(())
    }

    /// Whether there is nothing to choose.
    pub fn is_empty(&self) -> bool {
        self.axes.is_empty()
    }

    /// Every combination, the last axis going round first.
    pub fn points(&self) -> Vec<Vec<(String, String)>> {
        self.axes.iter().fold(vec![vec![]], |points, (key, values)| {
            let longer = |point: &Vec<(String, String)>, value: &String| {
                let mut point = point.clone();
                point.push((key.clone(), value.clone()));
                point
            };
            points
                .iter()
                .flat_map(|point| values.iter().map(|value| longer(point, value)))
                .collect()
        })
    }
}

impl std::fmt::Display for Grid {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let axes = self.axes.iter().map(|(key, values)| format!("{key}={}", values.join(",")));
        out.write_str(&Vec::from_iter(axes).join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_combinations_in_order() {
        let mut grid = Grid::default();
        grid.add("b=x").unwrap();
        grid.add("a=3,4,3").unwrap();
        assert!(grid.add("a=5").is_err());
        let texts: Vec<String> = grid
            .points()
            .iter()
            .map(|point| point.iter().map(|(k, v)| format!("{k}{v}")).collect())
            .collect();
        assert_eq!(texts, ["bxa3", "bxa4"]);
        assert_eq!(grid.to_string(), "b=x a=3,4");
        assert!(grid.add("=1").is_err() && grid.add("a").is_err());
        assert_eq!(Grid::default().points(), [vec![]]);
    }
}
