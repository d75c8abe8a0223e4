//! Adds the tests that PHPUnit names in files beside the coverage file to the files of the coverage file.

use crate::details::{Root, tidy};
use formats::{FileCoverage, Report, TestedFile, TestedFiles, TestedLine, Warning};
use lines::is_absolute;
use std::collections::HashMap;

/// The longest path that a notice names, in characters.
const NAMED_CHARS: usize = 255;

const NO_LINES: &str = "Which tests ran each line is left out: PHPUnit's XML beside the coverage file names them, but the coverage file has no lines. Name the Clover file of the same run instead.";

/// Adds `tests` to the files of `report`. Returns what is left out, in sentences.
pub(super) fn add_tests(report: &mut Report, tests: TestedFiles) -> Vec<String> {
    let mut notices = Vec::new();
    if tests.are_too_many {
        report.warnings.push(Warning::TooManyTests);
    }
    if tests.unreadable > 0 {
        let files = tests.unreadable;
        notices.push(format!(
            "Which tests ran the lines of some files is left out: {files} of PHPUnit's XML files cannot be read. Upload them as PHPUnit wrote them."
        ));
    }
    if tests.files.is_empty() {
        return notices;
    }
    if report.files.iter().all(|file| file.lines.is_empty()) {
        notices.push(NO_LINES.to_owned());
        return notices;
    }
    let places = places(report, &tests.files);
    let first = u32::try_from(report.tests.len()).unwrap_or(u32::MAX);
    report.tests.extend(tests.names);
    let mut others = Vec::new();
    for (file, place) in tests.files.into_iter().zip(places) {
        let Some(of) = place.and_then(|place| report.files.get_mut(place)) else {
            others.push(file.path.unwrap_or(file.inner_path));
            continue;
        };
        let tests = file.tests.into_iter().map(|pair| TestedLine {
            test: first.saturating_add(pair.test),
            ..pair
        });
        of.tests.extend(tests);
    }
    notices.extend(without_a_file(&others));
    notices
}

/// The places in the coverage file of the files with tests: by their absolute paths.
///
/// If none has a place, the index is missing, or the job rewrote the paths of the coverage file. Then the paths in the common folder
/// are compared, if the coverage file must be of the same run: it has all files, and every line with a test ran.
fn places(report: &Report, tests: &[TestedFile]) -> Vec<Option<usize>> {
    let paths = report.files.iter();
    let paths: Vec<_> = paths
        .map(|file| full(&file.path, &report.sources))
        .collect();
    let by_path: HashMap<&str, usize> = (0..)
        .zip(&paths)
        .map(|(place, path)| (path.as_str(), place))
        .collect();
    let find = |mut path: String| {
        tidy(&mut path);
        by_path.get(path.as_str()).copied()
    };
    let absolute = tests.iter().map(|file| find(file.path.clone()?));
    let absolute: Vec<_> = absolute.collect();
    if absolute.iter().any(Option::is_some) {
        return absolute;
    }
    let root = Root::of(paths.iter().map(String::as_str)).folder;
    let inner = tests.iter().map(|file| {
        let place = find(format!("{root}{}", file.inner_path))?;
        ran_all(report.files.get(place)?, &file.tests).then_some(place)
    });
    let inner: Option<Vec<_>> = inner.collect();
    inner.map_or(absolute, |inner| inner.into_iter().map(Some).collect())
}

/// The normalised path of a file, which is relative to the only source. Paths that stay relative begin at the root, so that they have
/// a common folder.
fn full(path: &str, sources: &[String]) -> String {
    let mut full = path.to_owned();
    tidy(&mut full);
    if full.is_empty() || is_absolute(&full) {
        return full;
    }
    if let [source] = sources {
        full = format!("{source}/{full}");
        tidy(&mut full);
    }
    if !is_absolute(&full) {
        full.insert(0, '/');
    }
    full
}

/// Whether all lines of these tests ran.
fn ran_all(file: &FileCoverage, tests: &[TestedLine]) -> bool {
    tests.iter().all(|pair| {
        let place = file
            .lines
            .binary_search_by_key(&pair.line, |line| line.line);
        place.is_ok_and(|place| file.lines[place].hits > 0)
    })
}

