//! Starts with coverage files of istanbul, coverage.py, LLVM and SimpleCov.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| report_fuzz::check(bytes));
