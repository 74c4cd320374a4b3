//! Names from outside as harmless names of files, and as words of a shell.

/// Names of files that results have by themselves.
pub(crate) const OWN: [&str; 7] = [
    "model.json",
    "model.onnx",
    "report.html",
    "test.html",
    "price.html",
    "comparison.html",
    "commands.txt",
];

/// The user's own name of a file, for the eyes: without folders, and no longer than names of files are.
pub(crate) fn own(name: &str) -> String {
    const LONGEST: usize = 255;
    let last = name.rsplit('/').next().unwrap_or_default();
    let kept: String = last.chars().filter(|c| *c != '\0').take(LONGEST).collect();
    if kept.is_empty() { harmless(name) } else { kept }
}

/// The user's own name as one types it in the folder of the file, still to be quoted: no option, and
/// nothing that the commands would write over.
pub(crate) fn typed(own: &str) -> String {
    match own {
        _ if is_own(own) => harmless(own),
        _ if own.starts_with('-') => format!("./{own}"),
        _ => own.into(),
    }
}

/// The name that an uploaded file gets, the user's own one where it may be: letters, digits and signs that
/// mean nothing to any system, not too long, no hidden file, no option, none of ours. Readers find the
/// format out from the content.
pub(crate) fn harmless(name: &str) -> String {
    const LONGEST: usize = 80;
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let safe = |c: char| if c.is_alphanumeric() || "._- (),+&'".contains(c) { c } else { '_' };
    let clean: String = last.chars().map(safe).collect();
    let clean = clean.trim_start_matches(['.', '-', '_', ' ']).trim_end_matches(['.', ' ']);
    // The ending is what tells `.tsv` and `.gz`; it stays.
    let mut kept: String = clean.to_owned();
    if clean.chars().count() > LONGEST {
        let end: Vec<char> = clean.chars().rev().take(12).collect();
        kept = clean.chars().take(LONGEST - end.len()).chain(end.into_iter().rev()).collect();
    }
    // Names of devices, which some systems have everywhere.
    let stem = kept.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let device = ["con", "prn", "aux", "nul"].contains(&stem.as_str())
        || (stem.len() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")));
    if kept.is_empty() || device || is_own(&kept) { format!("table-{kept}") } else { kept }
}

/// Whether results have a file of that name, or a part of one on its way.
fn is_own(name: &str) -> bool {
    let lower = name.to_lowercase();
    let numbered = ["said-", "predictions-", "comparison-"];
    OWN.contains(&lower.as_str()) || numbered.iter().any(|start| lower.starts_with(start))
}

/// The name of a file without its endings, for what is made from it.
pub(crate) fn stem(name: &str) -> &str {
    let known = [
        ".gz", ".zst", ".csv", ".tsv", ".tab", ".txt", ".arff", ".libsvm", ".svm", ".npy", ".npz",
        ".xlsx", ".xlsb", ".xls", ".ods", ".parquet", ".feather", ".arrow", ".data",
    ];
    let mut stem = name;
    while let Some(shorter) = known.iter().find_map(|end| stem.strip_suffix(end)) {
        stem = shorter;
    }
    if stem.is_empty() { name } else { stem }
}

/// A word as a shell reads it. What a terminal would obey or the eye would miss is written as `$'…'`.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/=:,+%@".contains(c);
    if !word.is_empty() && !word.starts_with('=') && word.chars().all(plain) {
        return word.into();
    }
    if !word.chars().any(is_unseen) {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let escaped = |c: char| match c {
        '\'' | '\\' => format!("\\{c}"),
        '\n' => r"\n".into(),
        '\t' => r"\t".into(),
        _ if c.is_ascii_control() => format!("\\x{:02x}", u32::from(c)),
        _ if is_unseen(c) => format!("\\u{:04x}", u32::from(c)),
        _ => c.into(),
    };
    format!("$'{}'", word.chars().map(escaped).collect::<String>())
}

/// Control characters, and those that change how others are shown.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{feff}')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_the_folder() {
        assert_eq!(harmless("../../etc/passwd"), "passwd");
        assert_eq!(harmless(r"C:\data\genes 1.csv"), "genes 1.csv");
        assert_eq!(harmless("Smith & Son's (2), a+b.csv"), "Smith & Son's (2), a+b.csv");
        assert_eq!(harmless(" -x?.csv. "), "x_.csv");
        assert_eq!(harmless("a\"b;$c`d|e*.csv"), "a_b__c_d_e_.csv");
        assert_eq!(harmless("--model=x.csv"), "model_x.csv");
        assert_eq!(harmless(".."), "table-");
        assert_eq!(harmless("\0\u{202e}a\n.csv"), "a_.csv");
        assert_eq!(harmless("Model.json"), "table-Model.json");
        assert_eq!(harmless("NUL.csv"), "table-NUL.csv");
        assert_eq!(harmless("Überleben.xlsx"), "Überleben.xlsx");
        assert_eq!(harmless("<script>alert(1)</script>.csv"), "script_.csv");
        let long = harmless(&format!("{}.csv.gz", "ä".repeat(300)));
        assert!(long.chars().count() == 80 && long.ends_with(".csv.gz"));
    }

    #[test]
    fn words_of_a_shell() {
        assert_eq!(quoted("--label=Class"), "--label=Class");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("=ls"), "'=ls'");
        assert_eq!(quoted("a\nb\t\u{1b}[201~it's\\\u{202e}ü"), r"$'a\nb\t\x1b[201~it\'s\\\u202eü'");
        assert_eq!((stem("a.csv.gz"), stem("b.arff"), stem(".csv")), ("a", "b", ".csv"));
    }

    #[test]
    fn own_names_are_typed_as_they_are() {
        assert_eq!(own("/home/x/genes 1 <2>.csv"), "genes 1 <2>.csv");
        assert_eq!(own("a\0b\\c"), "ab\\c");
        assert_eq!(own(&"ä".repeat(9000)).chars().count(), 255);
        assert_eq!((own(""), own("x/")), ("table-".into(), "table-".into()));
        assert_eq!(typed("genes <2>.csv"), "genes <2>.csv");
        assert_eq!(typed("--out=x"), "./--out=x");
        // A command must not write over the table that it reads.
        assert_eq!(typed("model.json"), "table-model.json");
        assert_eq!(typed("predictions-4.csv"), "table-predictions-4.csv");
    }
}
