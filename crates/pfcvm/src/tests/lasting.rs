//! A Hessian that lasts for another step against one that is made anew.

use super::common::assert_close;
use super::point::Point;
use crate::Kernel;
use crate::algebra::Work;
use crate::basis::Basis;
use crate::posterior::{Columns, Lasting, WithLasting, step_samples};
use crate::settings::Truncation::Exact;

fn point() -> Point {
    Point::random(Kernel::Rbf, 17, 40, 3, 12)
}

/// Where the weights have not moved, products and steps are those made anew; and with fewer samples those of
/// fewer samples.
#[test]
fn nothing_changes_where_nothing_has_moved() {
    let mut point = point();
    (point.w[4], point.w[9]) = (0.0, 0.0);
    let mut work = Work::new(false);
    let mut basis = point.basis(&mut work);
    let (prior, likelihood) = (point.sample_prior(Exact), point.likelihood());
    let f = basis.decision(&point.w, &mut work);
    let (c, residual) = (likelihood.curvature(&f), likelihood.residual(&f));
    let mut lasting = Lasting::at(&basis, (&c, &residual), &point.w, &prior, &mut work);

    let interior = prior.interior(&point.w);
    let with = WithLasting { basis: &basis, lasting: &lasting };
    let expected = basis.gram(&c, &interior, &mut work);
    let found = with.gram(&c, &interior, &mut work);
    assert_close("gram", found.as_slice(), expected.as_slice(), 1e-12);
    let (mut anew, mut again) = ((point.w.clone(), f.clone()), (point.w.clone(), f));
    step_samples(&basis, &likelihood, &prior, (&mut anew.0, &mut anew.1), &[], &mut work);
    step_samples(&with, &likelihood, &prior, (&mut again.0, &mut again.1), &[], &mut work);
    assert_close("step", &again.0, &anew.0, 1e-10);

    let kept = [0, 1, 4, 6, 11];
    lasting.keep_samples(&kept);
    basis.keep_samples(&kept, &mut work);
    let all: Vec<usize> = (0..=kept.len()).collect();
    let with = WithLasting { basis: &basis, lasting: &lasting };
    let free = with.known(all);
    let expected = basis.gram(&c, &free, &mut work);
    assert_close("fewer", with.gram(&c, &free, &mut work).as_slice(), expected.as_slice(), 1e-12);
}

/// Steps by the Hessian of the place where they began end in the same mode as Newton's.
#[test]
fn the_modes_are_the_same() {
    let point = point();
    let mut work = Work::new(false);
    let basis: Basis = point.basis(&mut work);
    let (prior, likelihood) = (point.sample_prior(Exact), point.likelihood());
    let f = basis.decision(&point.w, &mut work);
    let (c, residual) = (likelihood.curvature(&f), likelihood.residual(&f));
    let lasting = Lasting::at(&basis, (&c, &residual), &point.w, &prior, &mut work);
    let with = WithLasting { basis: &basis, lasting: &lasting };
    let (mut newton, mut chord) = ((point.w.clone(), f.clone()), (point.w.clone(), f));
    for _ in 0..200 {
        let moving = (&mut newton.0, &mut newton.1);
        step_samples(&basis, &likelihood, &prior, moving, &[], &mut work);
        let moving = (&mut chord.0, &mut chord.1);
        step_samples(&with, &likelihood, &prior, moving, &[], &mut work);
    }
    assert_close("mode", &chord.0, &newton.0, 1e-6);
}
