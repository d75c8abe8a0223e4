//! The union of two parts equals the union that the coverage tool itself computes from the same two runs.
//!
//! Other tools also read the exported lines. coverage.py, lcov, nyc and pycobertura are required;
//! `scripts/with-coverage-tools.sh` installs them. gcovr and lcov need gcc.

use super::*;
use crate::{harness::is_postgres, operate::metrics::exposition::Exposition};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use std::{
    collections::BTreeMap,
    fs::{create_dir, read, write},
    path::Path,
    process::Command,
};
use tempfile::TempDir;

/// How exactly the tool's file names the branches that are missed.
#[derive(Clone, Copy, PartialEq)]
enum Branches {
    /// Each by name, as all other branches: their numbers can be compared too.
    AllNamed,
    /// Each by name: partial lines can be compared.
    Named,
    /// Only counted: two partial lines may be a hit together.
    Counted,
}

fn run(folder: &Path, program: &str, arguments: &[&str]) {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output();
    let output = output.unwrap_or_else(|error| {
        panic!("{program}: {error}; run the tests with scripts/with-coverage-tools.sh")
    });
    // Programs that are measured may fail.
    let is_measured = program.starts_with("./");
    assert!(
        output.status.success() || is_measured,
        "{program} {arguments:?}: {output:?}"
    );
}

/// Uploads the files of both runs as parts, and the tool's union as a whole, and compares every line.
async fn compare(folder: &Path, [unit, web, all]: [&str; 3], branches: Branches) {
    let server = TestServer::start().await;
    let upload = |file: &str| {
        let archive = Archive::new()
            .file(file, read(folder.join(file)).unwrap())
            .tar_gz();
        Upload::of(archive).with("coverage_xml_file_name", file)
    };
    let unit = upload(unit).with("part", "unit").accepted(&server).await;
    let web = upload(web).with("part", "web").accepted(&server).await;
    let whole = upload(all)
        .with("repo_name", "whole")
        .accepted(&server)
        .await;
    assert_ne!(
        unit["coverage"]["percentage"], web["coverage"]["percentage"],
        "another run"
    );
    let (parts, whole) = (states(&server, &web).await, states(&server, &whole).await);
    assert!(parts.len() >= 5, "{parts:?}");
    let comparable = |states: Vec<(String, u32, &'static str)>| -> Vec<_> {
        let states = states.into_iter();
        states
            .map(|(path, line, state)| match (branches, state) {
                (Branches::Counted, "partial") => (path, line, "hit"),
                _ => (path, line, state),
            })
            .collect()
    };
    assert_eq!(comparable(parts), comparable(whole));
    let metrics = Exposition::parsed(&server.get_text("/metrics").await);
    let numbers = |repo| {
        let of_repo = |labels: &&BTreeMap<String, String>| labels["repo"] == repo;
        ["coverage_branches_covered", "coverage_branches_total"].map(|name| {
            let labels = metrics.series(name).find(of_repo)?;
            let labels: Vec<_> = labels
                .iter()
                .map(|(k, v)| (k.as_str(), v.as_str()))
                .collect();
            Some(metrics.value(name, &labels))
        })
    };
    match branches {
        Branches::AllNamed => {
            assert_eq!(numbers("payments"), numbers("whole"));
            assert!(numbers("whole")[1] > Some(1.0));
        }
        Branches::Named | Branches::Counted => assert_eq!(numbers("payments"), [None, None]),
    }
}

/// Every line of a record with its state.
async fn states(server: &TestServer, answer: &Value) -> Vec<(String, u32, &'static str)> {
    let id = id(answer);
    let lcov = server
        .get_text(&format!("/coverages-api/records/{id}/report.lcov"))
        .await;
    let mut states = Vec::new();
    for path in lcov.lines().filter_map(|line| line.strip_prefix("SF:")) {
        let encoded = utf8_percent_encode(path, NON_ALPHANUMERIC);
        let lines = format!("/coverages-api/records/{id}/lines?path={encoded}");
        let lines = server.get_json(&lines).await;
        for state in ["hit", "partial", "missed"] {
            for range in lines[state].as_array().unwrap() {
                let [first, last] = [0, 1].map(|end| range[end].as_u64().unwrap() as u32);
                states.extend((first..=last).map(|line| (path.to_owned(), line, state)));
            }
        }
    }
    states.sort();
    states
}

const PYTHON: &str = "
def fee(amount, member):
    if amount > 100 and not member:
        return amount / 10
    for number in range(3):
        if number == amount:
            break
    else:
        amount = 7
    try:
        return 1 / member
    except ZeroDivisionError:
        return 0
";

