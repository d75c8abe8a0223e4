use super::{described::all_paths, *};
use domain::{MatchedPaths, UnmatchedPath};
use lines::{FileLines, Line, PartRoot, State, UnionOfParts};

fn lines(files: &[(&str, &[(u32, u32)])]) -> Lines {
    let mut lines = Lines::default();
    for (path, hits) in files {
        let hits = hits.iter();
        let file: FileLines = hits
            .map(|&(line, hits)| (Line::new(line, hits.into(), false), None))
            .collect();
        lines.add(*path, file);
    }
    lines
}

/// A branch on each line, which is taken if the line is hit.
fn branches(files: &[(&str, &[(u32, u32)])]) -> NamedBranches {
    let all = files
        .iter()
        .try_fold(NamedBranches::default(), |all, (path, hits)| {
            all.with(*path, hits.iter().map(|&(line, hits)| (line, 0, hits > 0)))
        });
    all.expect("comparable names")
}

/// The part is a test, which ran its covered lines.
fn tests(part: &str, files: &[(&str, &[(u32, u32)])]) -> TestSets {
    let files = files.iter().map(|(path, hits)| {
        let covered = hits.iter().filter(|(_, hits)| *hits > 0);
        (
            Box::from(*path),
            covered.map(|(line, _)| (*line, 0)).collect(),
        )
    });
    let tests = TestSets::of(vec![part.into()], files, &lines::Limits::default());
    tests.expect("few tests")
}

fn part(name: &str, root: (&str, bool), files: &[(&str, &[(u32, u32)])]) -> (PartDetails, Content) {
    let part = PartDetails {
        name: name.parse().expect("a part"),
        root: root.0.to_owned(),
        is_root_stated: root.1,
        tool: Some("lcov".to_owned()),
        warnings: Vec::new(),
        paths: None,
        ignored: None,
    };
    (
        part,
        (
            lines(files),
            Some(branches(files)),
            Some(tests(name, files)),
        ),
    )
}

fn united(parts: Vec<(PartDetails, Content)>) -> (Union, Lines) {
    let roots = Roots::of(parts.iter().map(|(part, _)| part.root.as_str()));
    let mut all: Content = (
        Lines::default(),
        Some(NamedBranches::default()),
        Some(TestSets::default()),
    );
    let mut described_parts = Vec::new();
    let separate = parts.clone();
    for (part, content) in parts {
        let prefix = roots.prefix(&part.root, part.is_root_stated);
        let content = with_prefix(content, prefix).expect("short paths");
        all = unite(all, content).expect("few lines");
        described_parts.push(part);
    }
    let files = all.0.files().len();
    let union = described(described_parts, files, roots, all, None, 1 << 20).expect("few lines");
    // The branches are under the same paths as the lines.
    assert!(
        union
            .branches
            .is_none_or(|branches| branches == union.lines)
    );
    let states = Lines::decode(&union.line_states.encoded, &lines::Limits::default());
    let states = states.expect("lines");
    let tests = union.line_states.tests.as_deref();
    let tests = tests.map(|blob| TestSets::decode(blob, &lines::Limits::default()));
    let tests = tests.transpose().expect("tests").unwrap_or_default();
    for (path, file) in states.files() {
        let covered = file
            .lines()
            .iter()
            .filter(|line| line.state() != State::Missed);
        let covered: Vec<_> = covered.map(|line| line.number()).collect();
        let tested: Vec<_> = tests.of_file(path).map(|(line, _)| line).collect();
        assert_eq!(tested, covered, "{path}");
    }
    let of_parts = UnionOfParts {
        lines: &states,
        root: &union.details.files.root,
    };
    for (part, (lines, ..)) in separate {
        let root = PartRoot {
            folder: &part.root,
            is_stated: part.is_root_stated,
        };
        let lines = of_parts.renamed(lines, root).expect("short paths");
        let is_united = |path: &str| states.get(path).is_some();
        assert!(paths(&lines).into_iter().all(is_united), "{lines:?}");
    }
    (union, states)
}

fn paths(lines: &Lines) -> Vec<&str> {
    lines.files().map(|(path, _)| path).collect()
}

