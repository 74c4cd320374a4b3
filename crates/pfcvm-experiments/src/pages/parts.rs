//! Pieces that several pages share.

use pfcvm_report::charts::{BoxRow, Boxes, Columns, CriticalDifference, Picture, Stem, Tone};
use pfcvm_report::page::{Block, Cell, Column, Content, Figure, Mark, Table};
use pfcvm_report::{duration, fixed, percent};
use pfcvm_study::{Comparison, Measure, Outcome, Ranking, Summary};

/// Widths of a picture on a telephone and on a screen.
const NARROW: f64 = 360.0;
const WIDE: f64 = 940.0;

/// A picture across the page, drawn at two widths.
pub(crate) fn wide_figure(
    id: &str,
    heading: impl Into<String>,
    caption: impl Into<String>,
    draw: impl Fn(f64, &str) -> Picture,
) -> Figure {
    Figure {
        heading: heading.into(),
        legend: Vec::new(),
        content: Content::ByWidth {
            narrow: draw(NARROW, &format!("{id}-narrow")),
            wide: draw(WIDE, &format!("{id}-wide")),
        },
        caption: caption.into(),
    }
}

/// A share as per cent with its standard deviation in points, where it has one.
pub(crate) fn share(measure: &Measure) -> String {
    let spread = |sd: f64| format!(" ± {}", fixed(100.0 * sd, 1));
    format!("{}{}", percent(measure.mean), measure.sd.map_or_else(String::new, spread))
}

/// A number with its standard deviation, where it has one.
pub(crate) fn plain(measure: &Measure, decimals: usize) -> String {
    let spread = |sd: f64| format!(" ± {}", fixed(sd, decimals));
    let sd = measure.sd.map_or_else(String::new, spread);
    format!("{}{sd}", fixed(measure.mean, decimals))
}

/// A value or a dash.
pub(crate) fn or_dash<T>(value: &Option<T>, show: impl Fn(&T) -> String) -> String {
    value.as_ref().map_or_else(|| "–".into(), show)
}

/// What a 95 % interval says.
pub(crate) fn interval(measure: &Measure, show: impl Fn(f64) -> String) -> String {
    match measure.interval {
        // One of no width says nothing.
        Some((low, high)) if low < high => {
            format!("95\u{202f}% interval {} to {}", show(low), show(high))
        }
        _ => String::new(),
    }
}

/// The study of a method, whatever its settings and however they were chosen.
pub(crate) fn of_method<'a>(summaries: &'a [Summary], method: &str) -> Option<&'a Summary> {
    let bare = |label: &str| {
        let parts = label.trim_end_matches(" (nested)").split('+');
        Vec::from_iter(parts.map(|part| part.split('/').next().unwrap_or_default())).join("+")
    };
    summaries.iter().find(|summary| bare(&summary.method) == method)
}

/// Mean time of a fold's choice, fit and prediction.
pub(crate) fn seconds(outcomes: &[Outcome]) -> Option<f64> {
    let seconds: Vec<f64> = outcomes.iter().flatten().map(|fold| fold.seconds).collect();
    (!seconds.is_empty()).then(|| seconds.iter().sum::<f64>() / seconds.len() as f64)
}

