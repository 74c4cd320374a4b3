//! Any method as one of several machines, for more than two classes.

use crate::{Fitted, Refusal};
use pfcvm::Matrix;
use pfcvm::multiclass::{Answer, Machine};

impl Machine for Box<dyn Fitted> {
    type Refusal = Refusal;

    fn answer(&self, x: &Matrix) -> Result<Answer, Refusal> {
        let said = self.predict(x)?;
        let probability = said.probability.ok_or(
            "more than two classes are told apart by probabilities, and this method was asked for \
             none; leave out probability=no",
        )?;
        Ok(Answer { decision: said.decision, variance: said.variance, probability })
    }
}
