//! Data that nobody would write.

use super::Draw;
use super::target::{Target, ending, waited};

/// Any bytes are fitted or refused, in one sentence and without a file.
pub fn data(target: &Target, draw: &mut Draw) -> Result<(), String> {
    let mut bytes = draw.pick(&target.corpus).clone();
    for _ in 0..draw.below(4) {
        bytes = draw.damaged(&bytes);
    }
    // Pieces of two files make columns and rows that do not fit.
    if draw.below(4) == 0 {
        let other = draw.pick(&target.corpus);
        let at = draw.below(bytes.len() + 1);
        bytes.splice(at..at, other.iter().copied());
    }
    std::fs::write(target.path("hostile"), &bytes).map_err(|error| error.to_string())?;
    let words = "fit hostile --model out.json --max-iterations 20";
    let output = target.run(words, None)?;
    let code = ending(&output, &[0, 3], &|| format!("{} hostile bytes", bytes.len()))?;
    let written = target.path("out.json").exists();
    let part = target.has_part();
    target.tidy();
    match (code == 0) == written && !part {
        true => Ok(()),
        false => Err(format!("code {code}, and a model is {written}ly there")),
    }
}

/// Any LIBSVM text is fitted or refused within the memory there is, whatever its indices claim.
pub fn sparse(target: &Target, draw: &mut Draw) -> Result<(), String> {
    const INDICES: [&str; 18] = [
        "1",
        "2",
        "3",
        "7",
        "90",
        "4000",
        "1000000",
        "50000000",
        "2147483648",
        "4000000000",
        "4294967295",
        "4294967296",
        "18446744073709551617",
        "0",
        "-1",
        "1e3",
        "qid",
        "",
    ];
    const VALUES: [&str; 14] = [
        "1", "0", "-2.5", "3", "1e308", "-1e308", "1e999", "5e-324", "nan", "?", "x", "", "1:1",
        "é",
    ];
    let (mut text, plain) = (String::new(), draw.below(3));
    for row in 0..1 + draw.below(40) {
        text.push_str(
            ["1", "-1", "+1", "0", "a", "", "1:1"][if plain > 0 { row % 2 } else { draw.below(7) }],
        );
        // Ascending as they must be, as they come, or one of them twice.
        let mut places: Vec<usize> =
            (0..draw.below(6)).map(|_| draw.below(INDICES.len())).collect();
        if plain > 0 {
            places.retain(|at| *at < 11 || draw.below(40) == 0);
            places.sort();
        }
        if draw.below(20) > 0 {
            places.dedup();
        }
        for at in places {
            let value = VALUES[draw.below(if plain > 0 { 6 } else { VALUES.len() })];
            text.push_str(&format!(" {}:{value}", INDICES[at]));
        }
        text.push_str(["\n", "\n", "\n", "\n", "\r\n", " # 5:5\n", "\n\n", " "][draw.below(8)]);
    }
    target.write("hostile.svm", text.as_bytes())?;
    let kernel = draw.pick(&["auto", "linear", "rbf"]);
    let words = format!("fit hostile.svm --kernel {kernel} --model out.json --max-iterations 5");
    let output = target.run(&words, Some("ulimit -v 4000000"))?;
    let code = ending(&output, &[0, 3], &|| format!("{text:?} with {kernel}"))?;
    let written = target.path("out.json").exists();
    if written {
        let output = target.run("predict out.json hostile.svm", None)?;
        ending(&output, &[0, 3], &|| format!("{text:?} predicted"))?;
    }
    target.tidy();
    match (code == 0) == written {
        true => Ok(()),
        false => Err(format!("{text:?}: code {code}, and a model is {written}ly there")),
    }
}

/// What texts of options and files of groups are put together from.
const WORDS: [&str; 32] = [
    "x1",
    "x2",
    "x40",
    "x41",
    "label",
    "=",
    "number",
    "words",
    "date",
    "ignore",
    ",",
    "\t",
    "\n",
    " ",
    "(",
    ")",
    "^",
    "(.*)",
    "(x)",
    "[",
    "\\",
    "{1000000}",
    "*",
    "é",
    "\u{feff}",
    "\"",
    "",
    "-1",
    "1e999",
    "rbf",
    ":",
    "NaN",
];

/// Any text as an option, and any file of groups, is taken or refused, in one sentence and without a
/// file.
pub fn options(target: &Target, draw: &mut Draw) -> Result<(), String> {
    const OPTIONS: [&str; 7] =
        ["groups", "group-by", "kind", "missing", "ignore", "label", "kernel"];
    let text: String = (0..1 + draw.below(12)).map(|_| *draw.pick(&WORDS)).collect();
    let option = *draw.pick(&OPTIONS);
    let words = "fit data.csv --model out.json --max-iterations 3 --certainty off";
    let mut command = target.command(words, None);
    if option == "groups" {
        let mut bytes = text.replace('=', ",").into_bytes();
        if draw.below(4) == 0 {
            bytes = draw.damaged(&bytes);
        }
        std::fs::write(target.path("groups"), bytes).map_err(|error| error.to_string())?;
        command.arg("--groups=groups");
    } else {
        command.arg(format!("--{option}={text}"));
    }
    let what = || format!("--{option} {text:?}");
    let child = command.spawn().map_err(|error| error.to_string())?;
    let code = ending(&waited(child, words)?, &[0, 2, 3], &what)?;
    let (written, part) = (target.path("out.json").exists(), target.has_part());
    target.tidy();
    match (code == 0) == written && !part {
        true => Ok(()),
        false => Err(format!("{}: code {code}, and a model is {written}ly there", what())),
    }
}
