//! The border with C: the only place that takes and gives pointers.
//!
//! C starts a job with a request and arrays, waits for it a little at a time, reads what came back, and
//! ends it. Everything a job gives out lives until it is ended; engines live for as long as R's pointer
//! does. Every function here catches panics.
#![allow(unsafe_code)]

use crate::jobs::{Reply, answer};
use crate::request::{Arrays, Request};
use pfcvm::Matrix;
use pfcvm_bridge::{Engine, Error, News, Outcome, Work};
use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

/// What C hands over. Lengths of 0 go with any pointer.
#[repr(C)]
pub struct Ask {
    request: *const u8,
    request_length: usize,
    /// What [`pfcvm_engine`] gave, or null.
    engine: *const c_void,
    x: *const f64,
    rows: usize,
    columns: usize,
    codes: *const c_int,
    n_codes: usize,
    weights: *const f64,
    n_weights: usize,
    bytes: *const u8,
    n_bytes: usize,
}

/// A request on its way.
pub struct Job {
    work: Option<Work<Outcome<Reply>>>,
    done: Option<Outcome<Reply>>,
    /// What was said last: a line, or the text of the reply.
    said: CString,
}

/// Of a finished job.
const OK: c_int = 0;
const REFUSED: c_int = 1;
const TOO_LARGE: c_int = 2;
const NOT_WRITTEN: c_int = 3;
const INTERNAL: c_int = 4;

/// A copy of what C has.
///
/// # Safety
/// There must be so many values behind the pointer, unless the length is 0.
unsafe fn copied<T: Copy>(from: *const T, length: usize) -> Vec<T> {
    match length {
        0 => Vec::new(),
        _ => unsafe { std::slice::from_raw_parts(from, length) }.to_vec(),
    }
}

/// As C takes it: nothing behind a zero.
fn for_c(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}

/// What a panic leaves of something.
fn guarded<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(otherwise)
}

fn internal() -> Error {
    Error::refused("an error inside pfcvm itself; please report it")
}

/// Starts a job, on a thread of its own.
///
/// # Safety
/// The pointers of `ask` must be what it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfcvm_start(ask: *const Ask) -> *mut Job {
    let started = guarded(Err(internal()), || unsafe { start(&*ask) });
    let job = match started {
        Ok(work) => Job { work: Some(work), done: None, said: CString::default() },
        Err(error) => Job { work: None, said: for_c(&error.to_string()), done: Some(Err(error)) },
    };
    Box::into_raw(Box::new(job))
}

/// # Safety
/// As of [`pfcvm_start`].
unsafe fn start(ask: &Ask) -> Outcome<Work<Outcome<Reply>>> {
    let request = unsafe { copied(ask.request, ask.request_length) };
    let request: Request = serde_json::from_slice(&request).map_err(Error::refused)?;
    let cells = ask.rows.checked_mul(ask.columns).ok_or_else(internal)?;
    let x = (!ask.x.is_null()).then(|| unsafe { copied(ask.x, cells) });
    let weights = (!ask.weights.is_null()).then(|| unsafe { copied(ask.weights, ask.n_weights) });
    let arrays = Arrays {
        x: x.map(|x| Matrix::from_column_major(ask.rows, ask.columns, x)),
        codes: unsafe { copied(ask.codes, ask.n_codes) },
        weights,
        bytes: unsafe { copied(ask.bytes, ask.n_bytes) },
    };
    let engine = (!ask.engine.is_null()).then(|| {
        let engine = ask.engine.cast::<Engine>();
        // R keeps its own count; the job has one more.
        unsafe {
            Arc::increment_strong_count(engine);
            Arc::from_raw(engine)
        }
    });
    Work::start(move |caller| answer(request, arrays, engine, caller))
}

