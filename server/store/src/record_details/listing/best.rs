//! The first `keep` rows of an order, without storing all rows.

use domain::{FileList, FileRow, FileSort, Others};

pub(super) struct Best {
    sort: FileSort,
    keep: usize,
    rows: Vec<FileRow>,
    others: Others,
    seen: u32,
}

impl Best {
    pub(super) fn new(sort: FileSort, keep: usize) -> Self {
        Self {
            sort,
            keep,
            rows: Vec::new(),
            others: Others::default(),
            seen: 0,
        }
    }

    pub(super) fn push(&mut self, row: FileRow) {
        self.seen += 1;
        self.rows.push(row);
        // Sorting only at intervals costs few comparisons per row.
        if self.rows.len() >= self.keep * 2 + 64 {
            self.prune();
        }
    }

    pub(super) fn seen(&self) -> u32 {
        self.seen
    }

    pub(super) fn finish(mut self) -> FileList {
        self.prune();
        FileList {
            rows: self.rows,
            others: self.others,
        }
    }

    fn prune(&mut self) {
        self.rows.sort_by(|a, b| self.sort.compare(a, b));
        for row in self.rows.drain(self.keep.min(self.rows.len())..) {
            self.others.rows += 1;
            self.others.lines = self.others.lines.plus(row.lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Count;

    #[test]
    fn the_first_rows_are_kept_and_the_others_are_counted() {
        for keep in [1, 7, 100, 1_000] {
            let mut best = Best::new(FileSort::Lines, keep);
            for number in 0..500_u64 {
                best.push(FileRow {
                    path: number.to_string(),
                    lines: Count {
                        covered: 1,
                        total: number * 7_919 % 500 + 1,
                    },
                    ..FileRow::default()
                });
            }
            assert_eq!(best.seen(), 500);
            let list = best.finish();
            let totals: Vec<_> = list.rows.iter().map(|row| row.lines.total).collect();
            let expected: Vec<_> = (1..=500).rev().take(keep).collect();
            assert_eq!(totals, expected);
            let shown: u64 = totals.iter().sum();
            assert_eq!(shown + list.others.lines.total, 500 * 501 / 2);
            assert_eq!(list.others.rows as usize, 500 - keep.min(500));
        }
    }
}
