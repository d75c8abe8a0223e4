//! Reports that were cut off or damaged.

use std::path::Path;

use formats::ErrorKind;

use crate::{fixture, fixtures, message, read, read_in_pieces, read_with_lines};

/// Returns whether `start`, the first part of a report, is a valid report.
///
/// Line formats without an end marker may end after any record: LCOV after `end_of_record`, with or without the line end,
/// and a Go profile after any line end.
fn may_end(path: &Path, start: &[u8], whole: &[u8]) -> bool {
    let folder = path.parent().and_then(Path::file_name).expect("a folder");
    match folder.to_str() {
        Some("lcov") => start.trim_ascii_end().ends_with(b"\nend_of_record"),
        Some("go") => start.ends_with(b"\n"),
        _ => start.len() >= whole.trim_ascii_end().len(),
    }
}

#[test]
fn a_coverage_file_cut_off_at_any_byte_is_refused() {
    for path in fixtures() {
        let whole = std::fs::read(&path).expect("a fixture");
        assert!(may_end(&path, &whole, &whole), "{}", path.display());
        for cut in 0..whole.len() {
            let outcome = read(&whole[..cut]);
            assert_eq!(
                outcome.is_ok(),
                may_end(&path, &whole[..cut], &whole),
                "{} cut at {cut}: {outcome:?}",
                path.display()
            );
        }
        assert!(read(&whole).is_ok(), "{}", path.display());
    }
}

#[test]
fn a_utf_16_coverage_file_cut_off_at_any_byte_is_refused() {
    for name in ["jacoco/gcovr.xml", "istanbul/nyc.json", "lcov/lcov.info"] {
        let text = String::from_utf8(fixture(name)).expect("UTF-8");
        let units = text.trim_end().encode_utf16();
        let whole: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
        assert!(read(&whole).is_ok(), "{name}");
        for cut in 0..whole.len() {
            assert!(read(&whole[..cut]).is_err(), "{name} cut at {cut}");
        }
    }
}

#[test]
fn a_file_cut_off_after_its_totals_is_refused_with_the_missing_part() {
    let text = String::from_utf8(fixture("cobertura/coverage-py.xml")).expect("UTF-8");
    let end = text.find("\t\t\t\t</class>").expect("a class");
    assert_eq!(
        message(&text[..end]),
        "cobertura: line 31, byte 1224, in <class>: expected </class>, but the file ends"
    );
    let end = text.find("hits=\"0\"").expect("a line") + 3;
    assert_eq!(
        message(&text[..end]),
        "cobertura: line 16, byte 750, in <lines>: expected </lines>, but the file ends"
    );
    for (name, cut, expected) in [
        (
            "istanbul/nyc-summary.json",
            "{\"total\":13",
            "the end of the JSON",
        ),
        ("lcov/gcovr.info", "DA:28", "end_of_record"),
        ("go/set.out", " 1 0\n", "the end of the line"),
    ] {
        let text = String::from_utf8(fixture(name)).expect("UTF-8");
        let end = text.find(cut).expect(cut);
        let message = message(&text[..end + 3]);
        let expected = format!("expected {expected}, but the file ends");
        assert!(message.ends_with(&expected), "{name}: {message}");
    }
    let end = text.find("Generated").expect("a comment");
    assert_eq!(
        message(&text[..end]),
        "cobertura: line 3, byte 207, in <coverage>: expected </coverage>, but the file ends"
    );
}

#[test]
fn an_error_has_format_line_and_offset() {
    let error = read("<coverage line-rate='1'>\n<packages>\n").expect_err("cut off");
    assert!(
        error
            .to_string()
            .starts_with("cobertura: line 3, byte 36, ")
    );
    let place = formats::Position {
        line: 3,
        offset: 36,
    };
    assert_eq!(error.position(), place);
    assert!(matches!(error.kind(), ErrorKind::CutOff { .. }));
}

#[test]
fn an_error_names_the_element_member_or_record_it_is_in() {
    for (report, element) in [
        (
            "<coverage line-rate='1'>\n<packages>\n",
            Some(", in <packages>: "),
        ),
        (
            "{\"command_name\": \"RSpec\", \"files\": [",
            Some(", in \"files\": "),
        ),
        ("TN:\nSF:a.c\nDA:1,1\n", Some(", in SF:a.c: ")),
        ("<coverage line-rate='1'/>x", None),
    ] {
        let error = read(report).expect_err(report);
        let text = error.to_string();
        let is_named = element.is_some_and(|element| text.contains(element));
        assert_eq!(is_named, text.contains(", in "), "{error}");
        assert_eq!(is_named, element.is_some(), "{error}");
    }
}

#[test]
fn a_coverage_file_in_pieces_of_any_size_reads_the_same() {
    for path in fixtures() {
        let whole = std::fs::read(&path).expect("a fixture");
        let report = read(&whole).expect("a report");
        for size in [1, 2, 3, 5, 64] {
            let same = read_in_pieces(&whole, size).expect("a report");
            assert_eq!(same, report, "{} by {size}", path.display());
        }
    }
}

#[test]
fn no_damaged_byte_causes_a_panic_or_hang() {
    for name in [
        "cobertura/nyc.xml",
        "jacoco/gcovr.xml",
        "clover/nyc.xml",
        "sonarqube-generic/xccov.xml",
        "phpunit-xml/phpunit-4.xml",
        "scoverage/scoverage-debug.xml",
        "bullseye/covxml-8.xml",
        "ctc/ctcreport-project.xml",
        "opencover/no-summary.xml",
        "visual-studio/code-coverage.xml",
        "dotcover/plain.xml",
        "ncover/altcover.xml",
        "istanbul/wrapped.json",
        "coverage-py-json/coverage-py-5-branch.json",
        "llvm-json/llvm-cov.json",
        "simplecov/resultset-old.json",
        "coveralls/coveralls-python.json",
        "lcov/nyc.info",
        "go/merged.out",
    ] {
        let whole = fixture(name);
        for at in 0..whole.len() {
            for spoilt in [
                0, b'<', b'>', b'"', b'&', b'!', b'[', b'9', b'\n', 0xC3, 0xFF,
            ] {
                let mut report = whole.clone();
                report[at] = spoilt;
                let _ = read_with_lines(&report);
            }
        }
    }
}

#[test]
fn covered_never_exceeds_the_total() {
    let whole = String::from_utf8(fixture("cobertura/nyc.xml")).expect("UTF-8");
    let spoilt = whole.replace("lines-covered=\"10\"", "lines-covered=\"14\"");
    let report = read(spoilt).expect("its rate is good");
    assert_eq!(report.total.basis_points(), 7692);
    assert_eq!(
        report.warnings.first().map(ToString::to_string).as_deref(),
        Some(
            "the coverage file states 14 covered of 13, which is impossible, so these counts were not used"
        )
    );
}
