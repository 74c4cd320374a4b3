//! The clips of a session: one variable each.

use super::{BANDS, CHANNELS, CLIPS, in_variable};
use crate::mat::{self, Variable};
use crate::{Error, error::counted};
use pfcvm::{Dataset, Matrix};
use std::io::{Read, Seek};

/// Most windows of a clip that are believed. The films last four minutes, with a window a second;
/// this is more than two hours, and what a packed file can claim is far more.
const MOST_WINDOWS: u64 = 10_000;

/// The values of one clip, the channel running fastest, then the window.
pub(super) struct Clip {
    windows: usize,
    values: Vec<f64>,
}

impl Clip {
    fn value(&self, channel: usize, window: usize, band: usize) -> f64 {
        self.values[channel + CHANNELS.len() * (window + self.windows * band)]
    }

    fn read(variable: Variable<'_>) -> Result<Self, Error> {
        variable.check_numeric()?;
        let (channels, bands) = (CHANNELS.len() as u64, BANDS.len() as u64);
        let windows = match variable.dimensions[..] {
            [found, windows, last] if (found, last) == (channels, bands) && windows > 0 => windows,
            _ => {
                let shape = variable.shape();
                return Err(Error::Matlab(format!(
                    "{shape} where {channels} x T x {bands} is expected (channels, windows of \
                     time, bands)"
                )));
            }
        };
        if windows > MOST_WINDOWS {
            return Err(Error::Matlab(format!(
                "{windows} windows of time, where a film has a few hundred and {MOST_WINDOWS} are \
                 the most; the file is not of SEED's features"
            )));
        }
        let clip = Self { windows: windows as usize, values: variable.values()? };
        clip.check_finite()?;
        Ok(clip)
    }

    fn check_finite(&self) -> Result<(), Error> {
        let Some(at) = self.values.iter().position(|value| !value.is_finite()) else {
            return Ok(());
        };
        let (channel, rest) = (at % CHANNELS.len(), at / CHANNELS.len());
        let (window, band) = (rest % self.windows, rest / self.windows);
        Err(Error::Matlab(format!(
            "channel {} ({}), window {}, band {} ({}): `{}` is not a finite number; get the file \
             anew or leave the session out",
            channel + 1,
            CHANNELS[channel],
            window + 1,
            band + 1,
            BANDS[band],
            self.values[at]
        )))
    }
}

/// Reads the clips wanted, counted from 1; the one numbered k is at k − 1. All other variables are
/// passed over.
pub(super) fn read(
    reader: impl Read + Seek,
    wanted: impl Fn(usize) -> bool,
) -> Result<[Option<Clip>; CLIPS], Error> {
    let name_of = |clip: usize| format!("de_LDS{clip}");
    let mut clips = [const { None }; CLIPS];
    mat::for_each(reader, |variable| {
        let clip = (1..=CLIPS).find(|&clip| wanted(clip) && variable.name == name_of(clip));
        let Some(clip) = clip else { return Ok(()) };
        let within = |error| in_variable(&name_of(clip), error);
        if clips[clip - 1].is_some() {
            let text = "there are two variables of this name; get the file anew";
            return Err(within(Error::Matlab(text.into())));
        }
        clips[clip - 1] = Some(Clip::read(variable).map_err(within)?);
        Ok(())
    })?;
    let is_missing = |clip: &usize| wanted(*clip) && clips[clip - 1].is_none();
    let missing: Vec<usize> = (1..=CLIPS).filter(is_missing).collect();
    let Some(&first) = missing.first() else { return Ok(clips) };
    let more = match missing.len() - 1 {
        0 => String::new(),
        more => format!(" (and {} more missing)", counted(more, "variable")),
    };
    Err(Error::Matlab(format!(
        "there is no variable {}{more}; a file of SEED's features has de_LDS1 to de_LDS{CLIPS}",
        name_of(first)
    )))
}

/// One row per window of the clips with the given numbers, all bands of a channel side by side.
pub(super) fn dataset(
    clips: &[Option<Clip>; CLIPS],
    numbers: &[usize],
    is_positive: impl Fn(usize) -> bool,
) -> Result<Dataset, Error> {
    let chosen: Vec<&Clip> = numbers.iter().filter_map(|at| clips[at - 1].as_ref()).collect();
    let rows = chosen.iter().map(|clip| clip.windows).sum();
    let columns = CHANNELS.len() * BANDS.len();
    let mut values = Vec::with_capacity(rows * columns);
    for column in 0..columns {
        let (channel, band) = (column / BANDS.len(), column % BANDS.len());
        for clip in &chosen {
            values.extend((0..clip.windows).map(|window| clip.value(channel, window, band)));
        }
    }
    let mut positive = Vec::with_capacity(rows);
    for (clip, &number) in chosen.iter().zip(numbers) {
        positive.extend(std::iter::repeat_n(is_positive(number), clip.windows));
    }
    Ok(Dataset::new(Matrix::from_column_major(rows, columns, values), positive)?)
}
