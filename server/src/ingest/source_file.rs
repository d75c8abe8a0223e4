//! A source file of a coverage file, with the state of its lines as it is stored.

use lines::{Branches, FileLines, Line};
use report::{Count, Counter, Counters, FileCoverage, LineHits, PartialLine};

/// A source file.
#[derive(Debug)]
pub(super) struct SourceFile {
    pub(super) path: String,
    pub(super) counters: Counters,
    pub(super) lines: FileLines,
}

impl From<FileCoverage> for SourceFile {
    fn from(file: FileCoverage) -> Self {
        Self {
            path: file.path,
            counters: file.counters,
            lines: lines_of(file.lines, file.partial),
        }
    }
}

impl SourceFile {
    /// Adds what the coverage file says about the same file under another name.
    pub(super) fn unite(&mut self, other: Self) {
        self.counters.unite(&other.counters);
        self.lines.unite(other.lines);
        let counts = self.lines.counts();
        if self.counters.get(Counter::Line).is_some()
            && let Some(count) = Count::new(counts.covered(), counts.coverable())
            && count.total() > 0
        {
            self.counters.set(Counter::Line, count);
        }
    }
}

/// Sorts files by path. Files with the same path become one; files without a path stay apart.
pub(super) fn sort_and_unite(files: &mut Vec<SourceFile>) {
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files.dedup_by(|later, first| {
        let are_same = later.path == first.path && !later.path.is_empty();
        if are_same {
            first.unite(std::mem::replace(later, SourceFile::nameless()));
        }
        are_same
    });
}

impl SourceFile {
    fn nameless() -> Self {
        Self {
            path: String::new(),
            counters: Counters::default(),
            lines: FileLines::default(),
        }
    }
}

fn lines_of(hits: Vec<LineHits>, partial: Vec<PartialLine>) -> FileLines {
    let mut partial = partial.into_iter().peekable();
    let lines = hits.into_iter().map(|hits| {
        let partial = partial.next_if(|partial| partial.line == hits.line);
        let line = Line::new(hits.line, hits.hits, partial.is_some());
        (line, partial.and_then(branches_of))
    });
    lines.collect()
}

/// None if the coverage file has no numbers of branches.
fn branches_of(partial: PartialLine) -> Option<Branches> {
    const _: () = assert!(report::BranchName::SCHEME_BITS == Branches::SCHEME_BITS);
    let names = partial.missed.into_iter().map(|name| name.number());
    Branches::named(partial.taken, partial.total, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_file_are_united_and_count_their_lines_once() {
        let lcov = "SF:a.c\nDA:1,1\nDA:2,0\nDA:3,0\nend_of_record\nSF:b.c\nDA:2,1\nDA:3,0\nend_of_record\n";
        let read = report::read_with_lines(lcov.as_bytes(), &report::Limits::default());
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
        let mut files = vec![SourceFile::nameless(), SourceFile::nameless()];
        sort_and_unite(&mut files);
        assert_eq!(files.len(), 2);
    }
}
