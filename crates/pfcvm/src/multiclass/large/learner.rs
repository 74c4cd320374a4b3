//! Who asks the rows, pass by pass, and learns from what they say together.

use super::draw::{Draw, Drawn};
use super::held::{Asked as AskedOfHeld, Seen, Weights, certainties};
use super::place::{Ground, Place};
use super::question::{Answer, Asked, Question, Said};
use super::sample::{self, LEAST};
use crate::algebra::{Work, normal_upper_quantile};
use crate::data::{Columns, Kind, Scaler};
use crate::evidence::Update;
use crate::importance::losses_without;
use crate::iteration::free_classes;
use crate::model::Model;
use crate::multiclass::{Choice, Machines, Scheme, Task};
use crate::posterior::{Classes, Likelihood};
use crate::settings::{CertaintyPolicy, ClassWeights, Hyperprior, PrecisionRule};
use crate::spans::Inputs;
use crate::sums::{Point, Proposal, Quadratic, Rules, Sums};
use crate::{Error, Fit, Iteration, Kernel, Settings, Termination, reach};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::time::Instant;

/// Weights have settled where the mode is closer than this many posterior standard deviations, squared.
const SETTLED: f64 = 0.01;
/// A step is taken where the log likelihood gains what the quadratic promised, but for this share of it, and
/// for what does not matter.
const FAR_FROM_PROMISED: f64 = 0.75;
const SLACK: f64 = 1.0;
/// By how much steps are held back at first, and how much more when one was too long, or less when it gained about
/// what was promised; beyond the last a place is taken as it is.
const DAMPING: f64 = 1e-3;
const MORE: f64 = 8.0;
const GOOD: f64 = 0.75;
const MOST_DAMPING: f64 = 1e4;
/// Settled, too, where the mean log likelihood is promised less than this, or the sum less than what does not matter.
const NEGLIGIBLE: (f64, f64) = (2e-5, 0.05);
/// Passes over the same rows, at most.
const MOST_PASSES: usize = 20;
/// Rows that say which samples come in.
const GROWING_ROWS: u64 = 60_000;
/// Samples that may come in then.
const CANDIDATES: usize = 250;
/// Least z-score of a feature that comes back, and how many may at once.
const LEAST_Z: f64 = 3.0;
const AT_ONCE: usize = 10;
/// Held-out rows that are asked, about.
const HELD_ROWS: u64 = 100_000;
/// What iterations over many rows are called.
const GROWING: &str = "growing on more rows";
const POLISHING: &str = "polishing on all rows";

/// What the next pass over the rows is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Doing {
    /// Rows are drawn, for an ordinary fit to learn from.
    Drawing,
    /// A part of the rows says which samples and features come in.
    Growing,
    /// All rows say where the weights belong.
    Polishing,
    /// Rows that did not train say how sure all is.
    Checking,
    /// There are no more passes.
    Over,
}

impl std::fmt::Display for Doing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Doing::Drawing => "drawing rows",
            Doing::Growing => GROWING,
            Doing::Polishing => POLISHING,
            Doing::Checking => "asking held-out rows",
            Doing::Over => "over",
        })
    }
}

/// A step that is being tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Trying {
    from: Place,
    sums: Sums,
    proposal: Proposal,
    /// Whether absent features had been asked for where it starts, and whether samples had come in.
    absent: bool,
    candidates: bool,
}

/// Where the machines are on their way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Course {
    scheme: Scheme,
    scaler: Scaler,
    /// Where rows are asked next, or were asked last.
    place: Place,
    /// What they said there, once they did.
    sums: Option<Sums>,
    trying: Option<Trying>,
    /// Whether absent features are asked for, too.
    absent: bool,
    /// One row of so many is asked.
    every: u64,
    /// Passes over these rows.
    passes: usize,
    /// By how much steps are held back.
    damping: f64,
    /// Whether samples have just come in that were never asked.
    candidates: bool,
    log_evidence: f64,
    termination: Termination,
}

/// Learns from rows that it never sees: [`question`](Learner::question) is what they are to be asked in the next pass,
/// [`take`](Learner::take) hears what they say together. Between passes it can be stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Learner {
    kinds: Vec<Kind>,
    feature_of: Vec<usize>,
    class_names: Vec<String>,
    settings: Settings,
    /// What settings leave out when they are stored.
    chooses: (bool, bool),
    rows: Option<u64>,
    doing: Doing,
    /// Passes that are over.
    passes: usize,
    drawn: Drawn,
    factors: Vec<f64>,
    course: Option<Course>,
    choice: Option<Choice>,
    seen: Option<Seen>,
    trace: Vec<Iteration>,
    #[serde(skip)]
    since: Option<Instant>,
}

