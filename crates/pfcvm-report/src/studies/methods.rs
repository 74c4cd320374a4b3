//! Several methods beside each other.

use super::words::{or_dash, plain, share, small, wide_figure};
use crate::charts::{BoxRow, Boxes, CriticalDifference, Tone};
use crate::page::{Block, Cell, Column, Content, Figure, Mark, Table};
use crate::{duration, fixed};
use pfcvm_study::{Comparison, Measure, Outcome, Ranking, Summary, mean_seconds};

/// The study of a method, whatever its settings and however they were chosen.
pub fn of_method<'a>(summaries: &'a [Summary], method: &str) -> Option<&'a Summary> {
    summaries.iter().find(|summary| bare(&summary.method) == method)
}

/// A label without settings, and without how they were chosen.
fn bare(label: &str) -> String {
    let methods = label.split(" (").next().unwrap_or_default().split('+');
    Vec::from_iter(methods.map(|part| part.split('/').next().unwrap_or_default())).join("+")
}

/// Methods of one comparison: measures, selection, time. The best accuracy is marked, and those
/// that it cannot be told from.
pub fn methods_table(comparison: &Comparison, outcomes: &[Vec<Outcome>]) -> Table {
    let rows = comparison.methods.iter().enumerate().map(|(at, summary)| {
        let accuracy = marked(comparison, at, or_dash(&summary.accuracy, share));
        let p_value = comparison.against_best[at].map(|paired| paired.p_value);
        vec![
            summary.method.clone().into(),
            accuracy,
            or_dash(&p_value, |p| fixed(*p, 3)).into(),
            or_dash(&summary.auc, |m| fixed(m.mean, 3)).into(),
            or_dash(&summary.log_loss, |m| fixed(m.mean, 3)).into(),
            or_dash(&summary.kappa, |m| fixed(m.mean, 3)).into(),
            or_dash(&summary.features, |m| fixed(m.mean, 1)).into(),
            or_dash(&summary.samples, |m| fixed(m.mean, 1)).into(),
            or_dash(&summary.stability, |s| fixed(s.nogueira, 2)).into(),
            or_dash(&mean_seconds(&outcomes[at]), |s| duration(*s)).into(),
            summary.failed.len().to_string().into(),
        ]
    });
    Table {
        caption: format!("Methods on {}", comparison.title),
        columns: Column::numbers(
            "method",
            &[
                "accuracy",
                "p",
                "AUC",
                "log loss",
                "kappa",
                "features",
                "samples",
                "stability",
                "time",
                "failed",
            ],
        ),
        rows: rows.collect(),
        remark: Some(format!(
            "The highest accuracy is set in bold (* in plain text); a dot marks those it is not told \
             from (p ≥ 0.05 by {}; the best was picked by the same figures, and nothing is corrected \
             for several comparisons). Stability is that of Nogueira and others; time is that of one \
             fold on one core while others run.",
            comparison.against_best.iter().flatten().next().map_or("a paired test", |p| {
                match p.test {
                    "McNemar" => "McNemar's exact test",
                    _ => "the corrected resampled t test",
                }
            })
        )),
    }
}

/// A method's cell in a table of several: the best is marked, and those not told from it.
fn marked(comparison: &Comparison, at: usize, text: String) -> Cell {
    match comparison.best {
        Some(best) if best == at => Cell::from(text).marked(Mark::Best),
        _ if comparison.near_best(at) => Cell::from(text).marked(Mark::Near),
        _ => text.into(),
    }
}

/// A row for each data set, a column for each method: accuracies, or errors in percent.
pub fn accuracy_table(comparisons: &[Comparison], errors: bool) -> Table {
    let mut columns = vec![Column::text("data")];
    let methods = comparisons.first().map_or(&[][..], |comparison| &comparison.methods);
    columns.extend(methods.iter().map(|summary| Column::number(summary.method.clone())));
    let shown = |measure: &Measure| match errors {
        false => share(measure),
        true => {
            let error = Measure { mean: 100.0 * (1.0 - measure.mean), ..*measure };
            plain(&Measure { sd: measure.sd.map(|sd| 100.0 * sd), ..error }, 1)
        }
    };
    let row = |comparison: &Comparison| -> Vec<Cell> {
        let mut cells = vec![Cell::from(comparison.title.clone())];
        cells.extend(
            comparison
                .methods
                .iter()
                .enumerate()
                .map(|(at, summary)| marked(comparison, at, or_dash(&summary.accuracy, shown))),
        );
        cells
    };
    let (caption, what, best) = match errors {
        false => ("Accuracy of each method on each data set", "Accuracy", "highest"),
        true => ("Test errors in percent", "Test error in percent", "lowest"),
    };
    Table {
        caption: caption.into(),
        columns,
        rows: comparisons.iter().map(row).collect(),
        remark: Some(format!(
            "{what}, ± standard deviation over the splits. Bold (*): the {best}; a dot: not told \
             from it at 0.05."
        )),
    }
}

