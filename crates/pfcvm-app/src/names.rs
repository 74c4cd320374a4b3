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

/// The name that an uploaded file gets: letters, digits, dots, hyphens and underscores, not too long, no
/// hidden file, no option, none of ours. Readers find the format out from the content.
pub(crate) fn harmless(name: &str) -> String {
    const LONGEST: usize = 80;
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let safe = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let clean: String = last.chars().map(safe).collect();
    let clean = clean.trim_start_matches(['.', '-', '_']);
    // The ending is what tells `.tsv` and `.gz`; it stays.
    let mut kept: String = clean.to_owned();
    if clean.chars().count() > LONGEST {
        let end: Vec<char> = clean.chars().rev().take(12).collect();
        kept = clean.chars().take(LONGEST - end.len()).chain(end.into_iter().rev()).collect();
    }
    // Names of devices, which some systems have everywhere.
    let stem = kept.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let device = ["con", "prn", "aux", "nul"].contains(&stem.as_str())
        || (stem.len() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")));
    if kept.is_empty() || device || is_own(&kept) { format!("table-{kept}") } else { kept }
}

/// Whether results have a file of that name, or a part of one on its way.
fn is_own(name: &str) -> bool {
    let lower = name.to_lowercase();
    OWN.contains(&lower.as_str()) || lower.starts_with("said-") || lower.starts_with("predictions-")
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

/// A word as a shell reads it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/=:,+%@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_the_folder() {
        assert_eq!(harmless("../../etc/passwd"), "passwd");
        assert_eq!(harmless(r"C:\data\genes 1.csv"), "genes_1.csv");
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
        assert_eq!((stem("a.csv.gz"), stem("b.arff"), stem(".csv")), ("a", "b", ".csv"));
    }
}
