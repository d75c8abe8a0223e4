//! Begins from reports of every format, so that one becomes another.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| report_fuzz::check(bytes));
