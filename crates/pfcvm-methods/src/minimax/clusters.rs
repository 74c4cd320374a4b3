//! Clusters of samples by k-means.

use crate::linalg::squared_distances;
use crate::stop::wanted;
use pfcvm::Matrix;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::iter::once;

/// Starts, of which the best end is taken.
const STARTS: u64 = 8;
/// Rounds after which a start ends come what may.
const MOST_ROUNDS: usize = 100;

/// The given rows of `x` in at most `count` clusters, none of them empty: those with the least
/// weighted sum of squared distances to their means among a few starts (Lloyd 1982, started as
/// Arthur & Vassilvitskii 2007).
pub(super) fn clusters(
    x: &Matrix,
    weights: &[f64],
    rows: &[usize],
    count: usize,
    seed: u64,
) -> Vec<Vec<usize>> {
    if count <= 1 || rows.len() <= 1 {
        return vec![rows.to_vec()];
    }
    let points = x.select_rows(rows);
    let weights = Vec::from_iter(rows.iter().map(|&row| weights[row]));
    let run = |start| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed.wrapping_mul(STARTS).wrapping_add(start));
        lloyd(&points, &weights, start_centres(&points, &weights, count, &mut rng))
    };
    let ends = (0..STARTS).map(run);
    let best = ends.reduce(|best, end| if end.1 < best.1 * (1.0 - 1e-12) { end } else { best });
    let nearest = best.map_or_else(Vec::new, |(nearest, _)| nearest);
    let members = |cluster: usize| {
        let own = rows.iter().zip(&nearest).filter(|(_, at)| **at == cluster);
        Vec::from_iter(own.map(|(row, _)| *row))
    };
    let mut found = Vec::from_iter((0..count).map(members));
    found.retain(|cluster| !cluster.is_empty());
    // By their first sample: numbers of clusters mean nothing.
    found.sort();
    found
}

/// The first centre at random, each further one in proportion to its squared distance from those.
fn start_centres(points: &Matrix, weights: &[f64], count: usize, rng: &mut ChaCha8Rng) -> Matrix {
    let mut chosen = vec![draw(weights, rng)];
    let mut distances = squared_distances(points, &points.select_rows(&chosen)).column(0).to_vec();
    while chosen.len() < count {
        let shares = Vec::from_iter(distances.iter().zip(weights).map(|(d, w)| d * w));
        if shares.iter().all(|share| *share <= 1e-12) {
            break;
        }
        let next = draw(&shares, rng);
        let to_next = squared_distances(points, &points.select_rows(&[next]));
        let pairs = distances.iter_mut().zip(to_next.column(0));
        pairs.for_each(|(distance, other)| *distance = distance.min(*other));
        chosen.push(next);
    }
    points.select_rows(&chosen)
}

/// A position, in proportion to its share.
fn draw(shares: &[f64], rng: &mut ChaCha8Rng) -> usize {
    let mut left = rng.random::<f64>() * shares.iter().sum::<f64>();
    for (at, share) in shares.iter().enumerate() {
        left -= share;
        if left < 0.0 {
            return at;
        }
    }
    shares.len() - 1
}

/// The cluster of each point, and the weighted sum of squared distances.
fn lloyd(points: &Matrix, weights: &[f64], mut centres: Matrix) -> (Vec<usize>, f64) {
    let mut nearest = vec![usize::MAX; points.rows()];
    let mut sum = f64::INFINITY;
    // Every point has a cluster after the first round.
    for _ in once(0).chain(wanted(1..MOST_ROUNDS)) {
        let distances = squared_distances(points, &centres);
        let near = |i: usize| {
            let closer = |best: usize, c: usize| {
                if distances.get(i, c) < distances.get(i, best) { c } else { best }
            };
            (1..centres.rows()).fold(0, closer)
        };
        let next = Vec::from_iter((0..points.rows()).map(near));
        sum = (0..points.rows()).map(|i| weights[i] * distances.get(i, next[i])).sum();
        if next == nearest {
            break;
        }
        nearest = next;
        for cluster in 0..centres.rows() {
            let members = Vec::from_iter((0..points.rows()).filter(|&i| nearest[i] == cluster));
            let total: f64 = members.iter().map(|&i| weights[i]).sum();
            // An empty cluster keeps its centre.
            if total > 0.0 {
                for j in 0..points.cols() {
                    let column = points.column(j);
                    let mean = members.iter().map(|&i| weights[i] * column[i]).sum::<f64>() / total;
                    centres.set(cluster, j, mean);
                }
            }
        }
    }
    (nearest, sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clouds_far_apart_are_found() {
        let x =
            Matrix::from_fn(40, 2, |i, j| ((i % 4) * 10 + j) as f64 + ((i * 7) % 5) as f64 / 9.0);
        let every = Vec::from_iter(0..40);
        let found = clusters(&x, &[1.0; 40], &every, 4, 0);
        let expected = (0..4).map(|c| Vec::from_iter((0..40).filter(|i| i % 4 == c)));
        assert_eq!(found, Vec::from_iter(expected));
        assert_eq!(found, clusters(&x, &[1.0; 40], &every, 4, 9));
    }

    #[test]
    fn copies_make_one_cluster() {
        let x = Matrix::from_fn(6, 2, |_, j| j as f64);
        assert_eq!(clusters(&x, &[1.0; 6], &[1, 3, 5], 3, 0), [[1, 3, 5]]);
    }
}
