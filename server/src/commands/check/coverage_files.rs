//! Finds coverage files by the names that tools give them, as the uploader does.

use std::{
    collections::VecDeque,
    fs,
    path::{Path, PathBuf},
};

/// Folders that are not searched.
const LEFT_OUT: [&str; 5] = [".git", "node_modules", "vendor", ".venv", ".tox"];

const NAMES: [&str; 11] = [
    "lcov.info",
    "coverage.info",
    "coverage.xml",
    "clover.xml",
    "coverage.out",
    "cover.out",
    "coverage-final.json",
    "coverage.json",
    ".resultset.json",
    "cobertura.xml",
    "jacoco.xml",
];

const ENDINGS: [&str; 5] = [
    ".lcov",
    ".opencover.xml",
    ".coverprofile",
    "cobertura.xml",
    ".cobertura.xml",
];

/// Folders whose XML files are coverage files.
const XML_FOLDERS: [&str; 3] = ["/site/jacoco/", "/reports/jacoco/", "/reports/kover/"];

/// The most folders that are searched.
const MOST_FOLDERS: usize = 200_000;

/// Returns the coverage files below a folder, in the order of their paths.
pub(super) fn below(root: &Path) -> Vec<PathBuf> {
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
            } else if kind.is_file() && is_coverage_file(&path, &name) && !is_empty(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn is_coverage_file(path: &Path, name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let below = path.to_string_lossy().replace('\\', "/");
    NAMES.contains(&name)
        || ENDINGS.iter().any(|ending| lower.ends_with(ending))
        || (lower.ends_with(".xml") && XML_FOLDERS.iter().any(|folder| below.contains(folder)))
}

fn is_empty(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| about.len() == 0)
}

#[cfg(test)]
mod tests {
    use super::below;
    use std::fs;

    #[test]
    fn coverage_files_are_found_by_name_and_others_are_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        for (path, text) in [
            ("coverage.xml", "x"),
            ("a/lcov.info", "x"),
            ("b/target/site/jacoco/x.xml", "x"),
            ("c/My.Cobertura.xml", "x"),
            ("node_modules/p/lcov.info", "x"),
            ("d/coverage.xml", ""),
            ("e/pom.xml", "x"),
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("created");
            fs::write(path, text).expect("written");
        }
        let found = below(folder.path());
        let names: Vec<_> = found
            .iter()
            .map(|path| {
                path.strip_prefix(folder.path())
                    .expect("below")
                    .display()
                    .to_string()
            })
            .collect();
        assert_eq!(
            names,
            [
                "a/lcov.info",
                "b/target/site/jacoco/x.xml",
                "c/My.Cobertura.xml",
                "coverage.xml"
            ]
        );
    }
}
