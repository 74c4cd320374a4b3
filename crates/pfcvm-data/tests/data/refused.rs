//! Downloads that must not end in a file.

use crate::server::Server;
use crate::toy::{Toy, noise, options, sha256};
use pfcvm_data::{Error, Options, fetch, find};
use std::net::TcpListener;

#[test]
fn other_bytes_are_deleted() {
    let content = noise(1000);
    let mut other = content.clone();
    other[500] ^= 1;
    let server = {
        let other = other.clone();
        Server::start(move |_, request, answer| answer.serve(request, &other))
    };
    let toy = Toy::new(&content);
    let error = toy.fetch(&server.address).unwrap_err();
    let message = error.to_string();
    let Error::Checksum { expected, found, .. } = error else { panic!("{message}") };
    assert_eq!((expected, found), (sha256(&content), sha256(&other)));
    toy.assert_nothing();
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn bytes_without_end_are_not_read() {
    let toy = Toy::new(&noise(100_000));
    let server = Server::start(|_, _, mut answer| {
        answer.head("200 OK", &[]);
        // Ends only because the client goes away.
        while answer.bytes(&[7; 1000]) {}
    });
    let error = toy.fetch(&server.address).unwrap_err();
    assert!(matches!(error, Error::WrongSize { expected: 100_000, .. }), "{error}");
    toy.assert_nothing();
}

#[test]
fn another_length_is_another_file() {
    for length in [999, 1001, u64::MAX] {
        let toy = Toy::new(&noise(1000));
        let server = Server::start(move |_, _, mut answer| {
            answer.head("200 OK", &[("Content-Length", length.to_string())]);
        });
        let error = toy.fetch(&server.address).unwrap_err();
        assert!(matches!(error, Error::WrongSize { expected: 1000, .. }), "{error}");
        assert!(error.to_string().contains(&format!("holds {length} bytes")), "{error}");
        toy.assert_nothing();
    }
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let toy = Toy::new(&noise(1000));
    for status in [404, 403, 500, 204] {
        let server = Server::start(move |_, _, mut answer| {
            answer.head(&format!("{status} Sorry"), &[("Content-Length", "0".into())]);
        });
        let error = toy.fetch(&server.address).unwrap_err();
        assert!(matches!(error, Error::Answer { status: s, .. } if s == status), "{error}");
        let path = toy.target().display().to_string();
        assert!(error.to_string().contains(&path), "{error}");
        toy.assert_nothing();
    }
}

#[test]
fn nobody_listening_is_one_sentence() {
    let content = noise(1000);
    let toy = Toy::new(&content);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let message = toy.fetch(&address).unwrap_err().to_string();
    let end = format!(
        "); check the network, or put the file at {} yourself (sha256 {})",
        toy.target().display(),
        sha256(&content)
    );
    assert!(message.starts_with(&format!("{address}/toy/data.bin cannot be reached (")));
    assert!(message.ends_with(&end) && !message.contains('\n'), "{message}");
    toy.assert_nothing();
}

#[test]
fn redirects_to_plain_http_elsewhere_are_refused() {
    let toy = Toy::new(&noise(1000));
    let server = Server::start(|_, _, mut answer| {
        answer.head("302 Found", &[("Location", "http://example.org/toy/data.bin".into())]);
    });
    let error = toy.fetch(&server.address).unwrap_err();
    assert!(matches!(error, Error::Redirect { .. }), "{error}");
    assert!(error.to_string().contains("only https addresses are used"), "{error}");
    toy.assert_nothing();
}

#[test]
fn redirects_in_circles_come_to_an_end() {
    let toy = Toy::new(&noise(1000));
    let server = Server::start(|_, _, mut answer| {
        answer.head("307 Temporary Redirect", &[("Location", "again".into())]);
    });
    let error = toy.fetch(&server.address).unwrap_err();
    assert!(error.to_string().contains("redirects again and again"), "{error}");
    toy.assert_nothing();
}

#[test]
fn plain_http_and_other_addresses_are_not_asked() {
    let toy = Toy::new(&noise(1000));
    for mirror in ["http://example.org/data", "ftp://example.org", "data", ""] {
        let error = toy.fetch(mirror).unwrap_err();
        assert!(matches!(error, Error::BadAddress { .. }), "{mirror}: {error}");
    }
    toy.assert_nothing();
}

#[test]
fn a_file_of_the_user_is_not_overwritten() {
    let content = noise(1000);
    let served = content.clone();
    let server = Server::start(move |_, request, answer| answer.serve(request, &served));
    let toy = Toy::new(&content);
    toy.leave_part(b"");
    std::fs::write(toy.target(), "mine").unwrap();
    let error = toy.fetch(&server.address).unwrap_err();
    assert!(matches!(error, Error::Different { .. }), "{error}");
    assert_eq!(std::fs::read(toy.target()).unwrap(), b"mine");
    assert!(server.requests().is_empty());
}

#[test]
fn two_downloads_of_one_file_do_not_mix() {
    let content = noise(1000);
    let served = content.clone();
    let server = Server::start(move |_, request, answer| answer.serve(request, &served));
    let toy = Toy::new(&content);
    toy.leave_part(&content[..100]);
    let other = std::fs::File::options().write(true).open(toy.part()).unwrap();
    if other.try_lock().is_err() {
        println!("skipped: this file system has no locks");
        return;
    }
    let error = toy.fetch(&server.address).unwrap_err();
    assert!(matches!(error, Error::Busy { .. }), "{error}");
    drop(other);
    toy.fetch(&server.address).unwrap();
    toy.assert_whole(&content);
}

#[test]
fn what_cannot_be_checked_or_passed_on_is_not_fetched() {
    let toy = Toy::new(&noise(1000));
    let nobody = Options::default();
    let error = fetch(&toy.set, &toy.folder, &nobody, &mut |_| {}).unwrap_err();
    assert!(matches!(error, Error::ByHand { .. }), "{error}");
    assert!(error.to_string().contains("it was made up"), "{error}");

    let seed = find("seed").unwrap();
    for options in [nobody, options("http://127.0.0.1:1")] {
        let error = fetch(seed, &toy.folder, &options, &mut |_| {}).unwrap_err();
        assert!(matches!(error, Error::Licensed { .. }), "{error}");
        assert!(error.to_string().contains("https://bcmi.sjtu.edu.cn/home/seed/"), "{error}");
    }
}