/// Accuracies of the folds, a box for each method; `reference` is the paper's figure.
pub fn accuracy_boxes(
    id: &str,
    summaries: &[&Summary],
    outcomes: &[&[Outcome]],
    reference: impl Fn(&str) -> Option<f64>,
) -> Block {
    let rows: Vec<BoxRow> = summaries
        .iter()
        .zip(outcomes)
        .map(|(summary, outcomes)| BoxRow {
            name: summary.method.clone(),
            values: outcomes.iter().flatten().map(|fold| 100.0 * fold.scores.accuracy).collect(),
            reference: reference(&summary.method),
            tone: Tone::Accent,
        })
        .collect();
    let label = "accuracy on the test rows, %";
    let boxes = Boxes { rows: &rows, label, reference_label: "the paper" };
    let heading = "Accuracy over the splits";
    let about = "A box for each method from its first to its third quartile.";
    Block::Wide(wide_figure(
        id,
        heading,
        "Each box holds the middle half of the splits, its line the median; whiskers reach the \
         furthest split within one and a half times its length, dots are splits beyond.",
        |width, id| boxes.draw(width, id, heading, about),
    ))
}

/// Average ranks, and which of them Nemenyi's test does not tell apart.
pub fn ranking_picture(ranking: &Ranking) -> CriticalDifference<'_> {
    CriticalDifference {
        methods: &ranking.methods,
        ranks: &ranking.friedman.average_ranks,
        groups: &ranking.groups,
        difference: ranking.nemenyi,
        label: "Nemenyi",
    }
}

/// Average ranks, tests and the critical-difference picture.
pub fn ranking_blocks(id: &str, ranking: &Ranking, data_sets: usize) -> (Vec<String>, Vec<Block>) {
    let friedman = &ranking.friedman;
    let davenport = match friedman.iman_davenport {
        // All data sets rank the methods alike: there is no spread to compare with.
        test if test.f.is_infinite() => "has no value, as all data sets rank alike".into(),
        test => format!("{} (p = {})", fixed(test.f, 3), small(test.p_value)),
    };
    let mut text = vec![format!(
        "Over {data_sets} data sets: Friedman's χ² {} on {} degrees of freedom (p = {}), Iman and \
         Davenport's F {davenport}. Average ranks differ at 0.05 by more than {} (Nemenyi, all pairs) \
         or {} (Bonferroni–Dunn, against one method).",
        fixed(friedman.chi_square, 3),
        friedman.degrees_of_freedom,
        small(friedman.p_value),
        fixed(ranking.nemenyi, 3),
        fixed(ranking.bonferroni_dunn, 3),
    )];
    if !ranking.left_out.is_empty() {
        let names = ranking.left_out.join(", ");
        text.push(format!("Left out, because some data set has no score of theirs: {names}."));
    }
    let figure = Figure {
        heading: "Average ranks".into(),
        legend: Vec::new(),
        content: Content::Picture(ranking_picture(ranking).draw(id)),
        caption: "1 is best. A bar joins methods that Nemenyi's test does not tell apart.".into(),
    };
    (text, vec![Block::Wide(figure)])
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn labels_are_told_by_their_methods() {
        for (label, method) in [
            ("pfcvm-em", "pfcvm-em"),
            ("pfcvm-em (nested, shortest)", "pfcvm-em"),
            ("jcfo/sample_rate=0.5 (nested)", "jcfo"),
            ("fisher/features=20+svm/c=1 (nested)", "fisher+svm"),
        ] {
            assert_eq!(bare(label), method);
        }
    }
}
