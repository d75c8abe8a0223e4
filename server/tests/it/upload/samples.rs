//! Real archives of real tools, uploaded as a CI job does and compared with the percentages that the tools state.
//!
//! `COVERAGE_SAMPLE_REPORTS` names a folder with archives and an `EXPECTED.tsv`. Without it only the small fixtures of
//! this repository are tested.

#![expect(
    clippy::print_stdout,
    reason = "a test that tried nothing has to say so"
)]

use crate::{
    harness::{Archive, Reachable, TestServer, Upload},
    upload::explanation::assert_adds_up,
};
use reqwest::Url;
use std::path::Path;

#[tokio::test(flavor = "multi_thread")]
async fn sample_coverage_files_have_the_percentage_their_tools_state() {
    let Some(folder) = std::env::var_os("COVERAGE_SAMPLE_REPORTS") else {
        println!("COVERAGE_SAMPLE_REPORTS is not set: no sample reports were tried");
        return;
    };
    let folder = Path::new(&folder);
    let table = std::fs::read_to_string(folder.join("EXPECTED.tsv")).unwrap();
    let server = TestServer::start().await;
    let (mut tried, mut ids) = (0, Vec::new());
    for row in table.lines().skip(1) {
        let [name, archive, language, xml, format, expected, ..] =
            row.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("a row of EXPECTED.tsv with too few columns: {row}");
        };
        let body = std::fs::read(folder.join(archive)).unwrap();
        let archive_bytes = body.len();
        let upload = Upload::of(body)
            .with("repo_name", name)
            .with("commit_hash", format)
            .with("coverage_xml_file_name", xml);
        if expected != "refused" {
            let answer = upload.with("language", language).accepted(&server).await;
            let (got, expected) = (
                answer["coverage"]["percentage"].as_f64().unwrap(),
                expected.parse::<f64>().unwrap(),
            );
            assert!(
                (got - expected).abs() < 0.0101,
                "{name} {xml}: {got} instead of {expected}"
            );
            let report = server
                .get(&format!("/reports/{}/", answer["coverage"]["id"]))
                .await;
            assert_eq!(report.status(), 200, "{name} has no start page");
            let id = answer["coverage"]["id"].as_i64().unwrap();
            ids.push(id);
            check_lines(
                &server,
                &format!("{name} {xml}"),
                id,
                expected,
                archive_bytes,
            )
            .await;
            tried += 1;
        } else {
            assert_eq!(
                upload.send(&server).await.status(),
                422,
                "{name} {xml} of the format {format}"
            );
        }
    }
    check_explanations(&server, &ids).await;
    println!("{tried} sample reports have their percentages");
    assert!(tried > 0, "EXPECTED.tsv names no report of a known format");
}

/// Compares each record with each other record: the explanation of the difference adds up to the last digit.
async fn check_explanations(server: &TestServer, ids: &[i64]) {
    let (mut explained, mut refused) = (0, 0);
    for base in ids {
        for head in ids.iter().filter(|head| *head > base) {
            let path = format!("/coverages-api/records/{head}/explanation?base={base}");
            let answer = server.get(&path).await;
            if answer.status() == 404 {
                // One of the two states no counts.
                refused += 1;
                continue;
            }
            assert_adds_up(&answer.json().await.unwrap());
            explained += 1;
        }
    }
    println!("{explained} pairs are explained, {refused} have no counts");
    assert!(explained > refused, "most pairs have counts");
}

/// Counts the lines of the exported LCOV file, and compares them with the percentage that the tool states.
async fn check_lines(server: &TestServer, name: &str, id: i64, percentage: f64, archive: usize) {
    let path = format!("/coverages-api/records/{id}/report.lcov");
    let lcov = server.get(&path).await;
    if lcov.status() == 404 {
        println!("{name}: no lines");
        return;
    }
    let lcov = lcov.text().await.unwrap();
    check_pages(server, name, id, &lcov).await;
    let hits: Vec<_> = lcov
        .lines()
        .filter_map(|line| line.strip_prefix("DA:")?.split(',').nth(1))
        .collect();
    if hits.is_empty() {
        println!("{name}: nothing to cover, stated as {percentage} %");
        return;
    }
    let covered = hits.iter().filter(|hits| **hits != "0").count();
    let counted = covered as f64 * 100.0 / hits.len() as f64;
    let stored: i64 =
        sqlx::query_scalar("select length(lines) from record_lines where record_id = $1")
            .bind(id)
            .fetch_one(&mut server.database().await)
            .await
            .unwrap();
    let share = stored as f64 * 100.0 / archive as f64;
    println!(
        "{name}: {covered} of {} lines, {counted:.2} %, {stored} bytes, {share:.2} % of the archive",
        hits.len()
    );
    // Some tools cut the second decimal.
    let is_stated = (counted - percentage).abs() < 0.0101;
    assert!(is_stated, "{name}: {counted} instead of {percentage}");
    if archive >= 100_000 {
        assert!(share <= 1.5, "{name}: the lines take {share:.2} %");
    }
}

/// The most files of a report whose pages are looked up.
const MOST_PAGES: usize = 25;

/// Looks up the pages of files in the HTML report. Each must be about its file.
async fn check_pages(server: &TestServer, name: &str, id: i64, lcov: &str) {
    let start = server.get(&format!("/reports/{id}/")).await;
    let start = start.url().clone();
    let files = lcov.lines().filter_map(|line| line.strip_prefix("SF:"));
    // cargo-llvm-cov writes no page of the standard library.
    let files: Vec<_> = files.filter(|path| !path.starts_with("/usr/")).collect();
    let step = files.len().div_ceil(MOST_PAGES).max(1);
    let (mut found, mut asked) = (0, 0);
    for path in files.iter().step_by(step) {
        asked += 1;
        let mut address = server
            .url(&format!("/reports/{id}/"))
            .parse::<Url>()
            .unwrap();
        address.query_pairs_mut().append_pair("source", path);
        let page = server.client().get(address).send().await.unwrap();
        if page.url() == &start {
            continue;
        }
        // Old releases of coverage.py name modules.
        let file = path.rsplit('/').next().unwrap();
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let html = page.text().await.unwrap();
        assert!(
            html.contains(stem),
            "{name}: the page of {path} is about another file"
        );
        found += 1;
    }
    println!("{name}: {found} of {asked} files have a page");
    // Go writes one page for all files.
    assert!(
        found == asked || name.starts_with("go-"),
        "{name}: {found} of {asked}"
    );
}

#[tokio::test]
async fn the_fixtures_of_this_repository_are_accepted() {
    let server = TestServer::start().await;
    let formats = Path::new(env!("CARGO_MANIFEST_DIR")).join("formats/testdata");
    for format in formats::Format::ALL {
        for fixture in std::fs::read_dir(formats.join(format.name())).unwrap() {
            let path = fixture.unwrap().path();
            let file = path.file_name().unwrap().to_str().unwrap();
            if path
                .extension()
                .is_some_and(|extension| extension == "expected")
            {
                continue;
            }
            let archive = Archive::new().file(file, std::fs::read(&path).unwrap());
            Upload::of(archive.tar_gz())
                .with("repo_name", file)
                .with("commit_hash", format.name())
                .with("coverage_xml_file_name", file)
                .accepted(&server)
                .await;
        }
    }
}
