//! What is said about data that cannot be used, word for word.

mod common;

use common::{npy, npz};
use pfcvm_io::{Format, Header, ReadOptions, Table, read_table_from_bytes};

fn read(text: impl AsRef<[u8]>) -> Result<Table, String> {
    read_with(text, &ReadOptions::default())
}

fn read_with(text: impl AsRef<[u8]>, options: &ReadOptions) -> Result<Table, String> {
    read_table_from_bytes(text.as_ref().to_vec(), options).map_err(|error| {
        let message = error.to_string();
        message.strip_prefix("the data: ").expect("errors name the input").to_string()
    })
}

fn labelled(label: &str) -> ReadOptions {
    ReadOptions { label: Some(label.into()), ..ReadOptions::default() }
}

fn ignoring(names: &[&str]) -> ReadOptions {
    let ignore = names.iter().map(|name| name.to_string()).collect();
    ReadOptions { ignore, ..ReadOptions::default() }
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (text, message) in cases {
        assert_eq!(read(text).unwrap_err(), *message, "{text:?}");
    }
}

#[test]
fn delimited_text() {
    check(&[
        ("", "the file is empty; rows of data are expected"),
        ("\n \r\n", "the file is empty; rows of data are expected"),
        ("a,label\n", "there is a header but no row of data below it; add rows"),
        (
            "label\n1\n",
            "only one column was found (the first line is `label`); columns are separated by commas, \
             semicolons, tabs or blanks",
        ),
        (
            "a,b,label\n1,2,1\n1,1\n",
            "line 3 has 2 fields where there are 3 columns; mend or remove the line",
        ),
        (
            "a,b\n1e999,1\n",
            "line 2, column 1 (a): `1e999` is not a finite number; replace it or drop the row",
        ),
        (
            "a,b,c,y\n1,2,-inf,1\n\n1e999,1,1,0\n\"2\",infinity,inf,0\n",
            "3 columns hold numbers that are not finite: `a` (line 4: `1e999`), `b` (line 5: \
             `infinity`), `c` (line 2: `-inf`); replace them or drop the rows",
        ),
        (
            "a,b,label\n\"x\n\",1,1\n\n2,1e999,1\n",
            "line 5, column 2 (b): `1e999` is not a finite number; replace it or drop the row",
        ),
        ("a,b\n1,?\n2,\n", "no row has a label; name the label column with --label"),
        ("a,b,a\n1,2,3\n", "columns 1 and 3 are both named `a`; rename one of them"),
        (
            "a,b\r1,2\r",
            "lines end in carriage returns alone; save the file with line feeds, as all current \
             systems do",
        ),
        (
            "a,b\n1,inf\u{7}inity\n2,infinity\n",
            "line 3, column 2 (b): `infinity` is no label; drop such rows, or give the class \
             another name if it is one",
        ),
    ]);
    assert_eq!(
        read(b"a,b\n\xff\xfe,1\n").unwrap_err(),
        "line 2, column 1 (a): the text is not UTF-8; save the file as UTF-8"
    );
    assert_eq!(
        read(b"a,\xff\n1,1\n").unwrap_err(),
        "line 1: the name of column 2 is not UTF-8; save the file as UTF-8"
    );
    assert_eq!(
        read(b"a,b\n1,\xff\n").unwrap_err(),
        "line 2, column 2 (b): the text is not UTF-8; save the file as UTF-8"
    );
}

