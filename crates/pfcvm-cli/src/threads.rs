//! Threads, as many as the system gives.

use crate::failure::{Failure, Outcome};
use std::sync::mpsc::channel;

/// Uses so many threads from now on, all cores if nothing is asked for; fewer where the system does
/// not give as many.
pub fn use_threads(asked: Option<u32>) -> Outcome {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let variable = || std::env::var("RAYON_NUM_THREADS").ok()?.parse().ok();
    let asked = asked.map(|threads| threads as usize).or_else(variable);
    // Beyond a few per core threads only cost.
    let wanted = asked.filter(|threads| *threads > 0).unwrap_or(cores).min(4 * cores);
    // A pool that lacks a thread is none, and there is no second try: ask first.
    let pool = rayon::ThreadPoolBuilder::new();
    let pool = match startable(wanted) {
        0 => pool.num_threads(1).use_current_thread(),
        threads => pool.num_threads(threads),
    };
    pool.build_global()
        .map_err(|error| Failure::Internal(format!("threads cannot be started ({error})")))
}

/// How many threads can run at once, up to `wanted`. Where that is less, some are left for others.
fn startable(wanted: usize) -> usize {
    const OTHERS: usize = 2;
    let mut running = Vec::new();
    for _ in 0..wanted + OTHERS {
        let (end, ended) = channel::<()>();
        // It waits until the other side is dropped.
        let wait = move || ended.recv().is_err();
        match std::thread::Builder::new().spawn(wait) {
            Ok(thread) => running.push((end, thread)),
            Err(_) => break,
        }
    }
    let count = running.len();
    for (end, thread) in running {
        drop(end);
        let _ = thread.join();
    }
    count.saturating_sub(OTHERS)
}
