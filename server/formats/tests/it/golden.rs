//! Compares the result of reading each report in `testdata` with its expectation.
//!
//! `testdata/<format>/<case>.<extension>` has its expectation in `<case>.expected`. `UPDATE_EXPECTED=1` writes the expectations
//! again: compare the totals with the totals that the tools stated (`testdata/README.md`).

use std::fmt::Write;
use std::fs;

use formats::{BranchName, Count, Counters, Coverage, Format, Report, Tool};

use crate::{fixtures, read_with_lines};

#[test]
fn every_fixture_reads_as_expected() {
    #[expect(clippy::disallowed_methods, reason = "a test has no arguments")]
    let update = std::env::var_os("UPDATE_EXPECTED").is_some();
    for path in fixtures() {
        let report = read_with_lines(fs::read(&path).expect("a fixture"))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (found, expectation) = (shown(&report), path.with_extension("expected"));
        if update {
            fs::write(&expectation, &found).expect("a writable folder");
        }
        let expected = fs::read_to_string(&expectation).unwrap_or_default();
        assert_eq!(found, expected, "{}", path.display());
    }
}

#[test]
fn every_fixture_has_its_folders_format_and_every_format_a_folder() {
    let mut formats = Vec::new();
    for path in fixtures() {
        let folder = path.parent().and_then(|folder| folder.file_name());
        let report = read_with_lines(fs::read(&path).expect("a fixture")).expect("a report");
        assert_eq!(
            Some(report.format.name()),
            folder.and_then(|name| name.to_str()),
            "{}",
            path.display()
        );
        formats.push(report.format);
    }
    for format in Format::ALL {
        assert!(formats.contains(format), "no fixture of {format}");
    }
}

/// The test data contains no folder of the machines on which the tools ran.
#[test]
fn no_fixture_reveals_where_it_was_made() {
    for path in fixtures() {
        let text = fs::read(&path).expect("a fixture");
        let text = String::from_utf8_lossy(&text).replace('\0', "");
        for place in ["/tmp", "/home", "/root", "/work/", "C:\\Users"] {
            assert!(!text.contains(place), "{} names {place}", path.display());
        }
    }
}

fn shown(report: &Report) -> String {
    let mut text = String::new();
    let Tool { name, version } = &report.tool;
    let basis_points = report.total.basis_points();
    let percentage = format!("{}.{:02} %", basis_points / 100, basis_points % 100);
    let total = match report.total {
        Coverage::Counts(count, counter) => format!("{} of {counter}s", fraction(count)),
        Coverage::Rate(_) => "a rate".to_owned(),
        Coverage::Empty { .. } => "nothing to cover".to_owned(),
    };
    let _ = writeln!(text, "format    {}", report.format);
    let _ = writeln!(text, "tool      {}", name.as_deref().unwrap_or("-"));
    let _ = writeln!(text, "version   {}", version.as_deref().unwrap_or("-"));
    let _ = writeln!(text, "total     {percentage}, {total}");
    let _ = writeln!(text, "counters {}", listed(&report.counters));
    for warning in &report.warnings {
        let _ = writeln!(text, "warning   {warning}");
    }
    for file in &report.files {
        let _ = writeln!(text, "\n{:?}", file.path);
        let _ = writeln!(text, "counters {}", listed(&file.counters));
        if !file.lines.is_empty() {
            let lines = file
                .lines
                .iter()
                .map(|at| format!(" {}:{}", at.line, at.hits));
            let _ = writeln!(text, "hits     {}", lines.collect::<String>());
        }
        if !file.partial.is_empty() {
            let lines = file.partial.iter().map(|at| {
                let names = |names: &[BranchName], separator: &str| {
                    let names = names.iter().map(|name| name.number().to_string());
                    let names = names.collect::<Vec<_>>().join(",");
                    let separator = if names.is_empty() { "" } else { separator };
                    format!("{separator}{names}")
                };
                let (missed, reached) = (names(&at.missed, "-"), names(&at.reached, "+"));
                format!(" {}:{}/{}{missed}{reached}", at.line, at.taken, at.total)
            });
            let _ = writeln!(text, "partial  {}", lines.collect::<String>());
        }
    }
    text
}

fn listed(counters: &Counters) -> String {
    let listed = counters
        .iter()
        .map(|(counter, count)| format!(" {counter} {}", fraction(count)));
    listed.collect::<Vec<_>>().join(",")
}

fn fraction(count: Count) -> String {
    format!("{}/{}", count.covered(), count.total())
}
