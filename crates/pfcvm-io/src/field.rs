//! Single fields: numbers, gaps, and the words for what is wrong with them.

use crate::error::shown;
use crate::{Error, FieldProblem, Place};

/// The finite number that a field holds.
pub(crate) fn number(field: &[u8]) -> Option<f64> {
    short_number(field).or_else(|| any_number(field))
}

/// Numbers of up to 15 digits without an exponent, which is most of them. Their digits are a whole
/// number that a float holds exactly, and so is the power of ten to divide by; one division
/// then rounds once, as it should (Clinger 1990).
#[inline]
fn short_number(field: &[u8]) -> Option<f64> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let digits = field.strip_prefix(b"-").unwrap_or(field);
    if digits.len() > 16 {
        return None;
    }
    let (mut whole, mut point) = (0u64, None);
    for (at, &byte) in digits.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            whole = 10 * whole + u64::from(digit);
        } else if byte == b'.' && point.is_none() {
            point = Some(at);
        } else {
            return None;
        }
    }
    let count = digits.len() - usize::from(point.is_some());
    if count == 0 || count > 15 {
        return None;
    }
    let value = whole as f64 / POWERS[point.map_or(0, |at| count - at)];
    Some(if digits.len() < field.len() { -value } else { value })
}

/// Any number, at the pace of the standard library.
fn any_number(field: &[u8]) -> Option<f64> {
    let value: f64 = std::str::from_utf8(field).ok()?.parse().ok()?;
    value.is_finite().then_some(value)
}

/// What a comma within a number means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Commas {
    /// Nothing: it is no number.
    No,
    /// It stands for the point, in files that separate columns by something else.
    Decimal,
    /// It sets thousands apart, in quotes in files that separate columns by commas.
    Thousands,
}

/// A number that holds commas.
pub(crate) fn number_with_commas(field: &[u8], commas: Commas) -> Option<f64> {
    let first = memchr::memchr(b',', field)?;
    match commas {
        Commas::No => None,
        Commas::Decimal => {
            let mut text = field.to_vec();
            text[first] = b'.';
            // Neither a point nor another comma: then it is something else.
            let single = memchr::memchr2(b'.', b',', &field[first + 1..]).is_none()
                && memchr::memchr(b'.', &field[..first]).is_none();
            if single { number(&text) } else { None }
        }
        Commas::Thousands => {
            let whole = field.strip_prefix(b"-").unwrap_or(field);
            let whole = &whole[..memchr::memchr(b'.', whole).unwrap_or(whole.len())];
            let mut groups = whole.split(|byte| *byte == b',');
            let begins = groups.next().is_some_and(|group| (1..=3).contains(&group.len()));
            if !begins || groups.any(|group| group.len() != 3) {
                return None;
            }
            let text: Vec<u8> = field.iter().copied().filter(|byte| *byte != b',').collect();
            number(&text)
        }
    }
}

/// Whether a field is a number too large for a float, or infinite by name.
pub(crate) fn is_infinite(field: &[u8]) -> bool {
    let likely = field.iter().any(u8::is_ascii_digit)
        || field.len() <= 9 && memchr::memchr2(b'i', b'I', field).is_some();
    let text = likely.then(|| std::str::from_utf8(field).ok()).flatten();
    text.is_some_and(|text| text.parse::<f64>().is_ok_and(f64::is_infinite))
}

/// Texts that stand for a value nobody has, in the words of spreadsheets, databases and languages.
pub(crate) fn is_missing(field: &[u8]) -> bool {
    const LONGEST: usize = 4;
    match field {
        b"" | b"?" | b"NA" | b"N/A" | b"n/a" | b"#N/A" | b"#NA" | b"<NA>" | b"None" | b"-nan"
        | b"-NaN" => true,
        _ if field.len() > LONGEST => false,
        _ => field.eq_ignore_ascii_case(b"nan") || field.eq_ignore_ascii_case(b"null"),
    }
}

/// What counts as a gap: what always does, and what a user names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gaps {
    texts: Vec<Vec<u8>>,
    numbers: Vec<f64>,
}

impl Gaps {
    pub(crate) fn new(named: &[String]) -> Self {
        let texts = named.iter().map(|text| text.trim().as_bytes().to_vec()).collect();
        let numbers = named.iter().filter_map(|text| number(text.trim().as_bytes())).collect();
        Self { texts, numbers }
    }

