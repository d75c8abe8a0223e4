//! Lists of paths with the expected result.

use super::*;
use std::collections::BTreeSet;

mod cases;
mod property;

/// A coverage file and a repository. Lists are separated by spaces.
pub(super) struct Case {
    name: &'static str,
    /// `path`, `path|group`, `path#1,2,3` or `path#1-30` with coverable lines.
    files: &'static str,
    listed: &'static str,
    /// `-` for no file of the repository.
    expected: &'static str,
    root: &'static str,
    sources: &'static str,
    report_folder: &'static str,
    repository: &'static str,
    project: &'static str,
}

const NONE: Case = Case {
    name: "",
    files: "",
    listed: "",
    expected: "",
    root: "",
    sources: "",
    report_folder: "",
    repository: "",
    project: "",
};

pub(super) fn listed(paths: &[&str]) -> RepositoryPaths {
    RepositoryPaths::read(paths.join("\0").into_bytes()).expect("a list")
}

/// A path, its group, and its coverable lines.
fn file(text: &'static str) -> (Named<'static>, BTreeSet<u32>) {
    let (text, lines) = text.split_once('#').unwrap_or((text, ""));
    let (path, group) = match text.split_once('|') {
        Some((path, group)) => (path, Some(group)),
        None => (text, None),
    };
    let number = |text: &str| text.parse::<u32>().expect("a number");
    let lines = match lines.split_once('-') {
        Some((first, last)) => (number(first)..=number(last)).collect(),
        None => lines
            .split(',')
            .filter(|line| !line.is_empty())
            .map(number)
            .collect(),
    };
    (Named { path, group }, lines)
}

#[test]
fn each_of_very_many_paths_with_ends_of_their_own_is_itself() {
    let path = |number: u32| format!("{:x}/{number:x}/{number}.c", number % 997);
    let paths: Vec<_> = (0..100_000).map(path).collect();
    let listed = listed(&paths.iter().map(String::as_str).collect::<Vec<_>>());
    let names: Vec<_> = (0..200_000)
        .map(|number| format!("/w/{}", path(number)))
        .collect();
    let files = names.iter().map(|path| Named { path, group: None });
    let job = Job::default();
    let meanings = listed.meanings(&files.collect::<Vec<_>>(), &job, &|_, _| false);
    for (number, meaning) in (0..).zip(meanings) {
        match paths.get(number) {
            Some(path) => {
                assert!(matches!(meaning, Ok(found) if listed.get(found) == path));
            }
            None => assert_eq!(meaning, Err(Reason::NotListed)),
        }
    }
}

#[test]
fn paths_of_tools_become_those_of_the_repository() {
    for case in cases::CASES {
        let (files, lines): (Vec<_>, Vec<_>) = case.files.split(' ').map(file).unzip();
        let agree = |one: usize, other: usize| {
            let common = lines[one].intersection(&lines[other]).count();
            let smaller = lines[one].len().min(lines[other].len());
            let are_equal = lines[one] == lines[other] && smaller > 0;
            are_equal || (common >= 10 && common * 10 >= smaller * 9)
        };
        let listed = listed(&case.listed.split(' ').collect::<Vec<_>>());
        let sources: Vec<_> = case.sources.split_whitespace().map(str::to_owned).collect();
        let job = Job {
            root: Some(case.root).filter(|root| !root.is_empty()),
            report_folder: case.report_folder,
            repository: case.repository,
            sources: &sources,
            project: Some(case.project).filter(|project| !project.is_empty()),
        };
        let meanings = listed.meanings(&files, &job, &agree);
        let shown: Vec<_> = meanings
            .iter()
            .map(|meaning| match meaning {
                Ok(number) => listed.get(*number),
                Err(_) => "-",
            })
            .collect();
        assert_eq!(
            shown.join(" "),
            case.expected,
            "{}: {meanings:?}",
            case.name
        );
    }
}
