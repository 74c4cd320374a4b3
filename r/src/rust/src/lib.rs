//! The compiled half of the R package `pfcvm`.
//!
//! R turns columns into numbers and names classes; the C program beside this turns R's values into
//! pointers and back, looks for interrupts, and is the only one that calls R. Here a request becomes
//! work of the crates on a thread of its own. No panic crosses the border, and R never jumps over
//! anything of ours.

mod border;
mod jobs;
mod request;
