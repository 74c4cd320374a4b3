//! How the fit went: what was left after each iteration.

use super::SMALL;
use crate::charts::{Frame, Picture, Scale, Tone, drawable};
use crate::lettering::{isolated, shortened};
use crate::number::{count, counted, duration, number};
use crate::page::{Block, Content, Figure, Section};
use pfcvm_io::Step;

/// More changes of stage than this would hide the curves.
const MOST_STAGES: usize = 12;
/// Up to here each iteration has its own dot.
const MOST_DOTS: usize = 40;

/// What is shown of an iteration of a model or of a round of a panel.
struct Iteration {
    number: usize,
    stage: String,
    /// Where there are any to choose.
    samples: Option<usize>,
    features: usize,
    log_evidence: f64,
    seconds: f64,
}

impl From<&Step> for Iteration {
    fn from(step: &Step) -> Self {
        match step {
            Step::Iteration(of) => Self {
                number: of.number,
                stage: of.stage.clone(),
                samples: Some(of.samples),
                features: of.features,
                log_evidence: of.log_evidence,
                seconds: of.seconds,
            },
            Step::Round(of) => Self {
                number: of.number,
                stage: "rounds".into(),
                samples: None,
                features: of.features,
                log_evidence: of.log_evidence,
                seconds: of.seconds,
            },
        }
    }
}

/// Curves of what was left.
pub fn section(trace: &[Step]) -> Option<Section> {
    let trace = &Vec::from_iter(trace.iter().map(Iteration::from))[..];
    let mut paragraphs = vec![in_words(trace)?];
    let stages = stages(trace);
    paragraphs.extend(stages_in_words(&stages));

    let mut elapsed = 0.0;
    let mut time = Vec::new();
    for iteration in trace.iter().filter(|i| drawable(i.seconds)) {
        elapsed += iteration.seconds;
        time.push((iteration.number as f64, elapsed));
    }
    let series = |value: &dyn Fn(&Iteration) -> Option<f64>| -> Vec<(f64, f64)> {
        let points = trace.iter().filter_map(|i| Some((i.number as f64, value(i)?)));
        points.filter(|point| drawable(point.1)).collect()
    };
    let samples = series(&|i| i.samples.map(|samples| samples as f64));
    let features = series(&|i| Some(i.features as f64));
    let evidence = series(&|i| Some(i.log_evidence));

    let plot = Plot { trace, stages: &stages };
    let mut figures = Vec::new();
    if !samples.is_empty() {
        figures.push(plot.counts("samples", "Samples left", &samples));
    }
    figures.push(plot.counts("features", "Features left", &features));
    if !evidence.is_empty() {
        let shown = without_outliers(&evidence);
        let mut caption = String::from(
            "How well the model explains the training data, complexity being charged for. It \
             should rise and then stay level; a stage may start again lower because it solves \
             another problem.",
        );
        if shown.len() < evidence.len() {
            let hidden = counted(evidence.len() - shown.len(), "value");
            caption += &format!(" Not shown: {hidden} far below the others.");
        }
        figures.push(plot.figure(
            "evidence",
            "Log evidence",
            (&shown, Scale::linear(shown.iter().map(|p| p.1), 4)),
            "natural logarithm",
            &caption,
        ));
    }
    if !time.is_empty() {
        let y = Scale::linear(time.iter().map(|p| p.1).chain([0.0]), 4);
        figures.push(plot.figure(
            "time",
            "Time",
            (&time, y),
            "seconds since the start",
            "Steep where iterations are slow: mostly at the start, while the model is large.",
        ));
    }
    Some(Section {
        id: "fit".into(),
        heading: "How the fit went".into(),
        text: paragraphs,
        // A curve through one point is none.
        blocks: if trace.len() > 1 { vec![Block::Figures(figures)] } else { Vec::new() },
    })
}

/// The whole fit in two sentences.
fn in_words(trace: &[Iteration]) -> Option<String> {
    let (first, last) = (trace.first()?, trace.last()?);
    let seconds = trace.iter().map(|i| i.seconds).filter(|&s| drawable(s)).sum();
    let held = |iteration: &Iteration| {
        let features = counted(iteration.features, "feature");
        match iteration.samples {
            Some(samples) => format!("{} and {features}", counted(samples, "sample")),
            None => features,
        }
    };
    let took = format!("{} took {}", counted(trace.len(), "iteration"), duration(seconds));
    Some(match trace.len() {
        1 => format!("The model held {} at the end; {took}.", held(last)),
        _ => format!(
            "Iteration by iteration the fit drops what the data give no evidence for. After the \
             first one the model held {}, after the last one {}; {took}.",
            held(first),
            held(last)
        ),
    })
}

/// The points that lie within fifty times the spread of the upper nine tenths: a few absurd
/// values of the first iterations would flatten all that follows.
fn without_outliers(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut values: Vec<f64> = points.iter().map(|point| point.1).collect();
    values.sort_by(f64::total_cmp);
    let (Some(&low), Some(&high)) = (values.get(values.len().div_ceil(10)), values.last()) else {
        return points.to_vec();
    };
    let limit = if high > low { high - 50.0 * (high - low) } else { f64::NEG_INFINITY };
    points.iter().copied().filter(|point| point.1 >= limit).collect()
}

