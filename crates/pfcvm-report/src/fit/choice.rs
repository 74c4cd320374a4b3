//! How the form was chosen, in words.

use crate::number::fixed;
use pfcvm_io::Summary;
use pfcvm_io::choice::{Choice, Reason, Tried};

/// Why the boundary has the form it has; nothing where the kernel was told.
pub fn sentence(summary: &Summary) -> Option<String> {
    let choice = summary.choice.as_ref()?;
    let form = match choice.kernel.to_string().as_str() {
        "linear" => "straight".to_string(),
        "rbf" => "curved".to_string(),
        other => format!("of the form {other}"),
    };
    let said = format!("The boundary is {form} (kernel {})", choice.kernel);
    Some(match (choice.reason, compared(choice)) {
        (Reason::MoreFeaturesThanSamples, compared) if summary.is_panel => {
            let compared = compared.map(|compared| format!(": {compared}")).unwrap_or_default();
            format!(
                "A panel was taken, whose boundaries are straight, because there are more features than \
                 rows{compared}."
            )
        }
        (Reason::MoreFeaturesThanSamples, _) => {
            format!("{said}, because there are more features than rows.")
        }
        (_, Some(compared)) => format!("{said}: {compared}."),
        (_, None) => format!("{said}, as it is where nothing speaks against it."),
    })
}

/// What it was compared with: what was chosen over the first, or else the best of the others.
fn compared(choice: &Choice) -> Option<String> {
    let (first, others) = choice.tried.split_first()?;
    let chosen = others.iter().find(|tried| tried.kernel == choice.kernel);
    let best = others.iter().min_by(|a, b| a.above_first.total_cmp(&b.above_first));
    let other = chosen.or(best)?;
    let Tried { above_first, above_first_error, .. } = *other;
    let figures = format!(
        "log loss of held-out rows {} against {}, a difference of {} ± {}",
        fixed(other.log_loss, 3),
        fixed(first.log_loss, 3),
        fixed(above_first.abs(), 3),
        fixed(above_first_error, 3)
    );
    let (other, first) = (name(other), name(first));
    Some(match choice.reason {
        Reason::ClearlyBetter => format!("{other} is clearly better than {first} ({figures})"),
        _ => format!("{other} is not clearly better ({figures})"),
    })
}

fn name(tried: &Tried) -> String {
    if tried.panel { "a panel".into() } else { tried.kernel.to_string() }
}
