//! Which tests ran which lines, in answers.

use super::lines::refused;
use crate::harness::{Archive, Reachable, TestServer, Upload};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};
use tempfile::TempDir;

fn upload(name: &'static str, text: impl Into<Vec<u8>>) -> Upload {
    let archive = Archive::new().file(name, text.into());
    Upload::of(archive.tar_gz()).with("coverage_xml_file_name", name)
}

#[tokio::test]
async fn missing_tests_files_and_parameters_have_codes_of_their_own() {
    let server = TestServer::start().await;
    let lcov = |test: &str| format!("TN:{test}\nSF:a.c\nDA:1,1\nend_of_record\n");
    let both = [lcov("one"), lcov("two")].concat();
    upload("lcov.info", both).accepted(&server).await;
    let without = upload("lcov.info", lcov("")).with("commit_hash", "c2");
    without.accepted(&server).await;
    let of = |rest: &str| format!("/coverages-api/records/{rest}");
    for (path, status, code) in [
        ("1/tests?path=b.c&line=1", 404, "no_such_file"),
        ("2/tests?path=a.c&line=1", 404, "no_tests"),
        ("2/tests", 404, "no_tests"),
        ("7/tests", 404, "not_found"),
        ("1/tests?path=a.c", 422, "invalid_parameter"),
        ("1/tests?line=1", 422, "invalid_parameter"),
        ("1/tests?path=a.c&line=0", 422, "invalid_parameter"),
    ] {
        assert_eq!(
            refused(&server, &of(path)).await,
            (status, json!(code)),
            "{path}"
        );
    }
    assert!(
        server
            .get_text("/records/2/tests")
            .await
            .contains("No tests")
    );
}

fn run(folder: &Path, program: &str, arguments: &[&str]) {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output();
    let output = output.unwrap_or_else(|error| {
        panic!("{program}: {error}; run the tests with scripts/with-coverage-tools.sh")
    });
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {output:?}"
    );
}

/// The pairs of line and test in coverage.py's JSON, by file.
fn pairs(report: &Value) -> BTreeMap<String, BTreeMap<u32, BTreeSet<String>>> {
    let files = report["files"].as_object().unwrap();
    let files = files.iter().map(|(path, file)| {
        let contexts = file["contexts"].as_object().unwrap().iter();
        let lines = contexts.map(|(line, tests)| {
            let tests = tests
                .as_array()
                .unwrap()
                .iter()
                .map(|test| test.as_str().unwrap());
            let tests = tests.filter(|test| !test.is_empty()).map(str::to_owned);
            (line.parse().unwrap(), tests.collect())
        });
        (path.clone(), lines.collect())
    });
    files.collect()
}

#[tokio::test]
async fn every_pair_is_in_the_json_of_coverage_py() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let code = "RATE = 7\n\n\ndef fee(amount, member=False):\n    if member:\n        return 0\n    total = sum(\n        [\n            amount,\n            RATE,\n        ]\n    )\n    return total\n\n\ndef idle():\n    return 1\n";
    let tests = "import pytest\nfrom fee import fee\n\n\n@pytest.fixture\ndef amount():\n    return fee(1)\n\n\ndef test_member(amount):\n    assert fee(amount, True) == 0\n\n\n@pytest.mark.parametrize('n', [1, 2, 3])\ndef test_fee(n):\n    assert fee(n) == n + 7\n";
    fs::write(folder.join("fee.py"), code).unwrap();
    fs::write(folder.join("test_fee.py"), tests).unwrap();
    run(
        folder,
        "pytest",
        &["-q", "--cov=.", "--cov-context=test", "--cov-report="],
    );
    run(
        folder,
        "coverage",
        &["json", "--show-contexts", "-o", "coverage.json"],
    );
    let json = fs::read(folder.join("coverage.json")).unwrap();
    let expected = pairs(&serde_json::from_slice(&json).unwrap());
    let server = TestServer::start().await;
    upload("coverage.json", json).accepted(&server).await;
    let mut compared = 0;
    for (path, lines) in &expected {
        for (line, tests) in lines {
            let address = format!("/coverages-api/records/1/tests?path={path}&line={line}");
            let found = server.get_json(&address).await;
            assert_eq!(found["tests"], json!(tests), "{path}:{line}");
            compared += tests.len();
        }
    }
    assert!(compared > 20, "{compared} pairs");
}

const PHPUNIT: &str =
    "<?xml version=\"1.0\"?>\n<phpunit xmlns=\"https://schema.phpunit.de/coverage/1.0\">\n";

/// An XML file of PHPUnit about `src/Rules/Word.php`, with these lines.
fn word(lines: &str) -> String {
    format!(
        "{PHPUNIT}<file name=\"Word.php\" path=\"/Rules\"><coverage>{lines}</coverage><source/></file></phpunit>"
    )
}