/// Methods of one comparison: measures, selection, time. The best accuracy is marked, and those
/// that it cannot be told from.
pub(crate) fn methods_table(comparison: &Comparison, outcomes: &[Vec<Outcome>]) -> Table {
    let rows = comparison.methods.iter().enumerate().map(|(at, summary)| {
        let accuracy = Cell::from(or_dash(&summary.accuracy, share));
        let accuracy = match comparison.best {
            Some(best) if best == at => accuracy.marked(Mark::Best),
            _ if comparison.near_best(at) => accuracy.marked(Mark::Near),
            _ => accuracy,
        };
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
            or_dash(&seconds(&outcomes[at]), |s| duration(*s)).into(),
            summary.failed.len().to_string().into(),
        ]
    });
    Table {
        caption: format!("Methods on {}", comparison.data),
        columns: vec![
            Column::text("method"),
            Column::number("accuracy"),
            Column::number("p"),
            Column::number("AUC"),
            Column::number("log loss"),
            Column::number("kappa"),
            Column::number("features"),
            Column::number("samples"),
            Column::number("stability"),
            Column::number("time"),
            Column::number("failed"),
        ],
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

/// Accuracies of the folds, a box for each method; `reference` is the paper's figure.
pub(crate) fn accuracy_boxes(
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

/// How alike the selections of each method are; nothing if no method selects.
pub(crate) fn stability_table(summaries: &[&Summary]) -> Option<Table> {
    let rows: Vec<Vec<Cell>> = summaries
        .iter()
        .filter_map(|summary| {
            let stability = summary.stability.as_ref()?;
            let (low, high) = stability.interval;
            let pm = |mean, sd| format!("{} ± {}", fixed(mean, 3), fixed(sd, 3));
            Some(vec![
                summary.method.clone().into(),
                pm(stability.jaccard, stability.jaccard_sd).into(),
                pm(stability.pearson, stability.pearson_sd).into(),
                fixed(stability.nogueira, 3).into(),
                format!("{} to {}", fixed(low, 3), fixed(high, 3)).into(),
                or_dash(&summary.features, |m| fixed(m.mean, 1)).into(),
            ])
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        caption: "Stability of the selections".into(),
        columns: vec![
            Column::text("method"),
            Column::number("Jaccard"),
            Column::number("Pearson"),
            Column::number("Nogueira"),
            Column::number("95 % interval"),
            Column::number("features"),
        ],
        rows,
        remark: Some(
            "Means over all pairs of splits, ± standard deviation over the pairs. 1: always the \
             same features; about 0: as if drawn at random (Jaccard: never the same)."
                .into(),
        ),
    })
}

/// How often each feature was selected; `noise` says which carry nothing.
pub(crate) fn frequencies(
    id: &str,
    heading: &str,
    summary: &Summary,
    names: &[String],
    noise: Option<&dyn Fn(usize) -> bool>,
    guide: Option<(f64, &str)>,
) -> Option<Figure> {
    let shares = summary.selection_frequencies.as_ref()?;
    let few = shares.len() <= 60;
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]).then(a.cmp(b)));
    let top: Vec<usize> = order.into_iter().take(10).filter(|&at| shares[at] > 0.0).collect();
    let stems: Vec<Stem> = (0..shares.len())
        .map(|at| Stem {
            name: names[at].clone(),
            value: shares[at],
            second: noise.is_some_and(|noise| noise(at)),
            named: few || top.contains(&at),
        })
        .collect();
    let kinds = if noise.is_some() { ["signal", "noise"] } else { ["", ""] };
    let (x_label, y_label) = ("feature", "share of the splits");
    let columns = Columns { stems: &stems, kinds, guide, x_label, y_label };
    let about = format!("How often each of {} features was selected.", shares.len());
    Some(wide_figure(
        id,
        heading,
        "The share of splits in which the method selected each feature.",
        |width, id| columns.draw(width, id, heading, &about),
    ))
}

/// Average ranks, tests and the critical-difference picture.
pub(crate) fn ranking_blocks(
    id: &str,
    ranking: &Ranking,
    data_sets: usize,
) -> (Vec<String>, Vec<Block>) {
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
    let picture = CriticalDifference {
        methods: &ranking.methods,
        ranks: &friedman.average_ranks,
        groups: &ranking.groups,
        difference: ranking.nemenyi,
        label: "Nemenyi",
    }
    .draw(id);
    let figure = Figure {
        heading: "Average ranks".into(),
        legend: Vec::new(),
        content: Content::Picture(picture),
        caption: "1 is best. A bar joins methods that Nemenyi's test does not tell apart.".into(),
    };
    (text, vec![Block::Wide(figure)])
}

/// A p value in a few digits.
pub(crate) fn small(p: f64) -> String {
    if p < 0.001 { format!("{p:.1e}") } else { fixed(p, 3) }
}

/// The text with a capital letter at its beginning.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
