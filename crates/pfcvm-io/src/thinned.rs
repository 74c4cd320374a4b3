//! Some rows of a long file, spread over all of it, while its length is not known.

use crate::labels::{Classes, LabelBuilder, Labels, NO_LABEL, key};
use pfcvm::Matrix;
use std::collections::HashSet;

/// Rows that are kept: those whose numbers, stirred, are below a bound, which is halved whenever they are too many; and the
/// first of every class.
pub(crate) struct Thinned {
    most: usize,
    bound: u64,
    kept: Vec<Kept>,
    known: HashSet<crate::labels::Key>,
}

struct Kept {
    row: usize,
    first_of_class: bool,
    label: Option<String>,
    values: Vec<f64>,
}

/// All bits of a number depend on all others.
fn stirred(row: usize) -> u64 {
    let mut z = (row as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Thinned {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, bound: u64::MAX, kept: Vec::new(), known: HashSet::new() }
    }

    /// Looks at the next rows of the file.
    pub(crate) fn take(&mut self, first_row: usize, x: &Matrix, labels: &Labels) {
        let mut new: Vec<bool> =
            labels.texts().iter().map(|text| self.known.insert(key(text))).collect();
        for at in 0..x.rows() {
            let code = labels.codes()[at];
            let label = (code != NO_LABEL).then(|| labels.get(at));
            let first_of_class = label.is_some() && std::mem::take(&mut new[code as usize]);
            let row = first_row + at;
            if first_of_class || stirred(row) <= self.bound {
                let values = x.columns().map(|column| column[at]).collect();
                self.kept.push(Kept { row, first_of_class, label: label.map(Into::into), values });
            }
        }
        while self.kept.len() > 2 * self.most && self.bound > 0 {
            self.bound /= 2;
            self.kept.retain(|kept| kept.first_of_class || stirred(kept.row) <= self.bound);
        }
    }

    /// The rows that are left, as one block, with their classes; and their numbers.
    pub(crate) fn finish(self, blocks: &mut Vec<Matrix>, classes: &mut Classes) -> Vec<usize> {
        let width = self.kept.first().map_or(0, |kept| kept.values.len());
        blocks.push(Matrix::from_fn(self.kept.len(), width, |i, j| self.kept[i].values[j]));
        let mut labels = LabelBuilder::default();
        for kept in &self.kept {
            match &kept.label {
                Some(label) => labels.push(label),
                None => labels.push_none(),
            }
        }
        classes.extend(&labels.finish());
        self.kept.into_iter().map(|kept| kept.row).collect()
    }
}
