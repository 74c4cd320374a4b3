//! Tables as they are: what columns hold, gaps, levels, groups, and reading more rows of the same.

mod common;
// Without the formats, only what is said of that is looked at.
#[cfg_attr(not(any(feature = "excel", feature = "parquet")), allow(dead_code))]
mod doors;

use common::npy;
use pfcvm::data::Kind;
use pfcvm_io::{
    Block, ColumnKind, Content, DateOrder, Error, Format, Groups, MOST_LEVELS, ReadOptions, Rows,
    Table, Wanted, read_table_from_bytes, write_csv,
};
use proptest::prelude::*;

fn read(text: &str) -> Table {
    read_with(text, &ReadOptions::default())
}

fn read_with(text: &str, options: &ReadOptions) -> Table {
    read_table_from_bytes(text.as_bytes().to_vec(), options).unwrap()
}

fn refused(text: &str, options: &ReadOptions) -> String {
    read_table_from_bytes(text.as_bytes().to_vec(), options).unwrap_err().to_string()
}

fn told(kinds: &[(&str, ColumnKind)]) -> ReadOptions {
    let kinds = kinds.iter().map(|(name, kind)| (name.to_string(), *kind)).collect();
    ReadOptions { kinds, ..ReadOptions::default() }
}

/// The cells of a column in words.
fn cells(table: &Table, name: &str) -> Vec<String> {
    let at = table.variables().iter().position(|variable| variable.name == name).expect(name);
    let word = |cell: &f64| match table.variables()[at].levels() {
        _ if cell.is_nan() => "-".to_string(),
        Some(levels) => levels.names().get(*cell as usize).map_or("other".into(), String::clone),
        None => cell.to_string(),
    };
    table.x().column(at).iter().map(word).collect()
}

/// Twelve rows, with all there is: names, numbers with gaps, words, truth values, dates, numbers
/// with a word among them, nothing at all, row numbers.
fn mixed() -> String {
    let mut text = String::from("name,age,colour,smokes,seen,weight,nothing,patient_id,class\n");
    for row in 0..12 {
        let age = if row == 3 { "NA".into() } else { (30 + row).to_string() };
        let colour = ["red", "blue", "", "red"][row % 4];
        let smokes = ["True", "False"][row % 2];
        let weight = if row == 5 { "heavy".into() } else { format!("{}.5", 60 + row) };
        text += &format!(
            "n{row},{age},{colour},{smokes},2024-01-{:02},{weight},,{},{}\n",
            row + 1,
            1000 + 7 * row,
            ["ill", "well"][row % 2]
        );
    }
    text
}

#[test]
fn kinds_are_found_out_and_told() {
    let table = read(&mixed());
    assert_eq!(table.feature_names(), ["age", "colour", "smokes", "seen", "weight", "nothing"]);
    assert_eq!(
        table.columns().kinds(),
        [
            Kind::Number,
            Kind::Words { levels: 2 },
            Kind::Words { levels: 2 },
            Kind::Number,
            Kind::Number,
            Kind::Number
        ]
    );
    assert_eq!(cells(&table, "age")[2..5], ["32", "-", "34"]);
    assert_eq!(cells(&table, "colour")[..4], ["red", "blue", "-", "red"]);
    assert_eq!(cells(&table, "smokes")[..2], ["True", "False"]);
    assert_eq!(cells(&table, "seen")[..2], ["19723", "19724"]);
    assert_eq!(cells(&table, "weight")[4..7], ["64.5", "-", "66.5"]);
    assert!(cells(&table, "nothing").iter().all(|cell| cell == "-"));
    assert_eq!(
        table.notes(),
        [
            "2 columns hold words: `colour` (2 levels), `smokes` (2 levels)",
            "`seen` holds dates; days since 1970 are used",
            "16 cells are gaps, in `age`, `colour`, `nothing`",
            "what is no number or date among others counts as a gap, in `weight` (1 cell, as \
             `heavy`); --kind COLUMN=words takes a column as words",
            "`name`, `patient_id` are left out, because their values all differ as names of rows \
             do; --kind COLUMN=words or COLUMN=number keeps one",
        ]
    );
}

