//! Rows of a NumPy array: streamed where they are stored row after row, else read whole.

use crate::collected::Parsed;
use crate::columns::Columns;
use crate::field::refuse;
use crate::input::ByteStream;
use crate::labels::{LabelBuilder, Labels};
use crate::npy::{Item, Shape, push_label};
use crate::pipeline::Pieces;
use crate::plan::{Plan, Role};
use crate::{Error, Place, ReadOptions};
use pfcvm::Matrix;

/// A matrix about to be read.
pub(crate) struct Layout {
    pub(crate) item: Item,
    pub(crate) rows: u64,
    pub(crate) cols: usize,
    pub(crate) by_columns: bool,
}

impl Layout {
    /// Refuses arrays that are no matrix of numbers.
    pub(crate) fn new(shape: Shape, options: &ReadOptions) -> Result<Self, Error> {
        let Shape { item, by_columns, shape } = shape;
        let (rows, cols) = match shape[..] {
            [rows, cols] => (rows, cols),
            _ => {
                let count = shape.len();
                return Err(Error::Array(format!(
                    "the array has {count} dimension{} (shape {shape:?}); a matrix with one row \
                     per sample has 2",
                    if count == 1 { "" } else { "s" }
                )));
            }
        };
        if item.is_text() {
            return Err(Error::Array("the matrix holds texts; save it as float64".into()));
        }
        if rows == 0 || cols == 0 {
            return Err(Error::Empty);
        }
        // One row must fit in memory whatever is wanted of it.
        options.allow(u128::from(cols) * 8, || "one row of the array".into())?;
        Ok(Self { item, rows, cols: cols as usize, by_columns })
    }

    /// Takes as many bytes as one row has, which any matrix has in either order. So a header cannot
    /// claim columns that are not there, and names can be made for them.
    pub(crate) fn first_row(&self, stream: &mut dyn ByteStream) -> Result<Vec<u8>, Error> {
        let count = self.cols * self.item.size;
        let mut bytes = Vec::new();
        let read = stream.pull(&mut bytes, count as u64)?;
        if read < count { Err(Error::CutOff { what: "array" }) } else { Ok(bytes) }
    }

    pub(crate) fn columns(&self) -> Columns {
        Columns::Numbered(self.cols)
    }
}

/// Whole rows of an array.
pub(crate) struct Slab {
    bytes: Vec<u8>,
    first_row: u64,
    read: u64,
}

/// Gives an array stored by rows in slabs.
pub(crate) struct Slabs {
    stream: Box<dyn ByteStream>,
    row_bytes: usize,
    per_slab: u64,
    next_row: u64,
    rows: u64,
    failed: Option<Error>,
}

impl Slabs {
    pub(crate) fn new(stream: Box<dyn ByteStream>, layout: &Layout, options: &ReadOptions) -> Self {
        let row_bytes = layout.item.size * layout.cols;
        let per_slab = (options.chunk_bytes / row_bytes).max(1) as u64;
        Self { stream, row_bytes, per_slab, next_row: 0, rows: layout.rows, failed: None }
    }
}

impl Pieces for Slabs {
    type Piece = Slab;

    /// Whole rows before a failure are given first, so that the first problem of the file is the
    /// one that is told.
    fn next(&mut self) -> Result<Option<Slab>, Error> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let rows = self.per_slab.min(self.rows - self.next_row);
        if rows == 0 {
            self.stream.finish()?;
            return Ok(None);
        }
        let wanted = rows as usize * self.row_bytes;
        // A header may claim rows of any length: room is made for what is usual.
        let mut bytes = Vec::with_capacity(wanted.min(4 << 20));
        match self.stream.pull(&mut bytes, wanted as u64) {
            Ok(read) if read < wanted => self.failed = Some(Error::CutOff { what: "array" }),
            Ok(_) => {}
            Err(error) => self.failed = Some(error),
        }
        bytes.truncate(bytes.len() / self.row_bytes * self.row_bytes);
        let first_row = self.next_row;
        self.next_row += (bytes.len() / self.row_bytes) as u64;
        Ok(Some(Slab { bytes, first_row, read: self.stream.taken() }))
    }
}

