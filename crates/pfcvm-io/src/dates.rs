//! Dates and times as days since the beginning of 1970.

use serde::{Deserialize, Serialize};

/// Which number comes first in dates that do not begin with the year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateOrder {
    /// The day, as in 31/12/2024.
    DayFirst,
    /// The month, as in 12/31/2024.
    #[default]
    MonthFirst,
}

/// Days since 1970 of a date, perhaps with a time; nothing if the text is none.
///
/// The year has four digits and stands first (`2024-12-31`) or last (`31.12.2024`, `31 Dec 2024`,
/// `Dec 31, 2024`). A time may follow (`T23:59:30.5+01:00`, `11:59 pm`).
pub(crate) fn days(text: &str, order: DateOrder) -> Option<f64> {
    if !(8..=40).contains(&text.len()) || !text.is_ascii() {
        return None;
    }
    let (date, time) = match text.find(':') {
        None => (text, None),
        Some(colon) => {
            let start = text[..colon].rfind([' ', 'T'])?;
            (&text[..start], Some(&text[start + 1..]))
        }
    };
    let share = time.map_or(Some(0.0), share_of_day)?;
    Some(day_number(date.trim_end(), order)? as f64 + share)
}

/// The order in which all texts are dates, if they are: where both are possible, points and
/// hyphens speak for the day first, strokes for the month.
pub(crate) fn order_of<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Option<DateOrder> {
    let strokes = texts.clone().next().is_some_and(|text| text.contains('/'));
    let (likely, other) = match strokes {
        true => (DateOrder::MonthFirst, DateOrder::DayFirst),
        false => (DateOrder::DayFirst, DateOrder::MonthFirst),
    };
    let fits = |order: &DateOrder| texts.clone().all(|text| days(text, *order).is_some());
    [likely, other].into_iter().find(fits)
}

fn day_number(date: &str, order: DateOrder) -> Option<i64> {
    let mut parts = date.split(|c: char| "-/. ".contains(c)).filter(|part| !part.is_empty());
    let (first, second, third) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    // A comma may end a day before its year.
    let second = second.strip_suffix(',').unwrap_or(second);
    let (year, month, day) = if first.len() == 4 {
        (first, month(second)?, second_number(third)?)
    } else if let Some(month) = named_month(first) {
        (third, month, second_number(second)?)
    } else if let Some(month) = named_month(second) {
        (third, month, second_number(first)?)
    } else {
        let (first, second) = (second_number(first)?, second_number(second)?);
        match order {
            DateOrder::DayFirst => (third, second, first),
            DateOrder::MonthFirst => (third, first, second),
        }
    };
    let year = (year.len() == 4).then(|| whole(year))??;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    (1..=length).contains(&day).then(|| since_1970(year, month, day))
}

/// Days from the civil calendar: years are counted from March, so that a leap day is the last of
/// its year.
fn since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let from_march = (month + 9) % 12;
    let in_year = (153 * from_march + 2) / 5 + day - 1;
    365 * year + year / 4 - year / 100 + year / 400 + in_year - 719_468
}

