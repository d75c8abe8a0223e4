//! Compression in memory, with the library of each tool.

use flate2::{Compression, write::GzEncoder};
use std::io::Write;

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Compresses with a preset of `xz -0` to `xz -9`.
pub fn xz(bytes: &[u8], preset: u32) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), preset);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Compresses with a window of two to the power of `window_log`, or the default of the level.
pub fn zstd(bytes: &[u8], window_log: Option<u32>) -> Vec<u8> {
    let mut encoder = ::zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    if let Some(window_log) = window_log {
        encoder.window_log(window_log).unwrap();
    }
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