/// Takes the wanted columns out of a slab; `apart` holds the labels where they are no column.
pub(crate) fn parse(
    slab: &Slab,
    layout: &Layout,
    apart: Option<&Labels>,
    plan: &Plan,
) -> Result<Parsed, Error> {
    let size = layout.item.size;
    let rows = slab.bytes.len() / (size * layout.cols);
    let mut x = Matrix::zeros(rows, plan.width);
    let mut labels = LabelBuilder::default();
    for (row, bytes) in slab.bytes.chunks_exact(size * layout.cols).enumerate() {
        for target in &plan.targets {
            let value = &bytes[target.column * size..][..size];
            let place = || place(plan, slab.first_row + row as u64, target.column);
            match target.role {
                Role::Feature(at) => x.set(row, at, cell(layout.item, value, at, plan, place)?),
                Role::Label => push_label(&mut labels, layout.item, value, &plan.gaps, place)?,
                Role::Kept(_) => {}
            }
        }
    }
    let start = slab.first_row as usize;
    let labels = apart.map_or_else(|| labels.finish(), |all| all.range(start, start + rows));
    Ok(Parsed::numbers(x, labels, slab.read))
}

/// Reads a whole array that is stored column after column.
pub(crate) fn read_by_columns(
    stream: &mut dyn ByteStream,
    layout: &Layout,
    apart: Option<Labels>,
    plan: &Plan,
    options: &ReadOptions,
) -> Result<Parsed, Error> {
    let matrix_bytes = u128::from(layout.rows) * plan.width as u128 * 8;
    options.allow(matrix_bytes.max(u128::from(layout.rows) * 8), || {
        format!("an array of {} rows stored by columns", layout.rows)
    })?;
    let size = layout.item.size;
    let mut values: Vec<f64> = Vec::new(); // wanted columns in file order
    // At once, for a list that grows is there twice; what is never written takes no memory.
    let room = usize::try_from(matrix_bytes / 8).ok();
    if room.is_none_or(|room| values.try_reserve_exact(room).is_err()) {
        return Err(Error::Array(format!(
            "the array has {} rows stored by columns, for which there is no memory; store it by \
             rows",
            layout.rows
        )));
    }
    let mut order = Vec::new(); // for each of them, where it goes
    let mut labels = LabelBuilder::default();
    let mut targets = plan.targets.iter().peekable();
    let mut bytes = Vec::new();
    for column in 0..layout.cols {
        let mut features = Vec::new();
        let mut is_label = false;
        while let Some(target) = targets.next_if(|target| target.column == column) {
            match target.role {
                Role::Feature(at) => features.push(at),
                Role::Label => is_label = true,
                Role::Kept(_) => {}
            }
        }
        let mut row = 0;
        let start = values.len();
        while row < layout.rows {
            let part = (layout.rows - row).min((options.chunk_bytes / size).max(1) as u64);
            bytes.clear();
            let read = stream.pull(&mut bytes, part * size as u64)?;
            for value in bytes.chunks_exact(size) {
                let place = || place(plan, row, column);
                if let Some(&at) = features.first() {
                    values.push(cell(layout.item, value, at, plan, place)?);
                }
                if is_label {
                    push_label(&mut labels, layout.item, value, &plan.gaps, place)?;
                }
                row += 1;
            }
            if (read as u64) < part * size as u64 {
                return Err(Error::CutOff { what: "array" });
            }
        }
        // A column may be asked for more than once.
        for _ in 1..features.len() {
            values.extend_from_within(start..start + layout.rows as usize);
        }
        order.extend(features);
    }
    stream.finish()?;
    let rows = layout.rows as usize;
    let mut x = Matrix::from_column_major(rows, order.len(), values);
    if !order.is_sorted() {
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &goes)| places[goes] = at);
        x = x.select_columns(&places);
    }
    let labels = apart.unwrap_or_else(|| labels.finish());
    Ok(Parsed::numbers(x, labels, stream.taken()))
}

/// A finite number or a gap, as the column has it.
fn cell(
    item: Item,
    value: &[u8],
    at: usize,
    plan: &Plan,
    place: impl Fn() -> Place,
) -> Result<f64, Error> {
    match item.number(value) {
        number if number.is_infinite() => Err(refuse(place(), number.to_string().as_bytes())),
        number => Ok(plan.number(at, number)),
    }
}

fn place(plan: &Plan, row: u64, column: usize) -> Place {
    let name = plan.columns.name(column, plan.unnumbered);
    Place { unit: "row", number: row + 1, column: column + 1, name }
}
