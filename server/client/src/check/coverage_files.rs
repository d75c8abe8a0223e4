//! Finds coverage files by the names that tools give them, as the uploader does.

use std::{
    collections::VecDeque,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

/// Folders that are not searched.
const LEFT_OUT: [&str; 5] = [".git", "node_modules", "vendor", ".venv", ".tox"];

const NAMES: [&str; 9] = [
    "lcov.info",
    "coverage.info",
    "coverage.xml",
    "clover.xml",
    "coverage.out",
    "cover.out",
    "coverage-final.json",
    "coverage.json",
    ".resultset.json",
];

const ENDINGS: [&str; 3] = [".lcov", ".opencover.xml", ".coverprofile"];

/// Folders whose XML files are coverage files.
const XML_FOLDERS: [&str; 4] = [
    "/site/jacoco",
    "/reports/jacoco/",
    "/reports/coverage/",
    "/reports/kover/",
];

/// The folder in which .NET writes its results.
const RESULTS: &str = "/TestResults/";

/// Texts near the start of a coverage file. Other files may have the same name.
const BEGINNINGS: [&str; 13] = [
    "<coverage",
    "<report",
    "<CoverageSession",
    "<scoverage",
    "<results",
    "<Root",
    "TN:",
    "SF:",
    "mode: ",
    "\"statementMap\"",
    "\"files\"",
    "\"coverage\"",
    "\"data\"",
];

const START: u64 = 4_096;

const MOST_FOLDERS: usize = 200_000;

/// A coverage file that was found by its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    /// Files of one language in one folder have the same coverage.
    pub(super) folder: PathBuf,
    /// How detailed its format is about lines; 1 is most.
    rank: u8,
    pub(super) path: PathBuf,
}

/// Returns the coverage files below a folder, sorted by folder, and within a folder from the most to the least detailed format.
pub(super) fn below(root: &Path) -> Vec<Found> {
    let mut found = Vec::new();
    let mut folders = VecDeque::from([root.to_owned()]);
    for _ in 0..MOST_FOLDERS {
        let Some(folder) = folders.pop_front() else {
            break;
        };
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            // Links are not followed.
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if kind.is_dir() && !LEFT_OUT.contains(&&*name) {
                folders.push_back(path);
            } else if kind.is_file() && is_named_like_one(&path, &name) && begins_like_one(&path) {
                found.push(Found {
                    folder: folder.clone(),
                    rank: rank(&name),
                    path,
                });
            }
        }
    }
    found.sort();
    found
}

fn is_named_like_one(path: &Path, name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let path = path.to_string_lossy();
    let is_xml = lower.ends_with(".xml");
    NAMES.contains(&name)
        || ENDINGS.iter().any(|ending| lower.ends_with(ending))
        || (is_xml && (lower.contains("cobertura") || lower.starts_with("jacoco")))
        || (is_xml && lower.starts_with("coverage.") && path.contains(RESULTS))
        || (is_xml && XML_FOLDERS.iter().any(|folder| path.contains(folder)))
}

fn begins_like_one(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(START).read_to_end(&mut start));
    let start = String::from_utf8_lossy(&start);
    read.is_ok() && BEGINNINGS.iter().any(|beginning| start.contains(beginning))
}

/// How detailed the format of a file is about lines; 1 is most. The uploader has the same order.
fn rank(name: &str) -> u8 {
    let is = |ending| name.ends_with(ending);
    match name {
        _ if is("coverage-final.json") || is(".opencover.xml") => 1,
        _ if is(".lcov") || is(".info") => 2,
        _ if is("clover.xml") => 4,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::below;
    use std::fs;

    #[test]
    fn coverage_files_are_found_by_their_names_and_the_one_that_says_most_is_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let (xml, lcov) = ("<?xml?><coverage>", "TN:\nSF:a.c\n");
        for (path, text) in [
            ("coverage.xml", xml),
            ("a/lcov.info", lcov),
            ("a/clover.xml", xml),
            ("a/cobertura-coverage.xml", xml),
            ("b/target/site/jacoco-it/x.xml", "<report name='b'>"),
            ("c/My.Cobertura.xml", xml),
            ("d/TestResults/1/coverage.net8.xml", xml),
            ("e/jacocoTestReport.xml", "<report>"),
            ("node_modules/p/lcov.info", lcov),
            ("f/coverage.xml", "<settings/>"),
            ("g/coverage.json", ""),
            ("h/pom.xml", "<project/>"),
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("created");
            fs::write(path, text).expect("written");
        }
        let found = below(folder.path());
        let names = found.iter().map(|found| {
            let path = found.path.strip_prefix(folder.path()).expect("below");
            path.display().to_string()
        });
        assert_eq!(
            names.collect::<Vec<_>>(),
            [
                "coverage.xml",
                "a/lcov.info",
                "a/cobertura-coverage.xml",
                "a/clover.xml",
                "b/target/site/jacoco-it/x.xml",
                "c/My.Cobertura.xml",
                "d/TestResults/1/coverage.net8.xml",
                "e/jacocoTestReport.xml",
            ]
        );
    }
}
