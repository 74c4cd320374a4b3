//! Published files that become tables of the catalogue.

use crate::server::Server;
use crate::toy::{NAME, Toy, file, noise, options, sha256};
use pfcvm_data::{Conversion, Error, Folder, Options, Source, Status, fetch, find};

const CONVERSION: Conversion =
    Conversion { skipped_lines: 0, header: "a,label", labels: &[("g", "1"), ("b", "-1")] };

/// A toy whose table is made of a file that the server publishes.
fn published(server: &Server, raw: &[u8], table: &[u8]) -> Toy {
    let mut toy = Toy::new(table);
    let address = format!("{}/raw.data", server.address).leak();
    let file = file("toy/raw.data", raw);
    toy.set.source = Source::Published { address, file, conversion: CONVERSION };
    toy
}

#[test]
fn a_published_file_is_kept_and_converted() {
    let raw = b"0.50,g\n1.0,b\n";
    let server = Server::start(move |_, request, answer| answer.serve(request, raw));
    let toy = published(&server, raw, b"a,label\n0.5,1\n1,-1\n");
    let fetched = fetch(&toy.set, &toy.folder, &Options::default(), &mut |_| {}).unwrap();
    assert_eq!(fetched.received, raw.len() as u64);
    toy.assert_whole(b"a,label\n0.5,1\n1,-1\n");
    let kept = toy.folder.path().join("toy").join("raw.data");
    assert_eq!(std::fs::read(&kept).unwrap(), raw);

    // The file that was kept is enough to make the table again.
    std::fs::remove_file(toy.target()).unwrap();
    let again = fetch(&toy.set, &toy.folder, &Options::default(), &mut |_| {}).unwrap();
    assert_eq!((again.received, server.requests().len()), (0, 1));
    toy.assert_whole(b"a,label\n0.5,1\n1,-1\n");
}

#[test]
fn a_table_that_comes_out_wrong_is_not_written() {
    let raw = b"0.50,g\n";
    let server = Server::start(move |_, request, answer| answer.serve(request, raw));
    let toy = published(&server, raw, b"something else");
    let error = fetch(&toy.set, &toy.folder, &Options::default(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, Error::Conversion { .. }), "{error}");
    toy.assert_nothing();
}

#[test]
fn a_mirror_goes_before_the_publisher() {
    let content = noise(1000);
    let served = content.clone();
    let server = Server::start(move |_, request, answer| answer.serve(request, &served));
    let toy = published(&server, b"never asked for", &content);
    fetch(&toy.set, &toy.folder, &options(&server.address), &mut |_| {}).unwrap();
    assert_eq!(server.requests()[0].path, format!("/{NAME}"));
    toy.assert_whole(&content);
}

/// What the publisher of a set serves, written again from our table. The checksum of the published
/// file shows that it is the same, byte for byte.
fn as_published(name: &str, table: &str) -> String {
    let mut text = String::new();
    if name == "wdbc" {
        text += "569,30,malignant,benign\n";
    }
    for (row, line) in table.lines().skip(1).enumerate() {
        let (values, label) = line.rsplit_once(',').unwrap();
        for (column, value) in values.split(',').enumerate() {
            let number: f64 = value.parse().unwrap();
            text += &match name {
                "sonar" => format!("{number:.4},"),
                // Five decimals, but 0, 0.5 and 1 are short; all except these two.
                "ionosphere" if (2.0 * number).fract() != 0.0 => format!("{number:.5},"),
                "ionosphere" if row == 169 && [7, 25].contains(&column) => "0.50000,".into(),
                _ => format!("{value},"),
            };
        }
        text += match (name, label) {
            ("sonar", "1") => "M\n",
            ("sonar", _) => "R\n",
            ("ionosphere", "1") => "g\n",
            ("ionosphere", _) => "b\n",
            (_, "1") => "0\n",
            _ => "1\n",
        };
    }
    text
}

#[test]
fn the_tables_of_the_catalogue_come_out_byte_for_byte() {
    if std::env::var_os("PFCVM_DATA").is_none() {
        println!("skipped: PFCVM_DATA does not name a folder with data");
        return;
    }
    for name in ["ionosphere", "sonar", "wdbc"] {
        let mut set = find(name).unwrap().clone();
        let ours = Folder::find(None).locate(&set).expect("the table is in the folder");
        let raw = as_published(name, &std::fs::read_to_string(ours).unwrap());
        let Source::Published { address, file, .. } = &mut set.source else { panic!("{name}") };
        assert_eq!(file.bytes, raw.len() as u64, "{name}");
        assert_eq!(file.sha256, sha256(raw.as_bytes()), "{name}");

        let server = Server::start(move |_, request, answer| answer.serve(request, raw.as_bytes()));
        *address = format!("{}/{name}", server.address).leak();
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::find(Some(place.path()));
        fetch(&set, &folder, &Options::default(), &mut |_| {}).unwrap();
        assert_eq!(folder.verify(&set).unwrap(), Status::Verified, "{name}");
    }
}
