//! What the catalogue says, and whether it is true of the files at hand.

use pfcvm_data::{DataFile, Error, Folder, Source, Status, catalogue, find};
use std::collections::HashSet;

/// The files of a folder, and those that sets are made of.
fn all_files() -> Vec<DataFile> {
    let mut files: Vec<DataFile> = catalogue().flat_map(|set| set.files).copied().collect();
    for set in catalogue() {
        if let Source::Published { file, .. } = &set.source {
            files.push(*file);
        }
    }
    files
}

#[test]
fn names_and_paths_are_given_once() {
    let names: HashSet<&str> = catalogue().map(|set| set.name).collect();
    assert_eq!(names.len(), catalogue().count());
    let files = all_files();
    let paths: HashSet<&str> = files.iter().map(|file| file.path).collect();
    assert_eq!(paths.len(), files.len());
    for name in ["colon", "duke", "raetsch/banana", "seed", "wdbc"] {
        assert_eq!(find(name).unwrap().name, name);
    }
}

#[test]
fn every_file_has_a_checksum_a_size_and_a_plain_path_in_the_folder_of_its_set() {
    for set in catalogue() {
        for file in set.files {
            assert!(file.path.starts_with(&format!("{}/", set.name)), "{}", file.path);
        }
        assert_eq!(set.files.is_empty(), matches!(set.source, Source::Licensed(_)), "{}", set.name);
    }
    for file in all_files() {
        let digit = |digit: u8| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit);
        assert!(file.sha256.len() == 64 && file.sha256.bytes().all(digit), "{}", file.path);
        assert!(file.bytes > 0);
        // Paths become parts of addresses and of file names as they are.
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte);
        assert!(file.path.bytes().all(plain) && !file.path.contains(".."), "{}", file.path);
    }
}

#[test]
fn every_set_says_what_it_is() {
    for set in catalogue() {
        for text in [set.title, set.origin, set.licence, &set.how_to_get()] {
            assert!(text.len() > 10 && !text.contains("  "), "{}: {text}", set.name);
        }
        assert!(set.address.starts_with("http"), "{}", set.name);
        let counted: usize = set.classes.iter().map(|class| class.samples).sum();
        assert_eq!(counted, set.samples.unwrap_or(0), "{}", set.name);
        if let Source::Published { address, .. } = set.source {
            assert!(address.starts_with("https://") && !address.contains(' '), "{address}");
            // A published file gives the table and nothing else.
            assert_eq!(set.files.len(), 1, "{}", set.name);
        }
    }
}

#[test]
fn the_nearest_name_is_suggested() {
    let suggestion = |name: &str| match find(name).unwrap_err() {
        Error::UnknownName { nearest, .. } => nearest,
        other => panic!("{other}"),
    };
    for (typed, meant) in [
        ("Colon", "colon"),
        ("colom", "colon"),
        ("leukaemia", "leukemia"),
        ("banana", "raetsch/banana"),
        ("bannana", "raetsch/banana"),
        ("raetsch/german_", "raetsch/german"),
        ("ionosfere", "ionosphere"),
    ] {
        assert_eq!(suggestion(typed).as_deref(), Some(meant), "{typed}");
    }
    assert_eq!(suggestion("xyzzy"), None);
    let error = find("xyzzy").unwrap_err().to_string();
    assert_eq!(error, "there is no data set `xyzzy`; the list of data sets names all there are");
}

#[test]
fn a_folder_knows_what_is_there() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::find(Some(place.path()));
    let duke = find("duke").unwrap();
    assert_eq!(folder.verify(duke).unwrap(), Status::Missing);

    std::fs::create_dir(place.path().join("duke")).unwrap();
    let data = folder.path_of(duke.data_file().unwrap());
    std::fs::write(&data, "something else").unwrap();
    assert_eq!(folder.locate(duke), Some(data.clone()));
    let missing = duke.side_files().iter().map(|file| folder.path_of(file)).collect();
    assert_eq!(folder.status(duke), Status::Incomplete { missing });
    for file in duke.side_files() {
        std::fs::write(folder.path_of(file), "something else").unwrap();
    }
    assert_eq!(folder.status(duke), Status::There);
    let Status::Different { path, expected, found } = folder.verify(duke).unwrap() else {
        panic!("other bytes were taken for the file");
    };
    assert_eq!((path, expected.as_str()), (data, duke.data_file().unwrap().sha256));
    assert_ne!(found, expected);

    let seed = find("seed").unwrap();
    assert_eq!((folder.locate(seed), folder.status(seed)), (None, Status::Missing));
}

#[test]
fn the_files_at_hand_are_those_of_the_catalogue() {
    if std::env::var_os("PFCVM_DATA").is_none() {
        println!("skipped: PFCVM_DATA does not name a folder with data");
        return;
    }
    let folder = Folder::find(None);
    for set in catalogue().filter(|set| set.name != "seed") {
        assert_eq!(folder.verify(set).unwrap(), Status::Verified, "{}", set.name);
        for file in set.files {
            let found = std::fs::metadata(folder.path_of(file)).unwrap().len();
            assert_eq!(found, file.bytes, "{}", file.path);
        }
    }
}
