//! `pfcvm price`: what a short list costs, and what more rows would bring.

use crate::args;
use crate::evaluate::protocol;
use crate::failure::{Failure, Outcome};
use crate::output::{self, Outputs, note};
use crate::progress;
use crate::threads::use_threads;
use crate::trial::{self, Loaded};
use pfcvm::Settings;
use pfcvm::multiclass::panel_instead;
use pfcvm::settings::Auto;
use pfcvm_report::page::Page;
use pfcvm_report::studies::{self, About, Form};
use pfcvm_study::{
    Contender, LearningCurve, ListedFeature, Price, PriceAccount, RowsAccount, Study, Subject,
    Timing, list_of, listed,
};
use std::io::Write;

/// Runs the command.
pub fn run(options: &args::Price) -> Outcome {
    use_threads(options.trial.threads)?;
    output::check(&[options.report.as_deref()], &[Some(&options.data)])?;
    if options.trial.nested {
        let message = "settings cannot be chosen at every point of a curve; leave out --nested, and \
                       give them with --set";
        return Err(Failure::Usage(message.into()));
    }
    let contender = contender(options)?;
    let loaded = trial::load(&options.data, &options.reading, &options.trial)?;
    let base = trial::studies(&loaded, &[contender], &options.trial)?.remove(0);
    loaded.notes.iter().for_each(|text| note(&format!("note: {text}")));
    let about = About {
        title: match options.rows {
            false => format!("The price of a short list for {}", loaded.title),
            true => format!("What more rows would bring for {}", loaded.title),
        },
        feature_names: loaded.feature_names.clone(),
        protocol: format!("{}, {}", base.contender.label(), protocol(&options.trial)),
        notes: loaded.notes.clone(),
        program: output::program(),
    };
    if options.rows {
        return more_rows(options, &loaded, &base, &about);
    }
    short_lists(options, &loaded, &base, &about)
}

/// The method as it was asked for; `--kernel` and `--panel` are short for what most ask for.
fn contender(options: &args::Price) -> Outcome<Contender> {
    let method = if options.panel { "pfcvm-panel" } else { &options.method };
    let mut set = options.set.clone();
    set.extend(options.kernel.map(|kernel| format!("kernel={kernel}")));
    // What is not said is what `fit` finds out.
    let of_fit = if method == "pfcvm-lp" { &["kernel", "samples"][..] } else { &[] };
    for key in of_fit {
        if !set.iter().any(|text| text.split('=').next().map(str::trim) == Some(key)) {
            set.push(format!("{key}=auto"));
        }
    }
    let contender = trial::contender(method, &set, &options.trial)?;
    if !options.rows {
        check_sizes(&contender)?;
    }
    Ok(contender)
}

/// Refuses a method that cannot be asked for a short list.
pub fn check_sizes(contender: &Contender) -> Outcome {
    let Ok(short) = contender.spec().with("size", "1") else {
        return Err(Failure::Usage(format!(
            "{} has no setting `size`, which a curve over lengths needs; use pfcvm-lp or \
             pfcvm-panel, or --rows",
            contender.spec().name()
        )));
    };
    short.build()?;
    Ok(())
}

/// What lists of every length cost.
pub struct Found {
    pub price: Price,
    /// The list of a fit on all rows at the suggested length.
    pub list: Vec<ListedFeature>,
    timing: Timing,
}

/// Searches lists of every length inside each training part. `sizes` has the lengths, told how many features a
/// fit on all rows keeps; none: the usual ones.
pub fn search(
    base: &Study,
    trial: &args::Trial,
    sizes: impl FnOnce(usize) -> Vec<usize>,
) -> Outcome<Found> {
    let whole = fit_all(base, "fitting all rows")?;
    let kept = list_of(&whole).map_or(0, |list| list.len());
    let lengths = base.at_sizes(&sizes(kept), kept)?;
    let outcomes = trial::run(&lengths.studies, trial)?;
    trial::tell_failures(&lengths.studies, &outcomes)?;
    let price = lengths.price(&outcomes).ok_or_else(no_curve)?;
    let list = match price.suggested_size() {
        None => listed(&whole),
        Some(0) => Vec::new(),
        Some(size) => listed(&fit_all(&base.at_size(size)?, "fitting the suggested list")?),
    };
    Ok(Found { price, list, timing: Timing::of(outcomes.iter().flatten()) })
}

