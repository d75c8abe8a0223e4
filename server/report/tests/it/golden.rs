//! Reports of real tools, and the totals the tools themselves stated (see `testdata/README.md`).

use report::{Count, Counter, Coverage, Format, Rate};

use crate::{fixture, fixtures, read};

/// File; line coverage in hundredths of a percent and as counts; branches; functions.
type Golden = (
    &'static str,
    u16,
    Coverage,
    Option<(u64, u64)>,
    Option<(u64, u64)>,
);

fn golden() -> Vec<Golden> {
    use Counter::{Instruction, Line, Statement};
    let of = |covered, total, counter| Coverage::Counts(count(covered, total), counter);
    let nothing = Coverage::Empty { rate: None };
    let all_of_nothing = Coverage::Empty {
        rate: Rate::parse(b"1"),
    };
    vec![
        (
            "clover/c8.xml",
            7200,
            of(18, 25, Statement),
            Some((3, 7)),
            Some((2, 3)),
        ),
        ("clover/gcovr.xml", 6111, of(11, 18, Statement), None, None),
        (
            "clover/nyc.xml",
            7692,
            of(10, 13, Statement),
            Some((6, 11)),
            Some((2, 3)),
        ),
        ("clover/vitest-empty.xml", 0, nothing, None, None),
        (
            "cobertura/c8.xml",
            7200,
            of(18, 25, Line),
            Some((3, 7)),
            None,
        ),
        (
            "cobertura/coverage-py-branch.xml",
            7500,
            of(12, 16, Line),
            Some((5, 10)),
            None,
        ),
        (
            "cobertura/coverage-py-empty.xml",
            10_000,
            all_of_nothing,
            None,
            None,
        ),
        (
            "cobertura/coverage-py.xml",
            7500,
            of(12, 16, Line),
            None,
            None,
        ),
        (
            "cobertura/gcovr.xml",
            6111,
            of(11, 18, Line),
            Some((4, 10)),
            None,
        ),
        (
            "cobertura/nyc.xml",
            7692,
            of(10, 13, Line),
            Some((6, 11)),
            None,
        ),
        (
            "cobertura/pytest-cov.xml",
            5000,
            of(8, 16, Line),
            None,
            None,
        ),
        ("cobertura/vitest-empty.xml", 0, nothing, None, None),
        (
            "jacoco/gcovr.xml",
            6111,
            of(11, 18, Line),
            Some((4, 10)),
            Some((2, 3)),
        ),
        ("jacoco/jacoco-empty.xml", 0, nothing, None, None),
        (
            "jacoco/jacoco-groups.xml",
            3000,
            of(6, 20, Line),
            Some((3, 12)),
            Some((3, 12)),
        ),
        (
            "jacoco/jacoco-nodebug.xml",
            5957,
            of(28, 47, Instruction),
            Some((3, 6)),
            Some((3, 6)),
        ),
        (
            "jacoco/jacoco.xml",
            6000,
            of(6, 10, Line),
            Some((3, 6)),
            Some((3, 6)),
        ),
    ]
}

fn count(covered: u64, total: u64) -> Count {
    Count::new(covered, total).expect("no more covered than there is")
}

#[test]
fn every_report_of_a_real_tool_gives_the_total_that_the_tool_stated() {
    for (name, basis_points, lines, branches, functions) in golden() {
        let report = read(fixture(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(report.lines, lines, "{name}");
        assert_eq!(report.lines.basis_points(), basis_points, "{name}");
        let counts = |pair: Option<(u64, u64)>| pair.map(|(covered, total)| count(covered, total));
        assert_eq!(report.branches, counts(branches), "{name}");
        assert_eq!(report.functions, counts(functions), "{name}");
        assert_eq!(report.warnings, [], "{name}");
    }
}

#[test]
fn every_fixture_is_in_the_table_and_of_the_format_of_its_folder() {
    let golden = golden();
    for path in fixtures() {
        let folder = path.parent().and_then(|folder| folder.file_name());
        let folder = folder.and_then(|name| name.to_str()).expect("a folder");
        let file = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a name");
        let name = format!("{folder}/{file}");
        assert!(golden.iter().any(|row| row.0 == name), "{name} has no row");
        let report = read(fixture(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(report.format.name(), folder, "{name}");
    }
    assert_eq!(golden.len(), fixtures().len());
}

#[test]
fn a_format_reads_as_its_name() {
    assert_eq!(
        Format::ALL.map(Format::name),
        ["cobertura", "jacoco", "clover"]
    );
    assert_eq!(Format::Jacoco.to_string(), "jacoco");
}

/// What the tools left in their reports about the machine they ran on was taken out.
#[test]
fn no_fixture_tells_where_it_was_made() {
    for path in fixtures() {
        let text = std::fs::read_to_string(&path).expect("UTF-8");
        for place in ["/tmp", "/home", "/root", "/work", "C:\\"] {
            assert!(!text.contains(place), "{} names {place}", path.display());
        }
    }
}
