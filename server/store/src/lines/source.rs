//! Reads a source file of a record, for its page.

use super::{RecordLines, branch_names};
use crate::{Reader, Store, StoreError, blocking::blocking, record_details, run::Run};
use domain::{
    Count, KnownLines, LineBranches, LineRange, LineState, PartContent, PartName, RecordParts,
    SourceDetail, SourceFiles, SourceLine, SourceLines, SourcePart, SourceQuery, SourceReport,
    text::chain,
};
use lines::{Changes, FileLines, Lines, State};

/// The page reads parts until they have so many coverable lines, and always the chosen part. A million lines take some 30 ms.
const COMPARED_LINES: u64 = 1_000_000;

const CHANGES: &str = "select changes from record_changes where record_id = $1";

impl Reader {
    /// Returns a source file of a record, without its text; `None` if the record does not exist.
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
        let path = query.path.as_str();
        let mut united = match self.record_lines(query.id).await {
            Ok(Some(RecordLines::Kept { lines, .. })) => of_file(Some(&lines), path),
            Ok(Some(RecordLines::NotKept) | None) => SourceLines::NotKept,
            Err(error) => unreadable(error)?,
        };
        let count = count(&united);
        let (parts, chosen) = store.source_parts(query, &summary.parts).await?;
        let query = SourceQuery {
            part: query.part.clone().filter(|_| chosen.is_some()),
            ..query.clone()
        };
        if let SourceLines::Known(known) = &mut united
            && chosen.is_none()
        {
            let (all, most) = (0..=u32::MAX, KnownLines::WITH_HISTORY);
            known.are_united = summary.parts.are_united();
            known.missed_since = self.missed_since(query.id, path, all, most).await?;
        }
        let report = report(summary.has_report, &parts, query.part.as_ref());
        let lost = summary.lost.into_iter().flat_map(|lost| lost.files);
        let lost = lost.filter(|(of, _)| of == path);
        let record = summary.record;
        let changes = store.changes_of(query.id).await?;
        Ok(Some(SourceDetail {
            forge: store.writer().forge_of(&record.repository).await?,
            repository: record.repository,
            branch: record.branch,
            commit: record.commit,
            pull_request: summary.pull_request,
            language: record.language,
            count,
            report,
            parts,
            lines: chosen.unwrap_or(united),
            text: self.source_text(query.id, path).await?,
            changed: changes.map_or_else(Vec::new, |changes| changed_in(&changes, path)),
            tests: match query.part {
                Some(_) => None,
                None => self.source_tests(&query).await?,
            },
            lost: lost.flat_map(|(_, ranges)| ranges).collect(),
            files: store.files_beside(query.id, path).await?,
            query,
        }))
    }
}

impl Reader {
    /// Returns the hunks of a record; `None` if it does not exist, or if its changes are not known.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if they are damaged.
    pub async fn record_hunks(&self, id: i64) -> Result<Option<Changes>, StoreError> {
        match self.sees_record(id).await? {
            Some(store) => store.changes_of(id).await,
            None => Ok(None),
        }
    }
}

impl Store {
    /// The parts of a record with their lines of a file, and the lines of the chosen part, if the record has it. The lines of
    /// the first parts are read, up to [`COMPARED_LINES`].
    async fn source_parts(
        &self,
        query: &SourceQuery,
        parts: &RecordParts,
    ) -> Result<(Vec<SourcePart>, Option<SourceLines>), StoreError> {
        let (mut found, mut chosen, mut read) = (Vec::new(), None, 0);
        for (name, has_report) in measured(parts) {
            let is_chosen = query.part.as_ref() == Some(&name);
            let mut lines = SourceLines::NotKept;
            if read < COMPARED_LINES || is_chosen {
                lines = match self.united_part_lines(query.id, &name).await {
                    Ok(lines) => {
                        read += lines.as_ref().map_or(0, |lines| lines.counts().coverable());
                        of_file(lines.as_ref(), &query.path)
                    }
                    Err(error) => unreadable(error)?,
                };
            }
            let count = count(&lines);
            if is_chosen {
                chosen = Some(lines);
            }
            found.push(SourcePart {
                name,
                has_report,
                count,
            });
        }
        Ok((found, chosen))
    }

