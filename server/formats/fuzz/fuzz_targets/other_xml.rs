//! Starts with coverage files of SonarQube, PHPUnit, scoverage, Bullseye and CTC++.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| report_fuzz::check(bytes));
