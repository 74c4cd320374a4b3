//! Data flows one way: a module imports only from those before it, in the order that CONTRIBUTING.md
//! draws.

use std::fs;
use std::path::{Path, PathBuf};

/// The order of the modules, as drawn.
fn drawn() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../CONTRIBUTING.md");
    let text = fs::read_to_string(path).unwrap();
    let start = text.find("error →").expect("no drawing of the core's modules");
    let drawing = text[start..].split("```").next().unwrap();
    drawing
        .split(['→', ',', '\n'])
        .map(|name| name.trim().to_string())
        .filter(|n| !n.is_empty())
        .collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true if path.ends_with("src/tests") => {}
            true => sources(&path, found),
            false => found.push(path),
        }
    }
}

/// What follows `crate::` in the code of a file, without comments and without its tests: paths up to
/// the second part, groups taken apart.
fn imports(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let code: String =
        code.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join(" ");
    let mut names = Vec::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(group) => {
                let mut depth = 1;
                let end = group.find(|c| {
                    depth += i32::from(c == '{') - i32::from(c == '}');
                    depth == 0
                });
                let mut depth = 0;
                let mut outside = String::new();
                for c in group[..end.unwrap()].chars() {
                    depth += i32::from(c == '{');
                    if depth == 0 {
                        outside.push(c);
                    }
                    depth -= i32::from(c == '}');
                }
                names.extend(outside.split(',').map(|n| n.trim().to_string()));
            }
            None => names.push(rest.to_string()),
        }
    }
    let first = |name: String| {
        name.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap().to_string()
    };
    names.into_iter().map(first).filter(|name| !name.is_empty()).collect()
}

/// The module that each name at the root comes from.
fn at_root(lib: &str) -> Vec<(String, String)> {
    let mut names = Vec::new();
    for line in lib.split("pub use ").skip(1) {
        let (module, rest) = line.split_once("::").unwrap();
        let list = rest.split(';').next().unwrap().replace(['{', '}'], "");
        names.extend(list.split(',').map(|n| (n.trim().to_string(), module.to_string())));
    }
    names
}

#[test]
fn a_module_imports_only_from_those_before_it() {
    let order = drawn();
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let lib = fs::read_to_string(src.join("lib.rs")).unwrap();
    let root = at_root(&lib);
    let place = |name: &str| order.iter().position(|module| module == name);
    let mut files = Vec::new();
    sources(&src, &mut files);
    let (mut checked, mut wrong) = (0, Vec::new());
    for path in files.iter().filter(|path| !path.ends_with("lib.rs")) {
        let inside = path.strip_prefix(&src).unwrap();
        let first = inside.iter().next().unwrap().to_str().unwrap();
        let module = first.trim_end_matches(".rs");
        let Some(here) = place(module) else {
            wrong.push(format!("{module} is not in the drawing"));
            continue;
        };
        for name in imports(&fs::read_to_string(path).unwrap()) {
            let from = root.iter().find(|(n, _)| *n == name).map_or(name.as_str(), |(_, m)| m);
            checked += 1;
            match place(from) {
                Some(there) if there < here || from == module => {}
                Some(_) => wrong.push(format!("{} imports {name} of {from}", inside.display())),
                None => wrong.push(format!("{}: where is {name} from?", inside.display())),
            }
        }
    }
    assert!(wrong.is_empty(), "against the flow:\n{}", wrong.join("\n"));
    assert!(checked > 100, "only {checked} imports were seen");
}

/// Labels of the paper in backticks.
fn labels(text: &str) -> Vec<String> {
    let one = |word: &str| {
        let known = ["eq:", "sec:", "alg:", "s_means", "f_means", "s_covariance", "f_covariance"];
        let plain = word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':');
        plain && !word.contains("::") && known.iter().any(|start| word.starts_with(start))
    };
    text.split('`').filter(|word| one(word)).map(String::from).collect()
}

#[test]
fn every_label_is_in_the_table_and_every_test_is_there() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(folder.join("../../docs/derivation.md")).unwrap();
    let table = text.split("## Label → function → test").nth(1).unwrap();
    let listed = labels(table);
    let mut files = Vec::new();
    sources(&folder.join("src"), &mut files);
    let mut cited = 0;
    for path in files {
        for label in labels(&fs::read_to_string(&path).unwrap()) {
            assert!(listed.contains(&label), "{} cites {label}", path.display());
            cited += 1;
        }
    }
    assert!(cited >= 15, "{cited}");
    for path in table.split('`').filter(|word| word.ends_with(".rs") && word.contains('/')) {
        assert!(folder.join(path).exists(), "{path}");
    }
}

#[test]
fn imports_are_found_in_groups_and_paths() {
    let text = "use crate::{Error, data::{self, Scaler}, common};\n// crate::comment\n\
                let a = crate::algebra::sigmoid(1.0);\n#[cfg(test)]\nmod tests {\n crate::no }";
    assert_eq!(imports(text), ["Error", "data", "common", "algebra"]);
}
