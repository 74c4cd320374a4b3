//! What must hold of any bytes whatever, for the fuzzer and the tests of its corpus.
//!
//! Reading may fail, with a message; it may not panic, and neither the size of blocks nor the
//! number of threads may change what comes out.

mod built;
#[cfg(all(feature = "excel", feature = "parquet"))]
mod containers;

pub use built::{csv_cells, labels, npy_header, npz_arrays, sealed_model, settings};
#[cfg(all(feature = "excel", feature = "parquet"))]
pub use containers::{arrow_messages, parquet_parts, workbook_parts};

use crate::{
    Block, Error, Format, ModelFile, ReadOptions, Rows, Summary, Table, Wanted, mat, onnx,
    read_table_from_bytes, seed,
};
use flate2::{Compression, write::GzEncoder};
use pfcvm::Matrix;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::sync::OnceLock;

/// Sizes of blocks: smaller than a field, a few lines, everything at once.
const SIZES: [usize; 4] = [1, 7, 64, 1 << 20];

/// All of them in tests; by the fuzzer, which has millions of inputs, the one that the bytes draw.
fn some_of<'a, T>(bytes: &[u8], all: &'a [T]) -> &'a [T] {
    if !cfg!(fuzzing) {
        return all;
    }
    let add = |sum: usize, byte: &u8| (sum ^ usize::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let sum = bytes.iter().fold(bytes.len(), add) >> 7;
    &all[sum % all.len()..][..1]
}

/// Bytes as delimited text.
pub fn csv(bytes: &[u8]) {
    for format in some_of(bytes, &[Format::Csv, Format::Tsv]) {
        check(bytes, Some(*format));
    }
}

/// Bytes as LIBSVM text.
pub fn libsvm(bytes: &[u8]) {
    check(bytes, Some(Format::Libsvm));
}

/// Bytes as an ARFF file.
pub fn arff(bytes: &[u8]) {
    check(bytes, Some(Format::Arff));
}

/// Bytes as a NumPy array.
pub fn npy(bytes: &[u8]) {
    check(bytes, Some(Format::Npy));
}

/// Bytes as an archive of arrays.
pub fn npz(bytes: &[u8]) {
    check(bytes, Some(Format::Npz));
}

/// Bytes as a MATLAB file: of any variables, and of a session of SEED.
pub fn mat(bytes: &[u8]) {
    const LABELS: [i8; 15] = [1, 0, -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 0, 1, -1];
    let read = |piece| variables(Piecewise { inner: Cursor::new(bytes), piece });
    let first = read(usize::MAX);
    for piece in some_of(bytes, &[1, 7, 300]) {
        assert_eq!(first, read(*piece));
    }
    if let Ok(split) = seed::split(Cursor::new(bytes), &LABELS) {
        for part in [&split.training, &split.test] {
            assert_eq!(part.x().cols(), split.feature_names.len());
            assert!(part.positive().contains(&true) && part.positive().contains(&false));
        }
    }
}

/// The values of all variables as bits; none of those that claim more than checks may hold. How a
/// damaged file is refused may depend on how it is cut, but not whether.
fn variables(reader: impl Read + Seek) -> Option<Vec<(String, Vec<u64>)>> {
    let mut found = Vec::new();
    let outcome = mat::for_each(reader, |variable| {
        let count = variable.count().filter(|&count| count <= 1 << 20);
        let Some(count) = count.filter(|_| variable.check_numeric().is_ok()) else {
            return variable.finish();
        };
        let name = variable.name.clone();
        let bits: Vec<u64> = variable.values()?.iter().map(|value| value.to_bits()).collect();
        assert_eq!(bits.len() as u64, count);
        found.push((name, bits));
        Ok(())
    });
    outcome.ok().map(|()| found)
}

/// Gives a few bytes at a time.
struct Piecewise<R> {
    inner: R,
    piece: usize,
}

impl<R: Read> Read for Piecewise<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(self.piece);
        self.inner.read(&mut buffer[..count])
    }
}

impl<R: Seek> Seek for Piecewise<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

