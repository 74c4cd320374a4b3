//! The checksum at the end of a file of ours, over everything before it: model files, and what a fit stores on its way.
//!
//! Spaces and line ends between the parts do not count, so that a file may be laid out anew.

use sha2::{Digest, Sha256};

/// What stands between the content and its checksum.
const MARK: &[u8] = b",\"checksum\":\"";

/// Ends an object: the checksum of its members becomes the last of them.
pub fn seal(object: &mut Vec<u8>) {
    if object.pop() == Some(b'}') {
        let sum = checksum(object);
        object.extend_from_slice(MARK);
        object.extend_from_slice(sum.as_bytes());
        object.extend_from_slice(b"\"}");
    }
}

/// Whether the last member of an object is the checksum of those before it.
pub fn fits(text: &[u8]) -> bool {
    let text = without_spaces(text);
    let parts = text.strip_suffix(b"\"}").and_then(|rest| {
        let (content, sum) = rest.split_at_checked(rest.len().checked_sub(2 * 32)?)?;
        Some((content.strip_suffix(MARK)?, sum))
    });
    parts.is_some_and(|(content, sum)| checksum(content).as_bytes() == sum)
}

fn checksum(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// JSON without the white space between its parts; that in texts stays.
fn without_spaces(text: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(text.len());
    let (mut in_text, mut escaped) = (false, false);
    for &byte in text {
        if in_text || !byte.is_ascii_whitespace() {
            kept.push(byte);
        }
        in_text ^= byte == b'"' && !escaped;
        escaped = in_text && byte == b'\\' && !escaped;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(object: &str) -> String {
        let mut bytes = object.as_bytes().to_vec();
        seal(&mut bytes);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn layout_does_not_count_and_everything_else_does() {
        let text = sealed(r#"{"a b":"c \" d\\","e":[1.5,2]}"#);
        assert!(fits(text.as_bytes()));
        assert!(fits(text.replace("\":", "\" :\n\t").replace(",2]", " , 2 ]\r\n").as_bytes()));
        assert!(!fits(text.replace("c \\\"", "c\\\"").as_bytes()));
        for at in 0..text.len() {
            for bit in 0..8 {
                let mut flipped = text.clone().into_bytes();
                flipped[at] ^= 1 << bit;
                assert!(!fits(&flipped), "bit {bit} of byte {at}");
            }
        }
        for other in ["", "}", "\"}", "{\"checksum\":\"\"}", r#"{"a":1}"#] {
            assert!(!fits(other.as_bytes()), "{other}");
        }
    }
}