/// A Clover file with its HTML page, as PHPUnit writes them beside its XML.
fn clover() -> Archive {
    let file = |name: &str| {
        format!(
            "<file name=\"/w/src/{name}\"><line num=\"14\" type=\"stmt\" count=\"2\"/><line num=\"19\" type=\"stmt\" count=\"0\"/></file>"
        )
    };
    let files = file("Rules/Word.php") + &file("Top.php");
    let clover = format!("<coverage generated=\"1\"><project>{files}</project></coverage>");
    Archive::new()
        .file("html/index.html", "<p>")
        .file("clover.xml", clover)
}

fn named(archive: Archive, coverage_file: &str) -> Upload {
    let upload = Upload::of(archive.tar_gz()).with("coverage_xml_file_name", coverage_file);
    upload.with("summary", "1")
}

#[tokio::test]
async fn tests_in_the_xml_of_phpunit_belong_to_the_lines_of_its_clover_file() {
    let server = TestServer::start().await;
    let covered = "<line nr=\"14\"><covered by=\"WordTest::testIt with data set &quot;a&quot;\"/><covered by=\"T::b\" count=\"3\"/></line>";
    let index = format!(
        "{PHPUNIT}<build/><project source=\"/w/src\"><tests/><directory name=\"/\"><totals><lines executable=\"4\" executed=\"2\"/></totals></directory></project></phpunit>"
    );
    let run = |archive: Archive| {
        archive
            .file("xml/Rules/Word.php.xml", word(covered))
            .file("xml/index.xml", &index)
    };
    let answer = named(run(clover()), "clover.xml").accepted(&server).await;
    assert_eq!(answer["summary"]["notices"], json!([]));
    let of = |rest: &str| format!("/coverages-api/records/{rest}");
    let found = server
        .get_json(&of("1/tests?path=Rules/Word.php&line=14"))
        .await;
    let both = json!(["T::b", "WordTest::testIt with data set \"a\""]);
    assert_eq!((&found["tests"], &found["of"]), (&both, &json!(2)));
    let missed = of("1/tests?path=Rules/Word.php&line=19");
    assert_eq!(server.get_json(&missed).await["tests"], json!([]));

    let by_index = named(run(Archive::new()), "index.xml").with("commit_hash", "c2");
    let told = by_index.accepted(&server).await["summary"]["notices"].to_string();
    assert!(told.contains("Name the Clover file"), "{told}");
    assert_eq!(refused(&server, &of("2/tests")).await.1, json!("no_tests"));
}

#[tokio::test]
async fn hostile_xml_in_the_place_of_phpunits_costs_only_its_tests() {
    let server = TestServer::start().await;
    let many: String = (0..1_000_000)
        .map(|test| format!("<covered by=\"T{test}\"/>"))
        .collect();
    let one = "<line nr=\"14\"><covered by=\"T\"/></line>";
    let long = format!(
        "<line nr=\"14\"><covered by=\"{}\"/></line>",
        "x".repeat(2 << 20)
    );
    let deep = "<file name=\"a\" path=\"/\"><coverage><line nr=\"14\">".repeat(5_000);
    let mut latin = word(&one.replace('T', "?")).into_bytes();
    latin
        .iter_mut()
        .filter(|byte| **byte == b'?')
        .skip(2)
        .for_each(|byte| *byte = 0xFC);
    for (place, (content, of, told)) in [
        (
            word(&format!("<line nr=\"14\">{many}</line>")).into_bytes(),
            None,
            "",
        ),
        (word(&long).into_bytes(), None, "cannot be read"),
        (
            format!("{PHPUNIT}{deep}").into_bytes(),
            None,
            "cannot be read",
        ),
        (
            word(one).replace("Word", "Other").into_bytes(),
            None,
            "Rules/Other.php",
        ),
        (latin, Some("ü"), ""),
    ]
    .into_iter()
    .enumerate()
    {
        let archive = clover().file("xml/Rules/a.xml", content);
        let upload = named(archive, "clover.xml").with("commit_hash", &format!("c{place}"));
        let answer = upload.accepted(&server).await;
        let notices = answer["summary"]["notices"].to_string();
        assert!(notices.contains(told), "{place}: {notices}");
        assert_eq!(notices == "[]", told.is_empty(), "{place}: {notices}");
        let address = format!(
            "/coverages-api/records/{}/tests?path=Rules/Word.php&line=14",
            place + 1
        );
        match of {
            Some(test) => assert_eq!(server.get_json(&address).await["tests"], json!([test])),
            None => assert_eq!(refused(&server, &address).await.1, json!("no_tests")),
        }
    }
}
