//! Downloads that are cut, and go on.

use crate::server::Server;
use crate::toy::{Toy, noise, options};
use pfcvm_data::{Error, Folder, fetch};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

const SIZE: usize = 300_000;
const CUT: usize = 100_000;

/// A server whose first answer breaks off.
fn cut_once(content: &[u8]) -> Server {
    let content = content.to_vec();
    Server::start(move |count, request, answer| {
        let end = if count == 0 { CUT } else { SIZE };
        answer.serve_until(request, &content, end);
    })
}

#[test]
fn a_cut_download_goes_on_where_it_stopped() {
    let content = noise(SIZE);
    let server = cut_once(&content);
    let toy = Toy::new(&content);
    let error = toy.fetch(&server.address).unwrap_err();
    let message = error.to_string();
    let Error::Interrupted { have, total, part, .. } = error else { panic!("{message}") };
    assert_eq!((have, total, part), (CUT as u64, SIZE as u64, toy.part()));
    assert!(message.contains("the same command goes on from there"), "{message}");
    assert!(toy.half() == content[..CUT]);

    let fetched = toy.fetch(&server.address).unwrap();
    assert_eq!(fetched.received, (SIZE - CUT) as u64);
    assert_eq!(server.ranges(), [None, Some(CUT)]);
    toy.assert_whole(&content);
}

#[test]
fn a_server_that_cannot_resume_sends_the_whole_file() {
    let content = noise(SIZE);
    let server = {
        let content = content.clone();
        Server::start(move |_, _, mut answer| {
            answer.head("200 OK", &[("Content-Length", SIZE.to_string())]);
            answer.bytes(&content);
        })
    };
    let toy = Toy::new(&content);
    toy.leave_part(&content[..CUT]);
    assert_eq!(toy.fetch(&server.address).unwrap().received, SIZE as u64);
    assert_eq!(server.ranges(), [Some(CUT)]);
    toy.assert_whole(&content);
}

#[test]
fn a_part_of_something_else_is_thrown_away() {
    let content = noise(SIZE);
    let whole = [0].repeat(SIZE);
    // Shorter than the file; as long; longer. Only the first is worth a request for the rest.
    for (left, ranges) in [
        (&whole[..CUT], vec![Some(CUT), None]),
        (&whole[..], vec![None]),
        (&[1].repeat(SIZE + 1)[..], vec![None]),
    ] {
        let served = content.clone();
        let server = Server::start(move |_, request, answer| answer.serve(request, &served));
        let toy = Toy::new(&content);
        toy.leave_part(left);
        toy.fetch(&server.address).unwrap();
        assert_eq!(server.ranges(), ranges);
        toy.assert_whole(&content);
    }
}

#[test]
fn a_whole_part_only_needs_its_name() {
    let content = noise(SIZE);
    let server = cut_once(&content);
    let toy = Toy::new(&content);
    toy.leave_part(&content);
    assert_eq!(toy.fetch(&server.address).unwrap().received, 0);
    assert!(server.requests().is_empty());
    toy.assert_whole(&content);
}

#[test]
fn ranges_that_are_refused_or_wrong_are_not_asked_for_again() {
    let content = noise(SIZE);
    for status in ["416 Range Not Satisfiable", "206 Partial Content"] {
        let served = content.clone();
        let server = Server::start(move |_, request, mut answer| match request.from {
            // Another place than the one asked for.
            Some(_) => answer.head(status, &[("Content-Range", "bytes 7-9/10".into())]),
            None => answer.serve(request, &served),
        });
        let toy = Toy::new(&content);
        toy.leave_part(&content[..CUT]);
        toy.fetch(&server.address).unwrap();
        assert_eq!(server.ranges(), [Some(CUT), None]);
        toy.assert_whole(&content);
    }
}

#[test]
fn a_server_that_falls_silent_is_not_waited_for() {
    let content = noise(SIZE);
    let server = {
        let content = content.clone();
        Server::start(move |count, request, answer| match count {
            0 => answer.serve_until(request, &content, CUT).hang(),
            1 => answer.hang(),
            _ => answer.serve(request, &content),
        })
    };
    let toy = Toy::new(&content);
    let mut hasty = options(&server.address);
    hasty.stall_timeout = Duration::from_millis(300);
    let error = fetch(&toy.set, &toy.folder, &hasty, &mut |_| {}).unwrap_err();
    assert!(matches!(error, Error::Interrupted { .. }), "{error}");
    assert!(error.to_string().contains("no more bytes came in time after 100000 of 300000"));
    assert!(toy.half() == content[..CUT]);

    // Silent from the start; what was there stays.
    let error = fetch(&toy.set, &toy.folder, &hasty, &mut |_| {}).unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error}");
    assert!(toy.half() == content[..CUT]);

    toy.fetch(&server.address).unwrap();
    assert_eq!(server.ranges(), [None, Some(CUT), Some(CUT)]);
    toy.assert_whole(&content);
}

#[test]
fn a_process_that_was_killed_half_way_is_taken_over_from() {
    let content = noise(SIZE);
    let (sender, half_sent) = mpsc::channel();
    let sender = Mutex::new(sender);
    let server = {
        let content = content.clone();
        Server::start(move |count, request, answer| match count {
            0 => {
                let answer = answer.serve_until(request, &content, CUT);
                sender.lock().unwrap().send(()).unwrap();
                answer.hang();
            }
            _ => answer.serve(request, &content),
        })
    };
    let toy = Toy::new(&content);
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "resume::child", "--ignored"])
        .env("TOY_MIRROR", &server.address)
        .env("TOY_FOLDER", toy.folder.path())
        .env("TOY_SIZE", SIZE.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    half_sent.recv_timeout(Duration::from_secs(60)).expect("the child asks for the file");
    // Any moment will do; this one has something to go on from.
    while std::fs::metadata(toy.part()).map_or(0, |part| part.len()) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "the child ended by itself");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let had = toy.half().len();
    assert!(had > 0 && had <= CUT);

    assert_eq!(toy.fetch(&server.address).unwrap().received, (SIZE - had) as u64);
    assert_eq!(server.ranges(), [None, Some(had)]);
    toy.assert_whole(&content);
}

/// Not a test: the process that other tests kill or keep short of space.
#[test]
#[ignore = "run by other tests"]
fn child() {
    let variable = |name| std::env::var(name).ok();
    let (Some(mirror), Some(folder), Some(size)) =
        (variable("TOY_MIRROR"), variable("TOY_FOLDER"), variable("TOY_SIZE"))
    else {
        return;
    };
    let toy = Toy::new(&noise(size.parse().unwrap()));
    let folder = Folder::find(Some(Path::new(&folder)));
    if let Err(error) = fetch(&toy.set, &folder, &options(&mirror), &mut |_| {}) {
        println!("failed: {error}");
    }
}
