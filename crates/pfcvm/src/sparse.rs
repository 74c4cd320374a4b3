//! Columns of which most cells hold the same: LIBSVM files and sparse matrices, as they are and scaled.
//!
//! A cell is what was written for it, or else the background of its column: 0 in what was read, and what 0
//! becomes once a column is shifted and scaled. With x = b + δ, where δ is 0 but for the written cells,
//!
//! - Xv = Σₖ bₖvₖ + δv and Xᵀv = b Σᵢvᵢ + δᵀv,
//! - Σₖ θₖ xₖzₖ = Σₖ θₖbₖ² + Σₖ θₖbₖ(δxₖ + δzₖ) + Σₖ θₖ δxₖδzₖ,
//! - (XᵀCX)ₖₗ = bₖbₗ Σᵢcᵢ + bₖ(δᵀc)ₗ + bₗ(δᵀc)ₖ + Σᵢ cᵢδᵢₖδᵢₗ,
//!
//! so that sums over all cells cost what the written ones cost. Whoever needs a cell of every row gets the
//! whole as plain columns, made once.

use std::sync::OnceLock;

/// At most this share of the cells is written; of more, plain columns are as small and faster.
const MOST_WRITTEN: f64 = 0.25;
/// So many columns are plain where they are chosen from others: they are looked at closely.
const FEW_COLUMNS: usize = 64;

/// Columns with a background.
#[derive(Clone, Debug)]
pub(crate) struct Sparse {
    rows: usize,
    /// Where the written cells of each column begin, and where the last ones end.
    starts: Vec<usize>,
    /// The row of each written cell, ascending in a column.
    places: Vec<u32>,
    values: Vec<f64>,
    background: Vec<f64>,
    plain: OnceLock<Vec<f64>>,
}

/// The cells of one column: what is written, and what all others hold.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'a> {
    pub written: &'a [f64],
    /// The rows of the written cells; nothing where all rows are.
    pub places: Option<&'a [u32]>,
    pub background: f64,
    pub rows: usize,
}

impl<'a> Cells<'a> {
    /// Of a column that is written in full.
    pub fn all(column: &'a [f64]) -> Self {
        Self { written: column, places: None, background: 0.0, rows: column.len() }
    }

    /// How many cells are not written.
    pub fn unwritten(&self) -> usize {
        self.rows - self.written.len()
    }

    /// All of them, in no order.
    pub fn values(&self) -> Vec<f64> {
        let background = std::iter::repeat_n(self.background, self.unwritten());
        self.written.iter().copied().chain(background).collect()
    }

    /// Those of rows `start..end`, which keep their numbers.
    pub fn within(self, start: usize, end: usize) -> Self {
        let range = match self.places {
            None => start..end,
            Some(places) => {
                let at = |row: usize| places.partition_point(|place| (*place as usize) < row);
                at(start)..at(end)
            }
        };
        let (written, places) = (&self.written[range.clone()], self.places.map(|p| &p[range]));
        Self { written, places, rows: end - start, ..self }
    }

    /// The written cells with their rows.
    pub fn each(&self) -> impl Iterator<Item = (usize, f64)> + use<'a> {
        let (places, values) = (self.places, self.written);
        (0..values.len()).map(move |at| (places.map_or(at, |p| p[at] as usize), values[at]))
    }
}

impl Sparse {
    /// Whether so many written cells are few.
    pub fn pays(rows: usize, cols: usize, written: usize) -> bool {
        let few = MOST_WRITTEN * rows as f64 * cols as f64;
        written as f64 <= few && u32::try_from(rows).is_ok()
    }

    /// Written cells, column after column, whose rows ascend; all others are 0.
    pub fn new(rows: usize, starts: Vec<usize>, places: Vec<u32>, values: Vec<f64>) -> Self {
        let background = vec![0.0; starts.len() - 1];
        Self { rows, starts, places, values, background, plain: OnceLock::new() }
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn cols(&self) -> usize {
        self.background.len()
    }

    /// All cells, column after column.
    pub fn plain(&self) -> &[f64] {
        self.plain.get_or_init(|| {
            let mut all = Vec::with_capacity(self.rows * self.cols());
            (0..self.cols()).for_each(|j| self.append_column(j, &mut all));
            all
        })
    }

    /// Puts the cells of a column behind others.
    pub fn append_column(&self, j: usize, all: &mut Vec<f64>) {
        let start = all.len();
        all.resize(start + self.rows, 0.0);
        self.copy_column(j, &mut all[start..]);
    }

    /// Writes the cells of a column over others.
    pub fn copy_column(&self, j: usize, target: &mut [f64]) {
        let cells = self.cells(j);
        target.fill(cells.background);
        cells.each().for_each(|(row, value)| target[row] = value);
    }

    pub fn cells(&self, j: usize) -> Cells<'_> {
        let range = self.starts[j]..self.starts[j + 1];
        let (written, places) = (&self.values[range.clone()], Some(&self.places[range]));
        Cells { written, places, background: self.background[j], rows: self.rows }
    }

