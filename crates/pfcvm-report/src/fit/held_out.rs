//! How good it is on rows that were held out.

use super::goals;
use super::sureness::chance;
use crate::number::{counted, fixed, percent};
use crate::page::{Block, Section, Tile};
use pfcvm_io::{Found, HeldOut};

/// What rows that did not train say, where they were asked; `broad`: a machine of all features has its
/// say.
pub fn section(only: &Found, broad: bool) -> Option<Section> {
    let held = only.held_out.as_ref()?;
    let fits = counted(held.folds, "time");
    let mut text = vec![format!(
        "The rows were dealt into {}, and the fit was done again {fits}, each time without one of \
         them: so every row was predicted by a fit that had not seen it.",
        counted(held.folds, "part")
    )];
    let kept = !only.selected_features.is_empty() || broad;
    text.push(match kept {
        true if broad => added_up(held),
        true => honest(held),
        false => {
            "With these figures no feature could be told from chance, so none was kept.".into()
        }
    });
    let mut tiles = tiles(held, if kept { "" } else { " with features" });
    tiles.push(Tile {
        label: "Chance".into(),
        value: chance(held.p_value),
        remark: "how likely features that say nothing do as well".into(),
    });
    let mut blocks = vec![Block::Tiles(tiles)];
    blocks.extend(goals::table(held).map(Block::Table));
    Some(Section {
        id: "held-out".into(),
        heading: "How good it is on held-out rows".into(),
        text,
        blocks,
    })
}

/// The figures to see first; `with` what.
pub fn tiles(held: &HeldOut, with: &str) -> Vec<Tile> {
    let tile = |label: &str, value: String, remark: String| Tile {
        label: format!("{label}{with}"),
        value,
        remark,
    };
    let baseline = fixed(held.baseline_log_loss, 3);
    vec![
        tile("Accuracy", percent(held.accuracy), on(held)),
        tile(
            "Log loss",
            fixed(held.log_loss, 3),
            format!("the shares of the classes alone cost {baseline}"),
        ),
    ]
}

/// On which rows.
pub fn on(held: &HeldOut) -> String {
    format!("on rows held out in {}", counted(held.folds, "part"))
}

/// How the decision values of the list and of all features go together.
fn added_up(held: &HeldOut) -> String {
    format!(
        "Decision values of the list, multiplied by {}, and those of all features are added up as suits \
         the held-out rows best. The model has this in it.",
        fixed(held.slope, 2)
    )
}

/// How probabilities were made honest.
fn honest(held: &HeldOut) -> String {
    let why = match held.slope {
        slope if slope < 0.995 => "too sure",
        slope if slope > 1.005 => "not sure enough",
        _ => "as sure as they should be",
    };
    let multiplied = (held.slope - 1.0).abs() > 0.005;
    let done = match multiplied {
        true => format!("were multiplied by {}, because", fixed(held.slope, 2)),
        false => "were left as they are:".into(),
    };
    let moved = match held.offset {
        offset if offset >= 0.005 => format!(", and {} was added to them", fixed(offset, 2)),
        offset if offset <= -0.005 => format!(", and {} was taken off them", fixed(-offset, 2)),
        _ => String::new(),
    };
    format!(
        "Decision values {done} on held-out rows they were {why}{moved}. The model has this in it."
    )
}