/// Bytes of an unknown format, packed or not; packing them (again) changes nothing.
pub fn gzip(bytes: &[u8]) {
    let packed = || {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(bytes).expect("memory can be written to");
        packed.finish().expect("memory can be written to")
    };
    packing(bytes, !bytes.starts_with(&[0x1f, 0x8b]), packed);
}

/// The same with zstd.
pub fn zstd(bytes: &[u8]) {
    let packed = || compress_to_vec(bytes, CompressionLevel::Fastest);
    packing(bytes, !crate::zstd::begins(bytes), packed);
}

/// Bytes as they are, or beside the same bytes packed where they are not.
fn packing(bytes: &[u8], plain: bool, packed: impl Fn() -> Vec<u8>) {
    for packs in some_of(bytes, &[false, true]) {
        if *packs && plain {
            same(&read(bytes, None, 64, 1), &read(&packed(), None, 64, 1));
        } else {
            check(bytes, None);
        }
    }
}

/// Bytes as a spreadsheet.
#[cfg(feature = "excel")]
pub fn excel(bytes: &[u8]) {
    check(bytes, Some(Format::Excel));
}

/// Bytes as a Parquet file.
#[cfg(feature = "parquet")]
pub fn parquet(bytes: &[u8]) {
    typed(bytes, Format::Parquet);
}

/// Bytes as an Arrow file or stream.
#[cfg(feature = "parquet")]
pub fn arrow(bytes: &[u8]) {
    typed(bytes, Format::Arrow);
}

/// Bytes as typed columns. They are decoded in batches, and damage behind the rows that the library is asked
/// for is noticed or not, by how many these are. So one reading may be refused for damage where another is
/// a table; those that are tables are the same one.
#[cfg(feature = "parquet")]
fn typed(bytes: &[u8], format: Format) {
    let readings = SIZES.map(|size| read(bytes, Some(format), size, 1));
    let tables: Vec<_> = readings.iter().filter(|reading| reading.is_ok()).collect();
    tables.windows(2).for_each(|two| same(two[0], two[1]));
    if tables.len() == readings.len() {
        return check(bytes, Some(format));
    }
    for error in readings.iter().filter_map(|reading| reading.as_ref().err()) {
        let Error::InFile { problem, .. } = error else { panic!("{error}: in what?") };
        let damage = matches!(**problem, Error::Damaged { .. } | Error::CutOff { .. });
        assert!(damage || tables.is_empty(), "one reading succeeds and another says: {error}");
    }
}

/// Bytes as a model file: one that is read can be written, read again, and used.
pub fn model(bytes: &[u8]) {
    if let Ok(stored) = ModelFile::read_from(bytes) {
        usable(&stored);
    }
}

/// A model that was read can be written, read again, and used.
fn usable(stored: &ModelFile) {
    let mut text = Vec::new();
    stored.write(&mut text).expect("memory can be written to");
    let back = ModelFile::read_from(text.as_slice()).expect("what was written can be read");
    let mut again = Vec::new();
    back.write(&mut again).expect("memory can be written to");
    assert!(text == again, "a model changes when it is stored");
    let features = stored.needed_columns().len();
    let x = Matrix::from_fn(4, features, |i, j| [0.0, 1.0, -1e3, 1e200][(i + j) % 4]);
    // A tampered machine may give no answer, which is said; it may not panic.
    if let Ok(said) = stored.predictor().predict(&x) {
        assert_eq!(said.class.len(), 4);
    }
    let _ = Summary::of(stored);
    let _ = onnx::export(stored, onnx::Input::Double);
}