/// Waits for at most so many milliseconds: 0 if there is nothing new, 1 for a line, 2 at the end.
///
/// # Safety
/// The job must not have been ended, as of all that follow.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfcvm_wait(job: *mut Job, milliseconds: c_int) -> c_int {
    let job = unsafe { &mut *job };
    guarded(2, || {
        let Some(work) = &job.work else { return 2 };
        let most = Duration::from_millis(milliseconds.max(0) as u64);
        let done = match work.wait(most) {
            Ok(News::None) => return 0,
            Ok(News::Line(line)) => {
                job.said = for_c(&line);
                return 1;
            }
            Ok(News::Done(done)) => done,
            Err(error) => Err(error),
        };
        job.said = match &done {
            Ok(reply) => for_c(&reply.text),
            Err(error) => for_c(&error.to_string()),
        };
        (job.done, job.work) = (Some(done), None);
        2
    })
}

/// What was said last.
///
/// # Safety
/// As of [`pfcvm_wait`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfcvm_said(job: *const Job) -> *const c_char {
    unsafe { &*job }.said.as_ptr()
}

/// How a job ended.
///
/// # Safety
/// As of [`pfcvm_wait`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfcvm_status(job: *const Job) -> c_int {
    match unsafe { &*job }.done.as_ref() {
        Some(Ok(_)) => OK,
        Some(Err(Error::Refused(_))) => REFUSED,
        Some(Err(Error::TooLarge(_))) => TOO_LARGE,
        Some(Err(Error::NotWritten(_))) => NOT_WRITTEN,
        Some(Err(_)) | None => INTERNAL,
    }
}

fn reply(job: &Job) -> Option<&Reply> {
    job.done.as_ref().and_then(|done| done.as_ref().ok())
}

/// The engine that came back, for R to keep until [`pfcvm_forget`]; null: there is none.
///
/// # Safety
/// As of [`pfcvm_wait`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfcvm_engine(job: *const Job) -> *const c_void {
    match reply(unsafe { &*job }).and_then(|reply| reply.engine.clone()) {
        Some(engine) => Arc::into_raw(engine).cast(),
        None => std::ptr::null(),
    }
}

/// Lets go of an engine.
///
/// # Safety
/// It must have come from [`pfcvm_engine`], and be let go of once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfcvm_forget(engine: *const c_void) {
    guarded((), || drop(unsafe { Arc::from_raw(engine.cast::<Engine>()) }));
}

/// How many tables came back.
///
/// # Safety
/// As of [`pfcvm_wait`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfcvm_tables(job: *const Job) -> usize {
    reply(unsafe { &*job }).map_or(0, |reply| reply.tables.len())
}

/// One of them: its values column by column, and its size.
///
/// # Safety
/// As of [`pfcvm_wait`]; there must be such a table, and room for the size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfcvm_table(
    job: *const Job,
    at: usize,
    rows: *mut usize,
    columns: *mut usize,
) -> *const f64 {
    let table = reply(unsafe { &*job }).and_then(|reply| reply.tables.get(at));
    let (values, size) = match table {
        Some(table) => (table.as_slice().as_ptr(), (table.rows(), table.cols())),
        None => (std::ptr::null(), (0, 0)),
    };
    unsafe { (*rows, *columns) = size };
    values
}

/// The bytes that came back, and how many.
///
/// # Safety
/// As of [`pfcvm_wait`]; there must be room for the length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfcvm_bytes(job: *const Job, length: *mut usize) -> *const u8 {
    let bytes = reply(unsafe { &*job }).map_or(&[][..], |reply| &reply.bytes);
    unsafe { *length = bytes.len() };
    bytes.as_ptr()
}

