//! Pages as HTML and as text. One program, so that what they share is compiled and linked once.

mod classes;
mod goals;
#[allow(dead_code)] // the example needs more of it
#[path = "../../examples/sample/made_up.rs"]
mod made_up;
mod price;
mod render;
mod studies;
mod style;
mod sureness;
mod text;
