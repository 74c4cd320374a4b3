//! Work on threads of our own, so that Python goes on and can interrupt.

use pfcvm_methods::Stop;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::IntoPyDict;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How often Python is asked whether it was interrupted.
const WATCH: Duration = Duration::from_millis(50);

/// Deep recursions of factorisations fit into this.
const STACK: usize = 16 << 20;

/// What comes back from a thread.
enum Message<T> {
    Line(String),
    Done(std::thread::Result<T>),
}

/// What work on a thread sees of the caller.
pub struct Caller<'a> {
    stop: &'a Stop,
    say: &'a (dyn Fn(String) + Sync),
}

impl Caller<'_> {
    /// Whether the work goes on.
    pub fn wants_more(&self) -> ControlFlow<()> {
        match self.stop.is_asked() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// What goes up when the caller wants no more.
    pub fn stop(&self) -> &Stop {
        self.stop
    }

    /// Prints a line where Python prints.
    pub fn say(&self, line: String) {
        (self.say)(line);
    }
}

/// Runs `work` on a thread, without the interpreter's lock. On an interrupt its flag goes up and
/// the interrupt is raised at once; the thread ends by itself, when it next looks at the flag.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Caller<'_>) -> T + Send + 'static,
) -> PyResult<T> {
    let stop = Stop::default();
    let (sender, mut receiver) = channel();
    let seen = stop.clone();
    let started = std::thread::Builder::new()
        .name("pfcvm".into())
        .stack_size(STACK)
        .spawn(move || on_thread(&seen, &sender, work));
    started.map_err(|error| PyRuntimeError::new_err(format!("no thread for the fit: {error}")))?;
    loop {
        // A receiver is given to the other side and comes back: it cannot be shared.
        let message;
        (receiver, message) = py.detach(move || {
            let message = receiver.recv_timeout(WATCH);
            (receiver, message)
        });
        match message {
            Ok(Message::Line(line)) => print(py, &line)?,
            Ok(Message::Done(Ok(done))) => return Ok(done),
            Ok(Message::Done(Err(_))) | Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err(
                    "an error inside pfcvm itself; please report it",
                ));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        py.check_signals().inspect_err(|_| stop.ask())?;
    }
}

fn on_thread<T: Send>(
    stop: &Stop,
    sender: &Sender<Message<T>>,
    work: impl FnOnce(&Caller<'_>) -> T,
) {
    // Nobody listens any more after an interrupt.
    let say = |line: String| drop(sender.send(Message::Line(line)));
    let done = catch_unwind(AssertUnwindSafe(|| work(&Caller { stop, say: &say })));
    drop(sender.send(Message::Done(done)));
}

fn print(py: Python<'_>, line: &str) -> PyResult<()> {
    let at_once = [("flush", true)].into_py_dict(py)?;
    py.import("builtins")?.call_method("print", (line,), Some(&at_once)).map(drop)
}

/// The threads of this process. A fork inherits the memory of a pool but not its threads, and would
/// wait for them for ever: it gets a pool of its own.
pub fn pool() -> PyResult<Arc<ThreadPool>> {
    static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);
    let here = std::process::id();
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((process, threads)) = pool.as_ref()
        && *process == here
    {
        return Ok(Arc::clone(threads));
    }
    let threads = ThreadPoolBuilder::new()
        .thread_name(|at| format!("pfcvm-{at}"))
        .build()
        .map_err(|error| PyRuntimeError::new_err(format!("no threads: {error}")))?;
    let threads = Arc::new(threads);
    // What a fork inherited must not be dropped: that would wait for its threads.
    std::mem::forget(pool.replace((here, Arc::clone(&threads))));
    Ok(threads)
}

/// Those threads, or one alone.
pub fn pool_of(parallel: bool) -> PyResult<Arc<ThreadPool>> {
    if parallel {
        return pool();
    }
    let one = ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build();
    one.map(Arc::new).map_err(|error| PyRuntimeError::new_err(format!("no thread: {error}")))
}

/// How many threads a fit or a prediction may use (the environment variable `RAYON_NUM_THREADS`
/// sets it before the first).
#[pyfunction]
pub fn threads() -> PyResult<usize> {
    Ok(pool()?.current_num_threads())
}
