//! A flag that ends a fit in the middle of it.
//!
//! An observer sees a fit between its iterations, and one that wants no more gets what there is. A
//! [`Stop`] is for callers who want nothing any more, at once: the algebra looks at it before every
//! product and factorisation ([`Work`](crate::algebra::Work)), and leaves by unwinding, so that no
//! loop on the way out has to know of it. Whoever starts the work catches that ([`Stop::catch`]).
//! In a program that is built to abort instead of unwinding, a flag that goes up ends the program.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
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

/// Why work was left.
struct Left;

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

    /// How often work has looked at it.
    pub fn looks(&self) -> usize {
        self.0.looks.load(Ordering::Relaxed)
    }

    /// Whether the flag is up, for work that may end.
    pub fn look(&self) -> bool {
        if self.0.looks.fetch_add(1, Ordering::Relaxed) + 1 == self.0.at_look {
            self.ask();
        }
        self.is_asked()
    }

    /// Leaves the work that [`Stop::catch`] does, if the flag is up.
    pub fn check(&self) {
        if self.look() {
            resume_unwind(Box::new(Left));
        }
    }

    /// Does something; nothing comes back if it was left because a flag went up.
    pub fn catch<T>(work: impl FnOnce() -> T) -> Option<T> {
        // What was left is dropped, or belongs to a caller who wants nothing of it.
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(done) => Some(done),
            Err(reason) if reason.is::<Left>() => None,
            Err(reason) => resume_unwind(reason),
        }
    }
}

/// Two that go up together.
impl PartialEq for Stop {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_left_when_the_flag_is_up_and_only_then() {
        let stop = Stop::at_look(3);
        let rounds = |most: usize| Stop::catch(|| (0..most).for_each(|_| stop.check()));
        assert_eq!(rounds(2), Some(()));
        assert_eq!(rounds(5), None);
        assert_eq!(stop.looks(), 3);
        assert!(stop.is_asked() && stop == stop.clone() && stop != Stop::default());
    }

    #[test]
    fn another_panic_goes_on() {
        let caught = catch_unwind(|| Stop::catch(|| resume_unwind(Box::new("other"))));
        assert!(caught.is_err_and(|reason: Box<dyn std::any::Any + Send>| reason.is::<&str>()));
    }
}
