//! A table written in any format reads back to the same bits, however it is cut and shared out.

mod common;

use common::{gzip, npy, npz, zstd};
use pfcvm::Matrix;
use pfcvm_io::{
    Block, Error, Format, ReadOptions, Rows, Table, Wanted, read_table_from_bytes, write_csv,
};
use proptest::prelude::*;

/// Every way of cutting and sharing out.
fn everywhere(bytes: &[u8], options: &ReadOptions) -> Table {
    let mut tables = Vec::new();
    for threads in [1, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for chunk_bytes in [1, 5, 40, 300, 1 << 20] {
            let options = ReadOptions { chunk_bytes, ..options.clone() };
            tables.push(pool.install(|| read_table_from_bytes(bytes.to_vec(), &options)).unwrap());
        }
    }
    let first = tables.swap_remove(0);
    tables.iter().for_each(|table| same(table, &first));
    first
}

#[track_caller]
fn same(a: &Table, b: &Table) {
    let bits = |table: &Table| -> Vec<u64> {
        table.x().as_slice().iter().map(|value| value.to_bits()).collect()
    };
    assert_eq!(bits(a), bits(b));
    assert_eq!(a.feature_names(), b.feature_names());
    assert_eq!(a.class_names(), b.class_names());
    assert_eq!(a.class_codes(), b.class_codes());
}

fn csv_bytes(table: &Table) -> Vec<u8> {
    let mut out = Vec::new();
    write_csv(table, &mut out).unwrap();
    out
}

/// Rows of values and labels; names are given where the format has some. Labels are drawn without
/// the letter n, because every word that is no label (`nan`, `inf`, `na`, `null`, `none`) has one.
fn table(labels: &'static str) -> impl Strategy<Value = Table> {
    let value = prop_oneof![
        proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO,
        (-1000i32..1000).prop_map(|whole| f64::from(whole) / 8.0),
    ];
    (1usize..12, 1usize..5).prop_flat_map(move |(rows, cols)| {
        let values = prop::collection::vec(value.clone(), rows * cols);
        let labels = prop::collection::vec(labels, rows);
        (values, labels).prop_map(move |(values, labels)| {
            let names = (1..=cols).map(|number| format!("x{number}")).collect();
            let x = Matrix::from_column_major(rows, cols, values);
            Table::new(names, x, labels.iter().map(String::as_str))
        })
    })
}