fn check(bytes: &[u8], format: Option<Format>) {
    let first = read(bytes, format, SIZES[3], 1);
    for size in some_of(bytes, &SIZES[..3]) {
        same(&first, &read(bytes, format, *size, 1));
        // Several threads cost most of the time: the fuzzer rarely has them.
        if !cfg!(fuzzing) || bytes.len().is_multiple_of(64) {
            same(&first, &read(bytes, format, *size, 3));
        }
    }
    let Ok(table) = first else { return };
    let (rows, cols) = (table.x().rows(), table.x().cols());
    assert!(rows > 0 && cols > 0, "an empty table");
    assert_eq!((table.feature_names().len(), table.variables().len()), (cols, cols));
    assert_eq!(table.class_codes().len(), rows);
    assert!(table.x().as_slice().iter().all(|value| !value.is_infinite()));
    for (variable, column) in table.variables().iter().zip(table.x().columns()) {
        let Some(levels) = variable.levels() else { continue };
        let known = |code: &f64| code.is_nan() || (*code >= 0.0 && *code < levels.count() as f64);
        assert!(column.iter().all(known), "a code of no word");
        assert_eq!(levels.names().len() + usize::from(levels.has_other()), levels.count());
    }
    if !cfg!(fuzzing) || bytes.len().is_multiple_of(4) {
        again(bytes, format, &table);
    }
    assert!(table.class_counts().iter().all(|&count| count > 0));
    assert_eq!(table.class_counts().iter().sum::<usize>(), rows);
}

/// Rows that are read as a model reads them, by what is known of their columns, are those of the
/// table.
fn again(bytes: &[u8], format: Option<Format>, table: &Table) {
    let options = ReadOptions { format, memory_limit_mib: 32, ..ReadOptions::default() };
    let bytes = Cursor::new(bytes.to_vec());
    let mut rows = Rows::from_reader(bytes, "the data", &options).expect("it was read before");
    if rows.unnamed_columns().is_some()
        && let Ok(Some(label)) = rows.label_column()
    {
        rows.set_label(label);
    }
    let names: Vec<String> = table.variables().iter().map(|column| column.name.clone()).collect();
    let contents = table.variables().iter().map(|column| column.content.clone()).collect();
    let features = rows.find(&names).expect("columns have their names");
    let wanted = Wanted { features, contents, ..Wanted::default() };
    let mut next = 0;
    let compare = |block: Block, _| {
        for row in 0..block.x.rows() {
            if next < table.x().rows() && table.row_in_file(next) == block.first_row + row {
                for column in 0..names.len() {
                    let (now, then) = (block.x.get(row, column), table.x().get(next, column));
                    assert_eq!(now.to_bits(), then.to_bits(), "{}", names[column]);
                }
                next += 1;
            }
        }
        Ok::<(), Error>(())
    };
    rows.for_each(&wanted, Ok, compare).expect("it was read before");
    assert_eq!(next, table.x().rows());
}

fn read(bytes: &[u8], format: Option<Format>, size: usize, threads: usize) -> Result<Table, Error> {
    let options =
        ReadOptions { format, memory_limit_mib: 32, chunk_bytes: size, ..ReadOptions::default() };
    let read = || read_table_from_bytes(bytes.to_vec(), &options);
    // Handing over to another thread costs more than reading; the fuzzer runs with one.
    if threads == rayon::current_num_threads() { read() } else { pool(threads).install(read) }
}

/// A pool of one or of several threads. They are kept, for starting threads costs even more.
fn pool(threads: usize) -> &'static rayon::ThreadPool {
    static POOLS: OnceLock<[rayon::ThreadPool; 2]> = OnceLock::new();
    let pools = POOLS.get_or_init(|| {
        [1, 3].map(|threads| {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
            builder.build().expect("a few threads can be had")
        })
    });
    &pools[usize::from(threads > 1)]
}

fn same(a: &Result<Table, Error>, b: &Result<Table, Error>) {
    match (a, b) {
        (Ok(a), Ok(b)) => {
            let bits = |table: &Table| -> Vec<u64> {
                table.x().as_slice().iter().map(|value| value.to_bits()).collect()
            };
            assert_eq!(bits(a), bits(b));
            assert_eq!((a.variables(), a.columns()), (b.variables(), b.columns()));
            assert_eq!((a.class_names(), a.class_codes()), (b.class_names(), b.class_codes()));
            assert_eq!((a.notes(), a.rows_read()), (b.notes(), b.rows_read()));
        }
        (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string()),
        (a, b) => panic!("one reading succeeds and another fails: {a:?} {b:?}"),
    }
}
