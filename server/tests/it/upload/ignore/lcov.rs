//! Totals with ignored files equal the totals after `lcov --remove` and `grcov --ignore`. lcov needs gcc.

#![expect(clippy::print_stdout, reason = "the test says what it did not compare")]

use super::*;
use crate::harness::is_postgres;
use std::{
    fs::{read_to_string, write},
    process::Command,
};
use tempfile::TempDir;

fn lcov(folder: &TempDir, arguments: &[&str]) {
    let options = ["--quiet", "--rc", "lcov_branch_coverage=1"];
    let output = Command::new("lcov")
        .args(options)
        .args(arguments)
        .current_dir(folder.path())
        .output();
    let output = output.unwrap_or_else(|error| {
        panic!("lcov: {error}; run the tests with scripts/with-coverage-tools.sh")
    });
    assert!(output.status.success(), "{arguments:?}: {output:?}");
}

/// Writes the files that no pattern matches. `None` without grcov, which not every system has as a package.
fn grcov(folder: &TempDir, patterns: &[&str]) -> Option<String> {
    let ignored = patterns.iter().flat_map(|pattern| ["--ignore", pattern]);
    let output = Command::new("grcov")
        .args(["all.info", "--output-type", "lcov", "--branch"])
        .args(["--output-path", "grcov.info"])
        .args(ignored)
        .current_dir(folder.path())
        .output();
    if output.is_err() {
        println!("There is no grcov: it was not compared.");
    }
    let output = output.ok()?;
    assert!(output.status.success(), "{output:?}");
    Some(read_to_string(folder.path().join("grcov.info")).unwrap())
}

/// The numbers of each repository, as the export states them.
fn numbers(server: &TestServer, repository: &str) -> Vec<Value> {
    let output = server.command(&["export"]).output().unwrap();
    let rows = String::from_utf8(output.stdout).unwrap();
    let rows = rows
        .lines()
        .map(|row| serde_json::from_str::<Value>(row).unwrap());
    let row = rows
        .into_iter()
        .find(|row| row["repo_name"] == repository)
        .unwrap();
    let counts = ["lines", "branches", "functions"];
    let fields = counts.map(|of| [format!("{of}_covered"), format!("{of}_total")]);
    let fields = fields.as_flattened().iter().map(String::as_str);
    fields
        .chain(["percentage"])
        .map(|field| row[field].clone())
        .collect()
}

/// Compares the service with both tools for pairs of a pattern here and a pattern of the tools.
async fn compare(coverage: &str, patterns: &[(&str, &str)]) {
    let folder = TempDir::new().unwrap();
    write(folder.path().join("all.info"), coverage).unwrap();
    let removed: Vec<_> = patterns.iter().map(|(_, theirs)| *theirs).collect();
    lcov(
        &folder,
        &[
            &["--remove", "all.info"],
            &removed[..],
            &["-o", "rest.info"],
        ]
        .concat(),
    );
    let rest = read_to_string(folder.path().join("rest.info")).unwrap();
    let server = TestServer::start().await;
    let ours: Vec<_> = patterns.iter().map(|(ours, _)| *ours).collect();
    let settings = format!("ignore = {ours:?}\n");
    let answer = upload("c1", coverage)
        .before("settings", settings.as_bytes())
        .accepted(&server)
        .await;
    assert!(ignored(&answer)["files"].as_u64() > Some(0), "{answer}");
    let theirs = upload("c1", &rest).with("repo_name", "theirs");
    theirs.accepted(&server).await;
    let all = upload("c1", coverage).with("repo_name", "all");
    let all = all.accepted(&server).await;
    let (ours, theirs) = (numbers(&server, "payments"), numbers(&server, "theirs"));
    assert_eq!(ours, theirs);
    if let Some(rest) = grcov(&folder, &removed) {
        let answer = upload("c1", &rest).with("repo_name", "grcov");
        answer.accepted(&server).await;
        // grcov counts taken branches in its own way.
        let [lines, functions] = [0..2, 4..6];
        let theirs = numbers(&server, "grcov");
        assert_eq!(ours[lines.clone()], theirs[lines]);
        assert_eq!(ours[functions.clone()], theirs[functions]);
    }
    let without = &ignored(&answer)["percentage_without_rules"];
    assert_eq!(without, &all["coverage"]["percentage"]);
    for (at, of) in ["covered", "total"].into_iter().enumerate() {
        let sum = ours[at].as_u64().unwrap() + ignored(&answer)[of].as_u64().unwrap();
        assert_eq!(numbers(&server, "all")[at], json!(sum), "{of}");
    }
}

#[tokio::test]
async fn totals_equal_those_of_lcov_remove_and_grcov_ignore() {
    if is_postgres() || Command::new("gcc").arg("--version").output().is_err() {
        return;
    }
    let file = |path: &str, seed: u32| {
        let lines = (1..=9).map(|line| format!("DA:{line},{}\n", (seed + line) % 3));
        let lines: String = lines.collect();
        format!(
            "SF:{path}\nFN:1,f\nFNDA:{},f\nFNF:1\nFNH:{}\nBRDA:2,0,0,{}\nBRDA:2,0,1,1\nBRF:2\nBRH:{}\n{lines}end_of_record\n",
            seed % 2,
            seed % 2,
            seed % 2,
            seed % 2 + 1
        )
    };
    let paths = [
        "src/a.c",
        "src/b.pb.c",
        "gen/c.c",
        "gen/deep/d.c",
        "lib/gen.c",
        "lib/e/f.pb.c",
    ];
    let files = (0..).zip(paths).map(|(seed, path)| file(path, seed));
    let patterns = [("gen/**", "gen/*"), ("**/*.pb.c", "*.pb.c")];
    compare(&files.collect::<String>(), &patterns).await;
    let Some(samples) = std::env::var_os("COVERAGE_SAMPLE_REPORTS") else {
        return;
    };
    let archive = std::path::Path::new(&samples).join("c-lcov-zlib.tar.gz");
    let unpacked = Command::new("tar")
        .arg("-xzOf")
        .args([archive.as_os_str(), "build/coverage.info".as_ref()])
        .output()
        .unwrap();
    let coverage = String::from_utf8(unpacked.stdout).unwrap();
    compare(
        &coverage,
        &[("**/inf*.c", "*/inf*.c"), ("**/gz*.c", "*/gz*.c")],
    )
    .await;
}
