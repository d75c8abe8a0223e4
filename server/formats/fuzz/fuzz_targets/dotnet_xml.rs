//! Starts with coverage files of OpenCover, Visual Studio, dotCover, NCover and mprof.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| report_fuzz::check(bytes));
