//! How fast a file is read: `cargo run --release -p pfcvm-io --example speed -- FILE [few|all|table]`.

use pfcvm_io::{Block, Error, Input, ReadOptions, Rows, Wanted, read_table};
use std::time::Instant;

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap_or_else(|| "-".into());
    let what = arguments.next().unwrap_or_else(|| "table".into());
    let (input, options) = (Input::from(file.as_str()), ReadOptions::default());

    let start = Instant::now();
    let mut bytes = 0;
    let rows = if what == "table" {
        read_table(&input, &options, &mut |read| bytes = read)?.x().rows()
    } else {
        let rows = Rows::open(&input, &options)?;
        let columns = rows.columns().len() - 1; // without the label
        let count = if what == "few" { columns.min(10) } else { columns };
        let features = (0..count).map(|at| at * columns / count).collect();
        let mut total = 0;
        let count = |block: Block| Ok::<usize, Error>(block.x.rows());
        rows.for_each(&Wanted { features, label: false }, count, |rows, read| {
            total += rows;
            bytes = read;
            Ok(())
        })?;
        total
    };
    let seconds = start.elapsed().as_secs_f64();
    println!("{rows} rows, {seconds:.2} s, {:.0} MB/s", bytes as f64 / seconds / 1e6);
    Ok(())
}
