//! What the readers decide: headers, names, labels, classes, and what streaming needs.

mod common;

use pfcvm_io::{
    Block, Error, Format, Header, Input, ReadOptions, Rows, Table, Wanted, read_table,
    read_table_from_bytes,
};

fn read(text: &str, options: &ReadOptions) -> Table {
    read_table_from_bytes(text.as_bytes().to_vec(), options).unwrap()
}

fn rows(text: &'static str, options: &ReadOptions) -> Rows {
    Rows::from_reader(text.as_bytes(), "the data", options).unwrap()
}

fn labelled(label: &str) -> ReadOptions {
    ReadOptions { label: Some(label.into()), ..ReadOptions::default() }
}

/// All values of the wanted columns, column after column.
fn stream(rows: Rows, features: Vec<usize>) -> Vec<Vec<f64>> {
    let mut out = vec![Vec::new(); features.len()];
    let wanted = Wanted { features, label: false, ..Wanted::default() };
    rows.for_each(&wanted, Ok, |block: Block, _| {
        assert!(block.labels.is_empty());
        out.iter_mut().zip(block.x.columns()).for_each(|(out, column)| out.extend(column));
        Ok::<(), Error>(())
    })
    .unwrap();
    out
}

#[test]
fn the_header_is_found_or_told() {
    let auto = ReadOptions::default();
    let named = read("a,b,y\n1,2,u\n3,4,v\n", &auto);
    assert_eq!(named.feature_names(), ["a", "b"]);
    assert_eq!(named.class_names(), ["u", "v"]);
    assert!(named.notes().is_empty());
    // A label that comes again makes the first line data; a name does not.
    let bare = read("5.1,3.5,setosa\n4.9,3.0,setosa\n7.0,3.2,versicolor\n", &auto);
    assert_eq!(bare.feature_names(), ["x1", "x2"]);
    assert_eq!(bare.class_counts(), [2, 1]);
    assert_eq!(bare.notes().len(), 1);
    // So do words in several columns, some of which come again.
    let bare =
        read("39,State,?,Bachelors,<=50K\n50,Self,1,Bachelors,<=50K\n38,State,2,HS,>50K\n", &auto);
    assert_eq!((bare.x().rows(), bare.feature_names().len()), (3, 4));
    let bare = read("x,o,x,won\no,o,x,lost\nx,x,x,won\n", &auto);
    assert_eq!((bare.x().rows(), bare.class_counts()), (3, vec![1, 2]));
    let comma = read("1,5;2,25;7\n3;4,5;8\n", &auto);
    assert_eq!((comma.x().column(0), comma.x().column(1)), (&[1.5, 3.0][..], &[2.25, 4.5][..]));
    let genes = read("1007,1053,state\n5.1,3.5,ill\n4.9,3.0,well\n", &auto);
    assert_eq!(genes.feature_names(), ["1007", "1053"]);

    let headless = read("5,2,0\n3,4,1\n", &auto);
    assert_eq!(headless.feature_names(), ["x1", "x2"]);
    assert_eq!(headless.x().rows(), 2);
    assert_eq!(
        headless.notes(),
        ["the first line holds numbers and was taken as data; columns are named x1, x2, …"]
    );

    let counting = read("0,1,2\n3,4,1\n", &auto);
    assert_eq!(
        (counting.x().rows(), counting.feature_names()),
        (1, &["x1".into(), "x2".into()][..])
    );
    assert_eq!(counting.notes().len(), 1);

    let told = read("7,8,9\n3,4,1\n", &ReadOptions { header: Header::Yes, ..auto.clone() });
    assert_eq!(told.feature_names(), ["7", "8"]);
    let told = read("0,1,2\n3,4,1\n", &ReadOptions { header: Header::No, ..auto.clone() });
    assert_eq!(told.x().rows(), 2);

    let unnamed = read(",b,y\n1.5,2,u\n3,4,v\n", &auto);
    assert_eq!(unnamed.feature_names(), ["column1", "b"]);
    assert_eq!(unnamed.notes(), ["column 1 has no name; it is called column1"]);
}