/// Returns the notice about files with tests that the coverage file does not have.
fn without_a_file(paths: &[String]) -> Option<String> {
    let first = paths.first()?.chars().filter(|char| !char.is_control());
    let first: String = first.take(NAMED_CHARS).collect();
    let whose = match paths.len() {
        1 => format!("1 file is left out: {first}"),
        files => format!("{files} files is left out, first {first}"),
    };
    Some(format!(
        "Which tests ran the lines of {whose}. PHPUnit's XML names it, but the coverage file does not; send both of the same run."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::{Limits, PhpunitTests};

    const ROOT: &str = "<phpunit xmlns='https://schema.phpunit.de/coverage/1.0'>";

    /// One file of tests for each path and line, with an index if there is a source.
    fn tests(source: Option<&str>, files: &[(&str, u32)]) -> TestedFiles {
        let mut tests = PhpunitTests::new(&Limits::default());
        for (path, line) in files {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            let text = format!(
                "{ROOT}<file name='{name}' path='/{folder}'><coverage><line nr='{line}'><covered by='T'/></line></coverage></file></phpunit>"
            );
            tests.read(&format!("xml/{path}.xml"), text.as_bytes());
        }
        if let Some(source) = source {
            let index = format!("{ROOT}<project source='{source}'/></phpunit>");
            tests.read("xml/index.xml", index.as_bytes());
        }
        tests.finish()
    }

    /// A coverage file in which line 1 of each file ran, and line 2 did not.
    fn lcov(paths: &[&str]) -> Report {
        let files = paths
            .iter()
            .map(|path| format!("SF:{path}\nDA:1,1\nDA:2,0\nend_of_record\n"));
        let text: String = files.collect();
        formats::read_with_lines(text.as_bytes(), &Limits::default()).expect("a coverage file")
    }

    /// The files that get tests, and the number of notices.
    fn added(mut report: Report, tests: TestedFiles) -> (Vec<String>, usize) {
        let notices = add_tests(&mut report, tests);
        let files = report.files.into_iter();
        let files = files.filter(|file| !file.tests.is_empty());
        (files.map(|file| file.path).collect(), notices.len())
    }

    fn named(paths: &[&str], notices: usize) -> (Vec<String>, usize) {
        (paths.iter().map(|&path| path.to_owned()).collect(), notices)
    }

    #[test]
    fn tests_belong_to_the_file_with_their_absolute_path() {
        let report = || lcov(&["/w/src/a.php", "/w/src/b/a.php", "C:\\w\\c.php"]);
        let of = |source, files| added(report(), tests(Some(source), files));
        assert_eq!(
            of("/w/src", &[("b/a.php", 1)]),
            named(&["/w/src/b/a.php"], 0)
        );
        assert_eq!(
            of("/w/src/b", &[("a.php", 1)]),
            named(&["/w/src/b/a.php"], 0)
        );
        assert_eq!(of("C:\\w", &[("c.php", 2)]), named(&["C:\\w\\c.php"], 0));
        assert_eq!(
            of("/w/src", &[("a.php", 1), ("x.php", 1)]),
            named(&["/w/src/a.php"], 1)
        );
    }

    #[test]
    fn paths_of_cobertura_are_relative_to_its_source() {
        let mut report = lcov(&["b/a.php"]);
        report.sources = vec!["/w/src".to_owned()];
        let found = added(report, tests(Some("/w/src"), &[("b/a.php", 1)]));
        assert_eq!(found, named(&["b/a.php"], 0));
    }

    #[test]
    fn rewritten_paths_are_found_in_the_common_folder_of_the_same_run() {
        let both = [("a.php", 1), ("b/a.php", 1)];
        for paths in [
            ["/w/src/a.php", "/w/src/b/a.php"],
            ["src/a.php", "src/b/a.php"],
        ] {
            for source in [None, Some("/app")] {
                let all = added(lcov(&paths), tests(source, &both));
                assert_eq!(all, named(&paths, 0));
                let missed = tests(source, &[("a.php", 2), ("b/a.php", 1)]);
                assert_eq!(added(lcov(&paths), missed), named(&[], 1));
                let another = tests(source, &[("a.php", 1), ("c.php", 1)]);
                assert_eq!(added(lcov(&paths), another), named(&[], 1));
            }
        }
    }

    #[test]
    fn tests_follow_the_tests_of_the_coverage_file() {
        let text = "TN:one\nSF:/w/a.php\nDA:1,1\nend_of_record\nTN:two\nSF:/w/a.php\nDA:1,1\nend_of_record\n";
        let mut report =
            formats::read_with_lines(text.as_bytes(), &Limits::default()).expect("a coverage file");
        add_tests(&mut report, tests(Some("/w"), &[("a.php", 1)]));
        assert_eq!(report.tests, ["one", "two", "T"]);
        let pairs: Vec<_> = report.files[0].tests.iter().map(|pair| pair.test).collect();
        assert_eq!(pairs, [0, 1, 2]);
    }
}
