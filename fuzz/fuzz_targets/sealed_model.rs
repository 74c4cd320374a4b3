#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(model) = pfcvm_io::checks::sealed_model(bytes) {
        let text = pfcvm_report::model_text(&pfcvm_io::Summary::of(&model));
        assert!(text.len() < 1 << 20, "a text of {} bytes", text.len());
    }
});
