//! Begins from reports of LCOV and Go cover profiles.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| report_fuzz::check(bytes));
