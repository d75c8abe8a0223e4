//! Starts with coverage files of Cobertura, JaCoCo and Clover.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| report_fuzz::check(bytes));
