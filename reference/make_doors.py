"""One small table in every form that typed files have, for the tests of their readers.

    pip install openpyxl xlwt odfpy pyarrow polars
    python reference/make_doors.py            # writes crates/pfcvm-io/tests/doors

The table as CSV is the truth: every other file must read to the same.
"""

import datetime
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

FOLDER = Path(__file__).parent.parent / "crates/pfcvm-io/tests/doors"
ROWS = 24


def table() -> dict[str, list]:
    """Numbers with gaps, whole numbers, words with gaps, truth values, dates, moments, classes."""
    return {
        "age": [None if row == 3 else 30.25 + row * 1.5 for row in range(ROWS)],
        "visits": [row * 7 % 5 - 2 for row in range(ROWS)],
        "colour": [["red", "blue", None, "a, b"][row * 5 % 4] for row in range(ROWS)],
        "smokes": [None if row == 7 else row % 3 == 0 for row in range(ROWS)],
        "seen": [
            None if row == 5 else datetime.date(1969, 12, 30) + datetime.timedelta(days=row * 400)
            for row in range(ROWS)
        ],
        "at": [datetime.datetime(2024, 2, 28, 6 * (row % 4)) + datetime.timedelta(days=row) for row in range(ROWS)],
        "class": [["ill", "well"][row % 2] for row in range(ROWS)],
    }


def text(value) -> str:
    """A cell of the CSV file."""
    if value is None:
        return ""
    if isinstance(value, str) and "," in value:
        return f'"{value}"'
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def sheets(columns: dict[str, list]) -> None:
    """The table as the second sheet of a workbook, with an error in place of a gap; the first holds notes."""
    import odf.opendocument as document
    import odf.table as ods
    import odf.text
    import openpyxl
    import xlwt

    rows = list(zip(*columns.values()))
    book = openpyxl.Workbook()
    book.active.title = "Notes"
    book.active["B2"] = "read the other sheet"
    sheet = book.create_sheet("Data")
    sheet.append(list(columns))
    for row in rows:
        sheet.append(row)
    sheet["A5"] = "#N/A"
    book.save(FOLDER / "table.xlsx")

    book = xlwt.Workbook()
    sheet = book.add_sheet("Data")
    dates = xlwt.easyxf(num_format_str="yyyy-mm-dd")
    moments = xlwt.easyxf(num_format_str="yyyy-mm-dd hh:mm:ss")
    # It stands some way from the corner.
    for at, name in enumerate(columns):
        sheet.write(2, 1 + at, name)
    for row, values in enumerate(rows):
        for at, value in enumerate(values):
            if isinstance(value, datetime.datetime):
                sheet.write(3 + row, 1 + at, value, moments)
            elif isinstance(value, datetime.date):
                sheet.write(3 + row, 1 + at, value, dates)
            elif value is not None:
                sheet.write(3 + row, 1 + at, value)
    book.save(str(FOLDER / "table.xls"))

    book = document.OpenDocumentSpreadsheet()
    sheet = ods.Table(name="Data")
    for values in [list(columns), *rows]:
        line = ods.TableRow()
        for value in values:
            if value is None:
                cell = ods.TableCell()
            elif isinstance(value, bool):
                cell = ods.TableCell(valuetype="boolean", booleanvalue=str(value).lower())
            elif isinstance(value, (int, float)):
                cell = ods.TableCell(valuetype="float", value=value)
            elif isinstance(value, datetime.date):
                cell = ods.TableCell(valuetype="date", datevalue=value.isoformat())
            else:
                cell = ods.TableCell(valuetype="string")
                cell.addElement(odf.text.P(text=value))
            line.addElement(cell)
        sheet.addElement(line)
    book.spreadsheet.addElement(sheet)
    book.save(str(FOLDER / "table.ods"))


def columnar(columns: dict[str, list]) -> None:
    """The table as Parquet and Arrow of several writers, codecs and types."""
    frame = pa.table(
        {
            "age": pa.array(columns["age"], pa.float64()),
            "visits": pa.array(columns["visits"], pa.int64()),
            "colour": pa.array(columns["colour"], pa.string()),
            "smokes": pa.array(columns["smokes"], pa.bool_()),
            "seen": pa.array(columns["seen"], pa.date32()),
            "at": pa.array(columns["at"], pa.timestamp("us")),
            "class": pa.array(columns["class"], pa.string()),
        }
    )
    other = pa.table(
        {
            "age": pa.array(columns["age"], pa.float32()),
            "visits": pa.array(columns["visits"], pa.int8()),
            "colour": pa.array(columns["colour"], pa.string()).dictionary_encode(),
            "smokes": pa.array(columns["smokes"], pa.bool_()),
            "seen": pa.array(columns["seen"], pa.date64()),
            "at": pa.array(columns["at"], pa.timestamp("ns", tz="UTC")),
            "class": pa.array(columns["class"], pa.large_string()).dictionary_encode(),
        }
    )
    nested = other.append_column("list", pa.array([[row] for row in range(ROWS)])).append_column(
        "parts", pa.array([{"a": row} for row in range(ROWS)])
    )
    parquet = pyarrow.parquet.write_table
    parquet(frame, FOLDER / "snappy.parquet", compression="snappy")
    parquet(frame, FOLDER / "zstd.parquet", compression="zstd", row_group_size=7)
    parquet(other, FOLDER / "gzip.parquet", compression="gzip", data_page_version="2.0")
    parquet(frame, FOLDER / "lz4.parquet", compression="lz4", use_dictionary=False)
    parquet(frame, FOLDER / "brotli.parquet", compression="brotli")
    parquet(nested, FOLDER / "nested.parquet", compression="none")
    infinite = {"a": [1.0, float("inf"), 2.0], "b": [float("-inf"), 4, 5.5], "y": ["p", "q", "p"]}
    parquet(pa.table(infinite), FOLDER / "infinite.parquet")
    pl.DataFrame(columns).write_parquet(FOLDER / "polars.parquet")
    pl.DataFrame(columns).with_columns(pl.col("colour").cast(pl.Categorical)).write_ipc(
        FOLDER / "polars.arrow", compression="uncompressed"
    )
    pyarrow.feather.write_feather(frame, FOLDER / "lz4.feather", compression="lz4", chunksize=7)
    pyarrow.feather.write_feather(other, FOLDER / "zstd.feather", compression="zstd")
    with pa.ipc.new_stream(FOLDER / "stream.arrows", nested.schema) as stream:
        for batch in nested.to_batches(max_chunksize=10):
            stream.write(batch)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    columns = table()
    lines = [",".join(columns), *(",".join(map(text, row)) for row in zip(*columns.values()))]
    (FOLDER / "table.csv").write_text("\n".join(lines) + "\n")
    sheets(columns)
    columnar(columns)
