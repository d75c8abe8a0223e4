//! Starts with coverage files of istanbul, coverage.py, LLVM, SimpleCov, Codecov and Coveralls.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| report_fuzz::check(bytes));
