//! Time of whole fits.
fn main() {}
