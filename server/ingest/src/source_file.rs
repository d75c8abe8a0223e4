//! A source file of a coverage file, with the state of its lines in the stored form.

use formats::{
    BranchName, Count, Counter, Counters, FileCoverage, LineHits, NamedBranch, PartialLine, Report,
    TestedLine,
};
use lines::{Branches, FileLines, Line};

#[derive(Debug, Default)]
pub(super) struct SourceFile {
    pub(super) path: String,
    pub(super) counters: Counters,
    pub(super) lines: FileLines,
    /// All branches; empty if the coverage file does not name all of them.
    pub(super) branches: Vec<NamedBranch>,
    /// Which tests ran which lines.
    pub(super) tests: Vec<TestedLine>,
}

impl From<FileCoverage> for SourceFile {
    fn from(file: FileCoverage) -> Self {
        Self {
            path: file.path,
            counters: file.counters,
            lines: lines_of(file.lines, file.partial),
            branches: file.branches,
            tests: file.tests,
        }
    }
}

impl SourceFile {
    /// Adds the data that the coverage file has about the same file under other names.
    pub(super) fn unite(&mut self, others: Vec<Self>) {
        let has_lines = |file: &Self| {
            file.counters.get(Counter::Line).is_none() || !file.lines.lines().is_empty()
        };
        let have_lines = has_lines(self) && others.iter().all(has_lines);
        let mut lines = vec![std::mem::take(&mut self.lines)];
        for other in others {
            self.counters.unite(&other.counters);
            lines.push(other.lines);
            self.branches.extend(other.branches);
            self.tests.extend(other.tests);
        }
        self.lines = FileLines::union_of(lines);
        let counts = self.lines.counts();
        if have_lines
            && self.counters.get(Counter::Line).is_some()
            && let Some(count) = Count::new(counts.covered(), counts.coverable())
        {
            self.counters.set(Counter::Line, count);
        }
    }
}

/// Returns the lines of each source file, with the paths in the coverage file.
pub fn source_lines(report: Report) -> impl Iterator<Item = (String, FileLines)> {
    let files = report.files.into_iter().map(SourceFile::from);
    files.map(|file| (file.path, file.lines))
}

/// Sorts files by path. Files with the same path become one; files without a path stay apart.
pub(super) fn sort_and_unite(files: &mut Vec<SourceFile>) {
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let mut united: Vec<SourceFile> = Vec::with_capacity(files.len());
    let mut all = std::mem::take(files).into_iter().peekable();
    while let Some(mut file) = all.next() {
        let mut others = Vec::new();
        if !file.path.is_empty() {
            others.extend(std::iter::from_fn(|| {
                all.next_if(|next| next.path == file.path)
            }));
        }
        if !others.is_empty() {
            file.unite(others);
        }
        united.push(file);
    }
    *files = united;
}

fn lines_of(hits: Vec<LineHits>, partial: Vec<PartialLine>) -> FileLines {
    if partial.is_empty() {
        let lines = hits.into_iter();
        return lines.map(|of| Line::new(of.line, of.hits, false)).collect();
    }
    let mut partial = partial.into_iter().peekable();
    let lines = hits.into_iter().map(|hits| {
        let partial = partial.next_if(|partial| partial.line == hits.line);
        let line = Line::new(hits.line, hits.hits, partial.is_some());
        (line, partial.and_then(branches_of))
    });
    lines.collect()
}

/// `None` if the coverage file has no numbers of branches.
fn branches_of(partial: PartialLine) -> Option<Branches> {
    const _: () = assert!(formats::BranchName::SCHEME_BITS == Branches::SCHEME_BITS);
    let names = |names: Vec<BranchName>| names.into_iter().map(|name| name.number());
    let number = |names: &[BranchName]| u32::try_from(names.len()).unwrap_or(u32::MAX);
    let (missed, reached) = (number(&partial.missed), number(&partial.reached));
    if missed > 0 && missed.checked_add(reached) == Some(partial.total) {
        return Branches::all_named(names(partial.missed), names(partial.reached));
    }
    Branches::named(partial.taken, partial.total, names(partial.missed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_file_are_united_and_count_their_lines_once() {
        let lcov = "SF:a.c\nDA:1,1\nDA:2,0\nDA:3,0\nend_of_record\nSF:b.c\nDA:2,1\nDA:3,0\nend_of_record\n";
        let read = formats::read_with_lines(lcov.as_bytes(), &formats::Limits::default());
        let files = read.expect("a coverage file").files.into_iter();
        let mut files: Vec<_> = files.map(SourceFile::from).collect();
        for file in &mut files {
            file.path = "c.c".to_owned();
        }
        sort_and_unite(&mut files);
        assert_eq!(files.len(), 1);
        assert_eq!(files[0].counters.get(Counter::Line), Count::new(2, 3));
        assert_eq!(files[0].lines.counts().covered(), 2);
    }

    #[test]
    fn files_without_a_name_stay_apart() {
        let mut files = vec![SourceFile::default(), SourceFile::default()];
        sort_and_unite(&mut files);
        assert_eq!(files.len(), 2);
    }

    #[test]
    fn a_count_without_lines_is_kept() {
        let lcov = "SF:a.c\nLF:20\nLH:10\nend_of_record\nSF:b.c\nDA:1,1\nend_of_record\n";
        let read = formats::read_with_lines(lcov.as_bytes(), &formats::Limits::default());
        let files = read.expect("a coverage file").files.into_iter();
        let mut files: Vec<_> = files.map(SourceFile::from).collect();
        let other = files.pop().expect("two files");
        files[0].unite(vec![other]);
        assert_eq!(files[0].counters.get(Counter::Line), Count::new(10, 20));
    }
}
