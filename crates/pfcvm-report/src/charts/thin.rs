//! Fewer points for the same look.

/// At most `limit` points of a curve (at least 2) whose coordinates lie in [0, 1], so few that
/// the picture stays small and so placed that it looks the same: first points that lie within
/// 1/4000 of the one before go, then, after Douglas and Peucker, those near the line through
/// their neighbours.
pub fn thinned(points: &[(f64, f64)], limit: usize) -> Vec<(f64, f64)> {
    if points.len() <= limit {
        return points.to_vec();
    }
    let mut coarse: Vec<(f64, f64)> = Vec::new();
    for (at, &(x, y)) in points.iter().enumerate() {
        let far = coarse.last().is_none_or(|last| (x - last.0).abs() + (y - last.1).abs() > 2.5e-4);
        if far || at + 1 == points.len() {
            coarse.push((x, y));
        }
    }
    let mut tolerance = 1e-4;
    loop {
        let kept = simplified(&coarse, tolerance);
        if kept.len() <= limit.max(2) {
            return kept;
        }
        tolerance *= 1.5;
    }
}

/// Points of which no left-out one is farther than `tolerance` from the line.
fn simplified(points: &[(f64, f64)], tolerance: f64) -> Vec<(f64, f64)> {
    let Some(end) = points.len().checked_sub(1) else { return Vec::new() };
    let mut keep = vec![false; points.len()];
    keep[0] = true;
    keep[end] = true;
    let mut pieces = vec![(0, end)];
    while let Some((first, last)) = pieces.pop() {
        let inside = first + 1..last;
        let distances = inside.map(|at| (at, distance(points[at], points[first], points[last])));
        let farthest = distances.max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((at, distance)) = farthest
            && distance > tolerance
        {
            keep[at] = true;
            pieces.push((first, at));
            pieces.push((at, last));
        }
    }
    points.iter().zip(keep).filter_map(|(&point, keep)| keep.then_some(point)).collect()
}

/// Distance of a point from the straight line between two others.
fn distance(point: (f64, f64), from: (f64, f64), to: (f64, f64)) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (px, py) = (point.0 - from.0, point.1 - from.1);
    let length = dx.hypot(dy);
    if length == 0.0 { px.hypot(py) } else { (dx * py - dy * px).abs() / length }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fine staircase up an arc: half a pixel at most may be lost on a plot 400 pixels wide.
    #[test]
    fn a_long_curve_keeps_its_look() {
        let rows = 200_000;
        let curve: Vec<(f64, f64)> = (0..=rows)
            .map(|k| {
                let x = k as f64 / rows as f64;
                (x, (x.sqrt() * 5000.0).floor() / 5000.0)
            })
            .collect();
        let thin = thinned(&curve, 500);
        assert!(thin.len() <= 500 && thin.len() > 20, "{}", thin.len());
        assert_eq!((thin[0], thin[thin.len() - 1]), (curve[0], curve[rows]));
        for &(x, y) in curve.iter().step_by(97) {
            let at = thin.partition_point(|point| point.0 < x).max(1);
            let gap = distance((x, y), thin[at - 1], thin[at]);
            assert!(gap < 0.5 / 400.0, "{gap} at {x}");
        }
    }

    #[test]
    fn short_curves_are_left_alone() {
        let points = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0)];
        assert_eq!(thinned(&points, 500), points);
    }
}
