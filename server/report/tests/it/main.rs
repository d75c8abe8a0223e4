//! The crate as its users meet it: reports in, totals or refusals out.

mod damage;
mod encodings;
mod golden;
mod limits;
mod refusals;

use std::fs;
use std::path::{Path, PathBuf};

use report::{Limits, Report, ReportError};

/// Every report in `testdata`.
fn fixtures() -> Vec<PathBuf> {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let folders = ["cobertura", "jacoco", "clover"];
    let mut paths: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| fs::read_dir(testdata.join(folder)).expect("a folder of fixtures"))
        .map(|entry| entry.expect("a fixture").path())
        .collect();
    paths.sort();
    assert!(paths.len() >= folders.len(), "no fixtures found");
    paths
}

fn fixture(name: &str) -> Vec<u8> {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    fs::read(testdata.join(name)).expect("a fixture")
}

fn read(xml: impl AsRef<[u8]>) -> Result<Report, ReportError> {
    report::read(xml.as_ref(), &Limits::default())
}

/// The percentage, and all that was refused or warned about, as text.
fn message(xml: impl AsRef<[u8]>) -> String {
    match read(xml) {
        Ok(report) => format!("accepted: {report:?}"),
        Err(error) => error.to_string(),
    }
}
