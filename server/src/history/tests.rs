//! Written records are read back unchanged, and an error names the invalid line.

use super::*;
use ::lines::{FileLines, Limits, Line, Lines, TestSets};
use domain::{Count, Percentage, Timestamp};
use std::io::{self, BufReader};
use store::{HistoryRecord, NewLines, StoredReport};

const NOW: Timestamp = Timestamp(1_800_000_000_000_000);

fn record() -> HistoryRecord {
    HistoryRecord {
        repository: "acme/platform/payments".parse().expect("a repository"),
        branch: "feature/x".parse().expect("a branch"),
        commit: "9be01d2".parse().expect("a commit"),
        author: "Zoë".parse().expect("an author"),
        language: "rust".parse().expect("a language"),
        percentage: Percentage::from_basis_points(7_200),
        lines: Some(Count {
            covered: 72,
            total: 100,
        }),
        branches: None,
        functions: None,
        report_format: "cobertura".to_owned(),
        created_at: Timestamp(1_775_409_359_624_890),
        updated_at: Timestamp(1_775_409_360_000_000),
        superseded_at: None,
        unconfirmed_at: None,
        line_states: None,
        sources: Vec::new(),
        chain: None,
        report: None,
    }
}

fn written(format: HistoryFormat, records: &[HistoryRecord]) -> String {
    let mut file = Vec::new();
    let mut writer = HistoryWriter::start(format, &mut file).expect("a file");
    for record in records {
        writer.write(record).expect("a line");
    }
    writer.finish().expect("a file");
    String::from_utf8(file).expect("a text")
}

fn read_all(format: HistoryFormat, file: &str) -> Result<Vec<HistoryRecord>, String> {
    let records = read(format, file.as_bytes(), NOW);
    records
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())
}

#[test]
fn an_exported_file_round_trips_with_any_names() {
    let mut records = vec![record()];
    for odd in [
        "=1+1",
        "-x",
        "'=1",
        "''",
        "@a,\"b\"",
        "a\u{202e}b 🦀",
        "it's",
    ] {
        let mut record = record();
        record.branch = odd.parse().expect("a branch");
        record.author = odd.parse().expect("an author");
        record.superseded_at = Some(Timestamp(1_775_409_361_000_001));
        record.unconfirmed_at = (odd == "it's").then_some(Timestamp(1_775_409_361_000_002));
        record.functions = Some(Count {
            covered: 0,
            total: u64::try_from(i64::MAX).expect("a count"),
        });
        records.push(record);
    }
    for format in [HistoryFormat::Ndjson, HistoryFormat::Csv] {
        let file = written(format, &records);
        assert_eq!(read_all(format, &file), Ok(records.clone()), "{file}");
    }
}

fn with_lines() -> HistoryRecord {
    let mut lines = Lines::default();
    let file = FileLines::from_iter([
        (Line::new(1, 7, false), None),
        (Line::new(3, 0, false), None),
    ]);
    lines.add("src/tax.rs", file);
    let of_file = [("src/tax.rs".into(), vec![(1, 0)])];
    let tests = TestSets::of(vec!["test_tax".into()], of_file, &Limits::default());
    let tests = tests.expect("few tests");
    let line_states = NewLines {
        covered: 1,
        coverable: 2,
        encoded: lines.encode(&Limits::default()).expect("few lines"),
        branches: None,
        tests: Some(tests.encode(&Limits::default()).expect("few tests")),
    };
    HistoryRecord {
        line_states: Some(line_states),
        ..record()
    }
}

#[test]
fn an_exported_file_keeps_the_state_of_every_line_and_the_html_report() {
    let report = StoredReport {
        key: "0123456789abcdef0123456789abcdef".to_owned(),
        start_page: Some("html/index.html".to_owned()),
        bytes: 0,
    };
    let with_report = HistoryRecord {
        report: Some(report),
        ..with_lines()
    };
    let records = [with_report, with_lines(), record()];
    let file = written(HistoryFormat::Ndjson, &records);
    assert_eq!(read_all(HistoryFormat::Ndjson, &file), Ok(records.to_vec()));
}

#[test]
fn lines_that_cannot_be_read_are_refused() {
    let good = written(HistoryFormat::Ndjson, &[with_lines()]);
    let start = good.find("\"lines\":").expect("lines");
    for (lines, wrong) in [
        ("7", "line 1: lines must be a text of base64"),
        ("\"%\"", "line 1: lines must be base64"),
        (
            "\"aGVsbG8=\"",
            "line 1: lines: these are no lines of a version",
        ),
        ("\"Q1ZMAQAAAAAA\"", "line 1: lines: the lines are damaged"),
    ] {
        let bad = format!("{}\"lines\":{lines}}}", &good[..start]);
        let error = read_all(HistoryFormat::Ndjson, &bad).expect_err("no record");
        assert!(error.starts_with(wrong), "{error}");
    }
}

#[test]
fn a_report_key_that_is_a_path_is_refused() {
    let good = written(HistoryFormat::Ndjson, &[record()]);
    let bad = good.replacen(
        '{',
        r#"{"report_key":"../../../../../../../etc/passwd","#,
        1,
    );
    let error = read_all(HistoryFormat::Ndjson, &bad).expect_err("no record");
    assert_eq!(error, "line 1: report_key must be 32 hexadecimal digits");
}

