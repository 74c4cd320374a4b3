//! Measures, distributions and tests. One program, so that what they share is compiled and linked once.

mod common;
mod distributions;
mod measures;
mod properties;
mod statistics;
