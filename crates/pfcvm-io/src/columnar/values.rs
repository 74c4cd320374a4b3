//! The values of typed arrays as numbers and as texts.

use crate::dates::written;
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrowPrimitiveType};
use arrow_schema::{DataType, TimeUnit};
use std::convert::Infallible;

const SECONDS: i64 = 86_400;

/// Whether values of a type can be features, labels or names.
pub(super) fn can_be_read(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => {
            !matches!(**values, DataType::Dictionary(..)) && can_be_read(values)
        }
        DataType::Null | DataType::Boolean => true,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Decimal32(..) | DataType::Decimal64(..) | DataType::Decimal128(..) => true,
        kind => is_date(kind) || is_span(kind) || kind.is_numeric() && !is_wide(kind),
    }
}

/// What a type that cannot be read holds.
pub(super) fn in_words(kind: &DataType) -> &'static str {
    match kind {
        kind if kind.is_nested() => "lists or structures",
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => "bytes",
        DataType::FixedSizeBinary(_) => "bytes",
        _ => "values of a type that is not known here",
    }
}

/// Whether a type is one of dates.
pub(super) fn is_date(kind: &DataType) -> bool {
    matches!(kind, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..))
}

/// Times of a day and spans of time, which are numbers of days.
fn is_span(kind: &DataType) -> bool {
    matches!(kind, DataType::Time32(_) | DataType::Time64(_) | DataType::Duration(_))
}

fn is_wide(kind: &DataType) -> bool {
    matches!(kind, DataType::Decimal256(..))
}

/// Numbers, days of dates, 0 and 1 of truth values; NaN where there is none. Nothing for texts.
pub(super) fn numbers(array: &dyn Array) -> Option<Vec<f64>> {
    let scaled = |scale: i8| move |value: f64| value / 10f64.powi(i32::from(scale));
    Some(match array.data_type() {
        DataType::Null => vec![f64::NAN; array.len()],
        DataType::Boolean => {
            let values = array.as_boolean().iter();
            values.map(|value| value.map_or(f64::NAN, f64::from)).collect()
        }
        DataType::Int8 => each::<Int8Type>(array, f64::from),
        DataType::Int16 => each::<Int16Type>(array, f64::from),
        DataType::Int32 => each::<Int32Type>(array, f64::from),
        DataType::Int64 => each::<Int64Type>(array, |value| value as f64),
        DataType::UInt8 => each::<UInt8Type>(array, f64::from),
        DataType::UInt16 => each::<UInt16Type>(array, f64::from),
        DataType::UInt32 => each::<UInt32Type>(array, f64::from),
        DataType::UInt64 => each::<UInt64Type>(array, |value| value as f64),
        DataType::Float16 => each::<Float16Type>(array, |value| value.to_f64()),
        DataType::Float32 => each::<Float32Type>(array, f64::from),
        DataType::Float64 => each::<Float64Type>(array, |value| value),
        DataType::Decimal32(_, scale) => {
            let scaled = scaled(*scale);
            each::<Decimal32Type>(array, |value| scaled(f64::from(value)))
        }
        DataType::Decimal64(_, scale) => {
            let scaled = scaled(*scale);
            each::<Decimal64Type>(array, |value| scaled(value as f64))
        }
        DataType::Decimal128(_, scale) => {
            let scaled = scaled(*scale);
            each::<Decimal128Type>(array, |value| scaled(value as f64))
        }
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let values = numbers(dictionary.values().as_ref())?;
            let cell = |key: Option<usize>| key.and_then(|key| values.get(key));
            keys(array).into_iter().map(|key| cell(key).copied().unwrap_or(f64::NAN)).collect()
        }
        _ => {
            let (ticks, per_day) = ticks(array)?;
            let share = |tick: i64| tick.rem_euclid(per_day) as f64 / per_day as f64;
            let days = |tick: i64| tick.div_euclid(per_day) as f64 + share(tick);
            ticks.into_iter().map(|tick| tick.map_or(f64::NAN, days)).collect()
        }
    })
}

/// The values as texts, one after the other: those that a CSV file would have.
pub(super) fn each_text<E>(
    array: &dyn Array,
    mut take: impl FnMut(Option<&str>) -> Result<(), E>,
) -> Result<(), E> {
    if !matches!(array.data_type(), DataType::Dictionary(..)) {
        return each_plain_text(array, take);
    }
    let mut values: Vec<Option<String>> = Vec::new();
    let Ok(()) = each_plain_text(array.as_any_dictionary().values().as_ref(), |text| {
        values.push(text.map(str::to_string));
        Ok::<(), Infallible>(())
    });
    let text = |key: Option<usize>| values.get(key?)?.as_deref();
    keys(array).into_iter().try_for_each(|key| take(text(key)))
}

