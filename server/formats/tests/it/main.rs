//! Tests of the public interface: reports in, totals or errors out.

#![allow(unreachable_pub, reason = "a test has no other crate to hide from")]
mod damage;
mod encodings;
mod golden;
mod limits;
mod properties;
mod refusals;
mod windows;
#[path = "../writers/mod.rs"]
mod writers;

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use formats::{Limits, Report, ReportError};

/// Every report in `testdata`, without programs, expectations and documentation.
fn fixtures() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = entries(&testdata())
        .filter(|path| path.is_dir() && !path.ends_with("programs"))
        .flat_map(|folder| entries(&folder).collect::<Vec<_>>())
        .filter(|path| {
            path.extension()
                .is_none_or(|extension| extension != "expected")
        })
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no fixtures found");
    paths
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").path())
}

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata")
}

fn fixture(name: &str) -> Vec<u8> {
    fs::read(testdata().join(name)).expect("a fixture")
}

fn read(report: impl AsRef<[u8]>) -> Result<Report, ReportError> {
    formats::read(report.as_ref(), &Limits::default())
}

fn read_with_lines(report: impl AsRef<[u8]>) -> Result<Report, ReportError> {
    formats::read_with_lines(report.as_ref(), &Limits::default())
}

/// A reader that returns at most `size` bytes at once. Not a `BufReader`: its buffer is bypassed by larger reads.
struct InPieces<'b> {
    bytes: &'b [u8],
    size: usize,
}

impl Read for InPieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(self.size);
        self.bytes.read(&mut buffer[..len])
    }
}

fn read_in_pieces(report: impl AsRef<[u8]>, size: usize) -> Result<Report, ReportError> {
    let bytes = report.as_ref();
    formats::read(InPieces { bytes, size }, &Limits::default())
}

/// The report or the error, as text.
fn message(report: impl AsRef<[u8]>) -> String {
    match read(report) {
        Ok(report) => format!("accepted: {report:?}"),
        Err(error) => error.to_string(),
    }
}