#[test]
fn a_user_overrules() {
    let options = told(&[
        ("name", ColumnKind::Words),
        ("patient_id", ColumnKind::Number),
        ("age", ColumnKind::Words),
        ("weight", ColumnKind::Words),
        ("seen", ColumnKind::Ignore),
    ]);
    let table = read_with(&mixed(), &options);
    assert!(!table.feature_names().contains(&"seen".to_string()));
    assert_eq!(cells(&table, "name")[..2], ["n0", "n1"]);
    assert_eq!(cells(&table, "patient_id")[..2], ["1000", "1007"]);
    assert_eq!(cells(&table, "age")[2..4], ["32", "-"]);
    assert_eq!(cells(&table, "weight")[5], "heavy");
    let numbers = read_with(&mixed(), &told(&[("colour", ColumnKind::Number)]));
    assert!(cells(&numbers, "colour").iter().all(|cell| cell == "-"));
    assert!(
        numbers.notes().iter().any(|note| note.contains("`colour` (9 cells)")),
        "{:?}",
        numbers.notes()
    );
    let message = refused(&mixed(), &told(&[("agee", ColumnKind::Words)]));
    assert!(message.contains("no column `agee` to read in another way; the nearest name is `age`"));
}

/// Few different numbers and a word are words; codes of words stay texts where somebody says so.
#[test]
fn numbers_among_words_are_words() {
    let table = read("stage,y\n1,a\n2,b\n3b,a\n2.0,b\n,a\n");
    assert_eq!(cells(&table, "stage"), ["1", "2", "3b", "2", "-"]);
    let table =
        read_with("zip,y\n01234,a\n1234,b\n01234,a\n", &told(&[("zip", ColumnKind::Words)]));
    assert_eq!(cells(&table, "zip"), ["01234", "1234", "01234"]);
    assert_eq!(read("zip,y\n01234,a\n1234,b\n").x().column(0), [1234.0, 1234.0]);
}

#[test]
fn dates_of_common_forms_are_days() {
    let dates = |texts: &[&str], options: &ReadOptions| {
        let rows: String = texts.iter().map(|text| format!("{text};u\n")).collect();
        let table = read_with(&format!("when;y\n{rows}"), options);
        (table.variables()[0].content.clone(), cells(&table, "when"))
    };
    let auto = ReadOptions::default();
    let (content, days) = dates(&["13/02/2024", "01/02/2024", "NA"], &auto);
    assert_eq!(content, Content::Date { order: DateOrder::DayFirst });
    assert_eq!(days, ["19766", "19754", "-"]);
    let (content, days) = dates(&["Feb 13, 2024", "2024-02-13T12:00"], &auto);
    assert!(matches!(content, Content::Date { .. }));
    assert_eq!(days, ["19766", "19766.5"]);
    // One word makes it words, unless somebody says otherwise.
    assert!(matches!(dates(&["13/02/2024", "soon"], &auto).0, Content::Words(_)));
    let (_, days) = dates(&["13/02/2024", "soon"], &told(&[("when", ColumnKind::Date)]));
    assert_eq!(days, ["19766", "-"]);
}

#[test]
fn arff_is_taken_at_its_word() {
    let text = "@relation r\n@attribute code {1,2,10,never}\n@attribute what string\n\
                @attribute seen date \"yyyy-MM-dd\"\n@attribute 'nil' {None,'?',x}\n@attribute n real\n\
                @attribute class {a,b,unused}\n@data\n\
                10,free,2024-02-13,None,1,a\n2,free,?,?,?,b\n?,bound,2024-02-14,x,3,a\n";
    let table = read(text);
    assert_eq!(cells(&table, "code"), ["10", "2", "-"]);
    assert_eq!(table.variables()[0].levels().unwrap().names(), ["2", "10"]);
    assert_eq!(cells(&table, "what"), ["free", "free", "bound"]);
    assert_eq!(cells(&table, "seen"), ["19766", "-", "19767"]);
    assert_eq!(cells(&table, "nil"), ["None", "?", "x"]);
    assert_eq!(cells(&table, "n"), ["1", "-", "3"]);
    assert_eq!(table.class_names(), ["a", "b"]);
    // What a sparse row leaves out is the first level, or zero.
    let sparse = "@relation r\n@attribute c {u,v}\n@attribute n real\n@attribute y {a,b}\n@data\n\
                  {0 v, 2 b}\n{1 4}\n{1 ?}\n";
    let table = read(sparse);
    assert_eq!(
        (cells(&table, "c"), cells(&table, "n")),
        (vec!["v".into(), "u".into(), "u".into()], vec!["0".into(), "4".into(), "-".into()])
    );
}

