//! The files of a record: which of them are wanted, in which order, and what is shown of them.

use crate::{Count, Percentage};
use std::cmp::Ordering;

/// Rows on a page of the file table.
pub const FILES_ON_A_PAGE: u32 = 100;

/// Which files are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilesQuery {
    /// As folders, or as one list.
    pub view: FileView,
    /// The folder, without a `/` at its end; empty for the topmost.
    pub folder: String,
    /// A case-insensitive part of the path; empty for all. Where there is one, the files are one list.
    pub keyword: String,
    /// The order.
    pub sort: FileSort,
    /// The page, counted from 1.
    pub page: u32,
}

/// How files are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileView {
    /// What one folder holds, its folders with the sums of what is in them.
    #[default]
    Folders,
    /// All files below the folder.
    Flat,
}

/// The order of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileSort {
    /// Most uncovered lines first.
    #[default]
    Uncovered,
    /// By path, folders first.
    Name,
    /// Lowest coverage first.
    Coverage,
    /// Most lines first.
    Lines,
}

impl FileView {
    /// Its name in an address; none for what is shown without one.
    pub fn parameter(self) -> Option<&'static str> {
        match self {
            Self::Folders => None,
            Self::Flat => Some("flat"),
        }
    }

    /// By its name in an address.
    pub fn of_parameter(text: &str) -> Self {
        match text {
            "flat" => Self::Flat,
            _ => Self::Folders,
        }
    }
}

impl FileSort {
    /// All orders.
    pub const ALL: [Self; 4] = [Self::Uncovered, Self::Name, Self::Coverage, Self::Lines];

    /// Its name in an address; none for the order that needs none.
    pub fn parameter(self) -> Option<&'static str> {
        match self {
            Self::Uncovered => None,
            Self::Name => Some("name"),
            Self::Coverage => Some("coverage"),
            Self::Lines => Some("lines"),
        }
    }

    /// By its name in an address.
    pub fn of_parameter(text: &str) -> Self {
        let known = Self::ALL.into_iter();
        let mut named = known.filter(|sort| sort.parameter() == Some(text));
        named.next().unwrap_or_default()
    }

    /// Which of two rows stands first.
    pub fn compare(self, a: &FileRow, b: &FileRow) -> Ordering {
        let by_rank = self.rank(a).cmp(&self.rank(b));
        by_rank.then_with(|| a.path.cmp(&b.path))
    }

    /// What rows are ordered by, the lowest first; those of one rank are ordered by their paths.
    pub fn rank(self, row: &FileRow) -> (u64, u64) {
        let fewest_last = |count: u64| u64::MAX - count;
        match self {
            Self::Name => (u64::from(row.files.is_none()), 0),
            Self::Uncovered => (fewest_last(row.lines.uncovered()), 0),
            Self::Lines => (fewest_last(row.lines.total), 0),
            Self::Coverage => {
                // What has nothing to cover has no coverage, and comes last.
                let percentage = row
                    .percentage()
                    .map_or(u64::MAX, |percentage| percentage.basis_points().into());
                (percentage, fewest_last(row.lines.total))
            }
        }
    }
}

/// What is known of a record's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Files {
    /// It was uploaded before files were kept.
    NotKept,
    /// Its report lists none, or too many.
    NotListed,
    /// They are known.
    Listed(Box<FileListing>),
}

/// A page of a record's files, or of what one of its folders holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileListing {
    /// What was asked for, with the page that is shown.
    pub query: FilesQuery,
    /// What is counted in the place of lines, in lower case and singular: `line` nearly always.
    pub counter: String,
    /// What all paths began with in the report, which is left out here; mostly empty.
    pub root: String,
    /// How many files the record has.
    pub file_count: u32,
    /// The sums over the folder that is shown.
    pub folder: FileRow,
    /// How many rows match on all pages.
    pub matching: u32,
    /// How many pages there are; at least 1.
    pub pages: u32,
    /// The rows of this page.
    pub rows: Vec<FileRow>,
    /// What has the most lines, whatever page it stands on: of what the folder holds, or of the files that were searched for.
    pub largest: FileList,
}

/// Rows with what did not come among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileList {
    /// The rows, those with the most lines first.
    pub rows: Vec<FileRow>,
    /// All others.
    pub others: Others,
}

/// Rows that are only counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Others {
    /// How many there are.
    pub rows: u32,
    /// Their lines.
    pub lines: Count,
}

/// A file, or a folder with the sums of what is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileRow {
    /// Its whole path, a folder's without a `/` at its end; empty for a file that the report does not name.
    pub path: String,
    /// The files in a folder; none for a file.
    pub files: Option<u32>,
    /// Covered and total lines, or what stands for lines.
    pub lines: Count,
    /// Covered and total branches; 0 of 0 where none are known.
    pub branches: Count,
    /// Covered and total functions; 0 of 0 where none are known.
    pub functions: Count,
}

impl FileRow {
    /// Its coverage; none where there is nothing to cover.
    pub fn percentage(&self) -> Option<Percentage> {
        (self.lines.total > 0).then(|| self.lines.percentage())
    }

    /// Its path as seen from `folder`.
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

    /// Adds what another one has.
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
        assert_eq!(FileSort::ALL.map(order), ["abcd", "abcd", "cbad", "abcd"]);
    }

    #[test]
    fn orders_and_views_are_parsed_from_their_names_in_addresses() {
        for sort in FileSort::ALL {
            assert_eq!(FileSort::of_parameter(sort.parameter().unwrap_or("")), sort);
        }
        assert_eq!(FileSort::of_parameter("nonsense"), FileSort::Uncovered);
        for view in [FileView::Folders, FileView::Flat] {
            assert_eq!(FileView::of_parameter(view.parameter().unwrap_or("")), view);
        }
    }

    #[test]
    fn a_name_is_the_part_after_the_folder() {
        assert_eq!(row("src/a/b.c", 0, 0).name_in("src"), "a/b.c");
        assert_eq!(row("src/a/b.c", 0, 0).name_in(""), "src/a/b.c");
        assert_eq!(row("srcs/b.c", 0, 0).name_in("src"), "srcs/b.c");
    }
}