    /// Whether a text is one.
    pub(crate) fn has(&self, field: &[u8]) -> bool {
        is_missing(field) || self.names(field)
    }

    /// Whether a user named it, as a text or as the same number in another form.
    pub(crate) fn names(&self, field: &[u8]) -> bool {
        let same_number = || number(field).is_some_and(|value| self.numbers.contains(&value));
        !self.texts.is_empty() && (self.texts.iter().any(|text| text == field) || same_number())
    }

    /// A number, or a gap if it stands for one.
    #[inline]
    pub(crate) fn in_place_of(&self, value: f64) -> f64 {
        match self.numbers.is_empty() || !self.numbers.contains(&value) {
            true => value,
            false => f64::NAN,
        }
    }
}

/// Why a label cannot be used.
pub(crate) fn refuse_label(place: Place, field: &[u8]) -> Error {
    if std::str::from_utf8(field).is_err() {
        return Error::NotUtf8 { place };
    }
    Error::BadField { place, text: shown(field), problem: FieldProblem::NoLabel }
}

/// Why a field cannot be used.
pub(crate) fn refuse(place: Place, field: &[u8]) -> Error {
    if field.is_empty() {
        return Error::Missing { place };
    }
    let Ok(text) = std::str::from_utf8(field) else { return Error::NotUtf8 { place } };
    let problem = match text.parse::<f64>() {
        Ok(_) => FieldProblem::NotFinite,
        Err(_) => FieldProblem::NotANumber,
    };
    Error::BadField { place, text: shown(field), problem }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The short cut and the standard library agree to the last bit, on what is a number too.
        #[test]
        fn short_numbers_are_exact(text in "[-+]?[0-9]{0,12}[.]?[0-9]{0,9}(e-?[0-9]{1,3})?") {
            let (short, any) = (short_number(text.as_bytes()), any_number(text.as_bytes()));
            if let Some(short) = short {
                prop_assert_eq!(Some(short.to_bits()), any.map(f64::to_bits));
            }
        }
    }

    #[test]
    fn commas_are_points_or_set_thousands_apart() {
        let decimal = |text: &str| number_with_commas(text.as_bytes(), Commas::Decimal);
        assert_eq!(
            (decimal("1,5"), decimal("-0,25"), decimal("1,5e2")),
            (Some(1.5), Some(-0.25), Some(150.0))
        );
        for text in ["1,2,3", "1.234,5", "1,5.0", "a,5", "15"] {
            assert_eq!(decimal(text), None, "{text}");
        }
        let thousands = |text: &str| number_with_commas(text.as_bytes(), Commas::Thousands);
        assert_eq!(
            (thousands("1,234"), thousands("-12,345,678.5")),
            (Some(1234.0), Some(-12_345_678.5))
        );
        for text in ["1,5", "1234,567", ",123", "1,23x"] {
            assert_eq!(thousands(text), None, "{text}");
        }
        assert_eq!(number_with_commas(b"1,5", Commas::No), None);
    }

    #[test]
    fn gaps_are_what_programs_write_for_them_and_what_a_user_names() {
        let gaps = Gaps::new(&["-999".into(), " unknown ".into()]);
        for text in
            ["", "?", "NA", "NaN", "nan", "null", "None", "N/A", "#N/A", "unknown", "-999.0"]
        {
            assert!(gaps.has(text.as_bytes()), "{text}");
        }
        for text in ["none", "na", "Unknown", "999", "-", "."] {
            assert!(!gaps.has(text.as_bytes()), "{text}");
        }
        assert!(gaps.in_place_of(-999.0).is_nan() && gaps.in_place_of(1.0) == 1.0);
    }

    #[test]
    fn short_numbers_are_taken() {
        for (text, value) in [("-0", -0.0), ("1.", 1.0), (".5", 0.5), ("-12.75", -12.75)] {
            assert_eq!(short_number(text.as_bytes()).map(f64::to_bits), Some(f64::to_bits(value)));
        }
        for text in ["", "-", ".", "+1", "1e5", "1.2.3", "nan", "1234567890123456"] {
            assert_eq!(short_number(text.as_bytes()), None, "{text}");
        }
    }
}
