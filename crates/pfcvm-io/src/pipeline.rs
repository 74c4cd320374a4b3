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

/// What came out of a wave, in the order of the file, and what ended it.
struct Done<T, E> {
    results: Vec<Result<T, E>>,
    end: Option<Result<(), Error>>,
}

/// Where the work on a file stands.
struct Progress<'a, M> {
    source: Source<'a, M>,
    /// The next wave; nothing before the first.
    wave: Option<Wave<'a, M>>,
    /// The row that it begins with.
    first_row: usize,
    /// Pieces of a wave.
    count: usize,
}

impl<M: Send> Progress<'_, M> {
    /// Works on the next wave, and reads the one behind it meanwhile.
    ///
    /// Parsing is first and apart from `work` because only when a wave is parsed is it known at which
    /// row each piece begins: `rows` counts them.
    fn step<T: Send, E: Send>(
        &mut self,
        rows: &(impl Fn(&M) -> usize + Sync),
        work: &(impl Fn(usize, M) -> Result<T, E> + Sync),
    ) -> Done<T, E> {
        let Self { source, wave, first_row, count } = self;
        let Wave { pieces, end } = wave.take().unwrap_or_else(|| read_wave(source, *count));
        let parse_all = || map_all(pieces, |parse| parse());
        let parsed = if end.is_some() {
            parse_all()
        } else if rayon::current_num_threads() == 1 {
            *wave = Some(read_wave(source, *count));
            parse_all()
        } else {
            let (next, parsed) = rayon::join(|| read_wave(source, *count), parse_all);
            *wave = Some(next);
            parsed
        };

        let mut failed = None;
        let mut numbered = Vec::with_capacity(parsed.len());
        for outcome in parsed {
            match outcome {
                Ok(block) => {
                    let start = *first_row;
                    *first_row += rows(&block);
                    numbered.push((start, block));
                }
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        let results = map_all(numbered, |(start, block)| work(start, block));
        Done { results, end: failed.map(Err).or(end) }
    }
}

/// Parses every piece, runs `work` on what came out and hands the results over in the order of the
/// file on the caller's thread. While one wave of pieces is worked on, the next is read and what came
/// of the last is handed over; so memory is bounded by three waves. Which error is returned depends
/// on the order of the file alone. Problems of the input get its `name`.
pub(crate) fn run<M, T, E>(
    source: Source<'_, M>,
    name: &str,
    rows: impl Fn(&M) -> usize + Sync,
    work: impl Fn(usize, M) -> Result<T, E> + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E>
where
    M: Send,
    T: Send,
    E: From<Error> + Send,
{
    let threads = rayon::current_num_threads();
    let mut progress = Progress { source, wave: None, first_row: 0, count: 2 * threads };
    let mut hand_over = |results: Vec<Result<T, E>>| -> Result<(), E> {
        results.into_iter().try_for_each(|result| take(result?))
    };
    let mut done = progress.step(&rows, &work);
    loop {
        let Done { results, end } = done;
        if let Some(end) = end {
            hand_over(results)?;
            return end.map_err(|error| error.within(name).into());
        }
        // What failed ends the reading, whatever would have come behind it.
        if threads == 1 || results.iter().any(Result::is_err) {
            hand_over(results)?;
            done = progress.step(&rows, &work);
            continue;
        }
        done = Done { results: Vec::new(), end: None };
        rayon::in_place_scope(|scope| {
            scope.spawn(|_| done = progress.step(&rows, &work));
            hand_over(results)
        })?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces of one row and more, which are numbered; one may be damaged.
    fn numbered<'a>(count: usize, damaged: usize) -> Source<'a, Vec<usize>> {
        let mut next = 0;
        Box::new(move || {
            let at = next;
            next += 1;
            let parse = move || match at == damaged {
                true => Err(Error::Empty),
                false => Ok(vec![at; 1 + at % 3]),
            };
            Ok((at < count).then(|| Box::new(parse) as Unparsed<'a, Vec<usize>>))
        })
    }

    type Taken = (Vec<(usize, usize)>, Result<(), Error>);

    /// What is handed over, and how it ends, where one piece is damaged, the work on one fails, and
    /// what comes of one is refused.
    fn outcome(count: usize, [damaged, unworkable, refused]: [usize; 3]) -> Taken {
        let work = |first: usize, piece: Vec<usize>| match piece[0] == unworkable {
            true => Err(Error::HeaderOnly),
            false => Ok((first, piece[0])),
        };
        let mut taken = Vec::new();
        let here = std::thread::current().id();
        let take = |result: (usize, usize)| {
            assert_eq!(std::thread::current().id(), here);
            if result.1 == refused {
                return Err(Error::NoFeatures);
            }
            taken.push(result);
            Ok(())
        };
        let ended = run(numbered(count, damaged), "it", Vec::len, work, take);
        (taken, ended)
    }

    #[test]
    fn results_and_errors_follow_the_file_on_any_number_of_threads() {
        const NEVER: usize = usize::MAX;
        let whole = |count| (0..count).map(|at| ((0..at).map(|at| 1 + at % 3).sum(), at));
        let check = || {
            for count in [0, 1, 2, 7, 40] {
                for ends in [
                    [NEVER; 3],
                    [5, NEVER, NEVER],
                    [NEVER, 6, NEVER],
                    [NEVER, NEVER, 3],
                    [20, 21, 22],
                    [22, 20, 21],
                    [21, 22, 20],
                    [9, 30, 9],
                    [30, 9, 9],
                ] {
                    let (taken, ended) = outcome(count, ends);
                    let first = *ends.iter().min().unwrap();
                    assert_eq!(taken, Vec::from_iter(whole(count.min(first))));
                    let ended = ended.map_err(|error| error.to_string());
                    let expected = match ends.iter().position(|end| *end == first) {
                        _ if first >= count => Ok(()),
                        Some(0) => Err(Error::Empty.within("it").to_string()),
                        Some(1) => Err(Error::HeaderOnly.to_string()),
                        _ => Err(Error::NoFeatures.to_string()),
                    };
                    assert_eq!(ended, expected, "{count} {ends:?}");
                }
            }
        };
        check();
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(check);
        }
    }
}
