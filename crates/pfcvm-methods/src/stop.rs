//! Fits that end when somebody wants them to.
//!
//! A fit runs on one thread. Whoever starts it lends it a flag for that time ([`Stop::during`]); every
//! loop that may take long looks at the flag once a round ([`wanted`], [`asked`]) and leaves as if it
//! had come to its end. What is left then is unfinished: every [`Learner`](crate::Learner) and
//! [`Selector`](crate::Selector) of the catalogue gives [`Error::Stopped`](crate::Error::Stopped) in its
//! place, so that a method need not do anything about it.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A flag that ends fits, from any thread. Clones are the same flag.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    asked: AtomicBool,
    looks: AtomicUsize,
    /// The look that finds the flag up by itself; 0: none does.
    at_look: usize,
}

thread_local! {
    /// The flag of the fit that runs on this thread.
    static PRESENT: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

impl Stop {
    /// A flag that goes up when it is looked at for the `look`-th time, from 1.
    pub fn at_look(look: usize) -> Self {
        Self(Arc::new(Flag { at_look: look, ..Flag::default() }))
    }

    /// Puts the flag up, for good.
    pub fn ask(&self) {
        self.0.asked.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is up.
    pub fn is_asked(&self) -> bool {
        self.0.asked.load(Ordering::Relaxed)
    }

    /// How often fits have looked at it.
    pub fn looks(&self) -> usize {
        self.0.looks.load(Ordering::Relaxed)
    }

    /// Does something during which fits on this thread look at the flag.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        /// Gives the thread its former flag back, whatever happens.
        struct Back(Option<Stop>);
        impl Drop for Back {
            fn drop(&mut self) {
                PRESENT.with_borrow_mut(|present| *present = self.0.take());
            }
        }
        let _back = Back(PRESENT.replace(Some(self.clone())));
        work()
    }

    fn look(&self) -> bool {
        if self.0.looks.fetch_add(1, Ordering::Relaxed) + 1 == self.0.at_look {
            self.ask();
        }
        self.is_asked()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_is_looked_at_while_it_is_lent_and_no_longer() {
        let (outer, inner) = (Stop::default(), Stop::at_look(2));
        outer.during(|| {
            assert!(!asked());
            assert_eq!(inner.during(|| wanted(0..10).count()), 1);
            assert!(!asked());
            outer.ask();
            assert!(asked());
        });
        assert!(!asked());
        assert_eq!((outer.looks(), inner.looks()), (3, 2));
    }
}