impl Learner {
    /// For rows of these columns and classes, and so many of them where that is known.
    pub fn new(
        columns: &Columns,
        class_names: Vec<String>,
        settings: &Settings,
        rows: Option<u64>,
    ) -> Result<Self, Error> {
        settings.check()?;
        refuse(settings, class_names.len())?;
        Ok(Self {
            kinds: columns.kinds(),
            feature_of: (0..columns.inputs()).map(|column| columns.feature_of(column)).collect(),
            factors: vec![1.0; class_names.len()],
            class_names,
            settings: settings.clone(),
            chooses: (settings.auto.kernel, settings.auto.samples),
            rows,
            doing: Doing::Drawing,
            passes: 0,
            drawn: Drawn::default(),
            course: None,
            choice: None,
            seen: None,
            trace: Vec::new(),
            since: Some(Instant::now()),
        })
    }

    /// What the next pass is for.
    pub fn doing(&self) -> Doing {
        self.doing
    }

    /// How many passes over rows are over.
    pub fn passes(&self) -> usize {
        self.passes
    }

    /// How many rows of each class count; known once rows were drawn.
    pub fn class_rows(&self) -> &[u64] {
        &self.drawn.class_rows
    }

    /// Iterations so far: those of the ordinary fit, then one for each pass.
    pub fn trace(&self) -> &[Iteration] {
        &self.trace
    }

    /// Tells it what may stop the work between passes: what a learner that was stored is told anew.
    pub fn stops_at(&mut self, stop: Option<crate::Stop>) {
        self.settings.stop = stop;
    }

    /// The same learner; it was stored and is told again what settings leave out.
    fn told(&self) -> Settings {
        let (kernel, samples) = self.chooses;
        Settings { auto: crate::settings::Auto { kernel, samples }, ..self.settings.clone() }
    }

    fn holds(&self) -> bool {
        self.settings.certainty != CertaintyPolicy::Off
    }

    fn columns(&self) -> Result<Columns, Error> {
        Columns::new(self.kinds.clone()).grouped(&self.feature_of)
    }

    fn draw(&self) -> (Draw, usize) {
        let (train, check) = sample::sizes(self.kinds.len(), self.chooses.0);
        (Draw::new(train + check, LEAST, self.rows), train)
    }

    /// What all rows are to be asked in the next pass; nothing when all is known.
    pub fn question(&self) -> Option<Question> {
        let question = |columns, every, asked| Question {
            columns,
            seed: self.settings.seed,
            holds: self.holds(),
            every,
            factors: self.factors.clone(),
            asked,
        };
        match (self.doing, &self.course) {
            (Doing::Drawing, _) => {
                Some(question((0..self.kinds.len()).collect(), 1, Asked::Draw(self.draw().0)))
            }
            (Doing::Growing | Doing::Polishing, Some(course)) => {
                let scaled = course.scaler.apply(&self.drawn.x());
                let (point, columns) =
                    course.place.point(&self.ground(course, &scaled), course.absent);
                Some(question(columns, course.every, Asked::Sums(Box::new(point))))
            }
            (Doing::Checking, Some(course)) => {
                let (asked, columns) = self.asked_of_held(course)?;
                let every = (self.drawn.rows / 16 / HELD_ROWS).max(1);
                Some(question(columns, every, Asked::Held(Box::new(asked))))
            }
            _ => None,
        }
    }

