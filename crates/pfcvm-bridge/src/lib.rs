//! What packages of other languages have in common.
//!
//! A package checks its input in its language's way, names classes and holds parameters. What it
//! hands over are numbers: words as places among their texts, dates as days, gaps as NaN
//! ([`Samples`], [`Described`]). Here these become data sets; fits run on threads of their own
//! ([`Work`]) so that the other language goes on and can stop them; what was learned is kept
//! ([`Engine`]), described as JSON, and written. Rows that lie in parts elsewhere are learned from without being fetched ([`Driver`], [`Listener`]). What data and settings mean is the crates' affair.

mod columns;
mod engine;
mod error;
mod parts;
mod price;
mod samples;
mod study;
mod work;

pub use columns::{Described, Form, Texts, columns_of, known};
pub use engine::{Engine, Said, Way, read_model, shares};
pub use error::{Error, memory_limit};
pub use parts::{Driver, Listener, Rows, Together};
pub use price::{PriceRequest, price};
pub use samples::{Known, Samples};
pub use study::{EvaluationRequest, Trial, evaluate};
pub use work::{Caller, News, Work, pool, pool_of};

/// What comes back, or why nothing does.
pub type Outcome<T> = Result<T, Error>;
