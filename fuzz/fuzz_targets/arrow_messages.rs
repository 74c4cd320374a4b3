#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pfcvm_io::checks::arrow_messages(bytes));