#[test]
fn row_numbers_are_left_out_and_told() {
    let auto = ReadOptions::default();
    let numbered = |text: &str| {
        let table = read(text, &auto);
        let told = table.notes().iter().any(|note| note.contains("numbers the rows"));
        (table.feature_names().to_vec(), told)
    };
    let b = || (vec!["b".to_string()], true);
    for first in ["", "Unnamed: 0"] {
        assert_eq!(numbered(&format!("{first},b,y\n0,2,u\n1,4,v\n")), b());
        assert_eq!(numbered(&format!("{first},b,y\n7,2,u\n3,4,v\n")), b(), "shuffled rows");
    }
    let (names, told) = numbered(",b,y\n1,2,u\n1,4,v\n");
    assert_eq!((names[0].as_str(), told), ("column1", false), "a number comes again");
    let (names, told) = numbered("a,b,y\n0,2,u\n1,4,v\n");
    assert_eq!((names[0].as_str(), told), ("a", false), "a name makes it a feature");
    let header = numbered(",0,1,2\n0,5,6,u\n1,6,5,v\n");
    assert_eq!(header, (vec!["x2".into(), "x3".into()], true), "pandas without names of columns");
    let rows = |count: usize| -> String { (0..count).map(|row| format!("{row},5,u\n")).collect() };
    assert_eq!(numbered(&rows(30)), (vec!["x2".to_string()], true));
    assert_eq!(numbered(&rows(4)).0, ["x1", "x2"], "too few to be sure");
    let label = ReadOptions { label: Some("1".into()), ..auto.clone() };
    assert_eq!(read(",b,y\n0,2,5\n1,4,6\n", &label).feature_names(), ["b", "y"]);
}

#[test]
fn separators_marks_and_blanks() {
    for text in [
        "a;b;y\n1;2;u\n",
        "  a  b y\r\n1   2    u \n\n",
        "\u{feff}a\tb\ty\r\n\r\n1\t2\tu\r\n",
        "\n a , b , y \n 1 , 2 , u ",
        "\"\"\na,b,y\n\" \"\n1,2,u\n",
        "a\tb\ty\n\"\t\"\n1\t2\tu\n",
    ] {
        let table = read(text, &ReadOptions::default());
        assert_eq!(table.feature_names(), ["a", "b"], "{text:?}");
        assert_eq!((table.x().column(1), table.label(0)), (&[2.0][..], "u"));
    }
}

#[test]
fn the_label_has_a_name_or_a_position() {
    let text = "y,b,3\nu,2,5\nv,4,6\n";
    for (label, classes, names) in [
        ("y", ["u", "v"], ["b", "3"]),
        ("1", ["u", "v"], ["b", "3"]),
        ("-3", ["u", "v"], ["b", "3"]),
    ] {
        let table = read(text, &labelled(label));
        assert_eq!(
            (table.class_names(), table.feature_names()),
            (&classes.map(String::from)[..], &names.map(String::from)[..])
        );
    }
    // A column of that name comes before the position.
    let table = read("3,b,c\n7,2,5\n8,4,6\n", &labelled("3"));
    assert_eq!(table.class_names(), ["7", "8"]);

    let ignoring = ReadOptions { ignore: vec!["3".into(), "y".into()], ..ReadOptions::default() };
    let error = read_table_from_bytes(text.as_bytes().to_vec(), &ignoring).unwrap_err();
    assert!(error.to_string().contains("no feature column"));
    let ignoring = ReadOptions { ignore: vec!["y".into()], ..ReadOptions::default() };
    let table = read(text, &ignoring);
    assert_eq!(
        (table.feature_names(), table.class_names()),
        (&["b".to_string()][..], &["5".to_string(), "6".into()][..])
    );
}

#[test]
fn features_without_names_are_counted_without_the_label() {
    let text = "9,1,2\n8,3,4\n";
    for (label, first) in [("1", 1.0), ("2", 9.0), ("-1", 9.0)] {
        let table = read(text, &labelled(label));
        assert_eq!(table.feature_names(), ["x1", "x2"]);
        assert_eq!(table.x().get(0, 0), first);
        // The same names find the same columns, whether the label is named or not there at all.
        let found = rows(text, &labelled(label)).find(&["x1".into(), "x2".into()]).unwrap();
        assert_eq!(stream(rows(text, &labelled(label)), found)[0][0], first);
    }
    let found = rows("1,2\n3,4\n", &ReadOptions::default()).find(&["x1".into(), "x2".into()]);
    assert_eq!(found.unwrap(), [0, 1]);
}

#[test]
fn predictions_need_no_label() {
    let text = "a,b\n1,2\n3,4\n";
    let options = labelled("class");
    let opened = rows(text, &options);
    assert!(opened.label_column().is_err());
    let found = opened.find(&["b".into(), "a".into()]).unwrap();
    assert_eq!(stream(opened, found), [[2.0, 4.0], [1.0, 3.0]]);

    let asked: Vec<String> = (1..=8).map(|number| format!("gene{number}")).collect();
    assert_eq!(
        rows(text, &options).find(&asked).unwrap_err().to_string(),
        "the data: the columns `gene1`, `gene2`, `gene3`, `gene4`, `gene5` and 3 more are missing; \
         the names must be those the model was fitted with"
    );
}