/// Ends a job. One that is not done is asked to stop, and does so by itself.
///
/// # Safety
/// It must have come from [`pfcvm_start`], and be ended once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfcvm_end(job: *mut Job) {
    guarded((), || drop(unsafe { Box::from_raw(job) }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;
    use std::ptr::null;

    /// As C does it: starts a job with arrays that are gone when it runs, waits for its end, and says how it
    /// ended.
    fn asked(request: &str, engine: *const c_void, arrays: Option<(&[f64], &[c_int])>) -> *mut Job {
        let request = request.as_bytes().to_vec();
        let (x, codes) = arrays.map_or((vec![], vec![]), |(x, codes)| (x.to_vec(), codes.to_vec()));
        let columns = 2;
        let ask = Ask {
            request: request.as_ptr(),
            request_length: request.len(),
            engine,
            x: if x.is_empty() { null() } else { x.as_ptr() },
            rows: x.len() / columns,
            columns,
            codes: codes.as_ptr(),
            n_codes: codes.len(),
            weights: null(),
            n_weights: 0,
            bytes: null(),
            n_bytes: 0,
        };
        unsafe { pfcvm_start(&ask) }
    }

    fn ended(job: *mut Job) -> (c_int, String) {
        unsafe {
            while pfcvm_wait(job, 20) != 2 {}
            let said = CStr::from_ptr(pfcvm_said(job)).to_str().unwrap().to_string();
            (pfcvm_status(job), said)
        }
    }

    const FIT: &str = r#"{"what":"fit","table":{"classes":["a","b"],"names":null,"described":{},"rows":null,
        "of":40},"scheme":"joint","settings":{"algorithm":"mended","certainty":"off","kernel":"rbf"},"way":{"memory_limit":null,
        "parallel":false,"verbose":true,"panel_if_many":false},"panel":false}"#;

    fn rows() -> (Vec<f64>, Vec<c_int>) {
        let x: Vec<f64> = (0..80).map(|i| f64::from(i * 37 % 80) / 40.0 - 1.0).collect();
        let codes = x[..40].iter().map(|value| c_int::from(*value > 0.1)).collect();
        (x, codes)
    }

    #[test]
    fn what_is_learned_goes_over_the_border_and_back() {
        let (x, codes) = rows();
        let job = asked(FIT, null(), Some((&x, &codes)));
        let (status, said) = ended(job);
        assert_eq!(status, OK, "{said}");
        let engine = unsafe { pfcvm_engine(job) };
        unsafe { pfcvm_end(job) };
        // The engine outlives its job, and is shared by those that follow.
        let predicted = asked(r#"{"what":"predict","words":[]}"#, engine, Some((&x, &[])));
        let state = asked(r#"{"what":"state"}"#, engine, None);
        unsafe { pfcvm_forget(engine) };
        assert_eq!(ended(predicted).0, OK);
        let (mut rows, mut columns) = (0, 0);
        unsafe {
            assert_eq!(pfcvm_tables(predicted), 4);
            let class = pfcvm_table(predicted, 0, &mut rows, &mut columns);
            assert_eq!((rows, columns), (40, 1));
            let class = std::slice::from_raw_parts(class, 40);
            let right = class.iter().zip(&codes).filter(|(said, code)| **said == f64::from(**code));
            assert!(right.count() > 30, "{class:?}");
            assert!(pfcvm_table(predicted, 4, &mut rows, &mut columns).is_null());
            assert_eq!((rows, columns), (0, 0));
            pfcvm_end(predicted);
        }
        assert_eq!(ended(state).0, OK);
        let mut length = 0;
        let bytes = unsafe { pfcvm_bytes(state, &mut length) };
        assert!(length > 100 && unsafe { *bytes.add(length - 1) } != 0);
        unsafe { pfcvm_end(state) };
    }

    #[test]
    fn what_cannot_be_done_is_said_and_nothing_comes_back() {
        for (request, expected) in [
            ("", REFUSED),
            ("{\"what\":\"nothing\"}", REFUSED),
            ("{\"what\":\"summary\"}", REFUSED),
            ("{\"what\":\"predict\",\"words\":[]}", REFUSED),
            ("{\"what\":\"panic\"}", INTERNAL),
            (FIT, REFUSED),
        ] {
            let job = asked(request, null(), None);
            let (status, said) = ended(job);
            assert!(status == expected && !said.is_empty(), "{request}: {status} {said}");
            let mut length = 9;
            unsafe {
                assert!(pfcvm_engine(job).is_null() && pfcvm_tables(job) == 0);
                pfcvm_bytes(job, &mut length);
                pfcvm_end(job);
            }
            assert_eq!(length, 0);
        }
    }

    /// A job that is ended before it is done goes on with what is its own.
    #[test]
    fn jobs_that_are_given_up_do_no_harm() {
        let (x, codes) = rows();
        for _ in 0..20 {
            let job = asked(FIT, null(), Some((&x, &codes)));
            unsafe {
                pfcvm_wait(job, 1);
                pfcvm_end(job);
            }
        }
    }
}
