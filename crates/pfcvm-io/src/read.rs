//! Whole tables from any format.

use crate::cells::{Dictionaries, MOST_WORDS};
use crate::chunks::Chunk;
use crate::collected::Fault;
use crate::columns::Columns;
use crate::error::counted;
use crate::field::{Commas, Gaps};
use crate::kinds::{Raw, Settled, settle};
use crate::labels::{Classes, Labels};
use crate::libsvm::{self, Part, Values};
use crate::rows::Body;
use crate::thinned::Thinned;
use crate::{Block, Error, Format, Input, ReadOptions, Rows, Table, Wanted, delimited, pipeline};
use pfcvm::Matrix;

/// Reads a whole file (or standard input) of any known format, packed by gzip or zstd or not.
///
/// `progress` is told, now and then, how many bytes have been read.
///
/// ```no_run
/// use pfcvm_io::{Input, ReadOptions, read_table};
///
/// let table = read_table(&Input::from("data.csv.gz"), &ReadOptions::default(), &mut |_| ())?;
/// let (negative, positive) = table.choose_classes(None)?;
/// let data = table.into_two_classes(&negative, &positive)?;
/// # Ok::<(), pfcvm_io::Error>(())
/// ```
pub fn read_table(
    input: &Input,
    options: &ReadOptions,
    progress: &mut dyn FnMut(u64),
) -> Result<Table, Error> {
    Rows::open(input, options)?.into_table(progress)
}

/// Reads a table from memory; errors call it `the data`.
pub fn read_table_from_bytes(bytes: Vec<u8>, options: &ReadOptions) -> Result<Table, Error> {
    let rows = Rows::from_reader(std::io::Cursor::new(bytes), "the data", options)?;
    rows.into_table(&mut |_| ())
}

impl Rows {
    /// Reads all rows into a table; see [`read_table`].
    pub fn into_table(self, progress: &mut dyn FnMut(u64)) -> Result<Table, Error> {
        self.collected(usize::MAX, progress)
    }

    /// Reads all rows and keeps some of them, at least `most` where there are more and at most twice as many, spread over
    /// all of the file, with one of every class: what columns hold is decided by these, and by the words of all rows. A
    /// LIBSVM file is refused, for its columns are known at its end only.
    pub fn into_sketch(self, most: usize, progress: &mut dyn FnMut(u64)) -> Result<Table, Error> {
        if self.format() == Format::Libsvm {
            let format = self.format().name();
            return Err(Error::NotInParts { format }.within(&self.name));
        }
        self.collected(most, progress)
    }

    fn collected(self, most: usize, progress: &mut dyn FnMut(u64)) -> Result<Table, Error> {
        let mut notes = self.notes().to_vec();
        if self.format() == Format::Npz
            && self.options.label.is_none()
            && self.label_column()?.is_some()
        {
            let note = "the archive has no array `y`: the last column of the matrix is the label";
            notes.push(note.into());
        }
        let (name, options, others) = (self.name.clone(), self.options.clone(), self.columns());
        let read = match self.format() {
            Format::Libsvm => collect_libsvm(self, progress)?,
            _ => collect_dense(self, most, progress)?,
        };
        read.into_table(notes, &options, &others).map_err(|error| error.within(&name))
    }
}

/// All rows of a file.
struct Whole {
    /// How many there were.
    rows_read: usize,
    /// Which of them are here, where others are left out.
    kept: Option<Vec<usize>>,
    raw: Raw,
    classes: Classes,
    faults: Vec<Fault>,
    /// Whether there were numbers with commas, and what the commas meant.
    commas: Option<Commas>,
}

