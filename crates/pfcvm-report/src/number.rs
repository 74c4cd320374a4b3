//! Numbers for readers: few digits, thin spaces between thousands, a real minus sign.

/// Keeps the groups of a long number together on one line.
const THIN_SPACE: char = '\u{202f}';

/// Three significant digits (four below ten thousand), `1.2×10⁻⁷` for the very large and small,
/// an en dash for what is not finite.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        "–".into()
    } else if size == 0.0 {
        "0".into()
    } else if !(1e-4..1e7).contains(&size) {
        scientific(value)
    } else if size >= 999.5 || value.fract() == 0.0 {
        fixed(value, 0)
    } else {
        // Rounding may carry into one more digit (9.996 is 10.0), which is welcome.
        let decimals = 2 - size.log10().floor() as i32;
        fixed(value, decimals.max(0) as usize)
    }
}

/// A number with a given count of decimals.
pub fn fixed(value: f64, decimals: usize) -> String {
    let digits = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let negative = value < 0.0 && digits.contains(|c| ('1'..='9').contains(&c));
    let mut text = String::from(if negative { "−" } else { "" });
    for (at, digit) in whole.chars().enumerate() {
        // 1234 reads well without a space, 12 345 does not.
        if at > 0 && whole.len() > 4 && (whole.len() - at) % 3 == 0 {
            text.push(THIN_SPACE);
        }
        text.push(digit);
    }
    text + fraction
}

/// A count.
pub fn count(value: usize) -> String {
    fixed(value as f64, 0)
}

/// `count(n)` and a noun, with an s unless n is one.
pub fn counted(value: usize, noun: &str) -> String {
    format!("{} {noun}{}", count(value), if value == 1 { "" } else { "s" })
}

/// A share as per cent. What is not quite everything or nothing is never rounded to it.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if !share.is_finite() {
        "–".into()
    } else if percent == 0.0 || percent == 100.0 {
        format!("{percent:.0}\u{202f}%")
    } else {
        let text = fixed(percent.clamp(0.1, 99.9), 1);
        text + "\u{202f}%"
    }
}

/// Seconds as a reader would say them.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if !s.is_finite() || s < 0.0 => "–".into(),
        s if s < 0.0995 => format!("{} ms", number(1000.0 * s)),
        s if s < 120.0 => format!("{} s", number(s)),
        s if s < 7200.0 => format!("{} min", number(s / 60.0)),
        s => format!("{} h", number(s / 3600.0)),
    }
}

/// Numbers of one column, all with the same decimals, so that they line up: enough for three
/// significant digits of the middle one.
pub fn column(values: &[f64]) -> Vec<String> {
    let mut sizes: Vec<f64> = values.iter().map(|v| v.abs()).collect();
    sizes.retain(|size| size.is_finite() && *size > 0.0);
    sizes.sort_by(f64::total_cmp);
    let (Some(&middle), Some(&largest)) = (sizes.get(sizes.len() / 2), sizes.last()) else {
        return values.iter().map(|&value| number(value)).collect();
    };
    if largest >= 1e7 || middle < 1e-5 {
        return values.iter().map(|&value| number(value)).collect();
    }
    let whole = values.iter().all(|value| !value.is_finite() || value.fract() == 0.0);
    let decimals = if whole { 0.0 } else { (2.0 - middle.log10().floor()).clamp(0.0, 7.0) };
    let text = |&value: &f64| match value {
        value if value.is_finite() => fixed(value, decimals as usize),
        value => number(value),
    };
    values.iter().map(text).collect()
}

fn scientific(value: f64) -> String {
    let text = format!("{value:.1e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let raised = exponent.chars().map(|c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32(0x2070 + (u32::from(digit) - u32::from('0'))).unwrap_or(digit),
    });
    format!("{}×10{}", mantissa.replace('-', "−"), raised.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_or_four_digits() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (0.012_345, "0.0123"),
            (-1.5, "−1.50"),
            (42.0, "42"),
            (99.96, "100.0"),
            (123.456, "123"),
            (1234.5, "1234"),
            (-65_432.1, "−65\u{202f}432"),
            (2e6, "2\u{202f}000\u{202f}000"),
            (1.234e-12, "1.2×10⁻¹²"),
            (-3.0e300, "−3.0×10³⁰⁰"),
            (f64::NAN, "–"),
        ];
        for (value, expected) in cases {
            assert_eq!(number(value), expected);
        }
    }

    #[test]
    fn there_is_no_minus_zero() {
        assert_eq!(fixed(-0.0001, 2), "0.00");
        assert_eq!(column(&[-0.000_001, 0.25, 0.5]), ["0.000", "0.250", "0.500"]);
    }

    #[test]
    fn shares_are_not_rounded_to_certainty() {
        assert_eq!(percent(0.9999), "99.9\u{202f}%");
        assert_eq!(percent(0.000_01), "0.1\u{202f}%");
        assert_eq!(percent(1.0), "100\u{202f}%");
        assert_eq!(percent(0.853), "85.3\u{202f}%");
    }

    #[test]
    fn columns_line_up() {
        assert_eq!(column(&[12.5, 0.25, 1.0]), ["12.50", "0.25", "1.00"]);
        assert_eq!(column(&[3.0, f64::NAN, 120.0]), ["3", "–", "120"]);
        assert_eq!(column(&[]), Vec::<String>::new());
    }

    #[test]
    fn durations_have_fitting_units() {
        assert_eq!(duration(0.0123), "12.3 ms");
        assert_eq!(duration(3.0), "3 s");
        assert_eq!(duration(600.0), "10 min");
    }
}