    fn ground<'a>(&'a self, course: &'a Course, scaled: &'a crate::Matrix) -> Ground<'a> {
        let (kernel, drawn) = (self.settings.kernel, &self.drawn);
        Ground { kernel, scaler: &course.scaler, drawn, scaled }
    }

    /// Hears what all rows say together, and learns from it.
    pub fn take(&mut self, answer: Answer) -> Result<(), Error> {
        self.take_with(answer, &|_, _| ControlFlow::Continue(()))
    }

    /// The same, showing the iterations of the ordinary fit and of passes to `observer`.
    pub fn take_with(
        &mut self,
        answer: Answer,
        observer: &(dyn Fn(Task, &Iteration) -> ControlFlow<()> + Sync),
    ) -> Result<(), Error> {
        self.passes += 1;
        match (answer.0, self.doing) {
            (Said::Drawn(mut drawn, draw), Doing::Drawing) => {
                drawn.prune(draw);
                self.drawn = drawn;
                self.start(observer)
            }
            (Said::Sums(sums), Doing::Growing | Doing::Polishing) => {
                let before = self.trace.len();
                self.go_on(sums)?;
                let task = Scheme::Joint.tasks(self.class_names.len())[0];
                for iteration in &self.trace[before..] {
                    if observer(task, iteration).is_break() {
                        return Err(Error::Stopped);
                    }
                }
                Ok(())
            }
            (Said::Held(seen), Doing::Checking) => {
                self.seen = Some(seen);
                self.doing = Doing::Over;
                Ok(())
            }
            _ => Err(Error::OtherQuestion),
        }
    }

    /// Fits the rows that were drawn.
    fn start(
        &mut self,
        observer: &(dyn Fn(Task, &Iteration) -> ControlFlow<()> + Sync),
    ) -> Result<(), Error> {
        if self.drawn.rows == 0 {
            return Err(Error::Empty { rows: 0, cols: self.kinds.len() });
        }
        if let Some(code) = self.drawn.class_rows.iter().position(|rows| *rows == 0) {
            return Err(Error::EmptyClass { name: self.class_names[code].clone() });
        }
        let mut settings = self.told();
        self.factors = factors(&self.drawn.class_weights, settings.class_weights);
        if let (ClassWeights::Balanced, [negative, positive]) =
            (settings.class_weights, &self.factors[..])
        {
            settings.class_weights =
                ClassWeights::Given { negative: *negative, positive: *positive };
        }
        let form = (&self.columns()?, &self.class_names[..]);
        let (fits, taken, choice) = sample::start(&self.drawn, form, &settings, observer)?;
        self.choice = choice;
        self.settings = Settings { class_weights: self.settings.class_weights, ..taken };
        self.chooses = (false, false);
        self.trace = fits.machines()[0].trace.clone();
        let joint = fits.scheme() == Scheme::Joint || fits.machines().len() == 1;
        if !joint {
            return Err(not_joint());
        }
        let models: Vec<&Model> = fits.machines().iter().map(|fit| &fit.model).collect();
        let mut place = Place::of(&models);
        let every = (self.drawn.rows / GROWING_ROWS).max(1);
        if self.settings.kernel != Kernel::Linear {
            let room = CANDIDATES / place.machines.len();
            place = place.with_samples(&Vec::from_iter(0..room.min(self.drawn.class.len())));
        }
        self.course = Some(Course {
            scheme: fits.scheme(),
            scaler: models[0].scaler.clone(),
            absent: self.readmits(place.features.len(), models[0].scaler.features().len()),
            place,
            sums: None,
            trying: None,
            every,
            passes: 0,
            damping: DAMPING,
            candidates: self.settings.kernel != Kernel::Linear,
            log_evidence: 0.0,
            termination: Termination::Converged,
        });
        self.doing = if every > 1 { Doing::Growing } else { Doing::Polishing };
        Ok(())
    }

    /// Whether features may come back: not where a short list was asked for.
    fn readmits(&self, kept: usize, all: usize) -> bool {
        self.settings.size.is_none() && kept < all
    }

    /// One step on: is the place better than the last, where to go from it, and is it over?
    fn go_on(&mut self, sums: Sums) -> Result<(), Error> {
        let Some(mut course) = self.course.take() else { return Err(Error::OtherQuestion) };
        let expected = course.place.u.len();
        if sums.gram.cols() != expected {
            self.course = Some(course);
            return Err(Error::OtherQuestion);
        }
        course.passes += 1;
        if let Some(trying) = course.trying.take() {
            let promised = trying.proposal.promise();
            let gain = sums.log_likelihood - trying.sums.log_likelihood;
            let better = gain >= promised - SLACK.max(FAR_FROM_PROMISED * promised.abs());
            if better {
                // Held back less where the quadratic was right.
                if gain > GOOD * promised {
                    course.damping = (course.damping / MORE).max(DAMPING);
                }
            } else {
                // From where it was, with a shorter step; what rows say there is known.
                course.damping *= MORE;
                course.place = trying.from;
                if course.damping > MOST_DAMPING || course.passes >= MOST_PASSES {
                    (course.sums, course.absent) = (Some(trying.sums), false);
                    self.over_here(&mut course, None, true);
                } else {
                    (course.absent, course.candidates) = (trying.absent, trying.candidates);
                    self.decide(&mut course, trying.sums, false)?;
                }
                self.course = Some(course);
                return Ok(());
            }
        }
        self.decide(&mut course, sums, true)?;
        self.course = Some(course);
        Ok(())
    }

    /// At a place that is good, be it a new one: where next?
    fn decide(&mut self, course: &mut Course, sums: Sums, new: bool) -> Result<(), Error> {
        let mut work = self.settings.work();
        let layout = course.place.layout();
        let mut near = Quadratic::new(&layout, &course.place.u, &sums).damped(course.damping);
        let hyperprior = Hyperprior::from_false_positive_rate(self.settings.false_positive_rate);
        let update =
            |hyperprior, damping| Update { rule: PrecisionRule::MacKay, hyperprior, damping };
        let linear = self.settings.kernel == Kernel::Linear;
        let classes = free_classes(course.place.machines.len());
        let (spans, features) = (course.scaler.spans(), course.place.features.clone());
        let directions = |k: usize| if linear { classes * spans.of(features[k]).len() } else { 1 };
        let rules = Rules {
            samples: update(Hyperprior::default(), 1.0),
            features: update(hyperprior, 0.5),
            floor: if linear { 1e-8 } else { 1e-2 },
            directions: &directions,
            scale_free: linear,
            features_stay: std::mem::take(&mut course.candidates),
        };
        let negligible = (NEGLIGIBLE.0 * sums.weight).max(NEGLIGIBLE.1);
        let is_close = |proposal: &Proposal| {
            proposal.distance < SETTLED || proposal.promise().abs() < negligible
        };
        let mut settle = |near: &Quadratic| {
            let found = near.settle(course.place.precisions.clone(), &rules, &mut work);
            found.ok_or(Error::NumericalBreakdown)
        };
        let mut proposal = settle(&near)?;
        // At a new place a step that is held back promises little wherever it is; where a longer one was tried and
        // failed, little is all there is.
        while new && is_close(&proposal) && course.damping > DAMPING {
            course.damping = (course.damping / MORE).max(DAMPING);
            near = near.damped(course.damping);
            proposal = settle(&near)?;
        }
        let close = is_close(&proposal);
        let admitted = match course.absent {
            true => self.admitted(course, &near, &mut work),
            false => Vec::new(),
        };
        drop(near);
        course.log_evidence = proposal.log_evidence;
        if new {
            self.record(course, &sums, &proposal);
        }
        let stays = rules.features_stay;
        let settled = !stays && (close || course.passes >= MOST_PASSES);
        let (was_absent, from) = (course.absent, course.place.clone());
        let all = course.scaler.features().len();
        let readmits = self.readmits(from.features.len(), all);
        course.absent = settled && readmits && !was_absent;
        if settled && admitted.is_empty() && !course.absent {
            course.sums = Some(sums);
            self.over_here(course, Some(&proposal), !close);
            return Ok(());
        }
        course.place = from.towards(&proposal).without_zeros().with_features(&admitted);
        let absent = was_absent;
        course.trying = Some(Trying { from, sums, proposal, absent, candidates: stays });
        Ok(())
    }

    /// These rows have no more to say: all rows are next, or those that were held out.
    fn over_here(&mut self, course: &mut Course, proposal: Option<&Proposal>, exhausted: bool) {
        if self.doing == Doing::Growing {
            if let Some(proposal) = proposal {
                course.place = course.place.towards(proposal).without_zeros();
            }
            let (kept, all) = (course.place.features.len(), course.scaler.features().len());
            (course.every, course.passes, course.sums) = (1, 0, None);
            course.damping = DAMPING;
            course.absent = self.readmits(kept, all);
            self.doing = Doing::Polishing;
            return;
        }
        if exhausted {
            course.termination = Termination::MaxIterations;
        }
        self.doing = if self.holds() { Doing::Checking } else { Doing::Over };
    }

    /// The absent features that come in: the best by their scores.
    fn admitted(&self, course: &Course, near: &Quadratic, work: &mut Work) -> Vec<usize> {
        let Some(z) = near.scores(&course.place.precisions, work) else { return Vec::new() };
        let all = course.scaler.features().len();
        let absent: Vec<usize> =
            (0..all).filter(|k| course.place.features.binary_search(k).is_err()).collect();
        let rate = self.settings.false_positive_rate / absent.len().max(1) as f64;
        let least = normal_upper_quantile(rate).max(LEAST_Z);
        let mut order: Vec<usize> = (0..absent.len()).filter(|&k| z[k] > least).collect();
        order.sort_by(|&a, &b| z[b].total_cmp(&z[a]));
        order.truncate(AT_ONCE);
        order.into_iter().map(|k| absent[k]).collect()
    }

    fn record(&mut self, course: &Course, sums: &Sums, proposal: &Proposal) {
        let seconds = self.since.map_or(0.0, |since| since.elapsed().as_secs_f64());
        self.since = Some(Instant::now());
        let place = course.place.without_zeros();
        let mut samples = place.machines.concat();
        samples.sort_unstable();
        samples.dedup();
        self.trace.push(Iteration {
            number: self.trace.len() + 1,
            stage: if self.doing == Doing::Growing { GROWING } else { POLISHING }.into(),
            trial: None,
            fold: None,
            samples: samples.len(),
            features: place.features.len(),
            log_evidence: proposal.log_evidence,
            log_likelihood: sums.log_likelihood,
            sample_step: 1.0,
            feature_step: 1.0,
            jitter: 0.0,
            seconds,
            flops: 0.0,
        });
    }

    fn asked_of_held(&self, course: &Course) -> Option<(AskedOfHeld, Vec<usize>)> {
        let mut work = Work::new(false);
        let scaled = course.scaler.apply(&self.drawn.x());
        let ground = self.ground(course, &scaled);
        let sums = course.sums.as_ref()?;
        let place = &course.place;
        let models = place.models(&ground, sums, &mut work)?;
        let (point, columns) = place.point(&ground, false);
        let likelihood = self.likelihood_of_drawn();
        let (settled, without) = self.settled(place, point, &ground, &likelihood, &mut work);
        let point = settled;
        let narrow = models.iter().map(|model| model.among(&columns)).collect();
        let machines = Machines::new(course.scheme, self.class_names.len(), narrow).ok()?;
        let shares = self.log_shares();
        Some((AskedOfHeld { machines, point, without, shares }, columns))
    }

    /// A point with its sample weights settled on the rows that were drawn, and its weights without each feature.
    fn settled(
        &self,
        place: &Place,
        point: Point,
        ground: &Ground,
        likelihood: &Classes,
        work: &mut Work,
    ) -> (Point, Vec<Weights>) {
        let all = Inputs { values: ground.scaled.clone(), spans: ground.scaler.spans() };
        let x = all.select(&place.features);
        // Drawn rows stand for all.
        let times = self.drawn.rows as f64 / self.drawn.numbers.len() as f64;
        let alone = |machine: std::ops::Range<usize>| -> Vec<f64> {
            place.precisions[machine].iter().map(|a| a / times).collect()
        };
        let precisions: Vec<Vec<f64>> = place.layout().machines().map(alone).collect();
        let with = point.settled_on(&x, likelihood, &precisions, work);
        let without = (0..point.theta.len()).map(|k| {
            let mut less = with.clone();
            less.theta[k] = 0.0;
            let less = less.settled_on(&x, likelihood, &precisions, work);
            Weights { theta: less.theta, w: less.machines.into_iter().map(|one| one.w).collect() }
        });
        let without = without.collect();
        (with, without)
    }

    fn log_shares(&self) -> Vec<f64> {
        let counted = self.drawn.class_weights.iter().zip(&self.factors);
        let of: Vec<f64> = counted.map(|(weight, factor)| weight * factor).collect();
        let all: f64 = of.iter().sum();
        of.iter().map(|of| (of / all).ln()).collect()
    }

    /// What was learned, the settings that were taken and how the kernel was chosen if it was. Samples of the models are
    /// numbers of rows; nothing is said of the samples that were not taken.
    pub fn finish(self) -> Result<(Machines<Fit>, Settings, Option<Choice>), Error> {
        let (Doing::Over, Some(course)) = (self.doing, &self.course) else {
            return Err(Error::NotOver);
        };
        let mut work = self.settings.work();
        let scaled = course.scaler.apply(&self.drawn.x());
        let ground = self.ground(course, &scaled);
        let sums = course.sums.as_ref().ok_or(Error::NotOver)?;
        let models = course.place.models(&ground, sums, &mut work);
        let mut models = models.ok_or(Error::NumericalBreakdown)?;
        let likelihood = self.likelihood_of_drawn();
        let worth = losses_without(&models, &scaled, &likelihood, &work);
        let numbers: Vec<usize> =
            self.drawn.numbers.iter().map(|number| *number as usize).collect();
        let features = models[0].selected_features().to_vec();
        let candidates = course.scaler.features().len();
        let certainties =
            self.seen.as_ref().map(|seen| certainties(seen, &features, candidates, &self.settings));
        for model in &mut models {
            let theta = model.spans().spread(&model.theta).into_owned();
            let x = scaled.select_columns(&model.scaled_columns());
            model.reach = reach::reach(&x, &model.z, &theta, likelihood.weights());
            model.feature_worth = Some(worth.clone());
        }
        let last = self.trace.len();
        let features_in_all = self.columns()?.features();
        let dropped = |model: &Model| -> Vec<Option<usize>> {
            let kept = |k: usize| model.selected_features().binary_search(&k).is_ok();
            (0..features_in_all).map(|k| (!kept(k)).then_some(last)).collect()
        };
        let mut fits: Vec<Fit> = models
            .into_iter()
            .map(|model| Fit {
                feature_dropped: dropped(&model),
                model: model.in_rows(&numbers),
                termination: course.termination,
                log_evidence: course.log_evidence,
                log_likelihood: sums.log_likelihood,
                trace: self.trace.clone(),
                trials: Vec::new(),
                sample_dropped: Vec::new(),
                held_losses: Vec::new(),
            })
            .collect();
        if let Some(certainties) = certainties {
            let nothing =
                certainties[0].nothing_found && self.settings.certainty == CertaintyPolicy::On;
            let shares = self.log_shares();
            let odds = |k: usize| if fits.len() == 1 { shares[1] - shares[0] } else { shares[k] };
            let odds: Vec<f64> = (0..fits.len()).map(odds).collect();
            for ((fit, certainty), odds) in fits.iter_mut().zip(certainties).zip(odds) {
                match nothing {
                    true => fit.find_nothing(certainty, odds),
                    false => fit.model.certainty = Some(certainty),
                }
            }
        }
        let machines = Machines::new(course.scheme, self.class_names.len(), fits);
        let machines = machines.map_err(|_| Error::NumericalBreakdown)?;
        Ok((machines, self.settings, self.choice))
    }

    /// The classes of the drawn rows, and what they count.
    fn likelihood_of_drawn(&self) -> Classes {
        let drawn = &self.drawn;
        let rows = drawn.class.iter().zip(&drawn.weights);
        let weights: Vec<f64> = rows.map(|(class, weight)| weight * self.factors[*class]).collect();
        let classes = self.class_names.len();
        let own = if classes == 2 { 1..2 } else { 0..classes };
        let machine = |own: usize| Likelihood {
            signs: drawn.class.iter().map(|c| if *c == own { 1.0 } else { -1.0 }).collect(),
            weights: weights.clone(),
        };
        Classes { machines: own.map(machine).collect() }
    }
}