/// A run of iterations of the same stage: name, first and last number.
type Stage<'a> = (&'a str, f64, f64);

fn stages(trace: &[Iteration]) -> Vec<Stage<'_>> {
    let runs = trace.chunk_by(|a, b| a.stage == b.stage);
    let ends = runs.map(|run| (run, run[0].number as f64, run[run.len() - 1].number as f64));
    ends.map(|(run, first, last)| (run[0].stage.as_str(), first, last)).collect()
}

fn stages_in_words(stages: &[Stage]) -> Option<String> {
    if stages.len() < 2 {
        return None;
    }
    if stages.len() > MOST_STAGES {
        let changes = count(stages.len() - 1);
        return Some(format!("The stage changed {changes} times, too often to mark."));
    }
    let short =
        stages.iter().map(|(name, first, last)| (isolated(&shortened(name, 60)), first, last));
    let words = short.map(|(name, first, last)| match first == last {
        true => format!("{name} (iteration {first})"),
        false => format!("{name} ({first} to {last})"),
    });
    let words = words.collect::<Vec<_>>().join(", ");
    Some(format!("Dashed lines mark where one stage follows another: {words}."))
}

struct Plot<'a> {
    trace: &'a [Iteration],
    stages: &'a [Stage<'a>],
}

impl Plot<'_> {
    /// A falling count, logarithmic if it falls far.
    fn counts(&self, what: &str, heading: &str, points: &[(f64, f64)]) -> Figure {
        let y = Scale::counts(&points.iter().map(|p| p.1).collect::<Vec<_>>(), 4);
        let (label, caption) = if y.is_logarithmic() {
            (
                format!("{what} (log scale)"),
                "Each step down by the same height divides the number \
             by the same factor: what falls evenly here falls fast.",
            )
        } else {
            (what.to_owned(), "Most of what can go usually goes in the first iterations.")
        };
        self.figure(what, heading, (points, y), &label, caption)
    }

    fn figure(
        &self,
        what: &str,
        heading: &str,
        (points, y): (&[(f64, f64)], Scale),
        label: &str,
        caption: &str,
    ) -> Figure {
        let picture = self.picture(what, heading, points, y, label);
        Figure {
            heading: heading.into(),
            legend: Vec::new(),
            content: Content::Picture(picture),
            caption: caption.into(),
        }
    }

    fn picture(
        &self,
        what: &str,
        heading: &str,
        points: &[(f64, f64)],
        y: Scale,
        label: &str,
    ) -> Picture {
        let numbers = self.trace.iter().map(|iteration| iteration.number as f64);
        let (low, high) = numbers.fold((f64::MAX, 1.0f64), |(l, h), n| (l.min(n), h.max(n)));
        let (bottom, top) = y.ends();
        // An area says "from zero", which a logarithmic scale or the evidence does not have.
        let from_zero = bottom == 0.0 && !y.is_logarithmic();
        let marked = (2..=MOST_STAGES).contains(&self.stages.len());
        let headroom = if marked { 18.0 } else { 0.0 };
        let x = ("iteration", Scale::whole(low, high, 6));
        let mut frame = Frame::with_headroom(SMALL, headroom, x, (label, y));
        if marked {
            for (at, &(name, first, last)) in self.stages.iter().enumerate() {
                let start = if at == 0 { low } else { first - 0.5 };
                if at > 0 {
                    frame.guide((start, bottom), (start, top));
                }
                frame.heading(start, last.max(start), name);
            }
        }
        if from_zero {
            frame.area(points, Tone::Accent);
        }
        frame.line(points, Tone::Accent);
        if points.len() <= MOST_DOTS {
            for &point in points {
                frame.point(point, 3.0, Tone::Accent, "");
            }
        }
        for &(at, value) in points {
            let stage = self.stages.iter().find(|(_, first, last)| (*first..=*last).contains(&at));
            let named = stage.filter(|(name, ..)| !name.is_empty());
            let stage = named.map_or(String::new(), |(name, ..)| format!(" ({name})"));
            let tip = format!("iteration {at}{stage}: {}", number(value));
            frame.target((at - 0.5).max(low), (at + 0.5).min(high), &tip);
        }
        let about = match (points.first(), points.last()) {
            (Some(first), Some(last)) => {
                format!("From {} to {} in the course of the fit.", number(first.1), number(last.1))
            }
            _ => "No values.".into(),
        };
        frame.finish(&format!("fit-{what}"), heading, &about)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_values_are_left_out() {
        let mut points: Vec<(f64, f64)> = (1..40).map(|k| (k as f64, -100.0 / k as f64)).collect();
        assert_eq!(without_outliers(&points), points);
        points[2].1 = -1e12;
        assert_eq!(without_outliers(&points).len(), points.len() - 1);
        let level = [(1.0, 5.0), (2.0, 5.0)];
        assert_eq!(without_outliers(&level), level);
    }
}
