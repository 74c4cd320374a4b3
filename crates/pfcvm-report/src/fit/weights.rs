//! Which features matter, by their weights: what is shown where no rows were held out.

use super::features::{MOST_BARS, Marks, figure, legend};
use super::words;
use crate::charts::{Bar, Bars, drawable};
use crate::lettering::shortened;
use crate::name::or_nameless;
use crate::number::{count, counted};
use crate::page::Figure;
use pfcvm_io::{Found, SelectedFeature};

/// Weights, and what the features are worth on the training rows.
pub fn figures(only: &Found, classes: &[String], marks: &Marks) -> Vec<Figure> {
    let mut figures = vec![weights(only, classes, marks)];
    figures.extend(worth(&only.selected_features, marks));
    figures
}

/// What the weights mean and how they were found.
pub fn meaning(only: &Found) -> &'static str {
    match only.panel {
        None => {
            "Each bar is the weight of a kept feature inside the kernel, for features scaled to \
             the same spread; the line through its end reaches one posterior standard deviation \
             to either side. Features that are not listed have weight zero. Features that stand \
             out on their own are drawn to a common weight, so bars of the same length are no \
             accident; what each of them is worth is shown below."
        }
        Some(_) => {
            "Each bar is the weight of a listed feature, for ranks of its values: to the right, \
             high values speak for the second class, to the left for the first. The line through \
             its end reaches one standard deviation to either side."
        }
    }
}

/// The same for a terminal.
pub fn meaning_in_text(only: &Found) -> &'static str {
    let worth = only.selected_features.iter().any(|feature| feature.worth.is_some());
    match (&only.panel, worth) {
        (None, true) => {
            "Weights with their posterior standard deviation. Worth: how much the log loss of the \
             training rows would rise without the feature; features that stand out on their own \
             share one weight, so compare them by worth."
        }
        (None, false) => "Weights with their posterior standard deviation.",
        (Some(_), _) => {
            "The most important first. Chosen by: the share of members that would list the feature \
             from their half of the samples alone."
        }
    }
}

/// A weight for ordering: what cannot be drawn comes last.
fn size(weight: f64) -> f64 {
    if drawable(weight) { weight.abs() } else { -1.0 }
}

fn weights(only: &Found, classes: &[String], marks: &Marks) -> Figure {
    let mut features: Vec<&SelectedFeature> = only.selected_features.iter().collect();
    features.sort_by(|a, b| size(b.weight).total_cmp(&size(a.weight)));
    let shown = &features[..features.len().min(MOST_BARS)];
    let rows: Vec<Bar> = shown.iter().map(|feature| bar(feature, marks)).collect();
    let bars = Bars { rows: &rows, label: "weight", share_label: "chosen by" };
    let heading = match features.len() {
        1 => "Weight of the only feature kept".into(),
        n if n > MOST_BARS => format!("The {MOST_BARS} heaviest of {} features", count(n)),
        n => format!("Weights of the {}", counted(n, "feature")),
    };
    let heaviest: Vec<String> = shown.iter().take(3).map(|f| shortened(&f.name, 60)).collect();
    let about = format!("Bars from the heaviest feature down; first {}.", heaviest.join(", "));
    figure(&bars, "features", heading, &about, legend(&rows), caption(&features, classes))
}

/// What the features are worth, where that is known; of a single one it says nothing.
fn worth(features: &[SelectedFeature], marks: &Marks) -> Option<Figure> {
    let mut known: Vec<(&SelectedFeature, f64)> =
        features.iter().filter_map(|f| Some((f, f.worth.filter(|w| w.is_finite())?))).collect();
    if known.len() < 2 {
        return None;
    }
    known.sort_by(|a, b| b.1.total_cmp(&a.1));
    known.truncate(MOST_BARS);
    let of = |(feature, worth): &(&SelectedFeature, f64)| Bar {
        value: *worth,
        interval: None,
        share: None,
        ..bar(feature, marks)
    };
    let rows: Vec<Bar> = known.iter().map(of).collect();
    let bars = Bars { rows: &rows, label: "rise of the mean −log p", share_label: "chosen by" };
    let first = shortened(&known[0].0.name, 60);
    let about = format!("Bars from the most valuable feature down; first {first}.");
    let caption = "How much worse the training rows would be predicted (mean −log p) if the \
                   feature were taken out and nothing else changed. Features that say the same \
                   share the credit: each of them looks cheap while another is there.";
    let heading = "What each feature is worth".into();
    Some(figure(&bars, "worth", heading, &about, Vec::new(), caption.into()))
}

fn bar(feature: &SelectedFeature, marks: &Marks) -> Bar {
    let (weight, deviation) = (feature.weight, feature.deviation);
    Bar {
        name: or_nameless(&feature.name).into(),
        value: weight,
        interval: Some([weight - deviation, weight + deviation]),
        mark: marks.get(&feature.index).cloned(),
        share: feature.standing.map(|standing| standing.frequency),
        faint: false,
    }
}

fn caption(features: &[&SelectedFeature], classes: &[String]) -> String {
    let mut text = String::from(
        "The longer the bar, the more the prediction changes with this feature; features that \
         were not kept do not enter it at all.",
    );
    if features.iter().any(|feature| feature.weight < 0.0) {
        let class = classes.last().map_or_else(String::new, |class| words::said(class));
        text += &format!(
            " A bar to the right means that larger values speak for {class}, one to the left \
             that they speak against it."
        );
    }
    text += " The thin line is one standard deviation to both sides: where it reaches zero, the \
             weight is poorly known.";
    if features.iter().any(|feature| feature.standing.is_some()) {
        text += " “Chosen by” is the share of the panel’s members that picked the feature, each from \
                 another part of the data: the higher, the steadier.";
    }
    text
}