#[test]
fn a_line_has_the_fields_of_the_api() {
    assert_eq!(
        written(HistoryFormat::Ndjson, &[record()]),
        r#"{"org_name":"acme/platform","repo_name":"payments","branch_name":"feature/x","commit_hash":"9be01d2","commit_author":"Zoë","language":"rust","percentage":72.00,"lines_covered":72,"lines_total":100,"report_format":"cobertura","created_at":"2026-04-05T17:15:59.624890+00:00","updated_at":"2026-04-05T17:16:00.000000+00:00"}"#
            .to_owned()
            + "\n"
    );
}

#[test]
fn the_columns_that_other_tools_know_are_enough() {
    let file = "org_name,repo_name,branch_name,commit_hash,language,lines_covered,lines_total,created_at,their_own\r\n\
                acme,web,main,c1,go,1,3,2024-02-29,x\r\n";
    let records = read_all(HistoryFormat::Csv, file).expect("records");
    let [record] = records.as_slice() else {
        panic!("{records:?}");
    };
    assert_eq!(record.percentage.to_string(), "33.33");
    assert_eq!(record.author.as_str(), "unknown");
    assert_eq!(record.created_at, Timestamp(1_709_164_800_000_000));
    assert_eq!(record.updated_at, record.created_at);
}

#[test]
fn a_percentage_may_have_more_decimals_than_are_stored() {
    let read = |percentage: &str| {
        let file = format!(
            "org_name,repo_name,branch_name,commit_hash,language,percentage,created_at\nacme,web,main,c,go,{percentage},2024-01-01\n"
        );
        let records = read_all(HistoryFormat::Csv, &file)?;
        Ok::<_, String>(records[0].percentage.to_string())
    };
    for (written, kept) in [
        ("66.667", "66.67"),
        ("99.99999999999999999", "99.99"),
        ("0.0000001", "0.01"),
        ("0", "0.00"),
        ("100.000", "100.00"),
        ("7.5", "7.50"),
    ] {
        assert_eq!(read(written), Ok(kept.to_owned()), "{written}");
    }
    for wrong in [
        "100.0001",
        "-1",
        "1e2",
        "1,5",
        ".",
        "٣",
        "99999999999999999999",
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_file_with_other_separators_gets_its_own_error() {
    let error =
        read_all(HistoryFormat::Csv, "org_name;repo_name\nacme;web\n").expect_err("no file");
    assert!(error.contains("with commas between them"), "{error}");
}

#[test]
fn an_invalid_line_is_named_with_its_error() {
    let good = written(HistoryFormat::Ndjson, &[record()]);
    for (from, to, wrong) in [
        ("\"acme/platform\"", "\"../etc\"", "org_name must"),
        ("72.00", "101", "percentage must be a number from 0 to 100"),
        ("72.00", "\"NaN\"", "percentage must be"),
        (
            "\"lines_total\":100",
            "\"lines_total\":10",
            "lines_covered must not be more",
        ),
        (
            "\"lines_total\":100,",
            "",
            "lines_covered and lines_total belong together",
        ),
        (
            "2026-04-05T17:15:59.624890+00:00",
            "yesterday",
            "created_at must be a time",
        ),
        (
            "2026-04-05T17:15:59.624890+00:00",
            "2999-01-01",
            "created_at is in the future",
        ),
        (
            "2026-04-05T17:15:59.624890+00:00",
            "1969-01-01",
            "created_at is before 1970",
        ),
        (
            "2026-04-05T17:16:00.000000+00:00",
            "2020-01-01",
            "updated_at must not be before",
        ),
        (
            "\"updated_at\"",
            "\"superseded_at\":\"2024-01-01\",\"updated_at\"",
            "superseded_at must not be before updated_at",
        ),
        (
            "\"updated_at\"",
            "\"unconfirmed_at\":\"2024-01-01\",\"updated_at\"",
            "unconfirmed_at needs superseded_at",
        ),
        ("\"cobertura\"", "\"Co bertura\"", "report_format must be"),
        ("\"language\":\"rust\",", "", "language is missing"),
        ("{", "[", "must be a JSON object"),
    ] {
        let bad = good.replacen(from, to, 1);
        let error =
            read_all(HistoryFormat::Ndjson, &format!("{good}\n{bad}")).expect_err("no record");
        assert!(error.starts_with(&format!("line 3: {wrong}")), "{error}");
    }
}

#[test]
fn an_endless_line_does_not_fill_memory() {
    let endless = BufReader::new(io::repeat(b'x'));
    let error = read(HistoryFormat::Ndjson, endless, NOW).next();
    let error = error.expect("a line").expect_err("no record").to_string();
    assert_eq!(error, "line 1: must have at most 223761748 bytes");
    let endless = "x".repeat(1 << 20);
    let error =
        read_all(HistoryFormat::Csv, &format!("org_name\r\n\"{endless}")).expect_err("no record");
    assert_eq!(error, "line 2: must have at most 65536 bytes");
}
