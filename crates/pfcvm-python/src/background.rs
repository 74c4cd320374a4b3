//! Work on threads of our own, so that Python goes on and can interrupt.

use crate::refusal::raised;
use pfcvm_bridge::{Caller, News, Work};
use pyo3::prelude::*;
use pyo3::types::IntoPyDict;
use rayon::ThreadPool;
use std::sync::Arc;
use std::time::Duration;

/// How often Python is asked whether it was interrupted.
const WATCH: Duration = Duration::from_millis(50);

/// Runs `work` on a thread, without the interpreter's lock. On an interrupt its flag goes up and
/// the interrupt is raised at once; the thread ends by itself, when it next looks at the flag.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Caller<'_>) -> T + Send + 'static,
) -> PyResult<T> {
    let mut work = Work::start(work).map_err(raised)?;
    loop {
        // A receiver is given to the other side and comes back: it cannot be shared.
        let news;
        (work, news) = py.detach(move || {
            let news = work.wait(WATCH);
            (work, news)
        });
        match news.map_err(raised)? {
            News::Line(line) => print(py, &line)?,
            News::Done(done) => return Ok(done),
            News::None => {}
        }
        py.check_signals()?;
    }
}

fn print(py: Python<'_>, line: &str) -> PyResult<()> {
    let at_once = [("flush", true)].into_py_dict(py)?;
    py.import("builtins")?.call_method("print", (line,), Some(&at_once)).map(drop)
}

/// The threads of this process.
pub fn pool() -> PyResult<Arc<ThreadPool>> {
    pfcvm_bridge::pool().map_err(raised)
}

/// How many threads a fit or a prediction may use (the environment variable `RAYON_NUM_THREADS`
/// sets it before the first).
#[pyfunction]
pub fn threads() -> PyResult<usize> {
    Ok(pool()?.current_num_threads())
}
