//! The files of a record: the query, the order and the rows.

use crate::{
    Count, Percentage,
    choice::choices,
    query::{query, with_default},
};
use std::cmp::Ordering;

/// Rows on a page of the file table.
pub const FILES_ON_A_PAGE: u32 = 100;

query! {
    /// Which files to show.
    #[derive(Default)]
    pub struct FilesQuery {
        /// As folders or as one list.
        pub view: FileView = "as",
        /// The folder, without a `/` at the end; empty for the root.
        pub folder: String = "dir",
        /// A case-insensitive part of the path; empty for all. A search always shows one list.
        pub keyword: String = "file",
        /// The order.
        pub sort: FileSort = "sort",
        /// The page, counted from 1.
        pub page: u32 = "p",
    }
}

choices! {
    /// How files are shown.
    #[derive(Default)]
    FileView:
    /// The content of one folder; its subfolders with their sums.
    #[default]
    Folders = "folders",
    /// All files below the folder.
    Flat = "flat",
}

choices! {
    /// The order of files.
    #[derive(Default)]
    FileSort:
    /// Most uncovered lines first.
    #[default]
    Uncovered = "uncovered",
    /// By path, folders first.
    Name = "name",
    /// Lowest coverage first.
    Coverage = "coverage",
    /// Most lines first.
    Lines = "lines",
}

with_default!(FileSort, FileView);

impl FileSort {
    /// Compares two rows.
    pub fn compare(self, a: &FileRow, b: &FileRow) -> Ordering {
        let by_rank = self.rank(a).cmp(&self.rank(b));
        by_rank.then_with(|| a.path.cmp(&b.path))
    }

    /// The sort key of a row, the lowest first; rows with the same key are sorted by path.
    pub fn rank(self, row: &FileRow) -> (u64, u64) {
        let fewest_last = |count: u64| u64::MAX - count;
        match self {
            Self::Name => (u64::from(row.files.is_none()), 0),
            Self::Uncovered => (fewest_last(row.lines.uncovered()), 0),
            Self::Lines => (fewest_last(row.lines.total), 0),
            Self::Coverage => {
                // A file with nothing to cover has no coverage and comes last.
                let percentage = row
                    .percentage()
                    .map_or(u64::MAX, |percentage| percentage.basis_points().into());
                (percentage, fewest_last(row.lines.total))
            }
        }
    }
}

/// What is known about a record's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Files {
    /// It was uploaded before the service stored files.
    NotKept,
    /// Its coverage file lists no files, or too many.
    NotListed,
    /// They are known.
    Listed(Box<FileListing>),
}

/// One page of a record's files or of a folder's content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileListing {
    /// The query, with the page number that is shown.
    pub query: FilesQuery,
    /// What is counted, in lower case and singular: nearly always `line`.
    pub counter: String,
    /// The common prefix of all paths in the coverage file, removed here; usually empty.
    pub root: String,
    /// The number of files of the record.
    pub file_count: u32,
    /// The sums over the folder that is shown.
    pub folder: FileRow,
    /// The number of matching rows on all pages.
    pub matching: u32,
    /// The number of pages; at least 1.
    pub pages: u32,
    /// The rows of this page.
    pub rows: Vec<FileRow>,
    /// The rows with the most lines on all pages: of the folder's content, or of the files that match the search.
    pub largest: FileList,
}

/// Some rows, and a summary of all others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileList {
    /// The rows, the most lines first.
    pub rows: Vec<FileRow>,
    /// All other rows.
    pub others: Others,
}

/// Rows that are only counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Others {
    /// The number of rows.
    pub rows: u32,
    /// Their lines.
    pub lines: Count,
}

/// A file, or a folder with its sums.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileRow {
    /// Its full path, without a `/` at the end of a folder; empty for a file that the coverage file does not name.
    pub path: String,
    /// The number of files in a folder; `None` for a file.
    pub files: Option<u32>,
    /// Covered and total lines, or what is counted instead of lines.
    pub lines: Count,
    /// Covered and total branches; 0 of 0 if unknown.
    pub branches: Count,
    /// Covered and total functions; 0 of 0 if unknown.
    pub functions: Count,
    /// Its lines in the record that it is compared with: 0 of 0 if it is new, `None` if they are not known.
    pub before: Option<Count>,
}

impl FileRow {
    /// Its coverage; `None` if there is nothing to cover.
    pub fn percentage(&self) -> Option<Percentage> {
        (self.lines.total > 0).then(|| self.lines.percentage())
    }

    /// Its path relative to `folder`.
    pub fn name_in(&self, folder: &str) -> &str {
        match folder {
            "" => &self.path,
            _ => {
                let below = self.path.strip_prefix(folder);
                below
                    .and_then(|rest| rest.strip_prefix('/'))
                    .unwrap_or(&self.path)
            }
        }
    }

    /// Adds the counts of another row.
    pub fn add(&mut self, lines: Count, branches: Count, functions: Count) {
        self.lines = self.lines.plus(lines);
        self.branches = self.branches.plus(branches);
        self.functions = self.functions.plus(functions);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(path: &str, covered: u64, total: u64) -> FileRow {
        FileRow {
            path: path.to_owned(),
            lines: Count { covered, total },
            ..FileRow::default()
        }
    }

    #[test]
    fn each_order_sorts_by_what_its_name_says() {
        let rows = [
            row("b", 5, 10),
            row("a", 90, 100),
            row("c", 0, 1),
            row("d", 0, 0),
        ];
        let order = |sort: FileSort| {
            let mut rows = rows.to_vec();
            rows.sort_by(|a, b| sort.compare(a, b));
            rows.into_iter().map(|row| row.path).collect::<String>()
        };
        let orders: Vec<_> = FileSort::ALL.iter().copied().map(order).collect();
        assert_eq!(orders, ["abcd", "abcd", "cbad", "abcd"]);
    }

    #[test]
    fn a_name_is_the_part_after_the_folder() {
        assert_eq!(row("src/a/b.c", 0, 0).name_in("src"), "a/b.c");
        assert_eq!(row("src/a/b.c", 0, 0).name_in(""), "src/a/b.c");
        assert_eq!(row("srcs/b.c", 0, 0).name_in("src"), "srcs/b.c");
    }
}
