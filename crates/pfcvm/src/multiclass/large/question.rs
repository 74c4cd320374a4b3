//! What blocks of rows are asked, and what they say.

use super::draw::{Draw, Drawn, is_among, is_held, place};
use super::held::{Asked as AskedOfHeld, Seen};
use crate::algebra::Work;
use crate::error::Error;
use crate::matrix::Matrix;
use crate::posterior::{Classes, Likelihood};
use crate::sums::{Point, Sums};
use serde::{Deserialize, Serialize};

/// Some rows with their classes, wherever they lie.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// The number of each row among all rows, from 0: what is drawn depends on it and on nothing else.
    pub numbers: &'a [u64],
    /// The columns that are [asked for](Question::columns), and no others.
    pub x: &'a Matrix,
    /// The class of each row.
    pub class: &'a [usize],
    /// What each row counts; nothing: 1.
    pub weights: Option<&'a [f64]>,
}

/// What is asked of all rows in one pass over them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    pub(super) columns: Vec<usize>,
    pub(super) seed: u64,
    /// Whether rows are held out.
    pub(super) holds: bool,
    /// One row of so many is asked.
    pub(super) every: u64,
    /// What rows of each class are multiplied by.
    pub(super) factors: Vec<f64>,
    pub(super) asked: Asked,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Asked {
    Draw(Draw),
    Sums(Box<Point>),
    Held(Box<AskedOfHeld>),
}

/// What some rows say to a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer(pub(super) Said);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Said {
    Drawn(Drawn, Draw),
    Sums(Sums),
    Held(Seen),
}

impl Question {
    /// The columns of the input that are looked at, ascending.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// What a block of rows says. Blocks of any sizes do; what is put together differs in no more than
    /// rounding.
    pub fn answer(&self, block: &Block) -> Result<Answer, Error> {
        self.answer_with(block, &mut Work::new(false))
    }

    pub(super) fn answer_with(&self, block: &Block, work: &mut Work) -> Result<Answer, Error> {
        self.check(block)?;
        Ok(Answer(match &self.asked {
            Asked::Draw(draw) => Said::Drawn(self.drawn(block, *draw), *draw),
            Asked::Sums(point) => {
                let rows = self.rows(block, false);
                Said::Sums(point.sums(&block.x.select_rows(&rows), &self.seen(block, &rows), work))
            }
            Asked::Held(asked) => {
                let rows = self.rows(block, true);
                let x = block.x.select_rows(&rows);
                Said::Held(asked.seen(&x, &self.seen(block, &rows), work)?)
            }
        }))
    }

    fn check(&self, block: &Block) -> Result<(), Error> {
        let lengths = [
            ("columns of a block", block.x.cols(), self.columns.len()),
            ("numbers of rows", block.numbers.len(), block.x.rows()),
            ("labels", block.class.len(), block.x.rows()),
            ("sample weights", block.weights.map_or(block.x.rows(), <[f64]>::len), block.x.rows()),
        ];
        for (what, found, expected) in lengths {
            if found != expected {
                return Err(Error::Length { what, found, expected });
            }
        }
        let classes = self.factors.len();
        if let Some(row) = block.class.iter().position(|class| *class >= classes) {
            return Err(Error::UnknownClass { row, code: block.class[row], classes });
        }
        let wrong = |w: &&f64| !(**w >= 0.0 && w.is_finite());
        if let Some(bad) = block.weights.and_then(|weights| weights.iter().find(wrong)) {
            let (name, value) = ("sample weight", bad.to_string());
            return Err(Error::Setting { name, value, allowed: "finite and not negative" });
        }
        for (at, column) in block.x.columns().enumerate() {
            if let Some(row) = column.iter().position(|v| v.is_infinite()) {
                let (value, col) = (column[row], self.columns[at]);
                return Err(Error::NotFinite { row: block.numbers[row] as usize, col, value });
            }
        }
        Ok(())
    }

    /// The rows of a block that the question is for.
    fn rows(&self, block: &Block, held: bool) -> Vec<usize> {
        let weighs = |i: usize| block.weights.is_none_or(|weights| weights[i] > 0.0);
        let asked = |i: &usize| {
            let number = block.numbers[*i];
            (self.holds && is_held(number, self.seed)) == held
                && is_among(number, self.seed, self.every)
                && weighs(*i)
        };
        (0..block.numbers.len()).filter(asked).collect()
    }

    /// The classes of some rows of a block, and what they count.
    fn seen(&self, block: &Block, rows: &[usize]) -> Classes {
        let weight = |i: usize| block.weights.map_or(1.0, |weights| weights[i]);
        let weights: Vec<f64> =
            rows.iter().map(|&i| weight(i) * self.factors[block.class[i]]).collect();
        let machine = |own: usize| Likelihood {
            signs: rows.iter().map(|&i| if block.class[i] == own { 1.0 } else { -1.0 }).collect(),
            weights: weights.clone(),
        };
        let classes = self.factors.len();
        let own = if classes == 2 { 1..2 } else { 0..classes };
        Classes { machines: own.map(machine).collect() }
    }

    fn drawn(&self, block: &Block, draw: Draw) -> Drawn {
        let mut drawn = Drawn::of(self.factors.len());
        drawn.rows = block.numbers.len() as u64;
        let weight = |i: usize| block.weights.map_or(1.0, |weights| weights[i]);
        for (i, &class) in block.class.iter().enumerate() {
            drawn.class_rows[class] += u64::from(weight(i) > 0.0);
            drawn.class_weights[class] += weight(i);
        }
        let mut rows = self.rows(block, false);
        let place = |i: usize| place(block.numbers[i], self.seed);
        rows.sort_unstable_by_key(|&i| place(i));
        let mut of_class = vec![0; self.factors.len()];
        for i in rows {
            let taken = &mut of_class[block.class[i]];
            *taken += 1;
            if place(i) <= draw.cut || *taken <= draw.least {
                let values = block.x.columns().map(|column| column[i]);
                drawn.push((block.numbers[i], self.seed), block.class[i], weight(i), values);
            }
        }
        drawn
    }
}

impl Answer {
    /// Puts together what other rows say to the same question; refuses what was said to another.
    pub fn add(&mut self, other: Answer) -> Result<(), Error> {
        let fits = match (&mut self.0, other.0) {
            (Said::Drawn(all, draw), Said::Drawn(more, _)) => {
                all.add(more, *draw);
                true
            }
            (Said::Sums(all), Said::Sums(more)) => all.add(&more),
            (Said::Held(all), Said::Held(more)) => all.add(&more),
            _ => false,
        };
        match fits {
            true => Ok(()),
            false => Err(Error::OtherQuestion),
        }
    }
}