#[test]
fn gaps_have_many_names_and_a_user_adds_more() {
    let text = "a,b,y\n1,x,u\n-999,NA,v\n?,unknown,u\nnull,,v\n#N/A,x,unknown\n";
    let missing = vec!["-999.0".to_string(), "unknown".into()];
    let table = read_with(text, &ReadOptions { missing, ..ReadOptions::default() });
    assert_eq!(cells(&table, "a"), ["1", "-", "-", "-"]);
    assert_eq!(cells(&table, "b"), ["x", "-", "-", "-"]);
    assert_eq!(table.rows_read(), 5);
    // Numbers of other formats may have gaps too.
    let table = read("u 1:1 2:NaN\nv 1:NA 2:3\n");
    assert_eq!(
        (cells(&table, "x1"), cells(&table, "x2")),
        (vec!["1".into(), "-".into()], vec!["-".into(), "3".into()])
    );
    let values: Vec<u8> =
        [1.0, 0.0, f64::NAN, 1.0].iter().flat_map(|value: &f64| value.to_le_bytes()).collect();
    for by_columns in [false, true] {
        let bytes = npy("<f8", by_columns, "(2, 2)", &values);
        let options = ReadOptions { label: Some("2".into()), ..ReadOptions::default() };
        let label_first = ReadOptions { label: Some("1".into()), ..ReadOptions::default() };
        let options = if by_columns { label_first } else { options };
        let table = read_table_from_bytes(bytes, &options).unwrap();
        assert!(table.x().column(0).iter().any(|cell| cell.is_nan()), "{by_columns}");
    }
}

#[test]
fn commas_within_numbers() {
    let table = read("a;b;y\n1,5;x;u\n-0,25;y;v\n3;x;u\n");
    assert_eq!(table.x().column(0), [1.5, -0.25, 3.0]);
    assert!(table.notes().iter().any(|note| note.contains("decimal points")));
    let table = read("a,y\n\"1,234\",u\n\"12,345.5\",v\n7,u\n");
    assert_eq!(table.x().column(0), [1234.0, 12345.5, 7.0]);
    assert!(table.notes().iter().any(|note| note.contains("thousands")));
}

#[test]
fn thousands_of_levels_are_bounded() {
    let mut text = String::from("customer,y\n");
    for row in 0..6000 {
        // 3000 names, the first hundred of them more often.
        let name = if row < 3000 { row } else { row % 100 };
        text += &format!("c{name:04},{}\n", ["u", "v"][row % 2]);
    }
    let table = read(&text);
    let levels = table.variables()[0].levels().unwrap();
    assert_eq!((levels.count(), levels.has_other()), (MOST_LEVELS, true));
    assert_eq!(table.columns().kinds(), [Kind::Words { levels: MOST_LEVELS }]);
    let cells = cells(&table, "customer");
    assert_eq!((cells[7].as_str(), cells[2999].as_str()), ("c0007", "other"));
    assert!(table.notes().iter().any(|note| note.contains("the rest are one, `other`")));
    // Texts that are nearly all different, and too many to keep, are left out.
    let texts: String =
        (0..210_000).map(|row| format!("t{},{},{}\n", row % 105_000, row % 3, row % 2)).collect();
    let table = read(&format!("text,n,y\n{texts}"));
    assert_eq!(table.feature_names(), ["n"]);
    assert!(table.notes().iter().any(|note| note.contains("texts of too many words")));
    let few: String = text.lines().take(30).map(|line| format!("{line}\n")).collect();
    let nothing = refused(&few, &ReadOptions::default());
    assert!(
        nothing.contains("no column is left to learn from: `customer` is left out"),
        "{nothing}"
    );
}

