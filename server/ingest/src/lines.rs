//! The files of a coverage file and the state of every line, in their stored form.

use super::{
    source_file::SourceFile,
    tests_of_lines::{room_for, stored_tests},
};
use domain::Count;
use lines::{BranchCount, Counts, Limits, Lines, NamedBranches, TestSets, TooLarge};
use store::{FileCounts, FilesEncoder, NewLines, StoredFiles, TooManyFiles};

/// The lines of a part or of a union; its branches, `None` unless it names all of them; and its tests, `None` if they are too many.
pub(super) type Content = (Lines, Option<NamedBranches>, Option<TestSets>);

/// The longest path of a file with lines, in bytes. Linux opens no longer path (`PATH_MAX`).
const PATH_BYTES: usize = 4_096;

/// Takes the lines out of `files`, if they have lines, and the branches, if the coverage file names all of them. `is_empty`: the
/// coverage file has nothing to cover, which is not the same as no lines, so it can be united. `branches` is the number of its
/// branches, if it counts them. Also returns the number of files that were left out because their paths are too long.
pub(super) fn take_lines(
    files: &mut [SourceFile],
    is_empty: bool,
    branches: Option<Count>,
) -> (Option<(Lines, Option<NamedBranches>)>, usize) {
    let (mut lines, mut left_out) = (Lines::default(), 0);
    let mut named = branches.map(|_| NamedBranches::default());
    for file in files {
        if file.path.is_empty() || file.lines.lines().is_empty() {
            continue;
        }
        if file.path.len() > PATH_BYTES {
            left_out += 1;
            continue;
        }
        let own = std::mem::take(&mut file.lines).as_stored();
        lines.add(file.path.as_str(), own);
        let of_file = std::mem::take(&mut file.branches).into_iter();
        let of_file = of_file.map(|of| (of.line, of.name.number(), of.is_taken));
        named = named.and_then(|named| named.with(file.path.as_str(), of_file));
    }
    let named = named.filter(|named| Some(of_branches(named.count())) == branches);
    let has_lines = lines.counts().coverable() > 0 || is_empty;
    (has_lines.then_some((lines, named)), left_out)
}

/// Returns the stored form of what was taken out of a coverage file. What the service does not store is left out of `content` too, with
/// a warning. `None` if that is everything.
pub(super) fn stored(content: &mut Content, warnings: &mut Vec<String>) -> Option<NewLines> {
    let (lines, branches, tests) = content;
    let Ok(stored) = new_lines(lines) else {
        let dropped = "The coverage file has more lines or longer paths than the service stores, so only counts are shown.";
        warnings.push(dropped.to_owned());
        return None;
    };
    let of_branches = branches.as_ref();
    let of_branches = of_branches.and_then(|named| named.encode(&Limits::default()).ok());
    if of_branches.is_none() {
        *branches = None;
    }
    let of_tests = stored_tests(tests.as_ref(), room_for(stored.covered));
    warnings.extend(of_tests.as_ref().err().map(|why| (*why).to_owned()));
    let of_tests = of_tests.unwrap_or_default();
    if of_tests.is_none() {
        *tests = Some(TestSets::default());
    }
    Some(NewLines {
        branches: of_branches,
        tests: of_tests,
        ..stored
    })
}

/// Returns the stored form of lines, without branches.
pub(super) fn new_lines(lines: &Lines) -> Result<NewLines, TooLarge> {
    let counts = lines.counts();
    Ok(NewLines {
        covered: counts.covered(),
        coverable: counts.coverable(),
        encoded: lines.encode(&Limits::default())?,
        branches: None,
        tests: None,
    })
}

/// Returns the counts of lines as a record has them.
pub(super) fn count(counts: Counts) -> Count {
    Count {
        covered: counts.covered(),
        total: counts.coverable(),
    }
}

/// Returns the count of branches as a record has it.
pub(super) fn of_branches((covered, total): BranchCount) -> Count {
    Count { covered, total }
}

/// Returns the stored form of the files of a record. `counter` is what their first counts count.
pub(super) fn stored_files<'a>(
    counter: &str,
    root: String,
    files: impl Iterator<Item = (&'a str, FileCounts)>,
) -> Result<StoredFiles, TooManyFiles> {
    let mut encoder = FilesEncoder::new();
    for (path, counts) in files {
        encoder.add(path, counts)?;
    }
    let (count, encoded) = encoder.finish()?;
    Ok(StoredFiles {
        counter: counter.to_owned(),
        root,
        count,
        encoded: Some(encoded),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lines::State;

    fn read(lcov: &str) -> Lines {
        let report = formats::read_with_lines(lcov.as_bytes(), &formats::Limits::default());
        let files = report.expect("a coverage file").files.into_iter();
        let mut files: Vec<_> = files.map(SourceFile::from).collect();
        let (taken, _) = take_lines(&mut files, false, None);
        taken.expect("lines").0
    }

    #[test]
    fn states_and_branches_are_those_of_the_coverage_file() {
        let lines =
            read("SF:a.c\nDA:1,3\nDA:2,0\nDA:4,1\nBRDA:4,0,0,1\nBRDA:4,0,1,0\nend_of_record\n");
        let file = lines.get("a.c").expect("the file");
        assert_eq!(file.ranges(State::Hit), [1..=1]);
        assert_eq!(file.ranges(State::Missed), [2..=2]);
        assert_eq!(file.ranges(State::Partial), [4..=4]);
        let branches = file.branches(4).expect("branches");
        assert_eq!((branches.taken(), branches.total()), (1, 2));
        assert_eq!(branches.missed(), Some(&[1 << 4][..]));
    }

    #[test]
    fn lines_that_no_source_file_has_are_left_out() {
        let lines = read("SF:a.c\nDA:0,1\nDA:7,1\nDA:10000001,1\nend_of_record\n");
        let file = lines.get("a.c").expect("the file");
        assert_eq!(file.ranges(State::Hit), [7..=7]);
    }

    #[test]
    fn two_parts_that_each_miss_another_branch_take_all_together() {
        let part = |taken: [u8; 2]| {
            let [one, other] = taken;
            read(&format!(
                "SF:a.c\nDA:4,1\nBRDA:4,0,0,{one}\nBRDA:4,0,1,{other}\nend_of_record\n"
            ))
        };
        let union = part([0, 1]).united(part([1, 0]), &Limits::default());
        let union = union.expect("few lines");
        assert_eq!(
            union.get("a.c").expect("the file").state(4),
            Some(State::Hit)
        );
    }

    #[test]
    fn a_coverage_file_without_lines_has_none() {
        let report = formats::read(
            &b"SF:a.c\nLF:1\nLH:1\nend_of_record\n"[..],
            &formats::Limits::default(),
        );
        let files = report.expect("a coverage file").files.into_iter();
        let mut files: Vec<_> = files.map(SourceFile::from).collect();
        assert_eq!(files.len(), 1);
        assert!(take_lines(&mut files, false, None).0.is_none());
        let (empty, _) = take_lines(&mut files, true, None);
        assert_eq!(empty.map(|(lines, _)| lines.counts().coverable()), Some(0));
    }
}
