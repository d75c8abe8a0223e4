//! Reads the lines of one source file, for its page.

use super::RecordLines;
use crate::{Reader, Store, StoreError};
use domain::{
    KnownLines, LineRanges, MissedSince, PartContent, PartName, RecordPart, RecordParts,
    SourceDetail, SourceLines, SourceQuery,
};
use lines::{FileLines, State};

/// The maximum number of parts whose lines are read to find the part that ran most of a file.
const COMPARED: usize = 8;

impl Reader {
    /// Returns a source file of a record; `None` if the record does not exist.
    ///
    /// # Errors
    ///
    /// If the database fails. Unreadable lines count as not kept.
    pub async fn source(&self, query: &SourceQuery) -> Result<Option<SourceDetail>, StoreError> {
        let Some(store) = self.sees_record(query.id).await? else {
            return Ok(None);
        };
        let Some(summary) = self.record_summary(query.id).await? else {
            return Ok(None);
        };
        let lines = match self.record_lines(query.id).await {
            Ok(Some(RecordLines::Kept { lines, .. })) => match lines.get(&query.path) {
                Some(file) => {
                    let all = 0..=u32::MAX;
                    let since = self.missed_since(query.id, &query.path, all, LineRanges::NAMED);
                    SourceLines::Known(known(file, since.await?))
                }
                None => SourceLines::NoSuchFile,
            },
            Ok(Some(RecordLines::NotKept) | None) => SourceLines::NotKept,
            Err(error @ StoreError::Lines { .. }) => {
                let cause = domain::text::chain(&error);
                tracing::error!(cause, "the page of a source file shows no lines");
                SourceLines::NotKept
            }
            Err(error) => return Err(error),
        };
        let parts = with_report(&summary.parts);
        let part = match query.part.as_ref().filter(|part| parts.contains(part)) {
            Some(part) => Some(part.clone()),
            None => store.part_that_ran_most(query, &parts).await?,
        };
        let record = summary.record;
        let forge = store.writer().forge_of(&record.repository).await?;
        Ok(Some(SourceDetail {
            query: query.clone(),
            repository: record.repository,
            forge,
            branch: record.branch,
            commit: record.commit,
            language: record.language,
            has_report: summary.has_report,
            part,
            parts,
            lines,
        }))
    }
}

impl Store {
    /// The part that ran most lines of a file, among the first [`COMPARED`] parts; the first one if several are equal.
    async fn part_that_ran_most(
        &self,
        query: &SourceQuery,
        parts: &[PartName],
    ) -> Result<Option<PartName>, StoreError> {
        let [_, _, ..] = parts else {
            return Ok(parts.first().cloned());
        };
        let mut best = (parts.first(), 0);
        for part in parts.iter().take(COMPARED) {
            let lines = match self.writer().part_lines(query.id, part).await {
                Ok(lines) => lines,
                // The page of the record reports the damage.
                Err(StoreError::Lines { .. }) => None,
                Err(error) => return Err(error),
            };
            let file = lines.as_ref().and_then(|lines| lines.get(&query.path));
            let ran = file.map_or(0, |file| file.counts().covered());
            if ran > best.1 {
                best = (Some(part), ran);
            }
        }
        Ok(best.0.cloned())
    }
}

/// The measured parts that have an HTML report; empty if the record has only the unnamed part.
fn with_report(parts: &RecordParts) -> Vec<PartName> {
    if parts.are_plain() {
        return Vec::new();
    }
    let has_report = |part: &&RecordPart| {
        matches!(
            part.content,
            PartContent::Measured {
                has_report: true,
                ..
            }
        )
    };
    let parts = parts.arrived.iter().filter(has_report);
    parts.map(|part| part.name.clone()).collect()
}

fn known(file: &FileLines, missed_since: Vec<MissedSince>) -> KnownLines {
    let counts = file.counts();
    KnownLines {
        missed_since,
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
