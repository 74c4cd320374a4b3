//! Data that can be read only once.

#![cfg(unix)]

mod common;

use common::{npy, npz};
use pfcvm_io::{Input, ReadOptions, read_table};
use std::process::Command;

/// An archive is read in any order: one from a pipe is held instead of opened again, which would wait
/// for ever.
#[test]
fn an_archive_comes_through_a_pipe_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let [pipe, file] = ["pipe", "data.npz"].map(|name| folder.path().join(name));
    if !Command::new("mkfifo").arg(&pipe).status().is_ok_and(|made| made.success()) {
        return println!("skipped: there is no mkfifo");
    }
    let numbers = |count: u32| -> Vec<u8> {
        (0..count).flat_map(|at| f64::from(at * at % 7).to_le_bytes()).collect()
    };
    let x = npy("<f8", false, "(2000, 3)", &numbers(6000));
    let archive = npz(&[("X", x), ("y", npy("<f8", false, "(2000,)", &numbers(2000)))]);
    std::fs::write(&file, &archive).unwrap();
    let read = |path: &std::path::Path| {
        read_table(&Input::from(path), &ReadOptions::default(), &mut |_| ()).unwrap()
    };
    let target = pipe.clone();
    let writer = std::thread::spawn(move || std::fs::write(target, &archive));
    assert_eq!(read(&pipe), read(&file));
    writer.join().unwrap().unwrap();
}
