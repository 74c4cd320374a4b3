//! How much room text takes, whatever font the reader's machine has.
//!
//! A page is laid out before anyone knows the font it will be read in. So every character counts
//! as wide as in the widest of the common ones: DejaVu Sans, Noto Sans and Liberation Sans (as
//! wide as Arial and Helvetica), with the few hundredths that Verdana has more.

use unicode_width::UnicodeWidthChar;

/// Widths of the characters from space to tilde, in hundredths of the size of the font.
const REGULAR: [u8; 95] = [
    32, 41, 46, 84, 64, 108, 78, 28, 46, 46, 64, 84, 37, 46, 37, 46, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 64, 46, 46, 84, 84, 84, 56, 102, 69, 69, 73, 78, 67, 62, 78, 76, 43, 50, 70, 56, 91,
    76, 79, 67, 79, 73, 69, 62, 74, 69, 99, 69, 67, 69, 46, 46, 46, 84, 64, 64, 62, 64, 55, 64, 62,
    36, 64, 64, 28, 35, 60, 28, 98, 64, 62, 64, 64, 43, 53, 40, 64, 60, 82, 60, 60, 53, 64, 56, 64,
    84,
];
const BOLD: [u8; 95] = [
    35, 46, 59, 87, 72, 128, 88, 34, 55, 55, 72, 87, 38, 48, 38, 69, 72, 72, 72, 72, 72, 72, 72,
    72, 72, 72, 41, 41, 87, 87, 87, 62, 100, 78, 77, 74, 84, 69, 69, 83, 84, 55, 56, 78, 64, 100,
    85, 86, 74, 86, 79, 73, 69, 82, 78, 113, 78, 74, 73, 55, 69, 55, 87, 72, 72, 68, 72, 60, 72,
    68, 44, 72, 72, 35, 41, 68, 35, 106, 72, 69, 72, 72, 50, 60, 48, 72, 66, 98, 67, 66, 60, 72,
    56, 72, 87,
];

/// Begins and ends a piece of text whose direction must not disturb the rest of the line.
pub(crate) const ISOLATE: (char, char) = ('\u{2068}', '\u{2069}');

/// A kind of text in pictures, with the class, the size and the weight that it has in the style
/// sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lettering {
    /// Numbers at an axis, and small words.
    Tick,
    /// What an axis means. Where the font has no weight between, it is bold.
    Label,
    /// The name of a row or a line.
    Name,
    /// A word that marks a row.
    Mark,
    /// The name of an electrode.
    Electrode,
}

impl Lettering {
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Tick => "tick",
            Self::Label => "label",
            Self::Name => "name",
            Self::Mark => "mark",
            Self::Electrode => "electrode",
        }
    }

    /// In pixels.
    fn size(self) -> f64 {
        match self {
            Self::Tick | Self::Label | Self::Mark => 12.0,
            Self::Name => 13.0,
            Self::Electrode => 7.5,
        }
    }

    fn table(self) -> &'static [u8; 95] {
        if self == Self::Label { &BOLD } else { &REGULAR }
    }

    /// The room a text takes at most, in pixels.
    pub fn width(self, text: &str) -> f64 {
        self.size() * shares(self.table(), text).map(|(_, share)| share).sum::<f64>()
    }

    /// The beginning of a text that fits into a width in pixels, with an ellipsis if something
    /// was cut off.
    pub fn fitted(self, text: &str, width: f64) -> String {
        cut(text, width / self.size(), self.table())
    }
}

/// The beginning of a name that fits into the room of `columns` small letters, with an ellipsis
/// if something was cut off.
pub fn shortened(name: &str, columns: usize) -> String {
    cut(name, ROUNDED * SMALL * columns as f64, &REGULAR)
}

/// A small letter of usual width, as a share of the size of the font.
const SMALL: f64 = 0.62;

/// Characters without a width of their own, such as accents, are kept with their letter, but not
/// by the hundred.
fn cut(text: &str, room: f64, table: &[u8; 95]) -> String {
    if let Some(inner) = text.strip_prefix(ISOLATE.0).and_then(|n| n.strip_suffix(ISOLATE.1)) {
        return isolated(&cut(inner, room, table));
    }
    let most = (4.0 * room / (ROUNDED * SMALL)).round() as usize;
    let width: f64 = shares(table, text).map(|(_, share)| share).sum();
    // Sums of hundredths are a little off.
    if width <= room + 1e-9 && text.chars().count() <= most {
        return text.to_owned();
    }
    let (mut used, mut kept) = (ROUNDED * ELLIPSIS, String::new());
    for (c, share) in shares(table, text).take(most) {
        used += share;
        if used > room {
            break;
        }
        kept.push(c);
    }
    // Half of a joined emoji would show as two.
    let kept = kept.trim_end_matches(['\u{200d}', '\u{fe0f}', ' ']);
    format!("{kept}…")
}