    /// The changes of a record; `None` if they are not known.
    pub(super) async fn changes_of(&self, id: i64) -> Result<Option<Changes>, StoreError> {
        let changes: Option<Option<Vec<u8>>> = self.first_value(CHANGES, [id]).await?;
        let Some(changes) = changes.flatten() else {
            return Ok(None);
        };
        let changes = crate::blocking::decoding(id, move || Changes::decode(&changes)).await?;
        Ok(Some(changes))
    }

    async fn files_beside(&self, id: i64, path: &str) -> Result<SourceFiles, StoreError> {
        let Some(stored) = self.stored_files(id).await? else {
            return Ok(SourceFiles::default());
        };
        let path = path.to_owned();
        let beside = blocking(move || record_details::beside(&stored, &path)).await?;
        Ok(beside.unwrap_or_else(|error| {
            tracing::error!(record = id, cause = %error, "the files of a record cannot be read");
            SourceFiles::default()
        }))
    }
}

/// The measured and carried parts, each with whether it has an HTML report; empty if the record has only the unnamed part.
fn measured(parts: &RecordParts) -> Vec<(PartName, bool)> {
    if parts.are_plain() {
        return Vec::new();
    }
    let arrived = parts.arrived.iter().filter_map(|part| match part.content {
        PartContent::Measured { has_report, .. } => Some((part.name.clone(), has_report)),
        PartContent::Skipped(_) => None,
    });
    let carried = parts.carried.iter().map(|part| (part.name.clone(), false));
    let mut all: Vec<_> = arrived.chain(carried).collect();
    all.sort();
    all
}

/// The HTML report of the chosen part; else of the part that ran most lines, the first one if several are equal.
fn report(
    has_report: bool,
    parts: &[SourcePart],
    chosen: Option<&PartName>,
) -> Option<SourceReport> {
    let ran = |part: &&SourcePart| part.count.map_or(0, |count| count.covered);
    let with_report = parts.iter().filter(|part| part.has_report);
    let of_part = match chosen {
        Some(chosen) => with_report.clone().find(|part| part.name == *chosen),
        // Of equal parts, `max_by_key` returns the last one.
        None => with_report.rev().max_by_key(ran),
    };
    match of_part {
        Some(part) => Some(SourceReport::OfPart(part.name.clone())),
        None => (chosen.is_none() && has_report).then_some(SourceReport::OfRecord),
    }
}

/// The changed lines of a file.
pub(super) fn changed_in(changes: &Changes, path: &str) -> Vec<LineRange> {
    let files = changes.files().iter();
    let hunks = files.filter(|file| file.path.as_deref() == Some(path));
    let spans = hunks.flat_map(|file| &file.hunks).map(|hunk| hunk.new);
    let spans = spans.filter(|span| span.lines > 0);
    spans.map(|span| (span.first, span.end() - 1)).collect()
}

/// Damaged lines count as not kept.
pub(super) fn unreadable(error: StoreError) -> Result<SourceLines, StoreError> {
    let StoreError::Lines { .. } = error else {
        return Err(error);
    };
    let cause = chain(&error);
    tracing::error!(cause, "the page of a source file shows no lines");
    Ok(SourceLines::NotKept)
}

pub(super) fn of_file(lines: Option<&Lines>, path: &str) -> SourceLines {
    let Some(lines) = lines else {
        return SourceLines::NotKept;
    };
    let Some(file) = lines.get(path) else {
        return SourceLines::NoSuchFile;
    };
    let lines = file.lines().iter().map(|line| SourceLine {
        number: line.number(),
        state: match line.state() {
            State::Missed => LineState::Missed,
            State::Partial => LineState::Partial,
            State::Hit => LineState::Hit,
        },
        runs: line.hits(),
        branches: branches(file, line.number()),
    });
    SourceLines::Known(KnownLines {
        lines: lines.collect(),
        ..KnownLines::default()
    })
}

fn branches(file: &FileLines, line: u32) -> Option<LineBranches> {
    // A total of 0 only states that a branch was missed.
    let branches = file.branches(line).filter(|of| of.total() > 0)?;
    let missed = branches.missed().unwrap_or_default().iter();
    Some(LineBranches {
        taken: branches.taken(),
        total: branches.total(),
        missed: missed
            .filter_map(|&name| branch_names::words(name))
            .collect(),
    })
}

fn count(lines: &SourceLines) -> Option<Count> {
    match lines {
        SourceLines::Known(known) => Some(known.count()),
        SourceLines::NoSuchFile | SourceLines::NotKept => None,
    }
}
