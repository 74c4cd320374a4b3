//! The CSV reader: one header row, numbers, one label column; plain or gzipped.

use crate::{Error, FieldProblem, Table};
use csv::StringRecord;
use flate2::read::MultiGzDecoder;
use pfcvm::Matrix;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The two bytes every gzip stream begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Reads a CSV file, gzipped or not (its first bytes tell, not its name).
///
/// The label is the column named `label_column`, or the last one if none is named.
///
/// ```no_run
/// let table = pfcvm_io::read_csv("data.csv.gz", None)?;
/// let data = table.two_classes(-1, 1)?;
/// # Ok::<(), pfcvm_io::Error>(())
/// ```
pub fn read_csv(path: impl AsRef<Path>, label_column: Option<&str>) -> Result<Table, Error> {
    let path = path.as_ref();
    File::open(path)
        .map_err(Error::Unreadable)
        .and_then(|file| read_csv_from(file, label_column))
        .map_err(|problem| Error::InFile {
            path: path.display().to_string(),
            problem: Box::new(problem),
        })
}

/// Reads CSV text, gzipped or not, from anywhere. See [`read_csv`].
pub fn read_csv_from(source: impl Read, label_column: Option<&str>) -> Result<Table, Error> {
    let mut bytes = read_all(source)?;
    if bytes.starts_with(&GZIP) {
        bytes = read_all(MultiGzDecoder::new(bytes.as_slice()))?;
    }
    parse(&bytes, label_column)
}

fn read_all(mut source: impl Read) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes).map_err(Error::Unreadable)?;
    Ok(bytes)
}

fn parse(text: &[u8], label_column: Option<&str>) -> Result<Table, Error> {
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true) // ragged rows are reported in our own words
        .trim(csv::Trim::All)
        .from_reader(text);
    let header = reader.headers().map_err(Error::Malformed)?.clone();
    if header.is_empty() {
        return Err(Error::Empty);
    }
    let label_at = match label_column {
        None => header.len() - 1,
        Some(name) => header
            .iter()
            .position(|column| column == name)
            .ok_or_else(|| Error::NoSuchColumn { name: name.into() })?,
    };
    if header.len() == 1 {
        return Err(Error::NoFeatures);
    }

    let mut values = Vec::new(); // row after row
    let mut labels = Vec::new();
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).map_err(Error::Malformed)? {
        let byte = record.position().map_or(0, |position| position.byte()) as usize;
        if record.len() != header.len() {
            return Err(Error::RaggedRow {
                line: line_at(text, byte),
                expected: header.len(),
                found: record.len(),
            });
        }
        for (at, field) in record.iter().enumerate() {
            let outcome = if at == label_at {
                parse_label(field).map(|label| labels.push(label))
            } else {
                parse_feature(field).map(|value| values.push(value))
            };
            outcome.map_err(|problem| Error::BadField {
                line: line_at(text, byte),
                column: at + 1,
                name: header[at].into(),
                text: field.into(),
                problem,
            })?;
        }
    }
    if labels.is_empty() {
        return Err(Error::HeaderOnly);
    }

    let features = header.len() - 1;
    let x = Matrix::from_fn(labels.len(), features, |i, j| values[i * features + j]);
    let names =
        (0..header.len()).filter(|&at| at != label_at).map(|at| header[at].to_string()).collect();
    Ok(Table::new(names, x, labels))
}

/// The line, from 1, of the first field at or after a byte. Counted here because the csv crate
/// counts a record's line from where the one before ended: blank lines and CRLF put it off.
fn line_at(text: &[u8], byte: usize) -> u64 {
    let skipped = text[byte..].iter().take_while(|&&c| c == b'\r' || c == b'\n').count();
    let before = &text[..byte + skipped];
    1 + before.iter().filter(|&&c| c == b'\n').count() as u64
}

fn parse_feature(field: &str) -> Result<f64, FieldProblem> {
    match field.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(FieldProblem::NotFinite),
        Err(_) => Err(FieldProblem::NotANumber),
    }
}