/// A date as text, the year first, of whole numbers since 1970 of which so many make a day; with its
/// time if it has one.
#[cfg(feature = "parquet")]
pub(crate) fn written(tick: i64, per_day: i64) -> String {
    let (day, beyond) = (tick.div_euclid(per_day), tick.rem_euclid(per_day));
    // Years are counted from March here too, in cycles of 400.
    let from_march = i128::from(day) + 719_468;
    let (cycle, day) = (from_march.div_euclid(146_097), from_march.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let mut text = format!("{:04}-{month:02}-{day:02}", 400 * cycle + year + later);
    if beyond != 0 {
        let per_second = per_day / 86_400;
        let (seconds, rest) = (beyond / per_second, beyond % per_second);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        text += &format!("T{hours:02}:{minutes:02}:{seconds:02}");
        if rest != 0 {
            let digits = per_second.ilog10() as usize;
            text += &format!(".{rest:0digits$}");
        }
    }
    text
}

fn month(text: &str) -> Option<i64> {
    named_month(text).or_else(|| second_number(text))
}

/// A month by its English name or the first three letters of it.
fn named_month(text: &str) -> Option<i64> {
    const NAMES: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let text = text.to_ascii_lowercase();
    let is = |name: &&str| text == **name || (text.len() == 3 && name.starts_with(&text));
    NAMES.iter().position(is).map(|at| at as i64 + 1)
}

/// A day or a month: one digit or two.
fn second_number(text: &str) -> Option<i64> {
    (text.len() <= 2).then(|| whole(text))?
}

fn whole(text: &str) -> Option<i64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

/// `23:59`, with seconds and their fraction, morning or afternoon, and distance from Greenwich.
fn share_of_day(time: &str) -> Option<f64> {
    let time = time.trim();
    let time = time.strip_suffix(['Z', 'z']).unwrap_or(time);
    let time = time.strip_suffix(" UTC").unwrap_or(time);
    let zone = time.rfind(['+', '-']);
    let (time, shift) = match zone {
        None => (time, 0.0),
        Some(at) => {
            let (time, zone) = time.split_at(at);
            let digits = zone[1..].replace(':', "");
            let (hours, minutes) = match digits.len() {
                2 => (whole(&digits)?, 0),
                4 => (whole(&digits[..2])?, whole(&digits[2..])?),
                _ => return None,
            };
            let minutes = (60 * hours + minutes) as f64;
            (time.trim_end(), if zone.starts_with('-') { -minutes } else { minutes })
        }
    };
    let lower = time.to_ascii_lowercase();
    let half = ["am", "pm"].iter().position(|half| lower.ends_with(half));
    let time = if half.is_some() { time[..time.len() - 2].trim_end() } else { time };
    let mut parts = time.split(':');
    let (hours, minutes) = (second_number(parts.next()?)?, second_number(parts.next()?)?);
    let seconds = match parts.next() {
        None => 0.0,
        Some(text) if text.as_bytes().first().is_some_and(u8::is_ascii_digit) => {
            text.parse::<f64>().ok()?
        }
        Some(_) => return None,
    };
    let hours = match half {
        None => hours,
        Some(_) if !(1..=12).contains(&hours) => return None,
        Some(half) => hours % 12 + 12 * half as i64,
    };
    let sound = hours < 24 && minutes < 60 && (0.0..61.0).contains(&seconds);
    let minutes = (60 * hours + minutes) as f64 - shift;
    (sound && parts.next().is_none()).then_some((60.0 * minutes + seconds) / 86_400.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days_since_1970() {
        let cases = [
            ("1970-01-01", 0.0),
            ("1969-12-31", -1.0),
            ("2000-02-29", 11_016.0),
            ("2024-12-31", 20_088.0),
            ("2024/12/31", 20_088.0),
            ("2024-12-31T12:00:00Z", 20_088.5),
            ("2024-12-31 06:00", 20_088.25),
            ("2024-12-31 06:00:00 pm", 20_088.75),
            ("2024-12-31T18:00:00.000+06:00", 20_088.5),
            ("31 Dec 2024", 20_088.0),
            ("Dec 31, 2024", 20_088.0),
            ("31-December-2024", 20_088.0),
            ("31.12.2024", 20_088.0),
            ("31/12/2024", 20_088.0),
        ];
        for (text, expected) in cases {
            assert_eq!(days(text, DateOrder::DayFirst), Some(expected), "{text}");
        }
        assert_eq!(days("12/31/2024", DateOrder::MonthFirst), Some(20_088.0));
        for text in [
            "2023-02-29",
            "2024-13-01",
            "31/12/24",
            "2024-1",
            "1.2.3.2024",
            "2024-01-01 25:00",
            "noon",
        ] {
            assert_eq!(days(text, DateOrder::DayFirst), None, "{text}");
        }
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn written_dates_are_read_as_the_same_days() {
        for (tick, per_day, text) in [
            (0, 1, "1970-01-01"),
            (-1, 1, "1969-12-31"),
            (11_016, 1, "2000-02-29"),
            (-25_509, 1, "1900-02-28"),
            (20_088 * 86_400 + 43_200, 86_400, "2024-12-31T12:00:00"),
            (-500, 86_400_000, "1969-12-31T23:59:59.500"),
        ] {
            assert_eq!(written(tick, per_day), text);
            let share = tick.rem_euclid(per_day) as f64 / per_day as f64;
            let expected = tick.div_euclid(per_day) as f64 + share;
            assert_eq!(days(text, DateOrder::DayFirst), Some(expected));
        }
        for day in (-141_427..1_000_000).step_by(97) {
            assert_eq!(days(&written(day, 1), DateOrder::DayFirst), Some(day as f64));
        }
        assert!(written(i64::MAX, 1).len() > 10 && written(i64::MIN, 1).len() > 10);
    }

    #[test]
    fn the_order_is_that_of_all() {
        let order = |texts: &[&str]| order_of(texts.iter().copied());
        assert_eq!(order(&["01/02/2024", "13/02/2024"]), Some(DateOrder::DayFirst));
        assert_eq!(order(&["01/02/2024", "02/13/2024"]), Some(DateOrder::MonthFirst));
        assert_eq!(order(&["01/02/2024"]), Some(DateOrder::MonthFirst));
        assert_eq!(order(&["01.02.2024"]), Some(DateOrder::DayFirst));
        assert_eq!(order(&["13/02/2024", "02/13/2024"]), None);
    }
}
