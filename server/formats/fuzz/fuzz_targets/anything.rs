//! Starts with coverage files of every format, so that the fuzzer mixes formats.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| report_fuzz::check(bytes));