#[test]
fn rows_without_a_label_are_left_out_and_told() {
    let words =
        ["nan", "NaN", "-nan", "null", "NULL", "None", "<NA>", "n/a", "NA", "?", "", "#N/A", "N/A"];
    let (mut csv, mut arff) = (
        String::from("a,b\n1,x\n2,y\n"),
        String::from("@relation r\n@attribute a real\n@attribute b string\n@data\n1,x\n2,y\n"),
    );
    let mut libsvm = String::from("x 1:1\ny 1:2\n");
    for word in words {
        csv += &format!("3,{word}\n");
        arff += &format!("3,{word}\n");
        // In LIBSVM this begins a comment, and nothing is no label.
        if !word.is_empty() && !word.starts_with('#') {
            libsvm += &format!("{word} 1:3\n");
        }
    }
    for (text, without) in [(csv, 13), (arff, 13), (libsvm, 11)] {
        let table = read(&text).unwrap();
        assert_eq!((table.x().column(0), table.class_counts()), (&[1.0, 2.0][..], vec![1, 1]));
        assert_eq!(table.rows_read(), 2 + without);
        assert_eq!(table.notes(), [format!("{without} rows without a label are left out")]);
    }
    let table = read("a,b\n1,\n2,x\n3,NA\n4,y\n").unwrap();
    assert_eq!((table.row_in_file(0), table.row_in_file(1)), (1, 3));
    for word in ["inf", "-Infinity", "1e999"] {
        let refused =
            format!("`{word}` is no label; drop such rows, or give the class another name");
        for text in [format!("a,b\n1,x\n2,{word}\n"), format!("x 1:1\n{word} 1:3\n")] {
            let message = read(&text).unwrap_err();
            assert!(message.contains(&refused) && message.starts_with("line "), "{message}");
        }
    }
    let table = read("a,b\n1,none\n2,Nan's\n3,infinite\n4,nullx\n").unwrap();
    assert_eq!(table.class_counts().len(), 4);
    // A class that is declared is one, whatever it is called.
    let head = "@relation r\n@attribute a real\n@attribute b {None,Some,never}\n@data\n";
    let table = read(format!("{head}1,None\n2,Some\n3,?\n")).unwrap();
    assert_eq!(
        (table.class_names(), table.class_counts()),
        (&["None", "Some"].map(String::from)[..], vec![1, 1])
    );
}

#[test]
fn columns() {
    let text = "a,b,class\n1,2,x\n3,4,y\n";
    let cases = [
        (
            labelled("klass"),
            "there is no column `klass` to take the label from; the nearest name is `class`",
        ),
        (
            labelled("nothing"),
            "there is no column `nothing` to take the label from; the columns are `a`, `b`, `class`",
        ),
        (
            labelled("0"),
            "there is no column 0 to take the label from; positions count from 1 (or from -1 at \
             the end), and there are 3 columns",
        ),
        (
            labelled("-4"),
            "there is no column -4 to take the label from; positions count from 1 (or from -1 at \
             the end), and there are 3 columns",
        ),
        (ignoring(&["id"]), "there is no column `id` to ignore; the columns are `a`, `b`, `class`"),
        (
            ignoring(&["id", "a", "bb"]),
            "there are no columns `id`, `bb` to ignore; the columns are `a`, `b`, `class`",
        ),
        (
            ignoring(&["a", "b"]),
            "there is no feature column beside the label; at least one is needed",
        ),
        (
            ReadOptions { label: Some("a".into()), ..ignoring(&["a"]) },
            "the column `a` is the label and cannot be ignored; name another label",
        ),
        (
            ReadOptions { memory_limit_mib: 0, ..ReadOptions::default() },
            "reading a matrix of 2 rows and 2 features would take 1 MiB of memory, more than the limit of \
             0 MiB; read fewer rows or columns, or raise the limit",
        ),
    ];
    for (options, message) in cases {
        assert_eq!(read_with(text, &options).unwrap_err(), message);
    }
    let headless = ReadOptions { header: Header::No, ..ignoring(&["x9"]) };
    assert_eq!(
        read_with(text, &headless).unwrap_err(),
        "there is no column `x9` to ignore; the columns have no names and are x1 to x3"
    );
}

#[test]
fn libsvm() {
    check(&[
        ("1 1:2\n1 2\n", "line 2: `2` is not of the form index:value"),
        ("1 1:2\n1 0:2\n", "line 2: `0:2` has the index 0, but indices count from 1"),
        ("1 1:2\n\n1 3:2 3:1\n", "line 3: the index 3 follows 3, but indices must ascend"),
        ("1 1:2\n2:1\n", "line 2: it begins with `2:1`, but the label must come first"),
        ("1 1:2\n1 1:x\n", "line 2, column 1 (x1): `x` is not a number; LIBSVM has numbers only"),
        (
            "1 1:2\n1 4:\n",
            "line 2, column 4 (x4): the value is missing; fill it in or drop the row",
        ),
        (
            "1 1:2\n1 4:inf\n",
            "line 2, column 4 (x4): `inf` is not a finite number; replace it or drop the row",
        ),
        (
            "1 1:1\n1 x:1\n",
            "line 2: `x:1` does not begin with a whole number up to 4294967295 as its index",
        ),
        (
            "1 4000000000:1\n",
            "1 row with indices up to 4000000000 would take 915528 MiB of memory, \
             more than the limit of 16384 MiB; read fewer rows or columns, or raise the limit",
        ),
    ]);
    let forced = ReadOptions { format: Some(Format::Libsvm), ..ReadOptions::default() };
    assert_eq!(
        read_with("1\n2\n", &forced).unwrap_err(),
        "there is no feature column beside the label; at least one is needed"
    );
    assert_eq!(
        read_with("# 1\n", &forced).unwrap_err(),
        "the file is empty; rows of data are expected"
    );
}

