//! Work on threads of our own, so that the other language goes on and can interrupt.

use crate::{Error, Outcome};
use pfcvm_methods::Stop;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Deep recursions of factorisations fit into this.
const STACK: usize = 16 << 20;

/// What comes back from a thread.
enum Message<T> {
    Line(String),
    Done(std::thread::Result<T>),
}

/// What is new.
#[derive(Debug)]
pub enum News<T> {
    /// Nothing yet.
    None,
    /// A line to print.
    Line(String),
    /// It is done.
    Done(T),
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

    /// Prints a line where the other language prints.
    pub fn say(&self, line: String) {
        (self.say)(line);
    }
}

/// Work that is under way. When this is dropped its flag goes up, and the thread ends by itself when it
/// next looks at it.
pub struct Work<T> {
    stop: Stop,
    receiver: Receiver<Message<T>>,
}

impl<T: Send + 'static> Work<T> {
    /// Starts it on a thread.
    pub fn start(work: impl FnOnce(&Caller<'_>) -> T + Send + 'static) -> Outcome<Self> {
        let stop = Stop::default();
        let (sender, receiver) = channel();
        let seen = stop.clone();
        std::thread::Builder::new()
            .name("pfcvm".into())
            .stack_size(STACK)
            .spawn(move || on_thread(&seen, &sender, work))
            .map_err(|error| Error::Internal(format!("no thread for the fit: {error}")))?;
        Ok(Self { stop, receiver })
    }

    /// Waits for at most so long. A panic of the work is an error.
    pub fn wait(&self, most: Duration) -> Outcome<News<T>> {
        match self.receiver.recv_timeout(most) {
            Ok(Message::Line(line)) => Ok(News::Line(line)),
            Ok(Message::Done(Ok(done))) => Ok(News::Done(done)),
            Ok(Message::Done(Err(_))) | Err(RecvTimeoutError::Disconnected) => {
                Err(Error::Internal("an error inside pfcvm itself; please report it".into()))
            }
            Err(RecvTimeoutError::Timeout) => Ok(News::None),
        }
    }
}

impl<T> Drop for Work<T> {
    fn drop(&mut self) {
        self.stop.ask();
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

/// The threads of this process. A fork inherits the memory of a pool but not its threads, and would
/// wait for them for ever: it gets a pool of its own.
pub fn pool() -> Outcome<Arc<ThreadPool>> {
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
        .map_err(|error| Error::Internal(format!("no threads: {error}")))?;
    let threads = Arc::new(threads);
    // What a fork inherited must not be dropped: that would wait for its threads.
    std::mem::forget(pool.replace((here, Arc::clone(&threads))));
    Ok(threads)
}

/// Those threads, or one alone.
pub fn pool_of(parallel: bool) -> Outcome<Arc<ThreadPool>> {
    if parallel {
        return pool();
    }
    let one = ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build();
    one.map(Arc::new).map_err(|error| Error::Internal(format!("no thread: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end<T: Send + 'static>(work: &Work<T>) -> Outcome<T> {
        loop {
            if let News::Done(done) = work.wait(Duration::from_secs(1))? {
                return Ok(done);
            }
        }
    }

    #[test]
    fn work_says_lines_and_ends() {
        let work = Work::start(|caller| caller.say("half".into())).unwrap();
        let first = work.wait(Duration::from_secs(60)).unwrap();
        assert!(matches!(first, News::Line(line) if line == "half"));
        assert!(end(&work).is_ok());
    }

    #[test]
    fn a_panic_is_an_error() {
        let work = Work::<()>::start(|_| std::panic::resume_unwind(Box::new("no"))).unwrap();
        assert!(matches!(end(&work), Err(Error::Internal(_))));
    }

    #[test]
    fn dropped_work_is_asked_to_stop() {
        let (sender, receiver) = channel();
        let work = Work::start(move |caller| {
            while caller.wants_more().is_continue() {
                std::thread::yield_now();
            }
            let _ = sender.send(());
        });
        drop(work);
        assert!(receiver.recv_timeout(Duration::from_secs(60)).is_ok());
    }
}