#[test]
fn a_line_is_covered_if_any_part_covers_it() {
    let none = ("", false);
    let (union, states) = united(vec![
        part("unit", none, &[("a.c", &[(1, 1), (2, 0), (3, 0)])]),
        part(
            "web",
            none,
            &[("a.c", &[(2, 4), (9, 0)]), ("b.c", &[(1, 0)])],
        ),
    ]);
    assert_eq!((union.lines.covered, union.lines.total), (2, 5));
    let file = states.get("a.c").expect("a file");
    assert_eq!(file.ranges(State::Hit), [1..=2]);
    assert_eq!(file.ranges(State::Missed), [3..=3, 9..=9]);
    assert_eq!(union.details.tool.as_deref(), Some("lcov"));
    assert_eq!(union.details.files.count, 2);
    assert_eq!(union.branches, Some(union.lines));
}

#[test]
fn branches_are_unknown_unless_all_parts_name_them() {
    let none = ("", false);
    let unit = part("unit", none, &[("a.c", &[(1, 1)])]);
    let (web, (lines, _, tests)) = part("web", none, &[("a.c", &[(2, 1)])]);
    let (union, _) = united(vec![unit, (web, (lines, None, tests))]);
    assert_eq!(union.branches, None);
    let counters: Vec<_> = union
        .details
        .counters
        .iter()
        .map(|of| &*of.counter)
        .collect();
    assert_eq!(counters, ["line"]);
}

#[test]
fn one_file_has_one_path_if_a_part_measured_a_folder_within_the_others() {
    let (union, states) = united(vec![
        part("unit", ("/w/", false), &[("src/a.c", &[(1, 1)])]),
        part("web", ("/w/src/", false), &[("a.c", &[(2, 0)])]),
    ]);
    assert_eq!(paths(&states), ["src/a.c"]);
    assert_eq!(union.details.files.root, "/w/");
    assert!(union.details.warnings.is_empty());
}

#[test]
fn files_of_folders_beside_each_other_stay_apart() {
    let (union, states) = united(vec![
        part("unit", ("/w/src/", false), &[("a.c", &[(1, 1)])]),
        part("web", ("/w/lib/", false), &[("a.c", &[(1, 0)])]),
    ]);
    assert_eq!(paths(&states), ["lib/a.c", "src/a.c"]);
    assert_eq!(union.details.files.root, "/w/");
}

#[test]
fn folders_that_coverage_files_state_are_those_of_different_machines() {
    let (union, states) = united(vec![
        part("linux", ("/home/ci/shop/", true), &[("a.py", &[(1, 1)])]),
        part("windows", ("D:/a/shop/", true), &[("a.py", &[(1, 0)])]),
    ]);
    assert_eq!(paths(&states), ["a.py"]);
    assert!(union.details.warnings.is_empty());
}

#[test]
fn folders_that_are_only_guessed_are_put_back_with_a_warning() {
    let (union, states) = united(vec![
        part("linux", ("/home/ci/shop/", false), &[("a.py", &[(1, 1)])]),
        part("plain", ("", false), &[("a.py", &[(1, 0)])]),
    ]);
    assert_eq!(paths(&states), ["/home/ci/shop/a.py", "a.py"]);
    assert_eq!(union.details.warnings.len(), 1);
}

#[test]
fn unmatched_paths_of_all_parts_count_once() {
    let of = |matched, of, unmatched: &[&str]| MatchedPaths {
        matched,
        of,
        unmatched: unmatched
            .iter()
            .map(|path| UnmatchedPath {
                path: (*path).to_owned(),
                ..UnmatchedPath::default()
            })
            .collect(),
        is_by_former_rule: false,
    };
    let all = all_paths(&[of(3, 4, &["/x"]), of(2, 4, &["/x", "/y"])], 6);
    assert_eq!(all, of(4, 6, &["/x", "/y"]));
}

#[test]
fn the_union_does_not_depend_on_the_order_of_the_parts() {
    let unit = || part("unit", ("", false), &[("a.c", &[(1, 1), (2, 0)])]);
    let web = || {
        part(
            "web",
            ("", false),
            &[("a.c", &[(2, 1)]), ("b.c", &[(7, 0)])],
        )
    };
    let (one, _) = united(vec![unit(), web()]);
    let (other, _) = united(vec![web(), unit()]);
    assert_eq!(one.line_states, other.line_states);
    assert_eq!(one.details, other.details);
}