#[test]
fn arff() {
    let head = "% c\n@RELATION r\n@Attribute 'a b' REAL\n@attribute c {red,'dark blue'}\n";
    let arff = |rest: &str| read(format!("{head}{rest}")).unwrap_err();
    assert_eq!(arff(""), "there is a header but no row of data below it; add rows");
    assert_eq!(
        arff("@data\n% nothing\n"),
        "there is a header but no row of data below it; add rows"
    );
    assert_eq!(
        arff("@data\n1,red,3\n"),
        "line 6 has 3 fields where there are 2 columns; mend or remove the line"
    );
    assert_eq!(arff("@data\n1,'red\n"), "line 6: a quote is not closed, or text follows it");
    assert_eq!(arff("@data\n{0 1\n"), "line 6: a sparse row has no closing brace");
    assert_eq!(
        arff("@data\n{2 1}\n"),
        "line 6: `2` is not an index from 0 to 1, as a sparse row needs before each value"
    );
    assert_eq!(arff("@data\n{1 red, 0 1}\n"), "line 6: the index 0 does not ascend");
    assert_eq!(arff("@attribute z\n@data\n1,red,3\n"), "line 5: `z` is not a name and a type");
    assert_eq!(
        arff("1,red\n"),
        "line 5: `1,red` is neither @attribute nor @data, as expected here"
    );
}

#[test]
fn arrays() {
    let data =
        |values: &[f64]| -> Vec<u8> { values.iter().flat_map(|v| v.to_le_bytes()).collect() };
    let four = data(&[1.0, 2.0, 3.0, f64::NAN]);
    let cases = [
        (
            npy("<f8", false, "(4,)", &four),
            "the array has 1 dimension (shape [4]); a matrix with one row per sample has 2",
        ),
        (
            npy("<f8", false, "(1, 2, 2)", &four),
            "the array has 3 dimensions (shape [1, 2, 2]); a matrix with one row per sample has 2",
        ),
        (
            npy("|O", false, "(2, 2)", &four),
            "the array holds Python objects (type `|O`); save it as float64",
        ),
        (
            npy("<c16", false, "(1, 2)", &four),
            "the array holds complex numbers (type `<c16`); save it as float64",
        ),
        (npy("<U4", false, "(1, 2)", &four), "the matrix holds texts; save it as float64"),
        (npy("<f8", false, "(0, 2)", &[]), "the file is empty; rows of data are expected"),
        (
            npy("<f8", false, "(3, 2)", &four[..24]),
            "the array breaks off before its end; copy or download the file again",
        ),
        (
            npy("<f8", true, "(3, 2)", &four[..24]),
            "the array breaks off before its end; copy or download the file again",
        ),
        (
            npy("<f8", false, "(1, 2)", &data(&[1.0, f64::NAN])),
            "no row has a label; name the label column with --label",
        ),
        (
            npy("<f8", false, "(1, 2)", &data(&[1.0, f64::INFINITY])),
            "row 1, column 2 (label): `inf` is no label; drop such rows, or give the class another \
             name if it is one",
        ),
        (
            npy("<f8", false, "(1, 4)", &data(&[1.0, f64::INFINITY, 0.0, 1.0])),
            "row 1, column 2 (x2): `inf` is not a finite number; replace it or drop the row",
        ),
        (
            npy("<f8", false, "(1000000000000000000, 2)", &four),
            "reading a matrix of 1000000000000000000 rows and 1 features would take 15258789062500 MiB of memory, more than the limit of 16384 MiB; read fewer rows or columns, or raise the limit",
        ),
        (
            npy("<f8", true, "(2, 1000000000000000000)", &four),
            "one row of the array would take 7629394531250 MiB of memory, more than the limit of 16384 MiB; read fewer rows or columns, or raise the limit",
        ),
        (
            b"\x93NUMPY\x01\x00\xff".to_vec(),
            "the array breaks off before its end; copy or download the file again",
        ),
        (
            npz(&[("a", npy("<f8", false, "(2, 2)", &four))]),
            "the archive has no array named X, x or data for the matrix; it holds `a`",
        ),
        (
            npz(&[
                ("X", npy("<f8", false, "(1, 2)", &four)),
                ("y", npy("<i8", false, "(2,)", &four[..16])),
            ]),
            "the matrix has 1 rows but `y` has 2 labels; they must agree",
        ),
    ];
    for (bytes, message) in cases {
        assert_eq!(read(bytes).unwrap_err(), message);
    }
    let whole = npz(&[("X", npy("<f8", false, "(2, 2)", &four))]);
    assert!(read(&whole[..whole.len() / 2]).unwrap_err().starts_with("the archive is damaged ("));
}

