//! Disks without space.
#![cfg(target_os = "linux")]

use crate::server::Server;
use crate::toy::{Toy, noise};
use pfcvm_data::Error;
use std::path::Path;
use std::process::Command;

#[test]
fn a_full_disk_is_called_full() {
    if !Path::new("/dev/full").exists() {
        println!("skipped: there is no /dev/full");
        return;
    }
    let content = noise(1000);
    let served = content.clone();
    let server = Server::start(move |_, request, answer| answer.serve(request, &served));
    let toy = Toy::new(&content);
    toy.leave_part(b"");
    std::fs::remove_file(toy.part()).unwrap();
    // Whatever is written there, the system answers that no space is left.
    std::os::unix::fs::symlink("/dev/full", toy.part()).unwrap();
    let error = toy.fetch(&server.address).unwrap_err();
    assert!(matches!(error, Error::DiskFull { .. }), "{error}");
    assert!(error.to_string().contains("no space left"), "{error}");
    assert!(!toy.target().exists());
}

/// Somebody who can write to the folder must not choose which of our files a download replaces.
#[test]
fn a_link_in_the_place_of_a_part_is_not_followed() {
    let content = noise(1000);
    let served = content.clone();
    let server = Server::start(move |_, request, answer| answer.serve(request, &served));
    let toy = Toy::new(&content);
    toy.leave_part(b"");
    let other = toy.folder.path().join("other");
    for before in [Some("precious"), None] {
        let _ = std::fs::remove_file(toy.part());
        let _ = std::fs::remove_file(toy.target());
        let _ = std::fs::remove_file(&other);
        before.iter().for_each(|text| std::fs::write(&other, text).unwrap());
        std::os::unix::fs::symlink(&other, toy.part()).unwrap();
        toy.fetch(&server.address).unwrap();
        toy.assert_whole(&content);
        assert_eq!(std::fs::read_to_string(&other).ok().as_deref(), before);
        assert!(!toy.target().is_symlink());
    }
}

#[test]
fn a_disk_that_fills_up_half_way_leaves_a_part_to_go_on_from() {
    const SIZE: usize = 300_000;
    let content = noise(SIZE);
    let served = content.clone();
    let server = Server::start(move |_, request, answer| answer.serve(request, &served));
    let toy = Toy::new(&content);
    // A limit on file sizes stands in for a small disk; its signal is to be an error instead.
    let shell = "trap '' XFSZ; ulimit -f 100 || exit 77; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", shell])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "resume::child", "--ignored", "--nocapture"])
        .env("TOY_MIRROR", &server.address)
        .env("TOY_FOLDER", toy.folder.path())
        .env("TOY_SIZE", SIZE.to_string())
        .output()
        .unwrap();
    if output.status.code() == Some(77) {
        println!("skipped: this system has no limit on file sizes");
        return;
    }
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("failed: ") && said.contains("no space left"), "{said}");
    let had = toy.half().len();
    assert!(had > 0 && had < SIZE, "{had}");

    assert_eq!(toy.fetch(&server.address).unwrap().received, (SIZE - had) as u64);
    assert_eq!(server.ranges(), [None, Some(had)]);
    toy.assert_whole(&content);
}
