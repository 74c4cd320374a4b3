//! Names from users' files: anything may be in them.

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
}
