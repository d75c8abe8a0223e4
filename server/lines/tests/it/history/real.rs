//! The history of this repository, and public histories if they are there: `git blame` names the origins of their lines.
//!
//! `COVERAGE_SAMPLE_HISTORIES` names a folder with git repositories, directly or in its folders.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a variable names the histories, and the test prints what it compared"
)]

use super::blame::{Agreement, Chain, git};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The most files of a repository that are compared.
const FILES: usize = 1_500;

const SOURCES: [&str; 12] = [
    "c", "cc", "cpp", "cs", "go", "h", "java", "js", "mjs", "py", "rs", "ts",
];

/// A commit of this repository. The compared histories end with it and with commits before it, so that the tests find the same in
/// every later clone.
const OWN: &str = "91bf51f4";

/// The commits of the first parents of a repository, the oldest first, up to one of them.
struct Line {
    folder: PathBuf,
    commits: Vec<String>,
}

impl Line {
    fn of(folder: PathBuf, head: &str) -> Self {
        let listed = git(&folder, &["rev-list", "--first-parent", "--reverse", head]);
        Self {
            folder,
            commits: listed.lines().map(str::to_owned).collect(),
        }
    }
}

/// The last `periods` of this repository, if it was cloned with its history, and the public histories that are there.
fn histories(periods: usize) -> Vec<Line> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let has_commit = Command::new("git")
        .args(["cat-file", "-e", &format!("{OWN}~800")])
        .current_dir(&own)
        .stderr(Stdio::null())
        .status();
    let mut histories = Vec::new();
    if has_commit.is_ok_and(|status| status.success()) {
        let ends = (0..periods).map(|period| format!("{OWN}~{}", period * 100));
        histories.extend(ends.map(|end| Line::of(own.clone(), &end)));
    } else {
        println!("This clone lacks its history: it was not compared.");
    }
    let Some(folder) = std::env::var_os("COVERAGE_SAMPLE_HISTORIES") else {
        println!("COVERAGE_SAMPLE_HISTORIES is not set: no public history was compared.");
        return histories;
    };
    let folders = |folder: PathBuf| {
        let entries = fs::read_dir(folder).into_iter().flatten();
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        paths
    };
    let outer = folders(folder.into()).into_iter();
    let all = outer.flat_map(|path| [vec![path.clone()], folders(path)].concat());
    let repositories = all.filter(|path| path.join("HEAD").exists() || path.join(".git").exists());
    histories.extend(repositories.map(|path| Line::of(path, "HEAD")));
    histories
}

/// Tells which files are measured. A file is measured wherever it moves.
fn is_measured(folder: &Path) -> impl Fn(&str) -> bool + use<> {
    let is_source = |path: &str| {
        let (_, ending) = path.rsplit_once('.').unwrap_or_default();
        SOURCES.contains(&ending)
    };
    let listed = git(folder, &["ls-tree", "-r", "-z", "--name-only", "HEAD"]);
    let sources = listed.split('\0').filter(|path| is_source(path)).count();
    let every = sources.div_ceil(FILES).max(1);
    move |path| {
        let name = path.rsplit('/').next().unwrap_or_default();
        let hash = name.bytes().fold(7_usize, |hash, byte| {
            hash.wrapping_mul(31).wrapping_add(usize::from(byte))
        });
        is_source(path) && hash % every == 0
    }
}

/// Compares chains of some periods of this repository and of all public histories, with a record for each commit that `measured`
/// leaves of the newest ones.
fn compare(
    periods: usize,
    most: usize,
    measured: impl Fn(&[String]) -> Vec<String>,
    is_cut: fn(usize) -> bool,
    first_parents: bool,
) -> Agreement {
    let mut sum = Agreement::default();
    for Line { folder, commits } in histories(periods) {
        let newest = &commits[commits.len().saturating_sub(most)..];
        let chain = Chain::of(&folder, measured(newest), is_measured(&folder), is_cut);
        let own = chain.agreement(first_parents);
        println!(
            "{}, {:.8}: {} lines: {} right, {} unknown, {} wrong; new: {} wrong, {} unknown; {:?}",
            folder.display(),
            newest.last().expect("a commit"),
            own.lines(),
            own.right,
            own.unknown,
            own.wrong.len(),
            own.wrongly_new,
            own.maybe_new,
            own.wrong.iter().take(3).collect::<Vec<_>>(),
        );
        sum.add(own);
    }
    sum
}

#[test]
fn blame_names_the_origin_of_999_in_1000_lines_of_real_histories() {
    let whole = compare(8, 25, <[String]>::to_vec, |_| false, false);
    assert!((whole.wrong.len() as u64 + whole.unknown) * 1_000 <= whole.lines());
}

#[test]
fn two_in_1000_lines_are_wrong_at_most_if_every_third_to_tenth_commit_is_measured() {
    let measured = |commits: &[String]| {
        let (mut measured, mut at) = (Vec::new(), 0);
        while let Some(commit) = commits.get(at) {
            measured.push(commit.clone());
            at += 3 + commit.bytes().map(usize::from).sum::<usize>() % 8;
        }
        measured
    };
    let behind = compare(8, 150, measured, |_| false, false);
    assert!(behind.wrong.len() as u64 * 1_000 <= 2 * behind.lines());
}

#[test]
fn the_bounds_of_a_chain_that_is_cut_contain_the_commits_that_blame_names() {
    let is_cut = |at| at % 12 == 7;
    let cut = compare(2, 25, <[String]>::to_vec, is_cut, true);
    assert_eq!(cut.wrong, [""; 0]);
}
