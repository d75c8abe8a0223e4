//! Finds files by the words of a search, in the current records of main branches.

use super::{FoundFile, MOST_FOUND};
use crate::{
    Reader, StoreError,
    blocking::blocking,
    record_details::{DecodeError, StoredFiles},
    sql::{ScopedText, readable},
};
use domain::{Rank, Repository, Typos, Words, folded, text::chain};
use sqlx::FromRow;

/// Shorter texts are in too many paths.
const SHORTEST: usize = 3;

/// The maximum number of records whose files are read: of the repository that comes first, and the newest ones of the others.
const MOST_OWN: i64 = 4;
const MOST_OTHERS: i64 = 12;

/// The maximum number of files that are compared. The files of a record are compared together or not at all.
const MOST_COMPARED: u32 = 100_000;

/// The records of the main branches of the repositories that were uploaded last.
macro_rules! records {
    ($filter:literal) => {
        ScopedText::new(concat!(
            "select m.record_id, f.org_name, f.repo_name from (
                 select p.id, p.org_name, p.repo_name, p.last_upload_at from repositories p
                 where ",
            $filter,
            readable!("p"),
            " order by p.last_upload_at desc limit $1
             ) f
             join main_records m on m.repository_id = f.id
             order by f.last_upload_at desc, m.record_id desc limit $1"
        ))
    };
}

pub(crate) const OTHERS: ScopedText = records!("p.id <> $2 and ");
const OF_REPOSITORY: ScopedText = records!("p.id = $2 and ");

#[derive(FromRow)]
struct Row {
    record_id: i64,
    #[sqlx(flatten)]
    repository: Repository,
}

impl Reader {
    pub(super) async fn files_found(
        &self,
        text: &str,
        first: Option<i64>,
    ) -> Result<Vec<FoundFile>, StoreError> {
        let words = Words::of(text);
        if text.trim().len() < SHORTEST {
            return Ok(Vec::new());
        }
        // No repository has the id 0.
        let id = first.unwrap_or(0);
        let mut rows: Vec<Row> = self.all(OF_REPOSITORY.with((MOST_OWN, id))).await?;
        rows.extend(self.all::<Row>(OTHERS.with((MOST_OTHERS, id))).await?);
        let (mut found, mut compared) = (Vec::new(), 0);
        for row in rows {
            // The query above is within the scope of the reader.
            let files = self.files_of(row.record_id).await?;
            let Some(files) = files.filter(|files| files.count <= MOST_COMPARED - compared) else {
                continue;
            };
            compared += files.count;
            let (words, missing) = (words.clone(), MOST_FOUND - found.len());
            let paths = blocking(move || best(&files, &words, missing)).await?;
            let paths = paths.unwrap_or_else(|error| {
                let (record_id, cause) = (row.record_id, chain(&error));
                tracing::error!(record_id, cause, "a stored list of files is not readable");
                Vec::new()
            });
            found.extend(paths.into_iter().map(|path| FoundFile {
                repository: row.repository.clone(),
                path,
                record_id: row.record_id,
            }));
            if found.len() >= MOST_FOUND {
                break;
            }
        }
        Ok(found)
    }

    async fn files_of(&self, record_id: i64) -> Result<Option<StoredFiles>, StoreError> {
        match self.sees_record(record_id).await? {
            Some(store) => store.stored_files(record_id).await,
            None => Ok(None),
        }
    }
}

/// The paths with all words, the best and shortest first.
fn best(files: &StoredFiles, words: &Words, most: usize) -> Result<Vec<String>, DecodeError> {
    let mut found: Vec<(Rank, usize, String)> = Vec::new();
    let is_full = |found: &Vec<_>| found.len() >= 2 * most + MOST_FOUND;
    files.each(|path, _| {
        if let Some(rank) = words.rank(&folded(path), Typos::Refused) {
            found.push((rank, path.len(), path.to_owned()));
        }
        if is_full(&found) {
            found.sort();
            found.truncate(most);
        }
    })?;
    found.sort();
    found.truncate(most);
    Ok(found.into_iter().map(|(_, _, path)| path).collect())
}