/// Where letters begin at whole pixels, each may be up to half a pixel wider than it should be.
const ROUNDED: f64 = 1.07;
const ELLIPSIS: f64 = 1.0;

/// The characters with their widths as shares of the size of the font.
fn shares(table: &[u8; 95], text: &str) -> impl Iterator<Item = (char, f64)> {
    let mut marks = 0;
    text.chars().map(move |c| {
        let cells = c.width().unwrap_or(0);
        marks = if cells == 0 && !c.is_control() { marks + 1 } else { 0 };
        let share = match c {
            ' '..='~' => f64::from(table[c as usize - 32]) / 100.0,
            '…' | '—' | '½' => ELLIPSIS,
            // Shown as the sign for what cannot be shown.
            c if c.is_control() => 1.05,
            // An accent has no width of its own. Of several on one letter, some are in no font
            // and shown beside it.
            _ => match cells {
                0 if marks < 2 => 0.0,
                0 => 0.65,
                1 => 0.85,
                _ => 1.3,
            },
        };
        (c, ROUNDED * share)
    })
}

/// A name that can stand in a sentence: one written from right to left would otherwise turn
/// around the numbers beside it.
pub fn isolated(name: &str) -> String {
    // Scripts from right to left, and characters that turn text around, begin here.
    if name.chars().all(|c| c < '\u{590}') {
        return name.to_owned();
    }
    format!("{}{name}{}", ISOLATE.0, ISOLATE.1)
}

/// A bar of the given length, to an eighth of a letter and at least one eighth; shaded, to whole
/// letters, where it may be nothing. What is not above zero has none.
pub(crate) fn letters(length: f64, most: f64, solid: bool) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if length <= 0.0 {
        return String::new();
    }
    if !solid {
        return "░".repeat(length.round().clamp(1.0, most) as usize);
    }
    let eighths = (8.0 * length).round().clamp(1.0, 8.0 * most) as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As DejaVu Sans has it: a minus sign of 0.838 and digits of 0.636 times the size.
    #[test]
    fn numbers_have_the_room_that_wide_digits_need() {
        let wide = 12.0 * (0.838 + 3.0 * 0.636);
        let room = Lettering::Tick.width("−200");
        assert!((1.05 * wide..1.1 * wide).contains(&room), "{room} for {wide}");
        assert!(Lettering::Label.width("evidence") > 1.08 * Lettering::Tick.width("evidence"));
    }

    #[test]
    fn what_is_cut_fits() {
        for text in ["a long name of a feature", "WWWWWWWWWWWW", "特徴量の名前と特徴", "e\u{301}"]
        {
            for width in [20.0, 41.5, 90.0] {
                let cut = Lettering::Name.fitted(text, width);
                assert!(Lettering::Name.width(&cut) <= width, "{cut:?}");
                assert!(cut == text || cut.ends_with('…'), "{cut:?}");
            }
        }
    }

    #[test]
    fn a_shortened_name_stays_isolated() {
        assert_eq!(isolated("wave 1"), "wave 1");
        let short = shortened(&isolated("שלום עולם"), 6);
        assert!(short.starts_with('\u{2068}') && short.ends_with("…\u{2069}"), "{short:?}");
    }

    #[test]
    fn long_names_are_cut_by_their_width() {
        assert_eq!(shortened("abcdeg", 6), "abcdeg");
        assert_eq!(shortened("abcdegh", 6), "abcd…");
        assert_eq!(shortened("WWWWWW", 6), "WW…");
        assert_eq!(shortened("特徴量の名前", 7), "特徴…");
        let accents = "e".to_owned() + &"\u{301}".repeat(1000);
        assert!(shortened(&accents, 6).chars().count() <= 25);
    }

    #[test]
    fn bars_end_at_the_nearest_eighth() {
        let bar = |length: f64| letters(length, 30.0, true);
        assert_eq!(bar(2.0), "██");
        assert_eq!(bar(1.5), "█▌");
        assert_eq!(bar(0.0001), "▏");
        assert_eq!(bar(1.99), "██");
        assert_eq!(bar(f64::INFINITY).chars().count(), 30);
        assert_eq!([bar(0.0), bar(-1.0)], ["", ""]);
    }

    #[test]
    fn what_may_be_nothing_is_shaded() {
        assert_eq!(letters(2.4, 16.0, false), "░░");
        assert_eq!(letters(0.01, 16.0, false), "░");
        assert_eq!(letters(99.0, 16.0, false).chars().count(), 16);
    }
}
