//! Where electrodes lie on a head, after the international 10-10 system.
//!
//! On a sphere with CZ on top, the outer ring lies at 4/5 of the way down to the line through
//! nasion, ears and inion (72 of 90 degrees), with an electrode every 18 degrees; the midline has
//! one every 18 degrees too. The rows from left to right are arcs through their two ends on the
//! ring and their middle, cut into equal parts. The sphere is flattened by keeping the distance
//! from CZ along the surface, so that the line through nasion and inion becomes the outline.

use std::f64::consts::FRAC_PI_2;

/// The 62 electrodes of the SEED recordings (ESI NeuroScan), in the order of the files.
pub const SEED_CAP: [&str; 62] = [
    "FP1", "FPZ", "FP2", "AF3", "AF4", "F7", "F5", "F3", "F1", "FZ", "F2", "F4", "F6", "F8", "FT7",
    "FC5", "FC3", "FC1", "FCZ", "FC2", "FC4", "FC6", "FT8", "T7", "C5", "C3", "C1", "CZ", "C2",
    "C4", "C6", "T8", "TP7", "CP5", "CP3", "CP1", "CPZ", "CP2", "CP4", "CP6", "TP8", "P7", "P5",
    "P3", "P1", "PZ", "P2", "P4", "P6", "P8", "PO7", "PO5", "PO3", "POZ", "PO4", "PO6", "PO8",
    "CB1", "O1", "OZ", "O2", "CB2",
];

/// The 61 electrodes on the scalp of the UCI EEG recordings, in the order of the files.
pub const UCI_CAP: [&str; 61] = [
    "FP1", "FP2", "F7", "F8", "AF1", "AF2", "FZ", "F4", "F3", "FC6", "FC5", "FC2", "FC1", "T8",
    "T7", "CZ", "C3", "C4", "CP5", "CP6", "CP1", "CP2", "P3", "P4", "PZ", "P8", "P7", "PO2", "PO1",
    "O2", "O1", "AF7", "AF8", "F5", "F6", "FT7", "FT8", "FPZ", "FC4", "FC3", "C6", "C5", "F2",
    "F1", "TP8", "TP7", "AFZ", "CP3", "CP4", "P5", "P6", "C1", "C2", "PO7", "PO8", "FCZ", "POZ",
    "OZ", "P2", "P1", "CPZ",
];

/// The angle between two electrodes of the midline or the ring.
const STEP: f64 = FRAC_PI_2 / 5.0;

/// Where an electrode of the 10-10 system lies, seen from above: x to the right, y to the nose,
/// the outline of the head at a distance of 1 from CZ at (0, 0). Capital and small letters are
/// the same. AF1, AF2, PO1 and PO2 lie where the finer 10-5 system has them; CB1 and CB2, which
/// no system has, lie on the outline beside PO7 and PO8. `None` if the name is not known.
pub fn electrode(name: &str) -> Option<(f64, f64)> {
    let name = name.trim().to_ascii_uppercase();
    let place = name.find(|c: char| !c.is_ascii_alphabetic() || c == 'Z')?;
    let (row, number) = name.split_at(place);
    // Odd numbers are on the left, even ones on the right, and count from the midline.
    let (side, number) = match number {
        "Z" => (0.0, 0),
        _ => match number
            .parse::<u8>()
            .ok()
            .filter(|n| (1..=8).contains(n) && !number.starts_with('+'))?
        {
            odd if odd % 2 == 1 => (-1.0, odd),
            even => (1.0, even - 1),
        },
    };
    if row == "CB" && number == 1 {
        let (x, y) = on_ring(8.0);
        return Some((side * x / 0.8, y / 0.8));
    }
    // Steps from the front to the row, along the ring and along the midline.
    let steps = match (row, number) {
        ("FP", 0 | 1) => return Some(mirrored(side, on_ring(f64::from(number)))),
        ("O", 0 | 1) => return Some(mirrored(side, on_ring(10.0 - f64::from(number)))),
        ("AF", _) => 2.0,
        ("F", _) => 3.0,
        ("FC", 0..=5) | ("FT", 7) => 4.0,
        ("C", 0..=5) | ("T", 7) => 5.0,
        ("CP", 0..=5) | ("TP", 7) => 6.0,
        ("P", _) => 7.0,
        ("PO", _) => 8.0,
        _ => return None,
    };
    // 1, 3, 5 and 7 are the first, second, third and last quarter of the way to the ring.
    let part = f64::from(number.div_ceil(2)) / 4.0;
    Some(mirrored(side, in_row(steps, part)))
}

fn mirrored(side: f64, (x, y): (f64, f64)) -> (f64, f64) {
    // Adding zero turns a minus zero into zero.
    (side * x + 0.0, y)
}

/// On the right half of the outer ring, some steps from the front.
fn on_ring(steps: f64) -> (f64, f64) {
    let angle = steps * STEP;
    (0.8 * angle.sin(), 0.8 * angle.cos())
}

