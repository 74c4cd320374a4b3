//! What a graph and a fit say of rows without labels, taken together.
//!
//! ```text
//! q(class) ∝ graph(class)^a · fit(class)^b.
//! ```
//!
//! The two err differently, and which of them is to be believed, and how far, differs from set to set. Labelled
//! rows that neither knew decide: a and b are those under which they are most likely, drawn to ½ and ½,
//! the root of the product.

use crate::Matrix;

/// Powers that are tried.
const POWERS: [f64; 7] = [0.5, 0.25, 0.75, 0.0, 1.0, 1.5, 2.0];
/// The power that each has before any row is asked, with a standard deviation of 1.
const USUAL: f64 = 0.5;
/// Nobody is believed beyond this.
const LEAST: f64 = 0.01;

/// How far each voter is believed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Powers {
    graph: f64,
    fit: f64,
}

/// What both say of the same rows.
pub(super) struct Votes {
    pub graph: Matrix,
    pub fit: Matrix,
}

/// A labelled row that neither voter knew: which row of its votes it is.
pub(super) struct Judge<'a> {
    pub votes: &'a Votes,
    pub row: usize,
    pub class: usize,
    pub weight: f64,
}

impl Votes {
    /// q of a row.
    pub fn together(&self, row: usize, powers: Powers) -> Vec<f64> {
        let of =
            |votes: &Matrix, class: usize, power: f64| votes.get(row, class).max(LEAST).powf(power);
        let both = |class| of(&self.graph, class, powers.graph) * of(&self.fit, class, powers.fit);
        let q: Vec<f64> = (0..self.fit.cols()).map(both).collect();
        let sum: f64 = q.iter().sum();
        q.into_iter().map(|q| q / sum).collect()
    }
}

impl Powers {
    /// Those under which the classes of these rows are most likely.
    pub fn chosen<'a>(judges: impl Iterator<Item = Judge<'a>>) -> Self {
        let judges: Vec<Judge> = judges.collect();
        let cost = |powers: Powers| {
            let loss = |judge: &Judge| {
                -judge.weight * judge.votes.together(judge.row, powers)[judge.class].ln()
            };
            let far = (powers.graph - USUAL).powi(2) + (powers.fit - USUAL).powi(2);
            judges.iter().map(loss).sum::<f64>() + 0.5 * far
        };
        let all = POWERS.iter().flat_map(|&graph| POWERS.map(|fit| Powers { graph, fit }));
        let someone = all.filter(|powers| powers.graph + powers.fit > 0.0);
        let costs = someone.map(|powers| (cost(powers), powers));
        // The first of equals, which are the usual ones where nothing speaks for others.
        let usual = Powers { graph: USUAL, fit: USUAL };
        let least = costs.reduce(|best, next| if next.0 < best.0 { next } else { best });
        least.map_or(usual, |(_, powers)| powers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph that is right nine times of ten and too shy to say so, beside a fit that guesses.
    fn votes() -> (Votes, Vec<usize>) {
        let truth = |row: usize| row % 2;
        let says = |row: usize| if row % 10 == 9 { 1 - truth(row) } else { truth(row) };
        let graph = Matrix::from_fn(200, 2, |row, k| if says(row) == k { 0.7 } else { 0.3 });
        let fit = Matrix::from_fn(200, 2, |row, k| {
            let p = 0.1 + 0.8 * (row as f64 * 0.618).fract();
            if k == 1 { p } else { 1.0 - p }
        });
        (Votes { graph, fit }, (0..200).map(truth).collect())
    }

    #[test]
    fn who_is_right_is_believed() {
        let (votes, truth) = votes();
        let judge = |row: usize| Judge { votes: &votes, row, class: truth[row], weight: 1.0 };
        let powers = Powers::chosen((0..200).map(judge));
        assert_eq!(powers, Powers { graph: 2.0, fit: 0.0 });
        let q = votes.together(0, powers);
        assert!((q[0] - 0.49 / 0.58).abs() < 1e-12 && (q[0] + q[1] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn without_rows_to_ask_it_is_the_root_of_the_product() {
        let (votes, _) = votes();
        let powers = Powers::chosen(std::iter::empty());
        assert_eq!(powers, Powers { graph: 0.5, fit: 0.5 });
        let root = |k: usize| (votes.graph.get(3, k) * votes.fit.get(3, k)).sqrt();
        let q = votes.together(3, powers);
        assert!((q[1] - root(1) / (root(0) + root(1))).abs() < 1e-12);
    }
}
