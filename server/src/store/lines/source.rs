//! The lines of one source file, for its page.

use super::RecordLines;
use crate::store::{Store, StoreError};
use domain::{KnownLines, LineRanges, SourceDetail, SourceLines, SourceQuery};
use lines::{FileLines, State};

impl Store {
    /// Returns a source file of a record; none if the record does not exist.
    ///
    /// # Errors
    ///
    /// When the database fails. Lines that cannot be read count as not kept.
    pub async fn source(&self, query: &SourceQuery) -> Result<Option<SourceDetail>, StoreError> {
        let Some(summary) = self.record_summary(query.id).await? else {
            return Ok(None);
        };
        let lines = match self.record_lines(query.id).await {
            Ok(Some(RecordLines::Kept { lines, .. })) => lines
                .get(&query.path)
                .map_or(SourceLines::NoSuchFile, |file| {
                    SourceLines::Known(known(file))
                }),
            Ok(Some(RecordLines::NotKept) | None) => SourceLines::NotKept,
            Err(error @ StoreError::Lines { .. }) => {
                let cause = crate::text::chain(&error);
                tracing::error!(cause, "the page of a source file shows no lines");
                SourceLines::NotKept
            }
            Err(error) => return Err(error),
        };
        let record = summary.record;
        let forge = self.forge_of(&record.repository).await?;
        Ok(Some(SourceDetail {
            query: query.clone(),
            repository: record.repository,
            forge,
            branch: record.branch,
            commit: record.commit,
            language: record.language,
            has_report: summary.has_report,
            lines,
        }))
    }
}

fn known(file: &FileLines) -> KnownLines {
    let counts = file.counts();
    KnownLines {
        covered: counts.covered(),
        coverable: counts.coverable(),
        missed: ranges(file, State::Missed),
        partial: ranges(file, State::Partial),
    }
}

fn ranges(file: &FileLines, state: State) -> LineRanges {
    let ranges = file.ranges(state);
    let lines = ranges
        .iter()
        .map(|range| u64::from(range.end() - range.start()) + 1);
    let first = ranges.iter().take(LineRanges::NAMED);
    LineRanges {
        lines: lines.sum(),
        count: ranges.len(),
        first: first.map(|range| (*range.start(), *range.end())).collect(),
    }
}
