#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pfcvm_io::checks::workbook_parts(bytes));