async fn coverage_py(arguments: &[&str], format: &str, branches: Branches) {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    write(folder.join("fee.py"), PYTHON).unwrap();
    write(
        folder.join("unit.py"),
        "from fee import fee\nfee(200, 0)\nfee(1, 1)\n",
    )
    .unwrap();
    write(folder.join("web.py"), "from fee import fee\nfee(5, 0)\n").unwrap();
    let measure = |data: &str, script: &str| {
        let file = format!("--data-file={data}");
        let first = ["run", &file, "--include=fee.py"];
        run(
            folder,
            "coverage",
            &[&first[..], arguments, &[script]].concat(),
        );
    };
    let write_as = |data: &str, to: &str| {
        let file = format!("--data-file={data}");
        run(folder, "coverage", &[format, &file, "-o", to]);
    };
    for part in ["unit", "web"] {
        measure(part, &format!("{part}.py"));
        write_as(part, &format!("{part}.{format}"));
    }
    run(
        folder,
        "coverage",
        &["combine", "--keep", "--data-file=all", "unit", "web"],
    );
    write_as("all", &format!("all.{format}"));
    let files = ["unit", "web", "all"].map(|name| format!("{name}.{format}"));
    compare(folder, files.each_ref().map(String::as_str), branches).await;
}

#[tokio::test]
async fn the_union_is_that_of_coverage_py_combine() {
    if is_postgres() {
        return;
    }
    coverage_py(&[], "xml", Branches::Named).await;
    // Its XML names only missed branches.
    coverage_py(&["--branch"], "xml", Branches::Named).await;
    coverage_py(&["--branch"], "json", Branches::AllNamed).await;
    coverage_py(&["--branch"], "lcov", Branches::AllNamed).await;
}

const C: &str = "
#include <stdlib.h>

int fee(int amount, int member) {
    if (amount > 100 && !member) {
        return amount / 10;
    }
    for (int i = 0; i < member; i++) {
        amount--;
    }
    if (amount < 0)
        return 0;
    return 1;
}

int main(int argc, char **argv) {
    int member = argc > 2 ? atoi(argv[2]) : 0;
    return argc > 1 ? fee(atoi(argv[1]), member) > 50 : 2;
}
";

/// Whether there is a compiler whose programs lcov and gcovr can measure.
fn has_gcc() -> bool {
    Command::new("gcc").arg("--version").output().is_ok()
}

/// Compiles the program, and calls `capture` after each of two runs.
fn measure_c(folder: &Path, capture: impl Fn(&str)) {
    write(folder.join("fee.c"), C).unwrap();
    run(folder, "gcc", &["--coverage", "-O0", "-o", "fee", "fee.c"]);
    for (part, arguments) in [("unit", &["200"][..]), ("web", &["5", "9"])] {
        for counts in std::fs::read_dir(folder).unwrap() {
            let path = counts.unwrap().path();
            if path.extension().is_some_and(|kind| kind == "gcda") {
                std::fs::remove_file(path).unwrap();
            }
        }
        run(folder, "./fee", arguments);
        capture(part);
    }
}

#[tokio::test]
async fn the_union_is_that_of_lcov() {
    if is_postgres() || !has_gcc() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let branches = ["--quiet", "--rc", "lcov_branch_coverage=1"];
    let lcov = |arguments: &[&str]| run(folder, "lcov", &[&branches[..], arguments].concat());
    measure_c(folder, |part| {
        lcov(&[
            "--capture",
            "--directory",
            ".",
            "-o",
            &format!("{part}.info"),
        ]);
    });
    lcov(&["-a", "unit.info", "-a", "web.info", "-o", "all.info"]);
    compare(
        folder,
        ["unit.info", "web.info", "all.info"],
        Branches::AllNamed,
    )
    .await;
}

#[tokio::test]
async fn the_union_is_that_of_gcovr() {
    if is_postgres() || !has_gcc() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let gcovr = |arguments: &[&str]| run(folder, "gcovr", &[&["-r", "."], arguments].concat());
    measure_c(folder, |part| gcovr(&["--json", &format!("{part}.json")]));
    for (name, parts) in [
        ("unit", &["unit"][..]),
        ("web", &["web"]),
        ("all", &["unit", "web"]),
    ] {
        let files: Vec<_> = parts.iter().map(|part| format!("{part}.json")).collect();
        let files = files.iter().flat_map(|file| ["-a", file]);
        let to = format!("{name}.xml");
        gcovr(&files.chain(["--cobertura", &to]).collect::<Vec<_>>());
    }
    compare(
        folder,
        ["unit.xml", "web.xml", "all.xml"],
        Branches::Counted,
    )
    .await;
}

const JAVASCRIPT: &str = "
function fee(amount, member) {
  if (amount > 100 && !member) {
    return amount / 10;
  }
  switch (amount) {
    case 1: return 2;
    case 5: return 6;
    default: amount += 1;
  }
  return member ? amount - 1 : 1;
}
module.exports = { fee };
";

