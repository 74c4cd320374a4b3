//! Tails and quantiles against SciPy (`reference/make_golden_statistics.py`), and properties.

use crate::common::{close, golden, table};
use pfcvm_eval::distributions::*;
use proptest::prelude::*;

/// `rounding` is relative and for tails near 1; an exponent of size s costs s units more.
#[track_caller]
fn tail_close(found: f64, expected: f64, rounding: f64, of: &[f64]) {
    let bound = rounding + 1e-14 * expected.ln().abs();
    assert!((found / expected - 1.0).abs() <= bound, "{of:?}: {found:e} for {expected:e}");
}

#[test]
fn tails() {
    let golden = golden();
    let cases = |name: &str| table(&golden["tails"][name]);
    for case in cases("normal") {
        tail_close(normal_upper_tail(case[0]), case[1], 1e-14, &case);
    }
    for case in cases("chi_square") {
        // SciPy's own digits go with the size of the exponent too, not only ours.
        tail_close(chi_square_upper_tail(case[0], case[1]), case[2], 1e-12, &case);
    }
    for case in cases("t_two_sided") {
        tail_close(t_two_sided(case[0], case[1]), case[2], 1e-12, &case);
        tail_close(t_upper_tail(case[0], case[1]), 0.5 * case[2], 1e-12, &case);
        tail_close(t_upper_tail(-case[0], case[1]), 1.0 - 0.5 * case[2], 1e-12, &case);
    }
    for case in cases("f") {
        tail_close(f_upper_tail(case[0], case[1], case[2]), case[3], 1e-12, &case);
    }
}

#[test]
fn quantiles() {
    let golden = golden();
    let cases = |name: &str| table(&golden["tails"][name]);
    for case in cases("normal_quantile") {
        let found = normal_upper_quantile(case[0]);
        assert!((found - case[1]).abs() < 1e-13 * case[1].abs().max(1.0), "{case:?}: {found}");
    }
    for case in cases("t_quantile") {
        let found = t_two_sided_quantile(case[0], case[1]);
        assert!((found / case[2] - 1.0).abs() < 1e-11, "{case:?}: {found}");
    }
}

/// SciPy integrates to an absolute error of 1e-11 and takes 1 − the result.
#[test]
fn studentized_range() {
    let golden = &golden()["studentized_range"];
    for (at, case) in table(&golden["quantiles"]).iter().enumerate() {
        let found = studentized_range_upper_quantile(case[1], case[0] as usize);
        close(found, &golden["quantiles"][at][2], 1e-9);
    }
    for (at, case) in table(&golden["tails"]).iter().enumerate() {
        let found = studentized_range_upper_tail(case[1], case[0] as usize);
        close(found, &golden["tails"][at][2], 1e-11);
    }
}

/// Any finite number, small and large ones alike.
fn any_number() -> impl Strategy<Value = f64> {
    (-1.0..1.0f64, -20..20i32).prop_map(|(digits, power)| digits * 10f64.powi(power))
}

fn degrees() -> impl Strategy<Value = f64> {
    prop_oneof![(1..200u32).prop_map(f64::from), (0.01..1e6f64)]
}

proptest! {
    #[test]
    fn tails_fall_and_stay_inside(a in any_number(), b in any_number(), df in degrees(), other in degrees()) {
        let (low, high) = (a.min(b), a.max(b));
        let tails: [(&str, &dyn Fn(f64) -> f64); 5] = [
            ("normal", &normal_upper_tail),
            ("t", &|x| t_upper_tail(x, df)),
            ("chi-square", &|x| chi_square_upper_tail(x, df)),
            ("F", &|x| f_upper_tail(x, df, other)),
            ("range", &|x| studentized_range_upper_tail(x, 2 + (df as usize) % 30)),
        ];
        for (name, tail) in tails {
            let (above, below) = (tail(low), tail(high));
            prop_assert!((0.0..=1.0).contains(&above), "{name} {low}: {above}");
            prop_assert!((0.0..=1.0).contains(&below), "{name} {high}: {below}");
            // Rounding may turn the order of two tails that are the same.
            prop_assert!(below <= above * (1.0 + 1e-10), "{name} {low} {high}: {above} {below}");
        }
        let two_sided = t_two_sided(a, df);
        prop_assert!((0.0..=1.0).contains(&two_sided));
        prop_assert!((t_upper_tail(a, df) + t_upper_tail(-a, df) - 1.0).abs() < 1e-15);
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn quantiles_fall(a in 1e-12..1.0f64, b in 1e-12..1.0f64, count in 2..40usize, df in degrees()) {
        let (small, large) = (a.min(b), a.max(b));
        prop_assert!(normal_upper_quantile(small) >= normal_upper_quantile(large));
        prop_assert!(t_two_sided_quantile(small, df) >= t_two_sided_quantile(large, df));
        let q = |tail| studentized_range_upper_quantile(tail, count);
        prop_assert!(q(small) >= q(large) - 1e-12);
        // More variables, a longer range.
        prop_assert!(studentized_range_upper_quantile(small, count + 1) > q(small));
    }
}
