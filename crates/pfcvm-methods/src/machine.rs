//! Any method as one of several machines, for more than two classes.

use crate::{Fitted, Refusal};
use pfcvm::{Decided, Machine, Matrix};

impl Machine for Box<dyn Fitted> {
    type Refusal = Refusal;

    fn decide(&self, x: &Matrix) -> Result<Decided, Refusal> {
        let said = self.predict(x)?;
        let probability = said.probability.ok_or(
            "more than two classes are told apart by probabilities, and this method was asked for \
             none; leave out probability=no",
        )?;
        Ok(Decided { decision: said.decision, probability })
    }
}