#[tokio::test]
async fn the_union_is_that_of_nyc_merge() {
    if is_postgres() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    write(folder.join("package.json"), "{}").unwrap();
    write(folder.join("fee.js"), JAVASCRIPT).unwrap();
    create_dir(folder.join("both")).unwrap();
    for (part, call) in [
        ("unit", "fee(200, false); fee(1)"),
        ("web", "fee(5, true); fee(6, true)"),
    ] {
        let (script, data) = (format!("{part}.js"), format!("{part}-data"));
        write(
            folder.join(&script),
            format!("const {{ fee }} = require('./fee'); {call}\n"),
        )
        .unwrap();
        let only = "--include=fee.js";
        run(
            folder,
            "nyc",
            &["--silent", only, "--temp-dir", &data, "node", &script],
        );
        run(folder, "nyc", &["merge", &data, &format!("{part}.json")]);
        std::fs::copy(
            folder.join(format!("{part}.json")),
            folder.join(format!("both/{part}.json")),
        )
        .unwrap();
    }
    run(folder, "nyc", &["merge", "both", "all.json"]);
    compare(
        folder,
        ["unit.json", "web.json", "all.json"],
        Branches::AllNamed,
    )
    .await;
}

/// The number after a word in the output of a program.
fn number_after(text: &str, word: &str) -> u64 {
    let rest = text
        .split(word)
        .nth(1)
        .unwrap_or_else(|| panic!("no {word} in {text}"));
    let digits: String = rest
        .chars()
        .skip_while(|character| !character.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().unwrap()
}

/// Exports the lines of an upload, and has the exports read by lcov and pycobertura.
async fn assert_read_back(server: &TestServer, answer: &Value) {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let record = format!("/coverages-api/records/{}", id(answer));
    for name in ["report.lcov", "report.cobertura.xml"] {
        let export = server.get_text(&format!("{record}/{name}")).await;
        write(folder.join(name), export).unwrap();
    }
    let states = states(server, answer).await;
    let all = states.len() as u64;
    let count = |wanted: &str| {
        let wanted = states.iter().filter(|(.., state)| *state == wanted);
        wanted.count() as u64
    };
    let (missed, partial) = (count("missed"), count("partial"));
    assert!(missed > 0 && missed < all, "{missed} of {all}");
    let output = |program: &str, arguments: &[&str]| {
        let output = Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    let json = output(
        "pycobertura",
        &["show", "--format", "json", "report.cobertura.xml"],
    );
    let total: Value = serde_json::from_str(&json).unwrap();
    let total = &total["total"];
    // pycobertura counts partial lines as missed.
    assert_eq!(
        (&total["Stmts"], &total["Miss"]),
        (&all.into(), &(missed + partial).into()),
        "{json}"
    );
    if has_gcc() {
        let summary = output("lcov", &["--summary", "report.lcov"]);
        let lines = summary
            .lines()
            .find(|line| line.contains("lines."))
            .unwrap();
        assert_eq!(number_after(lines, "("), all - missed, "{lines}");
        assert_eq!(number_after(lines, " of "), all, "{lines}");
    }
}

#[tokio::test]
async fn other_tools_read_the_exported_lines() {
    if is_postgres() {
        return;
    }
    let server = TestServer::start().await;
    let coverage = |taken: [u8; 2]| {
        let [one, other] = taken;
        let odd = "SF:src/ü & <b>.c\nDA:1,1\nDA:2,0\nend_of_record\n";
        format!(
            "{odd}SF:a.c\nDA:4,1\nBRDA:4,0,0,{one}\nBRDA:4,0,1,{other}\nDA:9,0\nend_of_record\n"
        )
    };
    part("unit", &coverage([1, 0])).accepted(&server).await;
    let answer = part("web", &coverage([1, 0])).accepted(&server).await;
    assert_read_back(&server, &answer).await;
    let Some(samples) = std::env::var_os("COVERAGE_SAMPLE_REPORTS") else {
        return;
    };
    let samples = Path::new(&samples);
    let table = std::fs::read_to_string(samples.join("EXPECTED.tsv")).unwrap();
    let wanted = ["py-coveragepy-branch", "js-nyc-qs-partial"];
    let is_wanted = |row: &&str| wanted.iter().any(|name| row.starts_with(name));
    for row in table.lines().skip(1).filter(is_wanted) {
        let columns: Vec<_> = row.split('\t').collect();
        let upload =
            Upload::of(read(samples.join(columns[1])).unwrap()).with("repo_name", columns[0]);
        let upload = upload
            .with("coverage_xml_file_name", columns[3])
            .with("commit_hash", columns[4]);
        assert_read_back(&server, &upload.accepted(&server).await).await;
    }
}