/// The same of an array without a dictionary.
fn each_plain_text<E>(
    array: &dyn Array,
    mut take: impl FnMut(Option<&str>) -> Result<(), E>,
) -> Result<(), E> {
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().try_for_each(take),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().try_for_each(take),
        DataType::Utf8View => array.as_string_view().iter().try_for_each(take),
        DataType::Boolean => {
            let text = |value| if value { "True" } else { "False" };
            array.as_boolean().iter().try_for_each(|value| take(value.map(text)))
        }
        DataType::Int64 => written_whole::<Int64Type, E>(array, take),
        DataType::UInt64 => written_whole::<UInt64Type, E>(array, take),
        kind if is_date(kind) => {
            let (ticks, per_day) = ticks(array).unwrap_or_default();
            let text = |tick: Option<i64>| tick.map(|tick| written(tick, per_day));
            ticks.into_iter().try_for_each(|tick| take(text(tick).as_deref()))
        }
        _ => {
            let numbers = numbers(array).unwrap_or_else(|| vec![f64::NAN; array.len()]);
            let text = |value: f64| (!value.is_nan()).then(|| value.to_string());
            numbers.into_iter().try_for_each(|value| take(text(value).as_deref()))
        }
    }
}

/// All values of an array, gaps as NaN.
fn each<T: ArrowPrimitiveType>(array: &dyn Array, number: impl Fn(T::Native) -> f64) -> Vec<f64> {
    let array = array.as_primitive::<T>();
    let mut cells: Vec<f64> = array.values().iter().map(|value| number(*value)).collect();
    if let Some(nulls) = array.nulls() {
        for (cell, there) in cells.iter_mut().zip(nulls.iter()) {
            if !there {
                *cell = f64::NAN;
            }
        }
    }
    cells
}

/// Whole numbers that a float may not hold.
fn written_whole<T, E>(
    array: &dyn Array,
    mut take: impl FnMut(Option<&str>) -> Result<(), E>,
) -> Result<(), E>
where
    T: ArrowPrimitiveType,
    T::Native: ToString,
{
    let text = |value: Option<T::Native>| value.map(|value| value.to_string());
    array.as_primitive::<T>().iter().try_for_each(|value| take(text(value).as_deref()))
}

/// The places of the values of an array with a dictionary.
fn keys(array: &dyn Array) -> Vec<Option<usize>> {
    let dictionary = array.as_any_dictionary();
    if dictionary.values().is_empty() {
        return vec![None; array.len()];
    }
    let there = |row: usize| dictionary.keys().is_valid(row);
    let keys = dictionary.normalized_keys().into_iter().enumerate();
    keys.map(|(row, key)| there(row).then_some(key)).collect()
}

/// Dates, times and spans as whole numbers, and how many make a day; nothing for anything else.
fn ticks(array: &dyn Array) -> Option<(Vec<Option<i64>>, i64)> {
    use TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
    let per_day = |unit: &TimeUnit| match unit {
        Second => SECONDS,
        Millisecond => SECONDS * 1_000,
        Microsecond => SECONDS * 1_000_000,
        Nanosecond => SECONDS * 1_000_000_000,
    };
    Some(match array.data_type() {
        DataType::Date32 => (whole::<Date32Type>(array), 1),
        DataType::Date64 => (whole::<Date64Type>(array), per_day(&Millisecond)),
        DataType::Time32(unit) => match unit {
            Second => (whole::<Time32SecondType>(array), per_day(unit)),
            _ => (whole::<Time32MillisecondType>(array), per_day(unit)),
        },
        DataType::Time64(unit) => match unit {
            Microsecond => (whole::<Time64MicrosecondType>(array), per_day(unit)),
            _ => (whole::<Time64NanosecondType>(array), per_day(unit)),
        },
        DataType::Timestamp(unit, _) => {
            let ticks = match unit {
                Second => whole::<TimestampSecondType>(array),
                Millisecond => whole::<TimestampMillisecondType>(array),
                Microsecond => whole::<TimestampMicrosecondType>(array),
                Nanosecond => whole::<TimestampNanosecondType>(array),
            };
            (ticks, per_day(unit))
        }
        DataType::Duration(unit) => {
            let ticks = match unit {
                Second => whole::<DurationSecondType>(array),
                Millisecond => whole::<DurationMillisecondType>(array),
                Microsecond => whole::<DurationMicrosecondType>(array),
                Nanosecond => whole::<DurationNanosecondType>(array),
            };
            (ticks, per_day(unit))
        }
        _ => return None,
    })
}

fn whole<T>(array: &dyn Array) -> Vec<Option<i64>>
where
    T: ArrowPrimitiveType,
    T::Native: Into<i64>,
{
    array.as_primitive::<T>().iter().map(|value| value.map(Into::into)).collect()
}
