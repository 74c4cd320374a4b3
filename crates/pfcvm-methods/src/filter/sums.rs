//! Sums over a column in eight parts, for the sake of vector instructions, and its power of two.

const LANES: usize = 8;

/// Σ term(value, weight); the order of the sum hangs on nothing but the length.
pub(crate) fn weighted(values: &[f64], weights: &[f64], term: impl Fn(f64, f64) -> f64) -> f64 {
    let mut sums = [0.0; LANES];
    let (pieces, rest) = values.as_chunks::<LANES>();
    let (weight_pieces, weight_rest) = weights.as_chunks::<LANES>();
    for (piece, weights) in pieces.iter().zip(weight_pieces) {
        for lane in 0..LANES {
            sums[lane] += term(piece[lane], weights[lane]);
        }
    }
    for (lane, (value, weight)) in rest.iter().zip(weight_rest).enumerate() {
        sums[lane] += term(*value, *weight);
    }
    sums.iter().sum()
}

/// The largest magnitude; nothing where all values are the same.
pub(crate) fn largest_of_varying(values: &[f64]) -> Option<f64> {
    let first = *values.first()?;
    let (mut most, mut differs) = ([0.0f64; LANES], [false; LANES]);
    let mut look = |lane: usize, value: f64| {
        most[lane] = if value.abs() > most[lane] { value.abs() } else { most[lane] };
        differs[lane] |= value != first;
    };
    let (pieces, rest) = values.as_chunks::<LANES>();
    for piece in pieces {
        (0..LANES).for_each(|lane| look(lane, piece[lane]));
    }
    rest.iter().enumerate().for_each(|(lane, value)| look(lane, *value));
    differs.contains(&true).then(|| most.into_iter().fold(0.0, f64::max))
}

/// The power of two that brings a magnitude near 1: neither 1e200 nor 1e-200 is lost when squared
/// after it, and it rounds nothing.
pub(crate) fn to_unit(largest: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    let power = f64::from_bits(largest.to_bits() & EXPONENT);
    // Below the smallest normal number the bits hold no exponent.
    if power > 0.0 { 1.0 / power } else { 2f64.powi(1023) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_whole_at_any_length() {
        for count in 0..30usize {
            let values = Vec::from_iter((0..count).map(|i| i as f64));
            let weights = Vec::from_iter((0..count).map(|i| (i % 3) as f64));
            let expected: f64 = (0..count).map(|i| (i * (i % 3)) as f64).sum();
            assert_eq!(weighted(&values, &weights, |v, w| v * w), expected);
            let last = count.checked_sub(1).filter(|last| *last > 0);
            assert_eq!(largest_of_varying(&values), last.map(|last| last as f64));
        }
    }

    #[test]
    fn units_bring_any_magnitude_near_1() {
        for largest in [1.0, 0.7, 3e5, 1e150, 1.7e308, 1e-150, 1e-300] {
            let unit = largest * to_unit(largest);
            assert!((0.5..4.0).contains(&unit), "{largest}: {unit}");
        }
        assert!(5e-324 * to_unit(5e-324) > 0.0 && to_unit(5e-324).is_finite());
    }
}