impl Whole {
    /// Decides what columns hold, and which rows and columns there are to learn from.
    fn into_table(
        mut self,
        mut notes: Vec<String>,
        options: &ReadOptions,
        others: &[String],
    ) -> Result<Table, Error> {
        if let Some(error) = Error::of_faults(self.faults) {
            return Err(error);
        }
        let (rows_read, read) = (self.rows_read, self.raw.x.rows());
        let labelled = self.classes.labelled();
        if let Some(rows) = &labelled {
            if rows.is_empty() {
                return Err(Error::NoLabels);
            }
            self.raw.x = self.raw.x.select_rows(rows);
            let without = read - rows.len();
            let verb = if without == 1 { "is" } else { "are" };
            notes.push(format!("{} without a label {verb} left out", counted(without, "row")));
        }
        if self.commas == Some(Commas::Decimal) {
            notes.push("commas within numbers are taken as decimal points".into());
        } else if self.commas == Some(Commas::Thousands) {
            notes.push("commas within numbers are taken to set thousands apart".into());
        }
        let Settled { variables, x, notes: more } = settle(self.raw);
        if variables.is_empty() {
            return Err(Error::NothingLeft { why: more.join("; ") });
        }
        notes.extend(more);
        let mut table = Table::of_variables(variables, x, self.classes);
        if !options.groups.is_empty() {
            table = table.grouped(&options.groups, others)?;
        }
        let in_file = match (self.kept, labelled) {
            (Some(kept), Some(rows)) => Some(rows.into_iter().map(|row| kept[row]).collect()),
            (kept, labelled) => kept.or(labelled),
        };
        Ok(table.with_notes(notes).with_file_rows(in_file, rows_read))
    }
}

fn collect_dense(rows: Rows, most: usize, progress: &mut dyn FnMut(u64)) -> Result<Whole, Error> {
    let (features, names) = rows.table_columns()?;
    let (options, name) = (rows.options.clone(), rows.name.clone());
    let width = features.len();
    // Twice, for blocks are held until they are put together.
    let allow = |count: u128| {
        let what = || format!("reading a matrix of {count} rows and {width} features");
        options.allow(2 * count * width as u128 * 8, what).map_err(|error| error.within(&name))
    };
    let most_rows = most.saturating_mul(2) as u128;
    allow(rows.declared_rows().map_or(0, u128::from).min(most_rows))?;
    let (said, readers) = rows.said(&features)?;
    let comma = match &rows.body {
        Body::Delimited(_, separator) => delimited::commas(*separator),
        _ => Commas::No,
    };
    let wanted = Wanted { features, label: true, ..Wanted::default() };
    let mut classes = Classes::default();
    let mut blocks: Vec<Matrix> = Vec::new();
    let mut thinned = (most < usize::MAX).then(|| Thinned::new(most));
    let (mut words, mut strange, mut faults) =
        (Dictionaries::default(), vec![0; width], Vec::new());
    let (mut count, mut commas) = (0, None);
    rows.run(&wanted, Some(readers), Ok, |mut block: Block, read| {
        progress(read);
        count += block.x.rows() as u128;
        allow(count.min(most_rows))?;
        for (at, dictionary) in block.words.into_each() {
            let by_user = said[at].is_some_and(|said| said.by_user);
            let most = if by_user { u32::MAX as usize } else { MOST_WORDS };
            words.of(at).take_over(dictionary, most, block.x.column_mut(at));
        }
        for (total, more) in strange.iter_mut().zip(block.strange) {
            *total += more;
        }
        faults.extend(block.faults);
        if block.commas {
            commas = Some(comma);
        }
        match &mut thinned {
            Some(thinned) => thinned.take(block.first_row, &block.x, &block.labels),
            None => {
                classes.extend(&block.labels);
                blocks.push(block.x);
            }
        }
        Ok::<(), Error>(())
    })?;
    let kept = thinned.map(|thinned| thinned.finish(&mut blocks, &mut classes));
    let x = if blocks.len() == 1 { blocks.remove(0) } else { stack(blocks, width) };
    let raw = Raw { names, x, words, said, strange };
    Ok(Whole { rows_read: count as usize, kept, raw, classes, faults, commas })
}

/// Puts blocks below each other. A block is freed as soon as it is copied, and fresh zeros take no
/// memory before they are written, so there is hardly ever more than one copy.
fn stack(blocks: Vec<Matrix>, width: usize) -> Matrix {
    let rows = blocks.iter().map(Matrix::rows).sum();
    let mut x = Matrix::zeros(rows, width);
    let mut first = 0;
    for block in blocks {
        for j in 0..width {
            x.column_mut(j)[first..first + block.rows()].copy_from_slice(block.column(j));
        }
        first += block.rows();
    }
    x
}

