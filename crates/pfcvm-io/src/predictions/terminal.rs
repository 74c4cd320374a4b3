//! Texts that a terminal might obey.

/// A text that cannot command a terminal.
pub fn harmless(text: &str) -> String {
    text.chars().map(shown_as).collect()
}

/// Control characters, and those that turn the direction of writing around, have a sign of their own.
fn shown_as(c: char) -> char {
    match c {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

/// JSON with what a terminal might obey escaped in it: control characters that JSON may have as they
/// are. They can only stand in texts.
pub fn escaped(json: String) -> String {
    if !json.contains(|c| ('\u{7f}'..='\u{9f}').contains(&c)) {
        return json;
    }
    let escape = |c: char| match c {
        '\u{7f}'..='\u{9f}' => format!("\\u{:04x}", u32::from(c)),
        c => c.into(),
    };
    json.chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_command_the_terminal() {
        assert_eq!(harmless("a\u{9b}31m\u{202e}b"), "a\u{fffd}31m\u{fffd}b");
        let json = serde_json::to_string("a\u{1b}\u{9b}\u{7f}é").unwrap();
        let safe = escaped(json.clone());
        assert!(!safe.chars().any(char::is_control), "{safe}");
        let read = |json: &str| serde_json::from_str::<String>(json).unwrap();
        assert_eq!(read(&safe), read(&json));
    }
}
