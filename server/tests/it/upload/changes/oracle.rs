//! Changed lines equal the changed lines of diff-cover: in generated repositories with real coverage runs.
//!
//! coverage.py and diff-cover are required; `scripts/with-coverage-tools.sh` installs them.

mod projects;
mod repository;

use super::*;
use crate::harness::is_postgres;
use repository::Generated;
use serde_json::Map;
use std::{collections::BTreeMap, fs::read, ops::Range, path::Path, process::Command};

/// The changed lines of a file.
#[derive(Debug, Default, PartialEq, Eq)]
struct Changed {
    coverable: usize,
    missed: Vec<u64>,
    /// Missed and partial lines.
    not_complete: Vec<u64>,
}

fn output(folder: &Path, program: &str, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output();
    let output = output.unwrap_or_else(|error| {
        panic!("{program}: {error}; run the tests with scripts/with-coverage-tools.sh")
    });
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {output:?}"
    );
    output.stdout
}

/// The files with coverable changed lines, as diff-cover states them.
fn of_diff_cover(folder: &Path, base: &str) -> BTreeMap<String, Changed> {
    let compare = format!("--compare-branch={base}");
    let stats = |json: &str, arguments: &[&str]| -> Map<String, Value> {
        let format = format!("json:{json}");
        // The measured tree against the base itself, not against a common ancestor.
        let first = [
            "coverage.xml",
            &compare,
            "--diff-range-notation=..",
            "--format",
            &format,
        ];
        output(folder, "diff-cover", &[&first[..], arguments].concat());
        let report: Value = serde_json::from_slice(&read(folder.join(json)).unwrap()).unwrap();
        report["src_stats"].as_object().unwrap().clone()
    };
    let numbers = |list: &Value| -> Vec<u64> {
        let list = list.as_array().unwrap().iter();
        list.map(|line| line.as_u64().unwrap()).collect()
    };
    let (lines, branches) = (
        stats("lines.json", &[]),
        stats("branches.json", &["--branch-coverage"]),
    );
    let files = lines.iter().map(|(path, stats)| {
        let missed = numbers(&stats["violation_lines"]);
        let changed = Changed {
            coverable: numbers(&stats["covered_lines"]).len() + missed.len(),
            missed,
            not_complete: numbers(&branches[path]["violation_lines"]),
        };
        (path.clone(), changed)
    });
    files.filter(|(_, changed)| changed.coverable > 0).collect()
}

/// The files with coverable changed lines, as the service states them.
fn of_service(changes: &Value) -> BTreeMap<String, Changed> {
    let lines = |ranges: &Value| -> Vec<u64> {
        let ranges = ranges.as_array().unwrap().iter();
        ranges
            .flat_map(|range| range[0].as_u64().unwrap()..=range[1].as_u64().unwrap())
            .collect()
    };
    let files = changes["files"].as_array().unwrap().iter().map(|file| {
        let missed = lines(&file["missed"]);
        let mut not_complete = [missed.clone(), lines(&file["partial"])].concat();
        not_complete.sort_unstable();
        let changed = Changed {
            coverable: file["coverable"].as_u64().unwrap() as usize,
            missed,
            not_complete,
        };
        (file["path"].as_str().unwrap().to_owned(), changed)
    });
    files.filter(|(_, changed)| changed.coverable > 0).collect()
}

/// Measures the files `measured` of the folder, uploads them with their change since `base`, and compares. Returns the number of
/// changed lines.
async fn compare(
    server: &TestServer,
    folder: &Path,
    measured: &str,
    (base, name): (&str, &str),
) -> usize {
    let include = format!("--include={measured}");
    output(
        folder,
        "coverage",
        &["run", "--branch", &include, "main.py"],
    );
    output(folder, "coverage", &["xml", "-o", "coverage.xml"]);
    let xml = read(folder.join("coverage.xml")).unwrap();
    let paths = output(folder, "git", &["ls-files", "-z"]);
    let diff = output(folder, "git", &["diff", "-U0", "-M", base, "HEAD"]);
    let with_context = output(folder, "git", &["diff", "-M", base, "HEAD"]);
    let expected = of_diff_cover(folder, base);
    for diff in [diff, with_context] {
        let archive = Archive::new().file("coverage.xml", &xml).tar_gz();
        let answer = Upload::of(archive)
            .with("repo_name", name)
            .with("base_commit", base)
            .before("paths", &paths)
            .after("changes", &diff)
            .accepted(server)
            .await;
        let changes = changes(server, &answer).await;
        assert_eq!(of_service(&changes), expected, "{name} since {base}");
    }
    expected.values().map(|changed| changed.coverable).sum()
}

async fn compare_generated(seeds: Range<u64>, has_moved_target: bool) {
    if is_postgres() {
        return;
    }
    let server = TestServer::start().await;
    let mut changed = 0;
    for seed in seeds.clone() {
        let generated = Generated::new(seed, has_moved_target);
        let folder = generated.folder();
        let number = compare(
            &server,
            folder,
            "src/*",
            (&generated.base, &format!("generated-{seed}")),
        )
        .await;
        changed += usize::from(number > 0);
    }
    assert!(changed as u64 > (seeds.end - seeds.start) / 2);
}

#[tokio::test]
async fn changed_lines_are_those_of_diff_cover_in_edited_and_moved_files() {
    compare_generated(0..16, false).await;
}

#[tokio::test]
async fn changed_lines_are_those_of_diff_cover_after_merges_of_a_moved_target() {
    compare_generated(16..32, true).await;
}