/// On the right half of a row, at a part of the way from the midline to the ring.
fn in_row(steps: f64, part: f64) -> (f64, f64) {
    let (ring, down) = (steps * STEP, 4.0 * STEP);
    // The end on the ring and the middle of the row, on the unit sphere: right, front, top.
    let end = [down.sin() * ring.sin(), down.sin() * ring.cos(), down.cos()];
    let front = (5.0 - steps) * STEP;
    let middle = [0.0, front.sin(), front.cos()];
    // The plane of the arc holds the axis through the ears' direction and the one from the
    // middle of the row to the point half way between both ends.
    let along = [end[1] - middle[1], end[2] - middle[2]];
    let depth = along[0].hypot(along[1]);
    let radius = (end[0] * end[0] + depth * depth) / (2.0 * depth);
    let angle = part * end[0].atan2(radius - depth);
    let (right, deep) = (radius * angle.sin(), radius * (1.0 - angle.cos()) / depth);
    let (front, top) = (middle[1] + deep * along[0], middle[2] + deep * along[1]);
    // Flattened: the angle from the top becomes the distance from the middle.
    let flat = right.hypot(front);
    let distance = flat.atan2(top) / FRAC_PI_2;
    if flat == 0.0 { (0.0, 0.0) } else { (distance * right / flat, distance * front / flat) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(name: &str) -> (f64, f64) {
        electrode(name).unwrap_or_else(|| panic!("{name} is not known"))
    }

    fn near(name: &str, x: f64, y: f64) {
        let (found_x, found_y) = at(name);
        assert!((found_x - x).hypot(found_y - y) < 1e-12, "{name}: {found_x} {found_y}");
    }

    #[test]
    fn both_caps_are_known_and_symmetric() {
        for name in SEED_CAP.iter().chain(&UCI_CAP) {
            let (x, y) = at(name);
            assert!(x.hypot(y) < 1.0 + 1e-12, "{name}");
            let (row, number) = name.split_at(name.len() - 1);
            match number.parse::<u32>() {
                Err(_) => assert_eq!(x, 0.0, "{name} is on the midline"),
                Ok(number) => {
                    let other = if number % 2 == 1 { number + 1 } else { number - 1 };
                    assert_eq!(at(&format!("{row}{other}")), (-x, y), "{name}");
                    assert_eq!(x < 0.0, number % 2 == 1, "{name}");
                }
            }
        }
    }

    #[test]
    fn the_frame_of_the_system_is_where_it_should_be() {
        near("CZ", 0.0, 0.0);
        near("FPZ", 0.0, 0.8);
        near("FZ", 0.0, 0.4);
        near("AFZ", 0.0, 0.6);
        near("PZ", 0.0, -0.4);
        near("OZ", 0.0, -0.8);
        near("T7", -0.8, 0.0);
        near("T8", 0.8, 0.0);
        // The row over the top is a great circle, so its parts are equal on the map too.
        near("C3", -0.4, 0.0);
        near("C6", 0.6, 0.0);
        // 54 degrees from the front.
        near("F7", -0.8 * 54f64.to_radians().sin(), 0.8 * 54f64.to_radians().cos());
        near("PO8", 0.8 * 36f64.to_radians().sin(), -0.8 * 36f64.to_radians().cos());
    }

    /// F3 lies in the middle of the arc from FZ to F7: equally far from both on the sphere.
    #[test]
    fn rows_are_cut_into_equal_parts() {
        let sphere = |name: &str| {
            let (x, y) = at(name);
            let angle = x.hypot(y) * FRAC_PI_2;
            let scale = if angle == 0.0 { 0.0 } else { angle.sin() / x.hypot(y) };
            [x * scale, y * scale, angle.cos()]
        };
        let distance = |a: &str, b: &str| {
            let (a, b) = (sphere(a), sphere(b));
            (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
        };
        for row in ["F", "P", "AF", "PO"] {
            let name = |end: &str| format!("{row}{end}");
            let parts = [("Z", "1"), ("1", "3"), ("3", "5"), ("5", "7")];
            let parts = parts.map(|(a, b)| distance(&name(a), &name(b)));
            assert!(parts.iter().all(|part| (part - parts[0]).abs() < 1e-12), "{row}: {parts:?}");
        }
    }

    #[test]
    fn no_two_electrodes_share_a_place() {
        for cap in [&SEED_CAP[..], &UCI_CAP[..]] {
            for (k, a) in cap.iter().enumerate() {
                for b in &cap[..k] {
                    let (a_at, b_at) = (at(a), at(b));
                    let gap = (a_at.0 - b_at.0).hypot(a_at.1 - b_at.1);
                    assert!(gap > 0.1, "{a} and {b}: {gap}");
                }
            }
        }
    }

    #[test]
    fn small_letters_are_fine_and_strangers_are_not() {
        assert_eq!(electrode(" fpz "), electrode("FPZ"));
        assert_eq!(electrode("Cz"), Some((0.0, 0.0)));
        for stranger in [
            "", "X1", "F", "FZZ", "F9", "F0", "F+1", "F11", "FP3", "O3", "T1", "FT1", "FC7", "CB3",
            "CBZ", "é1", "1F",
        ] {
            assert_eq!(electrode(stranger), None, "{stranger}");
        }
    }
}