#[test]
fn gzip() {
    let packed = common::gzip(b"a,label\n0.5,1\n0.25,2\n");
    assert_eq!(read(&packed).unwrap().x().column(0), [0.5, 0.25]);
    assert_eq!(
        read(&packed[..packed.len() - 9]).unwrap_err(),
        "the gzip stream breaks off before its end; copy or download the file again"
    );
    let mut damaged = packed.clone();
    *damaged.iter_mut().nth_back(7).unwrap() ^= 1;
    assert!(read(&damaged).unwrap_err().starts_with("the gzip stream is damaged ("));
}

#[test]
fn zstd() {
    let text = b"a,label\n0.5,1\n0.25,2\n";
    let packed = common::zstd(text);
    // Frames that follow each other are one text; some are there to be passed over.
    let skipped = [0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9];
    for whole in [packed.clone(), [&skipped, &packed[..], &skipped].concat()] {
        assert_eq!(read(&whole).unwrap().x().column(0), [0.5, 0.25]);
    }
    let twice = [packed.clone(), common::zstd(b"0.75,1\n")].concat();
    assert_eq!(read(&twice).unwrap().x().column(0), [0.5, 0.25, 0.75]);
    let cut = "the zstd stream breaks off before its end; copy or download the file again";
    for length in [packed.len() - 1, packed.len() - 5, 6] {
        assert_eq!(read(&packed[..length]).unwrap_err(), cut, "{length}");
    }
    assert_eq!(read(&skipped[..9]).unwrap_err(), cut);
    let mut damaged = packed.clone();
    *damaged.iter_mut().nth_back(1).unwrap() ^= 1;
    assert!(read(&damaged).unwrap_err().starts_with("the zstd stream is damaged ("));
}

#[test]
fn classes() {
    let choose = |text: &str| {
        let table = read(text).unwrap();
        table.choose_classes(None).map_err(|error| error.to_string())
    };
    assert_eq!(choose("a,y\n1,b\n2,a\n3,a\n4,b\n"), Ok(("a".into(), "b".into())));
    let cases = [
        ("a,y\n1,b\n2,b\n", "all 2 rows have the label `b`; two classes are needed to learn from"),
        (
            "a,y\n1,b\n2,c\n3,10\n4,b\n",
            "there are 3 classes (`10` in 1 row, `b` in 2 rows, `c` in 1 row); pick two with \
             --classes A,B",
        ),
        (
            "a,y\n1,b\n2,c\n3,c\n",
            "the class `b` has only 1 row; at least two rows of each class are needed",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(choose(text).unwrap_err(), message);
    }
    let table = read("a,y\n1,1.0\n2,2\n3,+1\n4,2\n5,3\n").unwrap();
    assert_eq!(table.choose_classes(Some(("2", "1"))).unwrap(), ("2".into(), "1.0".into()));
    let error = |negative, positive| table.two_classes(negative, positive).unwrap_err().to_string();
    assert_eq!(error("1", "9"), "no row has the label `9`; the labels are `1.0`, `2`, `3`");
    assert_eq!(error("1", "+1"), "`1.0` was named for both classes; name two different ones");
    let rows = |rows: &[usize]| table.rows(rows, "1", "2").unwrap_err().to_string();
    assert_eq!(rows(&[0, 4]), "row 4 has the label `3`, which is neither `1` nor `2`");
    assert_eq!(rows(&[0, 5]), "row 5 was asked for, but there are only 5 rows");
}

#[test]
fn a_missing_file_is_named() {
    let input = pfcvm_io::Input::from("no/such/file.csv");
    let error = pfcvm_io::read_table(&input, &ReadOptions::default(), &mut |_| ()).unwrap_err();
    assert!(error.to_string().starts_with("no/such/file.csv: cannot be read ("));
}
