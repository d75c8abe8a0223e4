//! `GET …/report`: the lines of one file of a branch or commit.

use super::{MOST_LINES, Named, nothing_uploaded, number_of, parameter};
use crate::{
    http::error::ApiError,
    routes::{
        etag::json,
        lines::{SourcePath, no_lines, no_such_file},
        parameters::Parameters,
        readable::Readable,
        records_of::CommitStart,
        views,
    },
};
use app::links;
use axum::{extract::RawQuery, http::HeaderMap, response::Response};
use domain::{
    BranchName, LineState, PartName, RecordRef, Repository, SourceLines, SourceQuery, ViewName,
};
use lines::State;
use serde::Serialize;
use std::{collections::HashSet, iter};
use store::{Reader, Record, RecordLines};

/// The most records of a commit that are searched for a file: each is read as a whole.
const MOST_RECORDS: usize = 20;

/// The most folders at the start of a path that may belong to the name of a branch.
const MOST_FOLDERS: usize = 8;

/// The extension reads the first file only.
#[derive(Serialize)]
struct Report {
    files: [File; 1],
    commit_file_url: String,
}

#[derive(Serialize)]
struct File {
    name: String,
    /// The number and the state of each coverable line.
    line_coverage: Vec<(u32, u8)>,
}

/// What is known about a file of one record.
enum Found {
    Lines(Vec<(u32, u8)>),
    NoFile,
    NotKept,
}

pub(super) async fn read(
    state: Readable,
    Named(repository): Named,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let reader = &state.reader;
    let parameters = &mut Parameters::of(query.as_deref())?;
    let path = parameter::<SourcePath>(parameters, "path")?;
    let path = path
        .ok_or_else(|| ApiError::parameter("path", "is missing".to_owned()))?
        .0;
    let part: Option<PartName> = parameter(parameters, "flag")?;
    let component: Option<PartName> = parameter(parameters, "component_id")?;
    let (records, path) = match parameter::<CommitStart>(parameters, "sha")? {
        Some(CommitStart(start)) => (of_commit(reader, &repository, &start).await?, path),
        None => {
            let branch = parameter(parameters, "branch")?;
            of_branch(reader, &repository, branch, path).await?
        }
    };
    if records.is_empty() {
        return Err(nothing_uploaded());
    }
    let view = component.map(ViewName::Named);
    let view = views::of_repository(reader, &repository, view.as_ref()).await?;
    if view
        .as_ref()
        .is_some_and(|view| view.has(&path) != Some(true))
    {
        views::unless_costly(view.as_ref())?;
        return Err(no_such_file());
    }
    let mut has_lines = false;
    for record in records.iter().take(MOST_RECORDS) {
        let found = match &part {
            Some(part) => of_part(reader, record.id, &path, part).await?,
            None => of_record(reader, record.id, &path).await?,
        };
        match found {
            Found::Lines(lines) if lines.len() > MOST_LINES => {
                let detail = format!(
                    "The file has more than {MOST_LINES} coverable lines; its page has them all."
                );
                return Err(ApiError::not_found(detail));
            }
            Found::Lines(line_coverage) => {
                let page = links::source_in(record.id, &path, None, part.as_ref());
                let answer = Report {
                    commit_file_url: format!("{}{page}", state.public_url.0),
                    files: [File {
                        name: path,
                        line_coverage,
                    }],
                };
                return json(&headers, &answer);
            }
            Found::NoFile => has_lines = true,
            Found::NotKept => {}
        }
    }
    Err(if has_lines {
        no_such_file()
    } else {
        no_lines()
    })
}

/// The records of a commit, the last uploaded first. Fewer digits name a commit if no other one starts with them.
async fn of_commit(
    reader: &Reader,
    repository: &Repository,
    start: &str,
) -> Result<Vec<Record>, ApiError> {
    let records = reader
        .records_of_commit(repository, start, 1)
        .await?
        .records;
    let commits = records
        .iter()
        .map(|record| record.commit.as_str().to_ascii_lowercase());
    match commits.collect::<HashSet<_>>().len() {
        0 | 1 => Ok(records),
        _ => Err(ApiError::not_found(
            "Several commits start with these digits; name the whole hash.",
        )),
    }
}

/// The current records of a branch, by default of the main branch, and the path of the file.
///
/// The extension reads the name of a branch up to the first `/`, and puts the rest of it before the path. So the start of the
/// path can belong to the name. Git has no branch `a` beside a branch `a/b`, so of several known ones only the one with the
/// newest record can still exist.
async fn of_branch(
    reader: &Reader,
    repository: &Repository,
    branch: Option<BranchName>,
    path: String,
) -> Result<(Vec<Record>, String), ApiError> {
    let Some(start) = branch else {
        let main = super::main_branch(reader, repository).await?;
        let current = RecordRef::CurrentOf(repository.clone(), main.ok_or_else(nothing_uploaded)?);
        return Ok((reader.records_named(&current).await?, path));
    };
    let folders = path.match_indices('/').take(MOST_FOLDERS);
    let longer = folders.filter_map(|(end, _)| format!("{start}/{}", &path[..end]).parse().ok());
    let names: Vec<_> = iter::once(start.clone()).chain(longer).collect();
    let records = reader.records_of_newest(repository, &names).await?;
    let name = records.first().map(|record| record.branch.as_str());
    let rest = name.and_then(|name| path.get(name.len() - start.as_str().len()..));
    let rest = rest.map_or_else(|| path.clone(), str::to_owned);
    Ok((records, rest))
}

async fn of_record(reader: &Reader, id: i64, path: &str) -> Result<Found, ApiError> {
    let Some(RecordLines::Kept { lines, .. }) = reader.record_lines(id).await? else {
        return Ok(Found::NotKept);
    };
    let Some(file) = lines.get(path) else {
        return Ok(Found::NoFile);
    };
    let lines = file.lines().iter();
    Ok(Found::Lines(
        lines
            .map(|line| (line.number(), number_of(line.state())))
            .collect(),
    ))
}

async fn of_part(reader: &Reader, id: i64, path: &str, part: &PartName) -> Result<Found, ApiError> {
    let query = SourceQuery {
        id,
        path: path.to_owned(),
        part: Some(part.clone()),
        ..SourceQuery::default()
    };
    let Some(source) = reader.source(&query).await? else {
        return Ok(Found::NoFile);
    };
    Ok(match source.lines {
        // The record has no such part.
        _ if source.query.part.is_none() => Found::NoFile,
        SourceLines::Known(known) => {
            let lines = known.lines.iter();
            Found::Lines(
                lines
                    .map(|line| (line.number, number_of(state(line.state))))
                    .collect(),
            )
        }
        SourceLines::NoSuchFile => Found::NoFile,
        SourceLines::NotKept => Found::NotKept,
    })
}

fn state(state: LineState) -> State {
    match state {
        LineState::Missed => State::Missed,
        LineState::Partial => State::Partial,
        LineState::Hit => State::Hit,
    }
}
