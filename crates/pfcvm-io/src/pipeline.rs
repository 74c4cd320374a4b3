//! Pieces in, results out: read ahead, parse on all threads, hand over in order.

use crate::Error;
use rayon::prelude::*;

/// Anything that gives pieces one after the other.
pub(crate) trait Pieces: Send {
    /// What is parsed at a time.
    type Piece: Send;
    /// The next piece, or nothing at the end.
    fn next(&mut self) -> Result<Option<Self::Piece>, Error>;
}

impl Pieces for crate::chunks::Chunks {
    type Piece = crate::chunks::Chunk;
    fn next(&mut self) -> Result<Option<Self::Piece>, Error> {
        crate::chunks::Chunks::next(self)
    }
}

/// A piece that waits to be parsed by whichever thread takes it.
pub(crate) type Unparsed<'a, M> = Box<dyn FnOnce() -> Result<M, Error> + Send + 'a>;

/// Gives such pieces one after the other. That it is the same type for every format keeps the
/// loops below from being compiled for each of them.
pub(crate) type Source<'a, M> =
    Box<dyn FnMut() -> Result<Option<Unparsed<'a, M>>, Error> + Send + 'a>;

/// The pieces of a format with what parses them.
pub(crate) fn unparsed<'a, S: Pieces + 'a, M>(
    mut pieces: S,
    parse: impl Fn(S::Piece) -> Result<M, Error> + Clone + Send + 'a,
) -> Source<'a, M>
where
    S::Piece: 'a,
{
    Box::new(move || {
        let parse = parse.clone();
        let later = |piece| Box::new(move || parse(piece)) as Unparsed<'a, M>;
        Ok(pieces.next()?.map(later))
    })
}

/// Pieces read together, and what ended the reading.
struct Wave<'a, M> {
    pieces: Vec<Unparsed<'a, M>>,
    end: Option<Result<(), Error>>,
}

fn read_wave<'a, M>(source: &mut Source<'a, M>, count: usize) -> Wave<'a, M> {
    let mut wave = Wave { pieces: Vec::with_capacity(count), end: None };
    while wave.pieces.len() < count {
        match source() {
            Ok(Some(piece)) => wave.pieces.push(piece),
            Ok(None) => wave.end = Some(Ok(())),
            Err(error) => wave.end = Some(Err(error)),
        }
        if wave.end.is_some() {
            break;
        }
    }
    wave
}

/// All items on all threads; with one thread, here and now, without handing them over.
fn map_all<T: Send, U: Send>(items: Vec<T>, map: impl Fn(T) -> U + Sync) -> Vec<U> {
    if rayon::current_num_threads() == 1 {
        items.into_iter().map(map).collect()
    } else {
        items.into_par_iter().map(&map).collect()
    }
}

/// Parses every piece, runs `work` on what came out and hands the results over in the order of the
/// file on the caller's thread. While one wave of pieces is worked on, the next is read; so memory
/// is bounded by two waves. Which error is returned depends on the order of the file alone.
///
/// Parsing is first and apart from `work` because only when a wave is parsed is it known at which
/// row each piece begins: `rows` counts them. Problems of the input get its `name`.
pub(crate) fn run<M, T, E>(
    mut source: Source<'_, M>,
    name: &str,
    rows: impl Fn(&M) -> usize,
    work: impl Fn(usize, M) -> Result<T, E> + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E>
where
    M: Send,
    T: Send,
    E: From<Error> + Send,
{
    let count = 2 * rayon::current_num_threads();
    let mut wave = read_wave(&mut source, count);
    let mut first_row = 0;
    loop {
        let Wave { pieces, end } = wave;
        let parse_all = || map_all(pieces, |parse| parse());
        let (next, parsed) = if end.is_some() {
            (None, parse_all())
        } else if rayon::current_num_threads() == 1 {
            (Some(read_wave(&mut source, count)), parse_all())
        } else {
            let (next, parsed) = rayon::join(|| read_wave(&mut source, count), parse_all);
            (Some(next), parsed)
        };

        let mut failed = None;
        let mut numbered = Vec::with_capacity(parsed.len());
        for outcome in parsed {
            match outcome {
                Ok(block) => {
                    let start = first_row;
                    first_row += rows(&block);
                    numbered.push((start, block));
                }
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        let done = map_all(numbered, |(start, block)| work(start, block));
        for outcome in done {
            take(outcome?)?;
        }
        if let Some(error) = failed {
            return Err(error.within(name).into());
        }
        match (next, end) {
            (_, Some(end)) => return end.map_err(|error| error.within(name).into()),
            (Some(next), None) => wave = next,
            (None, None) => return Ok(()),
        }
    }
}