/// What rows of each class are multiplied by, from what each class weighs.
fn factors(of_class: &[f64], weights: ClassWeights) -> Vec<f64> {
    match weights {
        ClassWeights::Given { negative, positive } => vec![negative, positive],
        ClassWeights::Equal => vec![1.0; of_class.len()],
        ClassWeights::Balanced => {
            let all: f64 = of_class.iter().sum();
            of_class.iter().map(|of| all / (of_class.len() as f64 * of)).collect()
        }
    }
}

/// Refuses what needs all rows at once.
fn refuse(settings: &Settings, classes: usize) -> Result<(), Error> {
    if classes < 2 {
        return Err(Error::FewClasses { classes });
    }
    if matches!(settings.class_weights, ClassWeights::Given { .. }) && classes > 2 {
        return Err(Error::Length { what: "class weights", found: 2, expected: classes });
    }
    match super::memory::needs_all_rows(settings) {
        None => Ok(()),
        Some((name, value)) => {
            let allowed =
                "learning by sums over rows does not do this; fit a part of the rows in memory";
            Err(Error::Setting { name, value, allowed })
        }
    }
}

fn not_joint() -> Error {
    let (name, value) = ("kernel", Kernel::Linear.to_string());
    let allowed =
        "rbf, where there are more than two classes and more features than rows are drawn";
    Error::Setting { name, value, allowed }
}
