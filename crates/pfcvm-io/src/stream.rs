//! The rows of each format on their way through the pipeline.

use crate::array::{self, Layout, Slabs};
use crate::collected::Parsed;
#[cfg(feature = "parquet")]
use crate::columnar;
use crate::field::Gaps;
use crate::input::ByteStream;
use crate::labels::Labels;
use crate::pipeline::{self, Source, unparsed};
use crate::plan::{Plan, Reader};
use crate::rows::Body;
use crate::{Block, Error, ReadOptions, Rows, Wanted, arff, delimited, libsvm};
use pfcvm::Matrix;
use std::sync::Arc;

impl Rows {
    /// Reads all rows: `work` gets blocks of rows on as many threads as there are, `take` gets its
    /// results in the order of the file, on this thread, with the bytes read so far.
    ///
    /// Memory stays bounded however long the input is (an array stored by columns is read
    /// whole). Neither results nor errors depend on the number of threads.
    ///
    /// # Panics
    /// If a wanted position is not that of a column.
    pub fn for_each<T, E>(
        self,
        wanted: &Wanted,
        work: impl Fn(Block) -> Result<T, E> + Sync,
        take: impl FnMut(T, u64) -> Result<(), E>,
    ) -> Result<(), E>
    where
        T: Send,
        E: From<Error> + Send,
    {
        self.run(wanted, None, work, take)
    }

    /// The same with other readers, for a table of which nothing is known.
    pub(crate) fn run<T, E>(
        self,
        wanted: &Wanted,
        readers: Option<Vec<Reader>>,
        work: impl Fn(Block) -> Result<T, E> + Sync,
        mut take: impl FnMut(T, u64) -> Result<(), E>,
    ) -> Result<(), E>
    where
        T: Send,
        E: From<Error> + Send,
    {
        let columns = wanted.features.iter().chain(&wanted.keep);
        assert!(columns.into_iter().all(|&at| at < self.columns.len()), "no such column");
        let unnumbered = self.unnumbered();
        let label = if wanted.label { self.label_column()? } else { None };
        let Rows { name, columns, options, body, .. } = self;
        let unnumbered = label.or(unnumbered);
        let mut plan = Plan::new(&columns, wanted, label, unnumbered);
        plan.gaps = Gaps::new(&options.missing);
        if let Some(readers) = readers {
            (plan.readers, plan.training) = (readers, true);
        }
        match (&body, label) {
            (Body::Delimited(_, separator), _) => plan.commas = delimited::commas(*separator),
            (Body::Arff(_, attributes), Some(label)) => {
                plan.declared_classes = attributes[label].declared();
            }
            _ => {}
        }
        let plan = &plan;

        let rows = |parsed: &Parsed| parsed.x.rows();
        // A block without rows has nothing to say.
        let work = |first_row, parsed: Parsed| {
            let read = parsed.read;
            let result = (parsed.x.rows() > 0).then(|| work(Block::of(first_row, parsed)));
            result.transpose().map(|result| (result, read))
        };
        let mut any = false;
        let take = |(result, read): (Option<T>, u64)| match result {
            Some(result) => {
                any = true;
                take(result, read)
            }
            None => Ok(()),
        };
        let within = |error: Error| E::from(error.within(&name));
        let source = body.source(wanted, plan, options).map_err(within)?;
        pipeline::run(source, &name, rows, work, take)?;
        if any { Ok(()) } else { Err(within(Error::HeaderOnly)) }
    }
}

impl Body {
    /// The pieces that are left to be read, with what parses them.
    fn source<'a>(
        self,
        wanted: &Wanted,
        plan: &'a Plan,
        options: ReadOptions,
    ) -> Result<Source<'a, Parsed>, Error> {
        let with_label = wanted.label;
        let (stream, labels, layout) = match self {
            Body::Delimited(chunks, separator) => {
                let parse = move |chunk| delimited::parse(&chunk, separator, plan);
                return Ok(unparsed(chunks, parse));
            }
            Body::Libsvm(chunks) => {
                return Ok(unparsed(chunks, move |chunk| libsvm::parse(&chunk, with_label, plan)));
            }
            Body::Arff(chunks, attributes) => {
                let attributes = Arc::new(attributes);
                let parse = move |chunk| arff::parse(&chunk, &attributes, plan);
                return Ok(unparsed(chunks, parse));
            }
            #[cfg(feature = "parquet")]
            Body::Typed(typed) => {
                let batches = typed.batches(plan, &options)?;
                return Ok(unparsed(batches, move |batch| columnar::parse(&batch, plan)));
            }
            Body::Npy(source, layout) => (Box::new(source) as Box<dyn ByteStream>, None, layout),
            Body::Npz(mut archive, layout) => {
                let apart = with_label && archive.has_labels();
                let labels = apart.then(|| archive.labels(layout.rows, &options)).transpose()?;
                (archive.into_matrix()?, labels, layout)
            }
        };
        if layout.by_columns {
            let row_bytes = size_of::<f64>() * plan.width.max(1);
            let block_rows = match with_label {
                true => usize::MAX,
                false => (options.chunk_bytes / row_bytes).max(1),
            };
            let stream = Some(stream);
            let whole = Whole { stream, labels, layout, plan, options, block_rows, held: None };
            return Ok(unparsed(whole, Ok));
        }
        let slabs = Slabs::new(stream, &layout, &options);
        let array = Arc::new((layout, labels));
        let parse = move |slab| array::parse(&slab, &array.0, array.1.as_ref(), plan);
        Ok(unparsed(slabs, parse))
    }
}

/// An array stored by columns. Its wanted columns are held; a table takes them as they are, for
/// predictions, which need more memory than the rows, they are given in blocks of rows.
struct Whole<'a> {
    stream: Option<Box<dyn ByteStream>>,
    labels: Option<Labels>,
    layout: Layout,
    plan: &'a Plan<'a>,
    options: ReadOptions,
    /// Rows of a block.
    block_rows: usize,
    /// What has been read, and the next row to be given.
    held: Option<(Parsed, usize)>,
}

impl pipeline::Pieces for Whole<'_> {
    type Piece = Parsed;

    fn next(&mut self) -> Result<Option<Parsed>, Error> {
        if let Some(mut stream) = self.stream.take() {
            let labels = self.labels.take();
            let Whole { layout, plan, options, .. } = self;
            let all = array::read_by_columns(&mut *stream, layout, labels, plan, options)?;
            if self.block_rows >= all.x.rows() {
                return Ok(Some(all));
            }
            self.held = Some((all, 0));
        }
        let Some((all, first)) = &mut self.held else { return Ok(None) };
        let count = self.block_rows.min(all.x.rows() - *first);
        if count == 0 {
            return Ok(None);
        }
        let start = *first;
        *first += count;
        let x = Matrix::from_fn(count, all.x.cols(), |row, column| all.x.get(start + row, column));
        Ok(Some(Parsed::numbers(x, Labels::default(), all.read)))
    }
}