/// The width of a LIBSVM file is known at its end, so all pairs are kept until then.
fn collect_libsvm(rows: Rows, progress: &mut dyn FnMut(u64)) -> Result<Whole, Error> {
    let Rows { name, options, body, .. } = rows;
    let Body::Libsvm(chunks) = body else { return Err(Error::Empty) };
    let within = |error: Error| error.within(&name);
    let mut classes = Classes::default();
    let mut parts = Vec::new();
    let (mut count, mut width, mut held) = (0usize, 0, 0);
    let gaps = Gaps::new(&options.missing);
    let parse = |chunk: Chunk| libsvm::parse_all(&chunk, &gaps).map(|part| (part, chunk.read));
    let rows = |(part, _): &(Part, u64)| part.labels.len();
    pipeline::run(
        pipeline::unparsed(chunks, parse),
        &name,
        rows,
        |_, part| Ok(part),
        |(part, read): (Part, u64)| {
            progress(read);
            count += part.labels.len();
            width = width.max(part.width);
            held += part.bytes() as u128;
            options.allow(held, || "what has been read so far".into()).map_err(within)?;
            classes.extend(&part.labels);
            parts.push(Part { labels: Labels::default(), ..part });
            Ok::<(), Error>(())
        },
    )?;
    if count == 0 {
        return Err(within(Error::Empty));
    }
    // Names and what is known of columns count, 225 bytes each as measured: a single row may claim billions.
    const PER_COLUMN: u128 = 240;
    let written: usize = parts.iter().map(Part::written).sum();
    let sparse = Matrix::stays_sparse(count, width, written);
    let cells = if sparse { 12 * written as u128 } else { 8 * width as u128 * count as u128 };
    let rows = counted(count, "row");
    let whole = if sparse { "" } else { " as a full matrix" };
    let what = || format!("{rows} with indices up to {width}{whole}");
    options.allow(cells + width as u128 * PER_COLUMN, what).map_err(within)?;
    let columns = Columns::Numbered(width);
    let features = columns.features(None, None, &options).map_err(within)?;
    let names = features.iter().map(|&at| columns.name(at, None)).collect();
    let said = columns.said(None, &options).map_err(within)?;
    let raw = Raw {
        names,
        x: match sparse {
            true => gather(parts, &features, count, width).map_err(within)?,
            false => spread(parts, &features, count, width),
        },
        words: Dictionaries::default(),
        said: features.iter().map(|at| said.get(at).copied()).collect(),
        strange: Vec::new(),
    };
    let (faults, commas) = (Vec::new(), None);
    Ok(Whole { rows_read: count, kept: None, raw, classes, faults, commas })
}

/// Where each column of a file stands among the kept ones.
fn places(features: &[usize], width: usize) -> Vec<usize> {
    let mut place = vec![usize::MAX; width];
    features.iter().enumerate().for_each(|(at, &column)| place[column] = at);
    place
}

/// The written cells of the kept columns, of all parts.
fn gather(
    parts: Vec<Part>,
    features: &[usize],
    rows: usize,
    width: usize,
) -> Result<Matrix, Error> {
    let place = places(features, width);
    // Where the cells of each column begin, then where the next one goes.
    let mut starts = vec![0usize; features.len() + 1];
    for part in &parts {
        part.each(|_, column, _| {
            if place[column] != usize::MAX {
                starts[place[column] + 1] += 1;
            }
        });
    }
    for at in 0..features.len() {
        starts[at + 1] += starts[at];
    }
    let (mut next, written) = (starts.clone(), starts[features.len()]);
    let (mut cells, mut values, mut first) = (vec![0u32; written], vec![0.0; written], 0);
    for part in parts {
        part.each(|row, column, value| {
            if let Some(next) = next.get_mut(place[column]) {
                (cells[*next], values[*next]) = ((first + row) as u32, value);
                *next += 1;
            }
        });
        first += part.rows();
    }
    Ok(Matrix::from_written(rows, starts, cells, values)?)
}

/// The kept columns of all parts below each other.
fn spread(parts: Vec<Part>, features: &[usize], rows: usize, width: usize) -> Matrix {
    let place = places(features, width);
    let mut x = Matrix::zeros(rows, features.len());
    let mut first = 0;
    for part in parts {
        match part.values {
            Values::Dense(block) => {
                for column in 0..block.cols() {
                    if place[column] != usize::MAX {
                        let target = &mut x.column_mut(place[column])[first..];
                        target[..block.rows()].copy_from_slice(block.column(column));
                    }
                }
                first += block.rows();
            }
            Values::Sparse { ends, pairs } => {
                libsvm::each_row(&ends, |row, range| {
                    for &(column, value) in &pairs[range] {
                        if place[column as usize] != usize::MAX {
                            x.set(first + row, place[column as usize], value);
                        }
                    }
                });
                first += ends.len();
            }
        }
    }
    x
}
