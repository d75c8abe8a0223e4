//! Coverage files of real tools, sent as codecov-cli sends them, against the percentages that the tools state.
//!
//! `COVERAGE_SAMPLE_REPORTS` names the folder, as for native uploads.

#![expect(
    clippy::print_stdout,
    reason = "a test that tried nothing has to say so"
)]

use super::{UPLOAD, payload, post, put, record, server, stated};
use serde_json::Value;
use std::{path::Path, process::Command};

#[tokio::test]
async fn sample_coverage_files_have_the_percentage_of_their_tools_through_codecovs_door() {
    let Some(folder) = std::env::var_os("COVERAGE_SAMPLE_REPORTS") else {
        println!("COVERAGE_SAMPLE_REPORTS is not set: no sample reports were tried");
        return;
    };
    let folder = Path::new(&folder);
    let table = std::fs::read_to_string(folder.join("EXPECTED.tsv")).unwrap();
    let server = server().await;
    let mut tried = 0;
    for (number, row) in table.lines().enumerate().skip(1) {
        let [name, archive, _, file, _, expected, ..] = row.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("a row of EXPECTED.tsv with too few columns: {row}");
        };
        let Ok(expected) = expected.parse::<f64>() else {
            continue;
        };
        let Some(coverage) = member(&folder.join(archive), file) else {
            continue;
        };
        // Some archives have several coverage files.
        let repository = format!("sample-{number}");
        let path = UPLOAD.replace("payments", &repository);
        let answer = post(&server, &path).json(&stated()).send().await.unwrap();
        let answer: Value = answer.json().await.unwrap();
        let address = answer["raw_upload_location"].as_str().unwrap();
        let stored = put(&server, address, payload(&[(file, &coverage)])).await;
        let (status, answer) = (stored.status(), stored.text().await.unwrap());
        assert_eq!(status, 200, "{name}: {answer}");
        let record = record(&server, &format!("acme/{repository}")).await;
        let got = record["percentage"].as_f64().unwrap();
        let is_equal = (got - expected).abs() < 0.0101;
        assert!(is_equal, "{name} {file}: {got} instead of {expected}");
        tried += 1;
    }
    println!("{tried} sample reports have their percentages");
    assert!(tried > 0, "no archive has a coverage file");
}

/// A file of an archive, if tar finds it and it is a text.
fn member(archive: &Path, file: &str) -> Option<String> {
    let mut tar = Command::new("tar");
    tar.args(["-xOzf"]).arg(archive).args(["--wildcards"]);
    let output = tar.args([file, &format!("*/{file}")]).output().unwrap();
    let text = String::from_utf8(output.stdout).ok()?;
    (!text.is_empty()).then_some(text)
}