#[test]
fn libsvm_finds_any_index_and_takes_absent_for_zero() {
    let opened = rows("1 1:5 3:2\n-1 2:1 9:9\n", &ReadOptions::default());
    assert_eq!(opened.format(), Format::Libsvm);
    assert!(opened.columns().is_empty());
    let found = opened.find(&["x3".into(), "x1".into(), "x700".into()]).unwrap();
    assert_eq!(stream(opened, found), [[2.0, 0.0], [5.0, 0.0], [0.0, 0.0]]);
    assert!(rows("1 1:5\n", &ReadOptions::default()).find(&["x0".into()]).is_err());
}

#[test]
fn columns_that_are_not_wanted_are_not_parsed() {
    let opened = rows("id,a,note\nfirst,1,\nsecond,2,x\n", &ReadOptions::default());
    assert_eq!(stream(opened, vec![1]), [[1.0, 2.0]]);
}

/// Predictions take more memory than rows: what is stored by columns comes in blocks of rows too.
#[test]
fn arrays_stored_by_columns_come_in_blocks_of_rows() {
    let value = |row: usize, column: usize| (1000 * column + row) as f64;
    let bytes = |by_columns: bool| {
        let places =
            (0..300).map(|at| if by_columns { (at % 100, at / 100) } else { (at / 3, at % 3) });
        let values: Vec<u8> = places.flat_map(|(i, j)| value(i, j).to_le_bytes()).collect();
        common::npy("<f8", by_columns, "(100, 3)", &values)
    };
    let options = ReadOptions { chunk_bytes: 160, ..ReadOptions::default() };
    for by_columns in [true, false] {
        let open = || {
            let bytes = std::io::Cursor::new(bytes(by_columns));
            Rows::from_reader(bytes, "the data", &options).unwrap()
        };
        let expected = [2, 0].map(|column| Vec::from_iter((0..100).map(|row| value(row, column))));
        assert_eq!(stream(open(), vec![2, 0]), expected);
        let (mut next, mut most) = (0, 0);
        let wanted = Wanted { features: vec![2, 0], ..Wanted::default() };
        open()
            .for_each(&wanted, Ok, |block: Block, _| {
                assert_eq!(block.first_row, next);
                next += block.x.rows();
                most = most.max(block.x.rows());
                Ok::<(), Error>(())
            })
            .unwrap();
        assert_eq!((next, most <= 10), (100, true), "{most} rows at once");
    }
}

/// The error of the first bad row is the one that is told, and what precedes it is handed over.
#[test]
fn the_first_problem_of_the_file_is_told() {
    let mut text = String::from("a,y\n");
    for row in 0..500 {
        text += if row >= 300 { "1,inf\n" } else { "1,1\n" };
    }
    for chunk_bytes in [1, 100, 1 << 20] {
        let options = ReadOptions { chunk_bytes, ..ReadOptions::default() };
        let opened = Rows::from_reader(std::io::Cursor::new(text.clone()), "it", &options).unwrap();
        let wanted = Wanted { features: vec![0], label: true, ..Wanted::default() };
        let error = opened.for_each(&wanted, Ok, |_: Block, _| Ok::<(), Error>(())).unwrap_err();
        assert!(error.to_string().starts_with("it: line 302, column 2 (y): `inf`"), "{error}");
    }
}

/// The extension only helps where the text leaves a doubt; sizes and progress are those of the file.
#[test]
fn files() {
    let path = std::env::temp_dir().join(format!("pfcvm-io-{}.tsv", std::process::id()));
    let text = "a,1\tb,2\ty\n1\t2\tu\n3\t4\tv\n";
    std::fs::write(&path, text).unwrap();
    let input = Input::from(path.as_path());
    let opened = Rows::open(&input, &ReadOptions::default()).unwrap();
    assert_eq!((opened.format(), opened.size_bytes()), (Format::Tsv, Some(text.len() as u64)));
    let mut read = 0;
    let table = read_table(&input, &ReadOptions::default(), &mut |bytes| read = bytes).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(table.feature_names(), ["a,1", "b,2"]);
    assert_eq!(read, text.len() as u64);
}

#[test]
fn nothing_is_copied_or_lost_on_the_way_to_two_classes() {
    let table = read("a,y\n1,0\n2,1.0\n3,0\n4,1\n", &ReadOptions::default());
    let values = table.x().as_slice().as_ptr();
    let data = table.into_two_classes("0", "1").unwrap();
    assert_eq!(data.x().as_slice().as_ptr(), values);
    assert_eq!(data.positive(), [false, true, false, true]);

    let table = read("a,y\n1,0\n2,1\n3,2\n4,1\n", &ReadOptions::default());
    let data = table.two_classes("2", "0").unwrap();
    assert_eq!((data.x().column(0), data.positive()), (&[1.0, 3.0][..], &[true, false][..]));
    assert_eq!(table.into_two_classes("2", "0").unwrap().x().column(0), [1.0, 3.0]);
}
