//! Reads coverage reports and prints a line for each: `cargo run -p formats --example totals FILE…`

#![allow(clippy::print_stdout)]

use std::fs::File;

use formats::{Coverage, Limits, read};

fn main() {
    for path in std::env::args().skip(1) {
        let outcome = match File::open(&path).map(|file| read(file, &Limits::default())) {
            Err(error) => error.to_string(),
            Ok(Err(error)) => error.to_string(),
            Ok(Ok(report)) => {
                let basis_points = report.total.basis_points();
                let counts = match report.total {
                    Coverage::Counts(count, of) => {
                        format!("{} of {} {of}s", count.covered(), count.total())
                    }
                    Coverage::Rate(_) => "stated as a rate".to_owned(),
                    Coverage::Empty { .. } => "nothing to cover".to_owned(),
                };
                let files = report.files.len();
                let warnings = report.warnings.iter().map(|warning| format!("; {warning}"));
                format!(
                    "{} {}.{:02} % ({counts}, {files} files){}",
                    report.format,
                    basis_points / 100,
                    basis_points % 100,
                    warnings.collect::<String>()
                )
            }
        };
        println!("{path}: {outcome}");
    }
}
