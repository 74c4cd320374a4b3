//! `pfcvm rank`: which of several methods are better over several data sets.

use crate::args;
use crate::failure::{Failure, Outcome};
use crate::output::shown;
use crate::output::{self, Outputs};
use pfcvm_eval::{Better, Friedman};
use pfcvm_io::{Header, Input, ReadOptions, Rows};
use pfcvm_report::studies::ranking_picture;
use pfcvm_study::Ranking;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// Everything the scores say about the methods.
#[derive(Debug, Serialize)]
struct Account {
    data_sets: usize,
    /// In the order of the table.
    methods: Vec<String>,
    /// By method; 1 is best.
    average_ranks: BTreeMap<String, f64>,
    friedman: Test,
    iman_davenport: Test,
    alpha: f64,
    critical_difference: Differences,
    /// Pairs that differ by Nemenyi's test, the better one first.
    different: Vec<[String; 2]>,
    /// Methods that the best one beats by the Bonferroni-Dunn test.
    worse_than_best: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Test {
    /// Null where it is infinite: all data sets rank the methods alike.
    statistic: Option<f64>,
    /// Null with it.
    p_value: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Differences {
    nemenyi: f64,
    bonferroni_dunn: f64,
}

/// Runs the command.
pub fn run(options: &args::Rank) -> Outcome {
    output::check(&[options.plot.as_deref()], &[Some(&options.table)])?;
    let input = Input::from(options.table.clone());
    // The names of the data sets are what a label is elsewhere.
    let reading =
        ReadOptions { label: Some("1".into()), header: Header::Yes, ..ReadOptions::default() };
    let mut rows = Rows::open(&input, &reading)?;
    rows.expect_numbers();
    let table = rows.into_table(&mut |_| ())?;
    let gap = |(column, _): &(&[f64], _)| column.iter().any(|score| score.is_nan());
    let gaps: Vec<String> = (table.x().columns().zip(table.feature_names()))
        .filter(gap)
        .map(|(_, name)| format!("`{}`", shown(name)))
        .collect();
    if !gaps.is_empty() {
        return Err(Failure::Data(format!(
            "{input}: scores are missing or no numbers in {}; fill them in or drop the rows",
            gaps.join(", ")
        )));
    }
    let better = if options.lower_is_better { Better::Lower } else { Better::Higher };
    let scores: Vec<Vec<Option<f64>>> =
        (0..table.x().rows()).map(|i| table.x().columns().map(|c| Some(c[i])).collect()).collect();
    let ranking = Ranking::of(table.feature_names(), &scores, better, options.alpha)
        .map_err(|error| Failure::Data(format!("{input}: {error}")))?;
    let account = account(&ranking, scores.len(), options.alpha);

    if let Some(path) = &options.plot {
        let picture = ranking_picture(&ranking).draw("ranks").file();
        let mut outputs = Outputs::default();
        outputs.add(path, |file| file.write_all(picture.as_bytes()))?;
        outputs.finish()?;
    }
    if options.json {
        return output::print_json(&account);
    }
    let mut out = anstream::stdout().lock();
    words(&mut out, &account, &ranking.friedman)?;
    Ok(out.flush()?)
}

fn account(ranking: &Ranking, data_sets: usize, alpha: f64) -> Account {
    let Ranking { methods, friedman, nemenyi, bonferroni_dunn, .. } = ranking;
    let ranks = &friedman.average_ranks;
    let count = methods.len();
    let best =
        (0..count).fold(0, |best, method| if ranks[method] < ranks[best] { method } else { best });
    let differ = |a: usize, b: usize, by: f64| ranks[b] - ranks[a] > by;
    let pairs = (0..count).flat_map(|a| (0..count).map(move |b| (a, b)));
    Account {
        data_sets,
        average_ranks: methods.iter().cloned().zip(ranks.iter().copied()).collect(),
        friedman: Test { statistic: finite(friedman.chi_square), p_value: Some(friedman.p_value) },
        iman_davenport: Test {
            statistic: finite(friedman.iman_davenport.f),
            p_value: finite(friedman.iman_davenport.f).map(|_| friedman.iman_davenport.p_value),
        },
        alpha,
        different: pairs
            .filter(|(a, b)| differ(*a, *b, *nemenyi))
            .map(|(a, b)| [methods[a].clone(), methods[b].clone()])
            .collect(),
        worse_than_best: (0..count)
            .filter(|method| differ(best, *method, *bonferroni_dunn))
            .map(|method| methods[method].clone())
            .collect(),
        critical_difference: Differences { nemenyi: *nemenyi, bonferroni_dunn: *bonferroni_dunn },
        methods: methods.clone(),
    }
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

fn words(out: &mut impl Write, account: &Account, friedman: &Friedman) -> std::io::Result<()> {
    let Account { methods, data_sets, alpha, .. } = account;
    let mut order: Vec<usize> = (0..methods.len()).collect();
    order.sort_by(|a, b| friedman.average_ranks[*a].total_cmp(&friedman.average_ranks[*b]));
    writeln!(
        out,
        "average ranks of {} methods over {data_sets} data sets; 1 is best\n",
        methods.len()
    )?;
    for method in order {
        writeln!(out, "  {:>6.3}  {}", friedman.average_ranks[method], shown(&methods[method]))?;
    }
    let davenport = &friedman.iman_davenport;
    writeln!(
        out,
        "\nFriedman        chi-square {:.3} on {} degrees of freedom, p = {:.3e}",
        friedman.chi_square, friedman.degrees_of_freedom, friedman.p_value
    )?;
    match finite(davenport.f) {
        Some(f) => writeln!(
            out,
            "Iman-Davenport  F {f:.3} on {} and {} degrees of freedom, p = {:.3e}",
            davenport.degrees_of_freedom.0, davenport.degrees_of_freedom.1, davenport.p_value
        )?,
        None => writeln!(out, "Iman-Davenport  no value: all data sets rank the methods alike")?,
    }
    let Differences { nemenyi, bonferroni_dunn } = account.critical_difference;
    writeln!(
        out,
        "critical difference at {alpha}: {nemenyi:.3} (Nemenyi, all pairs), {bonferroni_dunn:.3} \
         (Bonferroni-Dunn, against one)\n"
    )?;
    if account.different.is_empty() {
        writeln!(out, "Nemenyi: no two methods differ.")?;
    }
    for [better, worse] in &account.different {
        writeln!(out, "Nemenyi: {} is better than {}.", shown(better), shown(worse))?;
    }
    let beaten: Vec<String> = account.worse_than_best.iter().map(|name| shown(name)).collect();
    match beaten.as_slice() {
        [] => writeln!(out, "Bonferroni-Dunn: the best is not better than any other."),
        beaten => writeln!(out, "Bonferroni-Dunn: the best is better than {}.", beaten.join(", ")),
    }
}