    /// One cell.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let range = self.starts[j]..self.starts[j + 1];
        match self.places[range.clone()].binary_search(&(i as u32)) {
            Ok(at) => self.values[range][at],
            Err(_) => self.background[j],
        }
    }

    /// The given rows, in the given order; a row may come more than once.
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        // The places that each row goes to.
        let mut ends = vec![0usize; self.rows + 1];
        rows.iter().for_each(|&row| ends[row + 1] += 1);
        for row in 0..self.rows {
            ends[row + 1] += ends[row];
        }
        let (mut next, mut targets) = (ends.clone(), vec![0u32; rows.len()]);
        for (to, &row) in rows.iter().enumerate() {
            targets[next[row]] = to as u32;
            next[row] += 1;
        }
        self.moved(rows.len(), |row| &targets[ends[row]..ends[row + 1]])
    }

    /// Rows `start..end`.
    pub fn row_range(&self, start: usize, end: usize) -> Self {
        let targets: Vec<u32> = (0..(end - start) as u32).collect();
        self.moved(end - start, |row| match (start..end).contains(&row) {
            true => &targets[row - start..=row - start],
            false => &[],
        })
    }

    /// The given columns, if few of their cells are written.
    pub fn select_columns(&self, cols: &[usize]) -> Option<Self> {
        let written = cols.iter().map(|&j| self.starts[j + 1] - self.starts[j]).sum();
        if cols.len() <= FEW_COLUMNS || !Self::pays(self.rows, cols.len(), written) {
            return None;
        }
        let (mut places, mut values) = (Vec::with_capacity(written), Vec::with_capacity(written));
        let mut starts = vec![0];
        for &j in cols {
            let range = self.starts[j]..self.starts[j + 1];
            places.extend_from_slice(&self.places[range.clone()]);
            values.extend_from_slice(&self.values[range]);
            starts.push(values.len());
        }
        let background = cols.iter().map(|&j| self.background[j]).collect();
        Some(Self { rows: self.rows, starts, places, values, background, plain: OnceLock::new() })
    }

    /// Every row goes to some places.
    fn moved<'t>(&self, rows: usize, to: impl Fn(usize) -> &'t [u32]) -> Self {
        let mut starts = vec![0];
        let (mut places, mut values) = (Vec::new(), Vec::new());
        let mut column: Vec<(u32, f64)> = Vec::new();
        for j in 0..self.cols() {
            column.clear();
            for (row, value) in self.cells(j).each() {
                column.extend(to(row).iter().map(|&place| (place, value)));
            }
            column.sort_unstable_by_key(|(place, _)| *place);
            places.extend(column.iter().map(|(place, _)| place));
            values.extend(column.iter().map(|(_, value)| value));
            starts.push(places.len());
        }
        let background = self.background.clone();
        Self { rows, starts, places, values, background, plain: OnceLock::new() }
    }

    /// Other columns made from these: column `sources[k]` with every cell changed by `changes(k)`.
    pub fn made<F: Fn(f64) -> f64>(&self, sources: &[usize], changes: impl Fn(usize) -> F) -> Self {
        let mut starts = vec![0];
        let (mut places, mut values, mut background) = (Vec::new(), Vec::new(), Vec::new());
        for (k, &j) in sources.iter().enumerate() {
            let (cells, change) = (self.cells(j), changes(k));
            places.extend_from_slice(&self.places[self.starts[j]..self.starts[j + 1]]);
            values.extend(cells.written.iter().map(|v| change(*v)));
            starts.push(places.len());
            // Where every cell is written nothing holds the background: 0 is exact in all sums.
            background.push(if cells.unwritten() == 0 { 0.0 } else { change(cells.background) });
        }
        Self { rows: self.rows, starts, places, values, background, plain: OnceLock::new() }
    }

    /// The written cells of each row: columns and values.
    pub fn by_rows(&self) -> Vec<Vec<(u32, f64)>> {
        let mut rows = vec![Vec::new(); self.rows];
        for j in 0..self.cols() {
            self.cells(j).each().for_each(|(row, value)| rows[row].push((j as u32, value)));
        }
        rows
    }

    /// X v.
    pub fn times(&self, v: &[f64]) -> Vec<f64> {
        let all: f64 = self.background.iter().zip(v).map(|(b, v)| b * v).sum();
        let mut out = vec![all; self.rows];
        for (j, v) in v.iter().enumerate().filter(|(_, v)| **v != 0.0) {
            let cells = self.cells(j);
            cells.each().for_each(|(i, value)| out[i] += (value - cells.background) * v);
        }
        out
    }

    /// Xᵀ v.
    pub fn transpose_times(&self, v: &[f64]) -> Vec<f64> {
        let all: f64 = v.iter().sum();
        let of_column = |j: usize| {
            let cells = self.cells(j);
            let written = cells.each().map(|(i, value)| (value - cells.background) * v[i]);
            cells.background * all + written.sum::<f64>()
        };
        (0..self.cols()).map(of_column).collect()
    }

    /// Σₖ θₖ xᵢₖ zⱼₖ, one row after the other for each row j of `z`, whose columns have the same backgrounds.
    pub fn inner_products(&self, z: &Self, theta: &[f64]) -> Vec<f64> {
        let along: Vec<f64> = self.background.iter().zip(theta).map(|(b, t)| b * t).collect();
        let all: f64 = self.background.iter().zip(&along).map(|(b, a)| b * a).sum();
        // Each holds Σₖ θₖbₖ² once.
        let (of_x, of_z) = (self.times(&along), z.times(&along));
        let mut out: Vec<f64> = Vec::with_capacity(self.rows * z.rows);
        of_z.iter().for_each(|z| out.extend(of_x.iter().map(|x| x + z - all)));
        for (k, theta) in theta.iter().enumerate().filter(|(_, t)| **t != 0.0) {
            let (own, other) = (self.cells(k), z.cells(k));
            for (j, value) in other.each() {
                let factor = theta * (value - other.background);
                let target = &mut out[j * self.rows..(j + 1) * self.rows];
                own.each().for_each(|(i, value)| target[i] += factor * (value - own.background));
            }
        }
        out
    }

    /// The lower triangle of XᵀCX over some columns, column after column.
    pub fn gram(&self, c: &[f64], free: &[usize]) -> Vec<f64> {
        let (size, total) = (free.len(), c.iter().sum::<f64>());
        let background = |at: usize| self.background[free[at]];
        // What is written of each row, apart from the background, and its sums over rows.
        let mut rows: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.rows];
        let mut along = vec![0.0; size];
        for (at, &j) in free.iter().enumerate() {
            for (row, value) in self.cells(j).each() {
                let apart = value - self.background[j];
                along[at] += c[row] * apart;
                rows[row].push((at, apart));
            }
        }
        let mut out = vec![0.0; size * size];
        for (l, column) in out.chunks_mut(size.max(1)).enumerate() {
            let (own, own_along) = (background(l), along[l]);
            for k in l..size {
                column[k] = background(k) * (own * total + own_along) + own * along[k];
            }
        }
        for (row, c) in rows.iter().zip(c) {
            for (first, (l, of_l)) in row.iter().enumerate() {
                let column = &mut out[l * size..(l + 1) * size];
                row[first..].iter().for_each(|(k, of_k)| column[*k] += c * of_l * of_k);
            }
        }
        out
    }

    /// Whether the backgrounds of all columns are those of another.
    pub fn goes_with(&self, other: &Self) -> bool {
        self.background == other.background
    }

    /// How many cells are written.
    pub fn written(&self) -> usize {
        self.values.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;
    use crate::algebra::{Work, product_nt, times_vector, transpose_times_vector};

    /// Five rows, three columns, with backgrounds 0, −2 and 0.5; the last is written in full.
    fn example() -> Sparse {
        let places = vec![1, 4, 0, 0, 1, 2, 3, 4];
        let values = vec![3.0, -1.0, 7.0, 1.0, 2.0, 3.0, 4.0, 5.0];
        let sparse = Sparse::new(5, vec![0, 2, 3, 8], places, values);
        sparse.made(&[0, 1, 2], |k| move |v: f64| v - [0.0, 2.0, -0.5][k])
    }

    fn plain(sparse: &Sparse) -> Matrix {
        Matrix::from_column_major(sparse.rows(), sparse.cols(), sparse.plain().to_vec())
    }

    fn close(a: &[f64], b: &[f64]) {
        assert_eq!(a.len(), b.len());
        a.iter().zip(b).for_each(|(a, b)| assert!((a - b).abs() < 1e-13, "{a} {b}"));
    }

    #[test]
    fn cells_are_what_was_written_or_the_background() {
        let sparse = example();
        let expected =
            [[0.0, 3.0, 0.0, 0.0, -1.0], [5.0, -2.0, -2.0, -2.0, -2.0], [1.5, 2.5, 3.5, 4.5, 5.5]];
        assert_eq!(sparse.plain(), expected.concat());
        for (j, column) in expected.iter().enumerate() {
            (0..5).for_each(|i| assert_eq!(sparse.get(i, j), column[i]));
        }
        // All cells of the last one are written: its background is in no sum.
        assert_eq!(sparse.background, [0.0, -2.0, 0.0]);
    }

    #[test]
    fn rows_go_where_they_are_asked_to() {
        let (sparse, whole) = (example(), plain(&example()));
        for rows in [&[4, 0, 0, 2][..], &[1], &[0, 1, 2, 3, 4]] {
            assert_eq!(plain(&sparse.select_rows(rows)), whole.select_rows(rows));
        }
        assert_eq!(plain(&sparse.row_range(1, 4)), whole.row_range(1, 4));
        assert_eq!(sparse.by_rows()[0], [(1, 5.0), (2, 1.5)]);
    }

    /// Of many columns some stay sparse; of few, or of columns that are mostly written, plain ones are made.
    #[test]
    fn many_columns_stay_sparse() {
        let starts = (0..=100).collect();
        let places = (0..100).map(|k| (3 * k % 40) as u32).collect();
        let values = (0..100).map(|k| 7.0 - f64::from(k)).collect();
        let sparse = Sparse::new(40, starts, places, values)
            .made(&Vec::from_iter(0..100), |k| move |v: f64| 0.5 * v - k as f64);
        let whole = Matrix::of_sparse(40, sparse.clone());
        let many: Vec<usize> = (0..90).rev().collect();
        let some = whole.select_columns(&many);
        assert!(some.is_sparse() && !whole.select_columns(&many[..20]).is_sparse());
        assert_eq!(some, plain(&sparse).select_columns(&many));
        assert!(some.sparse().unwrap().goes_with(some.select_rows(&[3, 9]).sparse().unwrap()));
    }

    /// XᵀCX and √C X over some columns, of written cells and of all.
    #[test]
    fn curvatures_are_those_of_all_cells() {
        use crate::posterior::Columns;
        let (sparse, whole) = (Matrix::of_sparse(5, example()), plain(&example()));
        let (c, mut work) = ([0.5, 2.0, 0.1, 1.0, 3.0], Work::new(false));
        for free in [&[0, 1, 2][..], &[2, 1], &[1], &[]] {
            let (found, expected) = (
                Columns::gram(&sparse, &c, free, &mut work),
                Columns::gram(&whole, &c, free, &mut work),
            );
            for l in 0..free.len() {
                close(&found.column(l)[l..], &expected.column(l)[l..]);
            }
            let scaled = Columns::scaled(&sparse, &c, free, &mut work);
            close(scaled.as_slice(), Columns::scaled(&whole, &c, free, &mut work).as_slice());
        }
    }

    #[test]
    fn products_are_those_of_all_cells() {
        let (sparse, whole) = (example(), plain(&example()));
        let mut work = Work::new(false);
        let (v, r) = ([0.5, -1.0, 2.0], [1.0, 2.0, -3.0, 0.5, 4.0]);
        close(&sparse.times(&v), &times_vector(&whole, &v, &work));
        close(&sparse.transpose_times(&r), &transpose_times_vector(&whole, &r, &work));
        let z = sparse.select_rows(&[3, 1]);
        let theta = [2.0, 0.3, 0.0];
        let weighted = Matrix::from_fn(2, 3, |j, k| theta[k] * plain(&z).get(j, k));
        let expected = product_nt(&whole, &weighted, &mut work);
        close(&sparse.inner_products(&z, &theta), expected.as_slice());
    }
}