fn options(format: Option<Format>) -> ReadOptions {
    ReadOptions { format, ..ReadOptions::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn delimited(table in table("[a-mo-z][a-mo-z,\"\n;%\t ]{0,5}[a-mo-z]")) {
        let text = csv_bytes(&table);
        same(&everywhere(&text, &options(None)), &table);
        same(&everywhere(&gzip(&text), &options(None)), &table);
        same(&everywhere(&zstd(&text), &options(None)), &table);
        let mut writer = csv::WriterBuilder::new().delimiter(b'\t').from_writer(Vec::new());
        for record in csv::ReaderBuilder::new().has_headers(false).from_reader(&text[..]).records() {
            writer.write_record(&record.unwrap()).unwrap();
        }
        let tabs = writer.into_inner().unwrap();
        same(&everywhere(&tabs, &options(Some(Format::Tsv))), &table);
    }

    #[test]
    fn libsvm(table in table("[a-mo-z]{1,3}")) {
        let mut text = String::from("# a comment\n");
        for row in 0..table.x().rows() {
            text += table.label(row);
            for column in 0..table.x().cols() {
                let value = table.x().get(row, column);
                // Absent is zero, but someone has to show the last column.
                if value.to_bits() != 0 || row == 0 {
                    text += &format!(" {}:{value:e}", column + 1);
                }
            }
            text += "\r\n";
        }
        same(&everywhere(text.as_bytes(), &options(None)), &table);
    }

    #[test]
    fn arff(table in table("[a-mo-z'\"% ,{}]{0,4}[a-mo-z]")) {
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "\\'"));
        let classes: Vec<String> = table.class_names().iter().map(|name| quoted(name)).collect();
        let mut head = String::from("% note\n@relation r\n");
        for name in table.feature_names() {
            head += &format!("@ATTRIBUTE {name} real\n");
        }
        head += &format!("@attribute class {{{}}}\n@data\n", classes.join(","));
        let (mut dense, mut sparse) = (head.clone(), head);
        for row in 0..table.x().rows() {
            let values: Vec<f64> = (0..table.x().cols()).map(|j| table.x().get(row, j)).collect();
            let label = quoted(table.label(row));
            let texts: Vec<String> = values.iter().map(|value| format!("{value:e}")).collect();
            dense += &format!("{},{label}\n", texts.join(", "));
            let written = values.iter().enumerate().filter(|(_, value)| value.to_bits() != 0);
            let mut items: Vec<String> = written.map(|(at, value)| format!("{at} {value:e}")).collect();
            // The first class may be left out.
            if table.class_codes()[row] != 0 {
                items.push(format!("{} {label}", values.len()));
            }
            sparse += &format!("{{{}}} % row\n", items.join(", "));
        }
        // A label in quotes keeps its blanks, unlike one in the table's own order.
        same(&everywhere(dense.as_bytes(), &options(None)), &table);
        same(&everywhere(sparse.as_bytes(), &options(None)), &table);
    }

    #[test]
    fn arrays(table in table("-?[1-9][0-9]{0,3}"), by_columns: bool, big: bool) {
        let (rows, cols) = (table.x().rows(), table.x().cols());
        let label = |row: usize| table.label(row).parse::<f64>().unwrap();
        let bytes = |value: f64| if big { value.to_be_bytes() } else { value.to_le_bytes() };
        let descr = if big { ">f8" } else { "<f8" };
        let at = |width: usize, k: usize| {
            if by_columns { (k % rows, k / rows) } else { (k / width, k % width) }
        };
        let matrix = |width: usize| {
            let values: Vec<u8> = (0..rows * width)
                .flat_map(|k| {
                    let (row, column) = at(width, k);
                    bytes(if column == cols { label(row) } else { table.x().get(row, column) })
                })
                .collect();
            npy(descr, by_columns, &format!("({rows}, {width})"), &values)
        };
        same(&everywhere(&matrix(cols + 1), &options(None)), &table);
        same(&everywhere(&gzip(&matrix(cols + 1)), &options(None)), &table);
        same(&everywhere(&zstd(&matrix(cols + 1)), &options(None)), &table);
        same(&everywhere(&npz(&[("x", matrix(cols + 1))]), &options(None)), &table);

        let shape = format!("({rows},)");
        let whole: Vec<u8> = (0..rows).flat_map(|row| (label(row) as i32).to_le_bytes()).collect();
        let texts: Vec<u8> = (0..rows)
            .flat_map(|row| format!("{:\0<6}", table.label(row)).into_bytes())
            .collect();
        let points: Vec<u8> =
            texts.iter().flat_map(|&byte| u32::from(byte).to_le_bytes()).collect();
        for y in [npy("<i4", false, &shape, &whole), npy("|S6", false, &shape, &texts), npy("<U6", true, &shape, &points)] {
            let archive = npz(&[("X", matrix(cols)), ("y", y)]);
            same(&everywhere(&archive, &options(None)), &table);
        }
    }

    /// Columns in any order, some of them twice, are those of the table.
    #[test]
    fn wanted_columns(table in table("[a-mo-z]"), order in prop::collection::vec(0usize..100, 1..6)) {
        let features: Vec<usize> = order.iter().map(|at| at % table.x().cols()).collect();
        let options = ReadOptions { chunk_bytes: 20, ..ReadOptions::default() };
        let rows = Rows::from_reader(std::io::Cursor::new(csv_bytes(&table)), "it", &options).unwrap();
        let names: Vec<String> =
            features.iter().map(|&at| table.feature_names()[at].clone()).collect();
        prop_assert_eq!(&rows.find(&names).unwrap(), &features);
        let wanted = Wanted { features: features.clone(), label: true, ..Wanted::default() };
        let mut next = 0;
        rows.for_each(&wanted, Ok, |block: Block, _| {
            assert_eq!(block.first_row, next);
            for row in 0..block.x.rows() {
                for (at, &column) in features.iter().enumerate() {
                    assert_eq!(block.x.get(row, at), table.x().get(next + row, column));
                }
                assert_eq!(block.labels.get(row), table.label(next + row));
            }
            next += block.x.rows();
            Ok::<(), Error>(())
        }).unwrap();
        prop_assert_eq!(next, table.x().rows());
    }
}
