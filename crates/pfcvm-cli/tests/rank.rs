//! `pfcvm rank`: a table of scores in, a verdict out.

mod common;

use common::Place;

const SCORES: &str = "data,ours,theirs,old\nwine,0.9,0.8,0.7\nbeer,0.8,0.85,0.6\ntea,0.95,0.9,0.5\n\
                      milk,0.7,0.7,0.65\n";

#[test]
fn ranks_and_tests_come_as_json() {
    let place = Place::new();
    place.write("scores.csv", SCORES);
    let account = place.good("rank scores.csv --json").json();
    // Ranks by hand: 1 2 3, 2 1 3, 1 2 3, 1.5 1.5 3.
    assert_eq!(account["average_ranks"]["ours"], 1.375);
    assert_eq!(account["average_ranks"]["theirs"], 1.625);
    assert_eq!(account["average_ranks"]["old"], 3.0);
    // q = 2.343701 (Nemenyi) and 2.241403 (Bonferroni-Dunn) for 3 methods, times √(3·4/(6·4)).
    let difference = |name: &str| account["critical_difference"][name].as_f64().unwrap();
    assert!((difference("nemenyi") - 2.343_701 * 0.5f64.sqrt()).abs() < 1e-5);
    assert!((difference("bonferroni_dunn") - 2.241_403 * 0.5f64.sqrt()).abs() < 1e-5);
    assert!(account["friedman"]["p_value"].as_f64().unwrap() < 0.05);
    assert_eq!(account["data_sets"], 4);

    let turned = place.good("rank scores.csv --json --lower-is-better").json();
    assert_eq!(turned["average_ranks"]["old"], 1.0);
    let piped = place.pipe("rank - --json", SCORES.as_bytes());
    assert_eq!(piped.json(), account);
}

#[test]
fn the_same_in_words_and_as_a_picture() {
    let place = Place::new();
    place.write("scores.csv", SCORES);
    let ran = place.good("rank scores.csv --plot cd.svg");
    for word in ["1.375  ours", "Friedman", "Iman-Davenport", "Nemenyi", "Bonferroni-Dunn"] {
        assert!(ran.out.contains(word), "`{word}` in {}", ran.out);
    }
    let picture = place.read("cd.svg");
    assert!(picture.starts_with("<svg xmlns=") && picture.contains("ours"), "{picture}");
    assert!(picture.contains("<style>") && picture.trim_end().ends_with("</svg>"));
}

#[test]
fn tables_that_cannot_be_ranked_are_refused() {
    let place = Place::new();
    let cases = [
        ("data,a,b\nx,1,2\n", 3, "data sets"),
        ("data,a\nx,1\ny,2\n", 3, "methods"),
        ("data,a,b\nx,1,2\ny,3,?\n", 3, "scores are missing or no numbers in `b`"),
        ("data,a,b\nx,1,2\ny,3,bad\n", 3, "scores are missing or no numbers in `b`"),
        ("data,a,a\nx,1,2\ny,3,4\n", 3, "both named `a`"),
        ("", 3, "empty"),
    ];
    for (text, code, sentence) in cases {
        place.write("scores.csv", text);
        let ran = place.run("rank scores.csv --plot cd.svg");
        assert_eq!(ran.code, Some(code), "{text:?}: {}", ran.err);
        assert!(ran.err.contains(sentence), "{text:?}: {}", ran.err);
        assert_eq!(place.files(), ["scores.csv"]);
    }
    assert_eq!(place.run("rank scores.csv --alpha 2").code, Some(2));
}

/// Names are data: they can break neither the picture nor the terminal.
#[test]
fn any_names_will_do() {
    let place = Place::new();
    place.write("scores.csv", "d,<b>&\"x\",\u{1b}[31mred,ok\none,1,2,3\ntwo,3,2,1\nsame,1,1,1\n");
    let ran = place.good("rank scores.csv --plot cd.svg");
    assert!(!ran.out.contains('\u{1b}'));
    let picture = place.read("cd.svg");
    assert!(!picture.contains("<b>") && picture.contains("&lt;b&gt;"), "{picture}");
}
