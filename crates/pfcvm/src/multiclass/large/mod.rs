//! Learning from more rows than one place holds: by sums over blocks of them.
//!
//! Whoever has rows asks them what a [`Learner`] wants to know, in one pass after the other, and gives it what they say
//! together. Rows may lie in memory, in a file that is read again and again, or with workers anywhere: a [`Question`]
//! goes to them, [`Question::answer`] is what a block says, [`Answer::add`] puts two together. What is learned
//! depends on the rows and their numbers, not on how they are parted, but for rounding.
//!
//! 1. Some thousand rows are **drawn** and an ordinary fit learns from them: kernel, features, samples, precisions.
//! 2. All weights **grow** to what a larger part of the rows says: more samples may come in, and features.
//! 3. All rows have their say until nothing moves (**polishing**): the mode of all weights from summed gradients and
//!    curvatures, precisions from the evidence, features out and back in by score tests.
//! 4. One row in sixteen is **held out** of all this and says in the end how good and how sure it is.
//!
//! ```
//! use pfcvm::multiclass::large::{Block, Learner};
//! use pfcvm::data::Columns;
//! use pfcvm::{Kernel, Matrix, Settings};
//!
//! // Rows as they come: inside or outside a circle in the first two of three columns.
//! let spread = |i: u64, k: usize| 2.0 * (i as f64 * [0.754877, 0.569840, 0.414214][k]).fract() - 1.0;
//! let names = ["outside", "inside"].map(String::from).to_vec();
//! let mut learner = Learner::new(&Columns::numbers(3), names, &Settings::new(Kernel::Rbf), None)?;
//! while let Some(question) = learner.question() {
//!     let mut said = None;
//!     for first in (0..8000).step_by(1000) {
//!         let numbers: Vec<u64> = (first..first + 1000).collect();
//!         let columns = question.columns();
//!         let x = Matrix::from_fn(1000, columns.len(), |i, j| spread(numbers[i], columns[j]));
//!         let inside = |i: &u64| usize::from(spread(*i, 0).powi(2) + spread(*i, 1).powi(2) < 0.6);
//!         let class: Vec<usize> = numbers.iter().map(inside).collect();
//!         let block = Block { numbers: &numbers, x: &x, class: &class, weights: None };
//!         let answer = question.answer(&block)?;
//!         match &mut said {
//!             None => said = Some(answer),
//!             Some(said) => said.add(answer)?,
//!         }
//!     }
//!     learner.take(said.unwrap())?;
//! }
//! let (fits, ..) = learner.finish()?;
//! assert_eq!(fits.machines()[0].model.selected_features(), [0, 1]);
//! # Ok::<(), pfcvm::Error>(())
//! ```

mod draw;
mod held;
mod learner;
mod memory;
mod place;
mod question;
mod sample;

pub use learner::{Doing, Learner};
pub use memory::MANY_ROWS;
pub(super) use memory::{fit, is_large};
pub use question::{Answer, Block, Question};