#[test]
fn another_column_may_rather_be_the_label() {
    let rows: String =
        (0..30).map(|row| format!("{},{},{}\n", ["a", "b"][row % 2], row % 5, row * row)).collect();
    let table = read(&format!("Class,n,price\n{rows}"));
    let error = table.clone().into_classes(None).unwrap_err().to_string();
    assert!(error.ends_with("if the column `Class` is the label, give --label Class"), "{error}");
    let error = table.choose_classes(None).unwrap_err().to_string();
    assert!(error.contains("give --label Class"), "{error}");
}

#[test]
fn groups_are_features() {
    let text = "A_x,A_y,age,B_x,word,y\n1,2,3,4,u,0\n5,6,7,8,v,1\n1,2,3,4,v,0\n5,6,7,8,v,1\n";
    let groups = Groups::by_pattern("^(.)_").unwrap();
    let table = read_with(text, &ReadOptions { groups, ..ReadOptions::default() });
    assert_eq!(table.feature_names(), ["A", "age", "B", "word"]);
    assert_eq!((table.columns().features(), table.columns().inputs()), (4, 5));
    assert_eq!(table.columns().columns_of(0), [0, 1]);
    assert_eq!(table.variables()[1].name, "A_y");
    let (data, _) = table.clone().into_classes(None).unwrap();
    assert_eq!((data.columns(), data.columns().features()), (table.columns(), 4));
    assert_eq!(table.two_classes("0", "1").unwrap().columns(), table.columns());
    assert_eq!(table.rows(&[1, 2], "0", "1").unwrap().columns(), table.columns());
    let groups = Groups::by_pattern("^(q)").unwrap();
    let message = refused(text, &ReadOptions { groups, ..ReadOptions::default() });
    assert!(message.contains("the data: no column's name fits the pattern"), "{message}");
    let part = table.slice(1, 2);
    assert_eq!((part.columns(), part.feature_names()), (table.columns(), table.feature_names()));
}

/// Reads columns of a table again from other rows, as a model does.
fn again(text: &str, like: &Table, chunk_bytes: usize) -> (Vec<Vec<u64>>, Vec<usize>) {
    let options = ReadOptions { chunk_bytes, ..ReadOptions::default() };
    let rows = Rows::from_reader(std::io::Cursor::new(text.to_string()), "it", &options).unwrap();
    let names: Vec<String> = like.variables().iter().map(|v| v.name.clone()).collect();
    let contents = like.variables().iter().map(|variable| variable.content.clone()).collect();
    let wanted = Wanted { features: rows.find(&names).unwrap(), contents, ..Wanted::default() };
    let mut columns = vec![Vec::new(); names.len()];
    let mut strange = vec![0; names.len()];
    rows.for_each(&wanted, Ok, |block: Block, _| {
        let bits = |cell: &f64| cell.to_bits();
        columns
            .iter_mut()
            .zip(block.x.columns())
            .for_each(|(all, c)| all.extend(c.iter().map(bits)));
        strange.iter_mut().zip(&block.strange).for_each(|(sum, more)| *sum += more);
        Ok::<(), Error>(())
    })
    .unwrap();
    (columns, strange)
}

#[test]
fn more_rows_are_read_as_the_first_ones_were() {
    let table = read(&mixed());
    let bits = |table: &Table| -> Vec<Vec<u64>> {
        table.x().columns().map(|c| c.iter().map(|cell| cell.to_bits()).collect()).collect()
    };
    for chunk_bytes in [1, 50, 1 << 20] {
        let (columns, strange) = again(&mixed(), &table, chunk_bytes);
        assert_eq!(columns, bits(&table));
        // Only the word among numbers does not fit.
        assert_eq!(strange, [0, 0, 0, 0, 1, 0]);
    }
    let other =
        "weight,colour,age,smokes,seen,nothing\n1.0,green,x,True,19723,1\ninf,blue,4,1,soon,\n";
    let (columns, strange) = again(other, &table, 50);
    let number =
        |column: &[u64]| -> Vec<f64> { column.iter().map(|bits| f64::from_bits(*bits)).collect() };
    assert_eq!(strange, [1, 1, 1, 1, 1, 0]);
    assert_eq!(number(&columns[3])[0], 19723.0);
    assert!(number(&columns[1])[0].is_nan() && number(&columns[1])[1] == 0.0);
    assert!(number(&columns[4])[1].is_nan(), "infinite");
    // An array has words as numbers.
    let table = read("c,y\n1,u\nx,v\n2,u\n");
    let values: Vec<u8> = [2.0f64, 1.0, 3.0].iter().flat_map(|value| value.to_le_bytes()).collect();
    let bytes = npy("<f8", false, "(3, 1)", &values);
    let rows =
        Rows::from_reader(std::io::Cursor::new(bytes), "it", &ReadOptions::default()).unwrap();
    assert_eq!(rows.format(), Format::Npy);
    let contents = vec![table.variables()[0].content.clone()];
    let wanted = Wanted { features: vec![0], contents, ..Wanted::default() };
    rows.for_each(&wanted, Ok, |block: Block, _| {
        assert_eq!(block.x.column(0)[..2], [1.0, 0.0]);
        assert!(block.x.get(2, 0).is_nan());
        Ok::<(), Error>(())
    })
    .unwrap();
}

