//! Starts with coverage files of LCOV and of Go.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| report_fuzz::check(bytes));
