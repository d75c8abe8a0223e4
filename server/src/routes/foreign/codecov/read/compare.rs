//! `GET …/compare`: the changed lines of a pull request, and its totals.

use super::{Coverage, MOST_LINES, Named, nothing_uploaded, number_of, parameter};
use crate::{
    http::error::ApiError,
    routes::{etag::json, parameters::Parameters, readable::Readable},
};
use axum::{extract::RawQuery, http::HeaderMap, response::Response};
use domain::{Count, Percentage, PullRequest};
use serde::Serialize;
use std::collections::HashSet;
use store::{Reader, RecordLines, RecordSummary};

#[derive(Serialize)]
struct Comparison {
    totals: Totals,
    files: Vec<File>,
    /// Whether files are missing.
    has_more: bool,
}

#[derive(Serialize)]
struct Totals {
    base: Coverage,
    head: Coverage,
    /// Of the changed lines.
    patch: Coverage,
}

#[derive(Serialize)]
struct File {
    name: OfHead<String>,
    has_diff: bool,
    lines: Vec<Line>,
}

/// What the head of the pull request has.
#[derive(Serialize)]
struct OfHead<T> {
    head: T,
}

/// A coverable line that the pull request adds or changes.
#[derive(Serialize)]
struct Line {
    number: OfHead<u32>,
    added: bool,
    coverage: OfHead<u8>,
}

pub(super) async fn read(
    Readable { reader, .. }: Readable,
    Named(repository): Named,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let parameters = &mut Parameters::of(query.as_deref())?;
    let number = parameter::<PullRequest>(parameters, "pullid")?;
    let number = number.ok_or_else(|| ApiError::parameter("pullid", "is missing".to_owned()))?;
    let mut records = Vec::new();
    for row in reader.newest_of_pull_request(&repository, &number).await? {
        records.extend(reader.record_summary(row.record_id).await?);
    }
    if records.is_empty() {
        return Err(nothing_uploaded());
    }
    let mut files = Files::default();
    for record in &records {
        files.add(&reader, record).await?;
    }
    let answer = Comparison {
        totals: totals(&records),
        files: files.files,
        has_more: files.has_more,
    };
    json(&headers, &answer)
}

/// The totals over all languages. What is unknown of one language is unknown of all.
fn totals(records: &[RecordSummary]) -> Totals {
    let (base, head) = match records {
        [one] => {
            let base = one.base.as_ref().map(|base| base.record.percentage);
            (base, Some(one.record.percentage))
        }
        several => {
            let explained = |count: fn(&domain::Explanation) -> Count| {
                sum(several, |record| record.explanation.as_ref().map(count))
            };
            (explained(|of| of.base), explained(|of| of.head))
        }
    };
    // The percentage of some parts is not the percentage of the commit.
    let are_complete = records.iter().all(|record| record.parts.are_complete());
    let patch = sum(records, |record| match record.unknown_changes {
        Some(_) => None,
        None => record.changed_lines.as_ref().map(|changed| changed.count()),
    });
    Totals {
        base: base.into(),
        head: head.filter(|_| are_complete).into(),
        patch: patch.filter(|_| are_complete).into(),
    }
}

/// The percentage of a sum; `None` if one of its counts is not known, or without lines.
fn sum(
    records: &[RecordSummary],
    count: impl Fn(&RecordSummary) -> Option<Count>,
) -> Option<Percentage> {
    let counts: Option<Vec<_>> = records.iter().map(count).collect();
    let sum = counts?.into_iter().reduce(Count::plus)?;
    Percentage::of(sum)
}

#[derive(Default)]
struct Files {
    files: Vec<File>,
    lines: usize,
    has_more: bool,
}

impl Files {
    /// Adds the changed files of a record, until there are [`MOST_LINES`].
    async fn add(&mut self, reader: &Reader, record: &RecordSummary) -> Result<(), ApiError> {
        let Some(changed) = &record.changed_lines else {
            return Ok(());
        };
        let id = record.record.id;
        let hunks = reader.record_hunks(id).await?;
        let (Some(hunks), Some(RecordLines::Kept { lines, .. })) =
            (hunks, reader.record_lines(id).await?)
        else {
            return Ok(());
        };
        let known: HashSet<&str> = changed
            .files
            .iter()
            .map(|file| file.path.as_str())
            .collect();
        for file in hunks.files() {
            let path = file.path.as_deref().filter(|path| known.contains(path));
            let of_file = path.and_then(|path| Some((path, lines.get(path)?)));
            let Some((path, of_file)) = of_file else {
                continue;
            };
            let new: Vec<_> = file.new_lines(of_file).collect();
            if self.lines + new.len() > MOST_LINES {
                self.has_more = true;
                return Ok(());
            }
            self.lines += new.len();
            let new = new.into_iter().map(|line| Line {
                number: OfHead {
                    head: line.number(),
                },
                added: true,
                coverage: OfHead {
                    head: number_of(line.state()),
                },
            });
            self.files.push(File {
                name: OfHead {
                    head: path.to_owned(),
                },
                has_diff: true,
                lines: new.collect(),
            });
        }
        Ok(())
    }
}