/// Cells of one column: numbers, words, gaps, dates.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        (-5i32..20).prop_map(|number| number.to_string()),
        "[a-c]{1,2}",
        Just(String::new()),
        Just("NA".to_string()),
        (1u32..28).prop_map(|day| format!("2024-02-{day:02}")),
    ]
}

fn column(rows: usize) -> impl Strategy<Value = Vec<String>> {
    prop_oneof![
        prop::collection::vec(cell(), rows),
        prop::collection::vec((-5i32..20).prop_map(|number| number.to_string()), rows),
        prop::collection::vec("[a-c]{1,2}", rows),
        prop::collection::vec((1u32..28).prop_map(|day| format!("{day}.2.2024")), rows),
    ]
}

fn text(columns: &[Vec<String>], order: &[usize]) -> String {
    let head: String = (0..columns.len()).map(|at| format!("c{at},")).collect();
    let row = |row: &usize| {
        let cells: String = columns.iter().map(|column| column[*row].clone() + ",").collect();
        format!("{cells}{}\n", ["u", "v"][row % 2])
    };
    format!("{head}y\n{}", order.iter().map(row).collect::<String>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    /// Neither kinds, levels nor cells depend on the order of rows or on how a file is cut.
    #[test]
    fn the_order_of_rows_does_not_matter(
        columns in prop::collection::vec(column(14), 1..4),
        order in Just((0..14).collect::<Vec<usize>>()).prop_shuffle(),
        chunk_bytes in 1usize..200,
    ) {
        let straight: Vec<usize> = (0..14).collect();
        let options = ReadOptions { chunk_bytes, ..ReadOptions::default() };
        let whole = read_table_from_bytes(text(&columns, &straight).into_bytes(), &ReadOptions::default());
        let turned = read_table_from_bytes(text(&columns, &order).into_bytes(), &options);
        let (Ok(whole), Ok(turned)) = (whole, turned) else { return Ok(()) };
        prop_assert_eq!(whole.variables(), turned.variables());
        prop_assert_eq!(whole.notes(), turned.notes());
        for at in 0..whole.x().cols() {
            for (place, &row) in order.iter().enumerate() {
                let (a, b) = (whole.x().get(row, at), turned.x().get(place, at));
                prop_assert_eq!(a.to_bits(), b.to_bits());
            }
        }
    }

    /// A table that is written reads back, if it is told what its dates are.
    #[test]
    fn what_is_written_reads_back(columns in prop::collection::vec(column(14), 1..4)) {
        let straight: Vec<usize> = (0..14).collect();
        let Ok(table) = read_table_from_bytes(text(&columns, &straight).into_bytes(), &ReadOptions::default()) else { return Ok(()) };
        let mut bytes = Vec::new();
        write_csv(&table, &mut bytes).unwrap();
        let kinds = table.variables().iter().map(|variable| {
            let kind = if variable.levels().is_some() { ColumnKind::Words } else { ColumnKind::Number };
            (variable.name.clone(), kind)
        });
        let options = ReadOptions { kinds: kinds.collect(), ..ReadOptions::default() };
        let back = read_table_from_bytes(bytes, &options).unwrap();
        let bits = |table: &Table| -> Vec<u64> { table.x().as_slice().iter().map(|cell| cell.to_bits()).collect() };
        prop_assert_eq!(bits(&table), bits(&back));
        prop_assert_eq!(table.columns(), back.columns());
    }
}
