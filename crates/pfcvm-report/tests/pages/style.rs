//! The style sheets: every colour that is used has a light and a dark value, the same on a page
//! and in a picture of its own, and can be seen on its background.

use std::collections::HashMap;

const PAGE: &str = include_str!("../../src/page/style.css");
const PICTURE: &str = include_str!("../../src/charts/picture.css");
const SHAPES: &str = include_str!("../../src/charts/shapes.css");

/// The colours before and after the line that begins the dark theme.
fn themes(style: &str) -> [HashMap<&str, &str>; 2] {
    let (light, dark) = style.split_once("prefers-color-scheme: dark").unwrap();
    let dark = dark.split_once("\n}").unwrap().0;
    [light, dark].map(|theme| {
        let values = theme.split("--").skip(1).filter_map(|value| value.split_once(": "));
        values.map(|(name, value)| (name, value.split(';').next().unwrap_or_default())).collect()
    })
}

/// Relative luminance of `#rrggbb`.
fn light(colour: &str) -> f64 {
    let part = |at: usize| {
        let c = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

#[test]
fn every_colour_of_a_picture_is_known_in_both_themes() {
    let used = SHAPES.split("var(--").skip(1).filter_map(|rest| rest.split(')').next());
    for name in used.filter(|name| *name != "swatch") {
        for (page, picture) in themes(PAGE).iter().zip(&themes(PICTURE)) {
            assert!(page.contains_key(name), "{name}");
            assert_eq!(page[name], picture[name], "{name}");
        }
    }
}

/// 4.5 is what text needs; lines need 3.
#[test]
fn tones_can_be_seen() {
    for theme in themes(PAGE) {
        for tone in ["accent", "contrast", "third", "fourth"] {
            let (a, b) = (light(theme[tone]) + 0.05, light(theme["surface"]) + 0.05);
            let ratio = (a / b).max(b / a);
            assert!(ratio > 4.5, "{tone}: {ratio}");
        }
    }
}
