//! Every method ends when somebody wants it to.

use crate::common::made;
use pfcvm::Dataset;
use pfcvm::multiclass::Scheme;
use pfcvm_methods::{Error, Refusal, Role, Spec, Stop, catalogue, during, fit_classes};
use std::time::{Duration, Instant};

const ROWS: usize = 80;

/// Every method, and what some do by other loops.
fn texts() -> Vec<String> {
    let mut texts = Vec::from_iter(catalogue().iter().map(|entry| entry.name.to_string()));
    texts.extend(
        ["rvm/algorithm=batch", "epcvm/algorithm=batch", "svm/probability=no", "mrmr+pcvm"]
            .map(String::from),
    );
    texts
}

fn done(text: &str, data: &Dataset, stop: &Stop) -> Result<(), Refusal> {
    let filter = catalogue().iter().any(|entry| entry.name == text && entry.role == Role::Filter);
    during(stop, || match filter {
        true => Spec::of_selector(text)?.selector()?.select(data).map(drop),
        false => text.parse::<Spec>()?.build()?.fit(data).map(drop),
    })
}

/// Looks that a method may still take on its way out of loops within loops that end as usual: the
/// algebra leaves them all at once.
const LOOKS_AFTER: usize = 5;

#[test]
fn every_method_leaves_its_loops_when_it_is_asked_to() {
    let data = made(3, ROWS, 6, 2);
    for text in texts() {
        let whole = Stop::default();
        done(&text, &data, &whole).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
        let all = whole.looks();
        // Beside the look at the end, one in a loop; this one has none.
        assert!(all > 1 || text == "fisher", "{text} looks {all} times");
        for look in [1, all.div_ceil(3), all.div_ceil(2)] {
            let stop = Stop::at_look(look);
            let refusal = done(&text, &data, &stop).expect_err(&text);
            assert_eq!(refusal.downcast_ref(), Some(&Error::Stopped), "{text}: {refusal}");
            let after = stop.looks() - look;
            assert!(after <= LOOKS_AFTER, "{text}: {after} rounds after {look} of {all}");
        }
    }
}

#[test]
fn nothing_begins_after_the_flag_is_up() {
    let data = made(4, ROWS, 6, 2);
    for text in texts() {
        let stop = Stop::default();
        stop.ask();
        let refusal = done(&text, &data, &stop).expect_err(&text);
        assert_eq!(refusal.downcast_ref(), Some(&Error::Stopped), "{text}: {refusal}");
        assert!(stop.looks() <= LOOKS_AFTER, "{text}: {}", stop.looks());
    }
}

/// One flag for all machines, on whatever threads they are.
#[test]
fn several_classes_end_together() {
    let two = made(5, ROWS, 6, 2);
    let codes = (0..ROWS).map(|row| row % 4).collect();
    let names = (0..4).map(|class| format!("c{class}")).collect();
    let data = pfcvm::multiclass::Dataset::new(two.x().clone(), codes, names).unwrap();
    for text in ["rvm", "pfcvm-lp", "pfcvm-panel", "svm", "smpm"] {
        let stop = Stop::at_look(20);
        let outcome = fit_classes(&text.parse().unwrap(), &data, Scheme::OneVsOne, &stop);
        let refusal = outcome.err().expect(text);
        // With the name of the machine that was first.
        assert!(refusal.to_string().ends_with(&Error::Stopped.to_string()), "{text}: {refusal}");
    }
}

/// When the flag goes up, in milliseconds after the beginning.
const MOMENTS: [u64; 6] = [100, 300, 700, 1500, 3000, 6000];

/// How long methods take to end, for `docs/reliability.md`: shown, not asserted, for machines differ.
#[test]
#[ignore = "takes minutes"]
fn how_long_it_takes_to_end() {
    for (rows, cols) in [(1500, 100), (100, 5000)] {
        let data = made(6, rows, cols, 5);
        for text in texts() {
            let ends =
                Vec::from_iter(MOMENTS.iter().map_while(|&at| seconds_to_end(&text, &data, at)));
            let longest = ends.iter().copied().fold(0.0, f64::max);
            println!("{rows} x {cols} {text}: {} times, at most {longest:.3} s", ends.len());
        }
    }
}

/// From the flag to the end; nothing where the method was done before.
fn seconds_to_end(text: &str, data: &Dataset, moment: u64) -> Option<f64> {
    let stop = Stop::default();
    std::thread::scope(|scope| {
        let fit = scope.spawn(|| done(text, data, &stop).is_err());
        std::thread::sleep(Duration::from_millis(moment));
        let start = Instant::now();
        stop.ask();
        let stopped = fit.join().unwrap();
        stopped.then(|| start.elapsed().as_secs_f64())
    })
}
