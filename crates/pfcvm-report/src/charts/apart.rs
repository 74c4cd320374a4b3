//! Labels moved as little as needed so that none covers another.

/// Middles for pieces of the given sizes that lie as near to the wanted middles as they can (by
/// the sum of squares) without overlapping, in the order of the wanted ones. They stay inside the
/// range if they fit into it; otherwise they begin at its low end.
pub(super) fn apart(wanted: &[f64], sizes: &[f64], (low, high): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    // Where each would be if all were packed from zero; without that, they only have to rise.
    let (mut packed, mut end) = (Vec::with_capacity(order.len()), 0.0);
    for &at in &order {
        packed.push(end + 0.5 * sizes[at]);
        end += sizes[at];
    }
    // Least squares under "never falls": neighbours that would fall share their mean.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (place, &at) in order.iter().enumerate() {
        let mut block = (wanted[at] - packed[place], 1);
        while let Some(&(mean, count)) = blocks.last()
            && mean > block.0
        {
            let both = count + block.1;
            block.0 = (mean * count as f64 + block.0 * block.1 as f64) / both as f64;
            block.1 = both;
            blocks.pop();
        }
        blocks.push(block);
    }
    let shifts = blocks.iter().flat_map(|&(mean, count)| std::iter::repeat_n(mean, count));
    let mut middles = vec![0.0; wanted.len()];
    for ((&at, shift), packed) in order.iter().zip(shifts).zip(packed) {
        middles[at] = packed + shift.min(high - end).max(low);
    }
    middles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_room_stays_where_it_is() {
        let middles = apart(&[50.0, 10.0, 30.0], &[10.0; 3], (0.0, 100.0));
        assert_eq!(middles, [50.0, 10.0, 30.0]);
        assert_eq!(apart(&[], &[], (0.0, 1.0)), Vec::<f64>::new());
    }

    #[test]
    fn equal_wishes_are_spread_around_the_wish() {
        assert_eq!(apart(&[50.0; 3], &[10.0; 3], (0.0, 100.0)), [40.0, 50.0, 60.0]);
        assert_eq!(apart(&[0.0; 2], &[10.0; 2], (0.0, 100.0)), [5.0, 15.0]);
        assert_eq!(apart(&[99.0, 98.0], &[10.0; 2], (0.0, 100.0)), [95.0, 85.0]);
        assert_eq!(apart(&[9.0; 3], &[10.0; 3], (0.0, 20.0)), [5.0, 15.0, 25.0], "too many");
    }

    #[test]
    fn pieces_of_any_size_never_overlap() {
        let wanted: Vec<f64> = (0..40).map(|k| 300.0 * (k as f64 * 0.618).fract()).collect();
        let sizes: Vec<f64> = (0..40).map(|k| 1.0 + 8.0 * (k as f64 * 0.381).fract()).collect();
        let middles = apart(&wanted, &sizes, (0.0, 300.0));
        let mut pieces: Vec<(f64, f64)> = middles.into_iter().zip(sizes).collect();
        pieces.sort_by(|a, b| a.0.total_cmp(&b.0));
        for pair in pieces.windows(2) {
            let gap = pair[1].0 - pair[0].0 - 0.5 * (pair[0].1 + pair[1].1);
            assert!(gap > -1e-9, "{gap}");
        }
        assert!(pieces[0].0 - 0.5 * pieces[0].1 > -1e-9);
        assert!(pieces[39].0 + 0.5 * pieces[39].1 < 300.0 + 1e-9);
    }
}
