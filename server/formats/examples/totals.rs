//! Reads coverage reports and prints a line for each: `cargo run -p formats --example totals FILE…`

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fs::File;

use formats::{Coverage, Limits, read};

fn main() {
    for path in std::env::args().skip(1) {
        let totals = totals(&path).unwrap_or_else(|error| error.to_string());
        println!("{path}: {totals}");
    }
}

fn totals(path: &str) -> Result<String, Box<dyn Error>> {
    let report = read(File::open(path)?, &Limits::default())?;
    let counts = match report.total {
        Coverage::Counts(count, of) => format!("{} of {} {of}s", count.covered(), count.total()),
        Coverage::Rate(_) => "stated as a rate".to_owned(),
        Coverage::Empty { .. } => "nothing to cover".to_owned(),
    };
    let (format, files) = (report.format, report.files.len());
    let points = report.total.basis_points();
    let percent = format!("{}.{:02}", points / 100, points % 100);
    let warnings = report.warnings.iter().map(|warning| format!("; {warning}"));
    let warnings: String = warnings.collect();
    Ok(format!(
        "{format} {percent} % ({counts}, {files} files){warnings}"
    ))
}