impl Found {
    /// What is printed as JSON.
    pub fn account<'a>(
        &'a self,
        base: &'a Study,
        trial: &args::Trial,
        loaded: &'a Loaded,
    ) -> PriceAccount<'a> {
        let in_words = studies::price_in_words(&self.price);
        let subject = subject(trial, loaded, base, self.timing);
        PriceAccount::of(subject, &self.price, &self.list, &loaded.feature_names, in_words)
    }
}

fn short_lists(options: &args::Price, loaded: &Loaded, base: &Study, about: &About) -> Outcome {
    let (auto, spec) = (Auto { kernel: true, samples: true }, base.contender.spec());
    let of_fit = Settings { auto, ..Settings::default() };
    let all_auto = ["kernel", "samples"]
        .iter()
        .all(|key| spec.settings().iter().any(|(name, value)| name == key && value == "auto"));
    if all_auto && panel_instead(&base.data, &of_fit).is_some() {
        note(
            "note: with more features than rows `fit` makes a panel unless a single fit is clearly better; \
             `price --panel` says what its lists cost",
        );
    }
    let asked: Vec<usize> = options.sizes.iter().map(|size| *size as usize).collect();
    let found = search(base, &options.trial, |_| asked)?;
    let Found { price, list, .. } = &found;
    write(options, |form| studies::price(about, price, list, form))?;
    if options.json {
        return output::print_json(&found.account(base, &options.trial, loaded));
    }
    output::print(&studies::price(about, price, list, Form::Letters).text())?;
    if let Some(size) = price.suggested_size().filter(|size| *size > 0) {
        let flag = if options.panel { "panel" } else { "features" };
        note(&format!("note: `pfcvm fit --{flag} {size}` takes the suggested length"));
    }
    Ok(())
}

fn more_rows(options: &args::Price, loaded: &Loaded, base: &Study, about: &About) -> Outcome {
    let studies = base.with_fewer_rows();
    let outcomes = trial::run(&studies, &options.trial)?;
    trial::tell_failures(&studies, &outcomes)?;
    let curve = LearningCurve::of(&studies, &outcomes).ok_or_else(no_curve)?;
    write(options, |form| studies::learning_curve(about, &curve, form))?;
    if !options.json {
        return output::print(&studies::learning_curve(about, &curve, Form::Letters).text());
    }
    let timing = Timing::of(outcomes.iter().flatten());
    let subject = subject(&options.trial, loaded, base, timing);
    output::print_json(&RowsAccount::of(subject, &curve, studies::outlook(&curve)))
}

/// A fit on all rows, with a line on the terminal meanwhile.
fn fit_all(study: &Study, what: &str) -> Outcome<pfcvm_methods::FittedClasses> {
    let line = progress::fitting();
    line.set_message(what.to_string());
    let fitted = study.fit_all();
    line.finish_and_clear();
    fitted.map_err(|refusal| Failure::Data(refusal.to_string()))
}

fn no_curve() -> Failure {
    Failure::Data(
        "no fold could be fitted at every point of the curve, or the method gives no probabilities; try \
         fewer folds, or another method"
            .into(),
    )
}

fn write(options: &args::Price, page: impl Fn(Form) -> Page) -> Outcome {
    let Some(path) = &options.report else { return Ok(()) };
    let mut outputs = Outputs::default();
    let html = page(Form::Picture).html()?;
    outputs.add(path, |staged| staged.write_all(html.as_bytes()))?;
    outputs.finish()
}

fn subject<'a>(
    trial: &args::Trial,
    loaded: &'a Loaded,
    base: &'a Study,
    timing: Timing,
) -> Subject<'a> {
    Subject::of(base, trial.cv.to_string()).in_program(&loaded.name, timing)
}
