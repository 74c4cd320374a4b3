//! Fits that end when somebody wants them to.
//!
//! A fit runs on one thread. Whoever starts it lends it a flag for that time ([`during`]). Every loop
//! that may take long looks at the flag once a round ([`wanted`], [`asked`]) and leaves as if it had
//! come to its end; the algebra looks before every product ([`work`]), and leaves all loops at once.
//! What is left then is unfinished: every [`Learner`](crate::Learner) and
//! [`Selector`](crate::Selector) of the catalogue gives [`Error::Stopped`](crate::Error::Stopped) in its
//! place ([`finished`]), so that a method need not do anything about it.

use crate::{Error, Refusal};
use pfcvm::Stop;
use pfcvm::algebra::Work;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

thread_local! {
    /// The flag of the fit that runs on this thread.
    static PRESENT: RefCell<Option<Stop>> = const { RefCell::new(None) };
    /// Whether somebody on this thread catches work that is left.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Does something during which fits on this thread look at a flag.
pub fn during<T>(stop: &Stop, work: impl FnOnce() -> T) -> T {
    /// Gives the thread its former flag back, whatever happens.
    struct Back(Option<Stop>);
    impl Drop for Back {
        fn drop(&mut self) {
            PRESENT.with_borrow_mut(|present| *present = self.0.take());
        }
    }
    let _back = Back(PRESENT.replace(Some(stop.clone())));
    work()
}

/// The flag of this thread.
pub(crate) fn present() -> Option<Stop> {
    PRESENT.with_borrow(Clone::clone)
}

/// Whether the fit on this thread is to end.
pub(crate) fn asked() -> bool {
    PRESENT.with_borrow(|present| present.as_ref().is_some_and(Stop::look))
}

/// Rounds of a loop for as long as they are wanted.
pub(crate) fn wanted<T>(rounds: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    rounds.take_while(|_| !asked())
}

/// The same for observers of the core.
pub(crate) fn flow() -> ControlFlow<()> {
    if asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Leaves what [`finished`] does, if it is to end.
pub(crate) fn check() {
    if CAUGHT.get()
        && let Some(stop) = present()
    {
        stop.check();
    }
}

/// What the algebra of a fit may use: one thread, for as long as it is wanted.
pub(crate) fn work() -> Work {
    let stop = if CAUGHT.get() { present() } else { None };
    Work { stop, ..Work::new(false) }
}

/// What a method gives, unless it was stopped: then it is unfinished, or refused for no reason of its
/// own.
pub(crate) fn finished<T>(method: impl FnOnce() -> Result<T, Refusal>) -> Result<T, Refusal> {
    struct Back(bool);
    impl Drop for Back {
        fn drop(&mut self) {
            CAUGHT.set(self.0);
        }
    }
    let _back = Back(CAUGHT.replace(true));
    match Stop::catch(method) {
        Some(outcome) if !asked() => outcome,
        _ => Err(Error::Stopped.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_is_looked_at_while_it_is_lent_and_no_longer() {
        let (outer, inner) = (Stop::default(), Stop::at_look(2));
        during(&outer, || {
            assert!(!asked());
            assert_eq!(during(&inner, || wanted(0..10).count()), 1);
            assert!(!asked());
            outer.ask();
            assert!(asked());
        });
        assert!(!asked());
        assert_eq!((outer.looks(), inner.looks()), (3, 2));
    }

    #[test]
    fn work_is_left_where_somebody_catches_it() {
        let stop = Stop::default();
        stop.ask();
        during(&stop, || {
            check();
            assert!(work().stop.is_none());
            let left: Result<(), Refusal> = finished(|| {
                check();
                unreachable!("the flag is up");
            });
            assert_eq!(left.unwrap_err().downcast_ref(), Some(&Error::Stopped));
            check();
        });
    }
}
