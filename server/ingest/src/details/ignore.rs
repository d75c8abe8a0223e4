//! Leaves out the files that the settings ignore, and counts the lines of the others.

use crate::source_file::SourceFile;
use ::lines::{Lines, NamedBranches, TestSets};
use domain::{GlobList, IgnoredFiles, ignoring};
use formats::{Count, Counter, Counters, Coverage, Report};

/// Why the rules of the settings do not count.
const NO_FILES: &str = "The settings ignore files, but the coverage file does not list its files, so all of them count.";
const NO_LINES: &str = "The settings ignore files, but the coverage file does not count the lines of each file, so all of them count.";
pub(crate) const TOO_COSTLY: &str =
    "The settings ignore files, but matching them takes too long, so all of them count.";

/// Leaves out the files that `rules` ignore, and replaces the totals of `report` if there are any. `None` without rules.
///
/// # Errors
///
/// The reason, in a sentence, if the rules cannot count. Then nothing changes.
pub(super) fn leave_out(
    files: &mut Vec<SourceFile>,
    report: &mut Report,
    rules: &GlobList,
) -> Result<Option<IgnoredFiles>, &'static str> {
    if rules.is_empty() {
        return Ok(None);
    }
    let is_empty = matches!(report.total, Coverage::Empty { .. });
    if files.iter().all(|file| file.path.is_empty()) && !is_empty {
        return Err(NO_FILES);
    }
    let rules = ignoring(rules, files.iter().map(|file| file.path.as_str())).ok_or(TOO_COSTLY)?;
    let is_ignored = |file: &SourceFile| rules.matches(&file.path);
    if !files.iter().any(is_ignored) {
        return Ok(Some(IgnoredFiles::NONE));
    }
    let counts: Option<Vec<_>> = files.iter().map(lines_of).collect();
    for (file, count) in files.iter_mut().zip(counts.ok_or(NO_LINES)?) {
        file.counters.set(Counter::Line, count);
    }
    let known = add_up(files, &report.counters);
    let (ignored, kept) = std::mem::take(files).into_iter().partition(is_ignored);
    let ignored: Vec<SourceFile> = ignored;
    *files = kept;
    let lines = sum(files, Counter::Line);
    report.total = Coverage::Counts(lines, Counter::Line);
    let mut counters = Counters::default();
    counters.set(Counter::Line, lines);
    for counter in known {
        counters.set(counter, sum(files, counter));
    }
    report.counters = counters;
    Ok(Some(IgnoredFiles::Known {
        files: ignored.len() as u64,
        lines: super::domain(sum(&ignored, Counter::Line)),
    }))
}

/// Leaves out the files of carried lines that `rules` ignore. `None`, and the same lines, if that takes too many steps.
pub(crate) fn leave_out_of_lines(lines: Lines, rules: &GlobList) -> (Lines, Option<IgnoredFiles>) {
    let Some(rules) = ignoring(rules, lines.files().map(|(path, _)| path)) else {
        return (lines, None);
    };
    let (mut kept, mut ignored) = (Lines::default(), Lines::default());
    for (path, file) in lines.into_files() {
        match rules.matches(&path) {
            true => ignored.add(path, file),
            false => kept.add(path, file),
        }
    }
    let ignored = IgnoredFiles::Known {
        files: ignored.files().len() as u64,
        lines: crate::lines::count(ignored.counts()),
    };
    (kept, Some(ignored))
}

/// Leaves out the branches of files that `rules` ignore. All stay if that takes too many steps.
pub(crate) fn leave_out_of_branches(branches: NamedBranches, rules: &GlobList) -> NamedBranches {
    match ignoring(rules, branches.paths()) {
        Some(rules) => branches.of_files(|path| !rules.matches(path)),
        None => branches,
    }
}

/// Leaves out the tests of files that `rules` ignore. All stay if that takes too many steps.
pub(crate) fn leave_out_of_tests(tests: TestSets, rules: &GlobList) -> TestSets {
    match ignoring(rules, tests.paths()) {
        Some(rules) => tests.of_files(|path| !rules.matches(path)),
        None => tests,
    }
}

/// The lines of a file; `None` if only something else was counted.
fn lines_of(file: &SourceFile) -> Option<Count> {
    let counts = file.lines.counts();
    if counts.coverable() > 0 {
        return Count::new(counts.covered(), counts.coverable());
    }
    let counters = &file.counters;
    let stated = [Counter::Line, Counter::Statement].into_iter();
    let mut stated = stated.filter_map(|counter| counters.get(counter));
    stated.next().or_else(|| {
        let has_nothing = counters.iter().all(|(_, count)| count.total() == 0);
        has_nothing.then(|| Count::of_missed(0, 0))
    })
}

/// The counters besides lines that are known for each file: because each file states them, or because the files that do add up to
/// the total.
fn add_up(files: &[SourceFile], totals: &Counters) -> Vec<Counter> {
    let totals = totals.iter();
    let known = totals.filter(|&(counter, total)| {
        let is_stated = |file: &SourceFile| file.counters.get(counter).is_some();
        files.iter().all(is_stated) || sum(files, counter) == total
    });
    let known = known.map(|(counter, _)| counter);
    known.filter(|&counter| counter != Counter::Line).collect()
}