/// Whole numbers only, but `1.0` is one: tools that store every column as a float write it so.
fn parse_label(field: &str) -> Result<i64, FieldProblem> {
    const LARGEST: f64 = 9.0e15; // beyond this a float cannot tell neighbours apart
    match field.parse::<f64>() {
        Ok(label) if label.fract() == 0.0 && label.abs() < LARGEST => Ok(label as i64),
        _ => Err(FieldProblem::NotALabel),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(text: &str) -> Result<Table, Error> {
        read_csv_from(text.as_bytes(), None)
    }

    fn message(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn the_last_column_is_the_label() {
        let table = read("a,b,label\n1,2.5,-1\n-3e2, 4 ,+1\n").unwrap();
        assert_eq!(table.feature_names(), ["a", "b"]);
        assert_eq!(table.labels(), [-1, 1]);
        assert_eq!(table.x().column(0), [1.0, -300.0]);
        assert_eq!(table.x().column(1), [2.5, 4.0]);
    }

    #[test]
    fn a_named_column_can_be_the_label() {
        let table = read_csv_from("a,class,b\n1,2.0,3\n".as_bytes(), Some("class")).unwrap();
        assert_eq!(table.feature_names(), ["a", "b"]);
        assert_eq!(table.labels(), [2]);
        assert_eq!(table.x().column(1), [3.0]);
        let error = read_csv_from("a,b\n1,2\n".as_bytes(), Some("class")).unwrap_err();
        assert_eq!(error.to_string(), "there is no column named `class` to take the label from");
    }

    #[test]
    fn gzip_is_recognised_by_its_first_bytes() {
        let text = "a,label\n0.5,1\n";
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), Default::default());
        packed.write_all(text.as_bytes()).unwrap();
        let packed = packed.finish().unwrap();
        let table = read_csv_from(packed.as_slice(), None).unwrap();
        assert_eq!(table.x().column(0), [0.5]);

        let broken = &packed[..packed.len() - 9];
        let error = read_csv_from(broken, None).unwrap_err();
        assert!(matches!(error, Error::Unreadable(_)), "{error}");
    }

    #[test]
    fn every_mistake_is_one_sentence_with_its_place() {
        assert_eq!(
            message("a,b,label\n1,2,1\n1,1\n"),
            "line 3 has 2 fields where the header has 3"
        );
        assert_eq!(
            message("a,b,label\n1,2,1\n\n1,two,1\n"),
            "line 4, column 2 (b): `two` is not a number"
        );
        assert_eq!(
            message("a,b,label\r\n1,2,1\r\n1,2,1\r\nx,1,1\r\n"),
            "line 4, column 1 (a): `x` is not a number"
        );
        assert_eq!(message("a,b,label\n,2,1\n"), "line 2, column 1 (a): `` is not a number");
        for text in ["NaN", "inf", "-Infinity", "1e999"] {
            assert_eq!(
                message(&format!("a,label\n1,0\n{text},1\n")),
                format!("line 3, column 1 (a): `{text}` is not a finite number")
            );
        }
        for text in ["yes", "0.5", "nan", "1e300"] {
            assert_eq!(
                message(&format!("a,label\n1,{text}\n")),
                format!(
                    "line 2, column 2 (label): `{text}` is not a whole number, as a label must be"
                )
            );
        }
        assert_eq!(message(""), "the file is empty; a header row with column names is expected");
        assert_eq!(message("a,label\n"), "the file has a header row but no data rows");
        assert_eq!(message("label\n1\n"), "the file has no feature column beside the label");
    }

    #[test]
    fn bytes_that_are_not_text_are_refused() {
        let error = read_csv_from(&b"a,label\n\xff\xfe,1\n"[..], None).unwrap_err();
        assert!(matches!(error, Error::Malformed(_)), "{error}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = read_csv("no/such/file.csv", None).unwrap_err();
        assert!(error.to_string().starts_with("no/such/file.csv: cannot be read"));
    }
}
