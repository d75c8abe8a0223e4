//! The rows of one page in an order. For later pages, the rows before the page are not stored: the rows of the page are found by
//! their ranks, and then read.

use super::best::Best;
use domain::{FileRow, FileSort};
use std::cmp::Ordering;

/// Finds the rows of a page while all rows are pushed.
pub(super) enum Shown {
    /// Keeps the rows of the first page, which is requested most often, while they are pushed.
    First(Best),
    /// Finds the rows of a later page among the ranks of all rows.
    Later(Ranking),
}

impl Shown {
    /// Starts a page of `rows` rows. `is_by_path` states that rows arrive in the order of their paths.
    pub(super) fn new(sort: FileSort, page: u32, rows: u32, is_by_path: bool) -> Self {
        match page {
            0 | 1 => Self::First(Best::new(sort, rows as usize)),
            _ => Self::Later(Ranking {
                sort,
                is_by_path,
                ranks: Vec::new(),
                paths: String::new(),
            }),
        }
    }

    pub(super) fn push(&mut self, row: FileRow) {
        match self {
            Self::First(best) => best.push(row),
            Self::Later(ranking) => ranking.push(&row),
        }
    }

    pub(super) fn seen(&self) -> u32 {
        match self {
            Self::First(best) => best.seen(),
            Self::Later(ranking) => u32::try_from(ranking.ranks.len()).unwrap_or(u32::MAX),
        }
    }
}

/// The sort keys of all rows: about thirty bytes each. Paths are stored only if rows do not arrive in the order of their paths.
pub(super) struct Ranking {
    sort: FileSort,
    is_by_path: bool,
    ranks: Vec<Rank>,
    paths: String,
}

struct Rank {
    rank: (u64, u64),
    /// The position of its path in `paths`.
    path: (u32, u32),
    /// The number of the row among all rows.
    row: u32,
}

impl Ranking {
    fn push(&mut self, row: &FileRow) {
        let start = self.paths.len() as u32;
        if !self.is_by_path {
            self.paths.push_str(&row.path);
        }
        self.ranks.push(Rank {
            rank: self.sort.rank(row),
            path: (start, self.paths.len() as u32),
            row: self.ranks.len() as u32,
        });
    }

    /// Returns at most `count` rows of the order, from `first` on.
    pub(super) fn rows(mut self, first: usize, count: usize) -> Vec<u32> {
        let paths = std::mem::take(&mut self.paths);
        let path = |rank: &Rank| paths.get(rank.path.0 as usize..rank.path.1 as usize);
        let order = |a: &Rank, b: &Rank| -> Ordering {
            let by_path = || path(a).cmp(&path(b)).then(a.row.cmp(&b.row));
            a.rank.cmp(&b.rank).then_with(by_path)
        };
        let mut shown = self.ranks.as_mut_slice();
        if first >= shown.len() {
            return Vec::new();
        }
        shown.select_nth_unstable_by(first, order);
        shown = &mut shown[first..];
        if count < shown.len() {
            shown.select_nth_unstable_by(count, order);
            shown = &mut shown[..count];
        }
        shown.sort_unstable_by(order);
        shown.iter().map(|rank| rank.row).collect()
    }
}
