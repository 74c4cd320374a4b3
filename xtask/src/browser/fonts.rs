//! Sets of fonts that pages are looked at with, one at a time, whatever else the machine has.

use crate::step::{Outcome, install, scratch};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Fonts that the check asks for: wide, narrow, and in between.
const WANTED: [Wanted; 3] = [
    Wanted {
        name: "DejaVu",
        family: "DejaVu Sans",
        file: "DejaVuSans.ttf",
        package: "fonts-dejavu-core",
    },
    Wanted {
        name: "Liberation",
        family: "Liberation Sans",
        file: "LiberationSans-Regular.ttf",
        package: "fonts-liberation",
    },
    Wanted {
        name: "Noto",
        family: "Noto Sans",
        file: "NotoSans-Regular.ttf",
        package: "fonts-noto-core",
    },
];

struct Wanted {
    name: &'static str,
    /// The family that pages are to be read in.
    family: &'static str,
    /// A file of it.
    file: &'static str,
    /// What Debian calls it.
    package: &'static str,
}

/// Fonts, and nothing beside them.
pub struct FontSet {
    /// For messages.
    pub name: &'static str,
    /// The configuration that shows only this set; `None` for what the machine has.
    pub configuration: Option<PathBuf>,
}

/// The sets there are, installed if they are missing and we may. What is skipped is said.
pub fn sets() -> Outcome<Vec<FontSet>> {
    if !cfg!(target_os = "linux") {
        println!("fonts can be chosen on Linux only: pages are seen with this machine's");
        return Ok(vec![FontSet { name: "this machine's fonts", configuration: None }]);
    }
    let missing = WANTED.iter().filter(|wanted| wanted.folder().is_none());
    let missing: Vec<&str> = missing.map(|wanted| wanted.package).collect();
    if !missing.is_empty() && install(&missing).is_err() {
        println!("cannot install {}", missing.join(", "));
    }
    let folder = scratch("browser/fonts")?;
    let mut sets = Vec::new();
    for wanted in &WANTED {
        let Some(fonts) = wanted.folder() else {
            println!("no pages are seen with {}: install {}", wanted.family, wanted.package);
            continue;
        };
        let file = folder.join(format!("{}.conf", wanted.name));
        let text = configuration(&fonts, wanted.family, &folder.join("cache"));
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        sets.push(FontSet { name: wanted.name, configuration: Some(file) });
    }
    if sets.is_empty() {
        sets.push(FontSet { name: "this machine's fonts", configuration: None });
    }
    Ok(sets)
}

impl Wanted {
    /// Where its files lie.
    fn folder(&self) -> Option<PathBuf> {
        let home = env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
        let roots = [
            PathBuf::from("/usr/share/fonts"),
            PathBuf::from("/usr/local/share/fonts"),
            home.join(".local/share/fonts"),
            home.join(".fonts"),
        ];
        roots.iter().find_map(|root| folder_with(root, self.file, 4))
    }
}

/// The folder below another that holds a file, some levels deep.
fn folder_with(folder: &Path, file: &str, levels: usize) -> Option<PathBuf> {
    if folder.join(file).is_file() {
        return Some(folder.to_owned());
    }
    let inner = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut inner: Vec<PathBuf> = inner.filter(|path| levels > 0 && path.is_dir()).collect();
    inner.sort();
    inner.iter().find_map(|folder| folder_with(folder, file, levels - 1))
}

/// A configuration for fontconfig, the library that finds fonts for Chromium on Linux. Whatever
/// is asked for, the family is the answer if there is no better one.
fn configuration(fonts: &Path, family: &str, cache: &Path) -> String {
    format!(
        r#"<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{}</dir>
  <cachedir>{}</cachedir>
  <match target="pattern">
    <test name="family" qual="all" compare="not_eq"><string>monospace</string></test>
    <edit name="family" mode="append_last" binding="strong"><string>{family}</string></edit>
  </match>
</fontconfig>
"#,
        fonts.display(),
        cache.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_shows_one_folder_only() {
        let text = configuration(Path::new("/fonts/a"), "A Sans", Path::new("/cache"));
        assert_eq!(text.matches("<dir>").count(), 1);
        assert!(text.contains("<string>A Sans</string>"));
        assert!(text.contains("<dir>/fonts/a</dir>") && !text.contains("include"));
    }
}
