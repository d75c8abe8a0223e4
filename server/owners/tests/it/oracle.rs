//! Two libraries as oracles for GitHub's rules: `codeowners` of PyPI and `codeowners` of npm.
//!
//! What GitHub documents otherwise is left out of their files: malformed lines and comments after owners, which neither library
//! knows. For npm also a last `*`, which in GitHub does not match files in folders below, and where it differs from git: it does not
//! know `?` and `**/**`, and `a/**/` also matches files in `a`. It ignores case, so no two names of the generated files differ in it.

use crate::file::{File, owners};
use domain::OwnersOf::Github;
use proptest::{
    collection::vec,
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRunner},
};
use serde_json::{Value, json};
use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

const PYPI: [&str; 3] = [
    "python3",
    "-c",
    r#"
import codeowners, json, sys
def owners(file):
    lines = codeowners.CodeOwners(file["text"])
    return [[name for _, name in lines.of(path)] for path in file["paths"]]
json.dump([owners(file) for file in json.load(sys.stdin)], sys.stdout)
"#,
];

const NPM: [&str; 3] = [
    "node",
    "-e",
    r#"
const fs = require("fs"), os = require("os"), path = require("path"), Codeowners = require("codeowners");
const owners = (file) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "codeowners-"));
    fs.writeFileSync(path.join(folder, "CODEOWNERS"), file.text);
    const lines = new Codeowners(folder);
    fs.rmSync(folder, { recursive: true });
    return file.paths.map((path) => lines.getOwner(path));
};
process.stdout.write(JSON.stringify(JSON.parse(fs.readFileSync(0, "utf8")).map(owners)));
"#,
];

/// A file, and the paths whose owners are compared.
pub(crate) type Sample = (String, Vec<String>);

/// The owners of each path of each file, as a library finds them.
pub(crate) fn found(
    [program, option, script]: [&str; 3],
    samples: &[Sample],
) -> Vec<Vec<Vec<String>>> {
    let files = samples
        .iter()
        .map(|(text, paths)| json!({"text": text, "paths": paths}));
    let mut child = Command::new(program)
        .args([option, script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = Value::from_iter(files).to_string();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("output");
    let is_written = writer.join().expect("a writer").is_ok();
    let hint = "run the tests with scripts/with-coverage-tools.sh";
    assert!(
        is_written && output.status.success(),
        "{program} failed; {hint}"
    );
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Compares the owners of all paths with a library, after `keeps` left lines out. Returns how many paths have owners.
fn compare(library: [&str; 3], samples: &[Sample], keeps: impl Fn(&str) -> bool) -> usize {
    let kept = |text: &str| {
        let lines = text
            .lines()
            .map(|line| line.split(" #").next().unwrap_or_default().trim_end());
        let lines = lines.filter(|line| {
            let pattern = line.split_whitespace().next().unwrap_or("#");
            let is_read = || owners(line, Github).notices().is_empty();
            !pattern.starts_with('#') && keeps(pattern) && is_read()
        });
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let samples: Vec<_> = samples
        .iter()
        .map(|(text, paths)| (kept(text), paths.clone()))
        .collect();
    let found = found(library, &samples);
    let mut owned = 0;
    for ((text, paths), found) in samples.iter().zip(found) {
        let file = File::new(text, Github);
        for (path, found) in paths.iter().zip(found) {
            let sorted = |names: Vec<String>| {
                let mut names: Vec<_> = names.iter().map(|name| name.to_lowercase()).collect();
                names.sort_unstable();
                names.dedup();
                names
            };
            let ours = sorted(file.of(path).split_whitespace().map(String::from).collect());
            assert_eq!(ours, sorted(found), "{}: {path}\n{text}", library[0]);
            owned += usize::from(!ours.is_empty());
        }
    }
    owned
}

fn compare_with_both(samples: &[Sample]) -> [usize; 2] {
    let paths: usize = samples.iter().map(|(_, paths)| paths.len()).sum();
    assert!(paths > 0);
    [
        compare(PYPI, samples, |_| true),
        compare(NPM, samples, |pattern| {
            let differs = ["?", "**/**"].iter().any(|part| pattern.contains(part));
            !differs && !pattern.ends_with("/*") && !pattern.ends_with("/**/")
        }),
    ]
}

#[test]
fn owners_in_generated_files_are_those_of_two_libraries() {
    let name = || "(a|b|docs|app|x\\.js|y\\.md|\\.ci)";
    let component = prop_oneof![
        4 => name().prop_map(String::from),
        2 => "(\\*|\\*\\*|\\*\\.js|\\*\\.md|d\\*|\\?|a\\*b|\\?\\?)".prop_map(String::from),
    ];
    let pattern = ("/?", vec(component, 1..5), "/?")
        .prop_map(|(begin, components, end)| format!("{begin}{}{end}", components.join("/")));
    let line = (
        pattern,
        vec("(@[a-f]|@acme/[a-f]|[a-f]@example\\.com)", 0..3),
    )
        .prop_map(|(pattern, owners)| format!("{pattern}  {}\n", owners.join(" ")));
    let path = vec(name(), 1..6).prop_map(|names| names.join("/"));
    let sample =
        (vec(line, 1..20), vec(path, 40..60)).prop_map(|(lines, paths)| (lines.concat(), paths));
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        proptest::test_runner::TestRng::deterministic_rng(
            proptest::test_runner::RngAlgorithm::ChaCha,
        ),
    );
    let samples: Vec<_> = (0..200)
        .map(|_| sample.new_tree(&mut runner).expect("a sample").current())
        .collect();
    let owned = compare_with_both(&samples);
    assert!(owned.iter().all(|&owned| owned > 2_000), "{owned:?}");
}

/// `COVERAGE_SAMPLE_OWNERS` names a folder. Each folder in it has a CODEOWNERS file of a project, and `paths`, which lists its files.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a variable names the folder of real files"
)]
fn owners_in_real_files_are_those_of_two_libraries() {
    let Ok(folder) = std::env::var("COVERAGE_SAMPLE_OWNERS") else {
        return;
    };
    for project in fs::read_dir(Path::new(&folder)).expect("a folder") {
        let project = project.expect("a project").path();
        let text = |name: &str| fs::read_to_string(project.join(name)).expect("a file");
        let paths: Vec<_> = text("paths").lines().map(String::from).collect();
        let number = paths.len();
        let file = owners(&text("CODEOWNERS"), Github);
        let owned = compare_with_both(&[(text("CODEOWNERS"), paths)]);
        let notices = file.notices();
        #[expect(clippy::print_stdout, reason = "the numbers of a comparison by hand")]
        {
            println!(
                "{}: {number} paths, with owners: {owned:?}, notices: {notices:?}",
                project.display()
            );
        }
    }
}
