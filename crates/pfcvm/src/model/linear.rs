//! A model in the linear kernel as what it is: a linear function.

use super::Model;
use crate::Kernel;
use crate::data::Source;

/// A decision value as a linear function of the features as they are given.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LinearForm {
    /// The features that prediction needs, as numbered in the input, ascending.
    pub features: Vec<usize>,
    /// What each is multiplied by.
    pub coefficients: Vec<f64>,
    /// What is added.
    pub constant: f64,
}

impl Model {
    /// The decision value as a linear function, where the kernel is linear: of the selected features, or
    /// of all that vary where there is a [machine of all features](Model::broad) beside them. Nothing
    /// where one of these is more than one number.
    pub fn linear_form(&self) -> Option<LinearForm> {
        let needed = self.needed_positions();
        let columns = self.scaler.spans().columns_of(&needed);
        let is_number =
            |&k: &usize| matches!(self.scaler.source(k), Source::Number { bend: None, .. });
        let numbers = columns.len() == needed.len() && columns.iter().all(is_number);
        if self.kernel != Kernel::Linear || !numbers {
            return None;
        }
        let mut slopes = vec![0.0; needed.len()];
        for (at, position) in self.positions.iter().enumerate() {
            let signed = self.signs.iter().zip(&self.w[1..]).zip(self.z.column(at));
            let sum: f64 = signed.map(|((sign, weight), z)| sign * weight * z).sum();
            let place = needed.binary_search(position).unwrap_or(at);
            slopes[place] = self.theta[at] * sum;
        }
        let mut constant = self.bias();
        if let Some(broad) = &self.broad {
            constant += broad.bias();
            let added = broad.slopes();
            columns.iter().zip(&mut slopes).for_each(|(&column, slope)| *slope += added[column]);
        }
        for (slope, &column) in slopes.iter_mut().zip(columns.iter()) {
            *slope /= self.scaler.scale()[column];
            constant -= *slope * self.scaler.centre()[column];
        }
        let varying = self.scaler.features();
        let features = needed.iter().map(|&position| varying[position]).collect();
        Some(LinearForm { features, coefficients: slopes, constant })
    }
}
