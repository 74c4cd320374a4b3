//! How the kernel was chosen, in words.

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
    Some(match choice.reason {
        Reason::MoreFeaturesThanSamples if summary.is_panel => "A panel was taken, whose boundaries are \
                                                              straight, because there are many more \
                                                              features than rows."
            .into(),
        Reason::MoreFeaturesThanSamples => {
            format!("{said}, because there are more features than rows.")
        }
        Reason::NoClearDifference | Reason::ClearlyBetter => match compared(choice) {
            Some(compared) => format!("{said}: {compared}."),
            None => format!("{said}, as it is where nothing speaks against it."),
        },
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
    Some(match choice.reason {
        Reason::ClearlyBetter => {
            format!("{} is clearly better than {} ({figures})", other.kernel, first.kernel)
        }
        _ => format!("{} is not clearly better ({figures})", other.kernel),
    })
}
