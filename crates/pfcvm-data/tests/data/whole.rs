//! Downloads that go well.

use crate::server::Server;
use crate::toy::{NAME, Toy, noise, options};
use pfcvm_data::{Status, fetch};

#[test]
fn a_file_comes_over_and_is_not_fetched_twice() {
    let content = noise(300_000);
    let server = {
        let content = content.clone();
        Server::start(move |_, request, answer| answer.serve(request, &content))
    };
    let toy = Toy::new(&content);
    let mut steps = Vec::new();
    let mut progress = |step: pfcvm_data::Progress| {
        assert_eq!((step.file, step.total), (NAME, 300_000));
        steps.push(step.done);
    };
    let fetched = fetch(&toy.set, &toy.folder, &options(&server.address), &mut progress).unwrap();
    assert_eq!((fetched.data, fetched.received), (toy.target(), 300_000));
    assert_eq!(fetched.files, [toy.target()]);
    toy.assert_whole(&content);
    assert!(steps.is_sorted() && steps[0] == 0 && steps.last() == Some(&300_000), "{steps:?}");
    assert_eq!(server.requests()[0].path, format!("/{NAME}"));
    assert_eq!(toy.folder.verify(&toy.set).unwrap(), Status::Verified);

    // A slash at the end of the base changes nothing, nor is anybody asked again.
    let again = toy.fetch(&format!("{}/", server.address)).unwrap();
    assert_eq!((again.received, server.requests().len()), (0, 1));
}

#[test]
fn a_file_of_unknown_length_comes_over() {
    let content = noise(100_000);
    let server = {
        let content = content.clone();
        Server::start(move |_, _, mut answer| {
            answer.head("200 OK", &[]);
            answer.bytes(&content);
        })
    };
    let toy = Toy::new(&content);
    toy.fetch(&server.address).unwrap();
    toy.assert_whole(&content);
}

#[test]
fn a_redirect_on_this_machine_is_followed() {
    let content = noise(1000);
    let server = {
        let content = content.clone();
        Server::start(move |_, request, mut answer| match request.path.as_str() {
            "/else/where" => answer.serve(request, &content),
            _ => answer.head("302 Found", &[("Location", "/else/where".into())]),
        })
    };
    let toy = Toy::new(&content);
    toy.fetch(&server.address).unwrap();
    toy.assert_whole(&content);
    assert_eq!(server.requests().len(), 2);
}
