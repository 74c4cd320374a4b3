//! Names from users' files: anything may be in them.

use unicode_width::UnicodeWidthChar;

/// Begins and ends a piece of text whose direction must not disturb the rest of the line.
const ISOLATE: (char, char) = ('\u{2068}', '\u{2069}');

/// Text that is safe inside elements and quoted attributes of HTML and SVG.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars().map(visible) {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// Control characters are of no use on a page, and some are not allowed in it.
pub(crate) fn visible(c: char) -> char {
    match c {
        '\n' | '\t' => ' ',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

/// Words between backticks, as messages of the program have them, in the quotes of a page.
pub(crate) fn quoted(text: &str) -> String {
    if text.matches('`').count() % 2 == 1 {
        return text.into();
    }
    let mut shown = String::new();
    text.split('`').enumerate().for_each(|(at, part)| match at % 2 {
        0 => shown.push_str(part),
        _ => shown.extend(["“", part, "”"]),
    });
    shown
}

/// The room a text takes in a proportional font, roughly, in small letters of usual width.
pub fn letters(text: &str) -> f64 {
    text.chars().map(room).sum()
}

fn room(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | 't' | 'f' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.6,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '—' => 1.7,
        'A'..='Z' => 1.25,
        c if c.is_control() => 1.7,
        c => match c.width() {
            Some(0) | None => 0.0,
            Some(1) => 1.05,
            Some(_) => 2.3,
        },
    }
}

/// The beginning of a name that fits into the room of `columns` small letters, with an ellipsis
/// if something was cut off. Characters without a width of their own, such as accents, are kept
/// with their letter, but not by the hundred.
pub fn shortened(name: &str, columns: usize) -> String {
    if let Some(inner) = name.strip_prefix(ISOLATE.0).and_then(|n| n.strip_suffix(ISOLATE.1)) {
        return isolated(&shortened(inner, columns));
    }
    if letters(name) <= 1.06 * columns as f64 && name.chars().count() <= 4 * columns {
        return name.to_owned();
    }
    let (mut used, mut kept) = (1.5, String::new());
    for c in name.chars().take(4 * columns) {
        used += room(c);
        if used > columns as f64 {
            break;
        }
        kept.push(c);
    }
    // Half of a joined emoji would show as two.
    let kept = kept.trim_end_matches(['\u{200d}', '\u{fe0f}', ' ']);
    format!("{kept}…")
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

/// A name, or words that say there is none.
pub(crate) fn or_nameless(name: &str) -> &str {
    if name.trim().is_empty() { "(no name)" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backticks_become_quotes() {
        assert_eq!(quoted("no `a` and `b c`"), "no “a” and “b c”");
        assert_eq!(quoted("one ` alone"), "one ` alone");
    }

    #[test]
    fn markup_in_names_is_only_text() {
        let nasty = "<script>alert('1 & \"2\"')</script>\0";
        let expected =
            "&lt;script&gt;alert(&#39;1 &amp; &quot;2&quot;&#39;)&lt;/script&gt;\u{fffd}";
        assert_eq!(escaped(nasty), expected);
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
}
