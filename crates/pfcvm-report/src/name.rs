//! Names from users' files: anything may be in them.

use unicode_width::UnicodeWidthChar;

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

/// The beginning of a name that fits into `columns` letters of usual width, with an ellipsis if
/// something was cut off. Characters without a width of their own, such as accents, are kept
/// with their letter, but not by the hundred.
pub fn shortened(name: &str, columns: usize) -> String {
    let width = |c: char| c.width().unwrap_or(1);
    let total: usize = name.chars().map(width).sum();
    if total <= columns && name.chars().count() <= 4 * columns {
        return name.to_owned();
    }
    let (mut used, mut kept) = (0, String::new());
    for c in name.chars().take(4 * columns) {
        used += width(c);
        if used >= columns {
            break;
        }
        kept.push(c);
    }
    // Half of a joined emoji would show as two.
    let kept = kept.trim_end_matches(['\u{200d}', '\u{fe0f}', ' ']);
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_names_is_only_text() {
        let nasty = "<script>alert('1 & \"2\"')</script>\0";
        let expected =
            "&lt;script&gt;alert(&#39;1 &amp; &quot;2&quot;&#39;)&lt;/script&gt;\u{fffd}";
        assert_eq!(escaped(nasty), expected);
    }

    #[test]
    fn long_names_are_cut_by_their_width() {
        assert_eq!(shortened("abcdef", 6), "abcdef");
        assert_eq!(shortened("abcdefg", 6), "abcde…");
        assert_eq!(shortened("特徴量の名前", 6), "特徴…");
        let accents = "e".to_owned() + &"\u{301}".repeat(1000);
        assert!(shortened(&accents, 6).chars().count() <= 25);
    }
}