fn sum(files: &[SourceFile], counter: Counter) -> Count {
    let counts = files.iter().filter_map(|file| file.counters.get(counter));
    counts.fold(Count::of_missed(0, 0), Count::plus)
}

#[cfg(test)]
mod tests {
    use super::super::take_details;
    use super::*;
    use proptest::{collection::vec, prelude::*};

    fn read(text: &str) -> Report {
        let limits = formats::Limits::default();
        formats::read_with_lines(text.as_bytes(), &limits).expect("a coverage file")
    }

    fn ignored(text: &str, rules: &[&str]) -> (Report, Option<IgnoredFiles>, Option<&'static str>) {
        let mut report = read(text);
        let rules = GlobList::of(rules.iter().copied()).expect("patterns");
        let (details, _, why_not) = take_details(&mut report, None, &rules);
        (report, details.ignored, why_not)
    }

    fn total(report: &Report) -> (u64, u64) {
        match report.total {
            Coverage::Counts(count, Counter::Line) => (count.covered(), count.total()),
            other => panic!("no lines: {other:?}"),
        }
    }

    #[test]
    fn a_coverage_file_without_files_or_lines_keeps_its_total() {
        let without_files = "<coverage lines-covered='8' lines-valid='10' line-rate='0.8'/>";
        let (report, files, why_not) = ignored(without_files, &["gen/**"]);
        assert_eq!(total(&report), (8, 10));
        assert_eq!((files, why_not), (Some(IgnoredFiles::NONE), Some(NO_FILES)));
        let without_lines = "<report name='a'><package name='p'><sourcefile name='A.java'>\
            <counter type='INSTRUCTION' missed='1' covered='3'/></sourcefile></package>\
            <counter type='INSTRUCTION' missed='1' covered='3'/></report>";
        let (_, files, why_not) = ignored(without_lines, &["p/*"]);
        assert_eq!((files, why_not), (Some(IgnoredFiles::NONE), Some(NO_LINES)));
    }

    #[test]
    fn a_file_with_only_a_count_of_lines_can_be_ignored() {
        let lcov = "SF:a.c\nLF:4\nLH:3\nend_of_record\nSF:gen/b.c\nLF:6\nLH:1\nend_of_record\n";
        let (report, files, _) = ignored(lcov, &["gen/**"]);
        assert_eq!(total(&report), (3, 4));
        let lines = domain::Count {
            covered: 1,
            total: 6,
        };
        assert_eq!(files, Some(IgnoredFiles::Known { files: 1, lines }));
    }

    #[test]
    fn a_coverage_file_of_ignored_files_alone_has_no_lines() {
        let lcov = "SF:gen/b.c\nDA:1,1\nend_of_record\n";
        let mut report = read(lcov);
        let rules = GlobList::of(["gen/**"]).expect("patterns");
        let (_, lines, _) = take_details(&mut report, None, &rules);
        assert_eq!(total(&report), (0, 0));
        assert_eq!(lines.map(|(lines, ..)| lines.counts().coverable()), Some(0));
    }

    #[test]
    fn other_counters_are_known_if_the_files_state_or_add_up_to_them() {
        let cobertura = |branches: &str| {
            format!(
                "<coverage lines-covered='2' lines-valid='2' {branches} line-rate='1'><packages><package><classes>\
                 <class filename='a.c'><lines><line number='1' hits='1'/></lines></class>\
                 <class filename='gen/b.c'><lines><line number='1' hits='1' branch='true' condition-coverage='50% (1/2)'/></lines>\
                 </class></classes></package></packages></coverage>"
            )
        };
        let branches = |stated: &str| {
            let (report, ..) = ignored(&cobertura(stated), &["gen/**"]);
            let branches = report.counters.get(Counter::Branch);
            branches.map(|count| (count.covered(), count.total()))
        };
        assert_eq!(
            branches("branches-covered='1' branches-valid='2'"),
            Some((0, 0))
        );
        assert_eq!(branches("branches-covered='3' branches-valid='9'"), None);
    }

    proptest! {
        #[test]
        fn totals_with_rules_and_ignored_files_are_the_totals_without_rules(
            files in vec((any::<bool>(), vec(any::<bool>(), 1..20)), 1..20),
        ) {
            let mut lcov = String::new();
            for (number, (is_generated, lines)) in files.iter().enumerate() {
                let folder = if *is_generated { "gen" } else { "src" };
                lcov.push_str(&format!("SF:{folder}/{number}.c\n"));
                for (line, ran) in (1..).zip(lines) {
                    lcov.push_str(&format!("DA:{line},{}\n", u8::from(*ran)));
                }
                lcov.push_str("end_of_record\n");
            }
            let (all, none, _) = ignored(&lcov, &[]);
            prop_assert_eq!(none, None);
            let (kept, left_out, _) = ignored(&lcov, &["gen/**"]);
            let Some(IgnoredFiles::Known { files: number, lines }) = left_out else {
                panic!("{left_out:?}");
            };
            let generated = files.iter().filter(|(is_generated, _)| *is_generated);
            prop_assert_eq!(number, generated.count() as u64);
            let (covered, coverable) = total(&kept);
            prop_assert_eq!((covered + lines.covered, coverable + lines.total), total(&all));
        }
    }
}
