//! The lines that flicker, for their page.

use super::unpacked;
use crate::store::{Store, StoreError, columns::Name, names::repository_id, time::now};
use domain::{FlickerList, FlickeringLanguage, Language, LineRange, Repository, Timestamp};
use sqlx::FromRow;

pub(in crate::store) const OF_REPOSITORY: &str = concat!(
    "select f.language, f.record_id, r.updated_at, f.records, f.files
    from flickering_lines f
    join records r on r.id = f.record_id
    where f.repository_id = ",
    repository_id!("$3"),
    " order by f.language"
);

#[derive(FromRow)]
struct Row {
    #[sqlx(try_from = "Name<Language>")]
    language: Language,
    record_id: i64,
    #[sqlx(try_from = "i64")]
    updated_at: Timestamp,
    records: i64,
    files: Vec<u8>,
}

impl Store {
    /// Returns the lines of a repository's main branch that are known to flicker; none if nothing was ever uploaded to it.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn flicker(
        &self,
        repository: &Repository,
    ) -> Result<Option<FlickerList>, StoreError> {
        let Some(repository) = self.stored_repository(repository).await? else {
            return Ok(None);
        };
        let rows: Vec<Row> = sqlx::query_as(OF_REPOSITORY)
            .bind(repository.org.as_str())
            .bind(repository.repo.as_str())
            .bind(repository.key())
            .fetch_all(&self.readers)
            .await?;
        Ok(Some(FlickerList {
            now: now(),
            repository,
            languages: rows.into_iter().map(FlickeringLanguage::from).collect(),
        }))
    }
}

impl From<Row> for FlickeringLanguage {
    fn from(row: Row) -> Self {
        let found = unpacked(&row.files).unwrap_or_default();
        let files: Vec<_> = found
            .files()
            .map(|(path, file)| (path.to_owned(), ranges(&file.lines)))
            .collect();
        Self {
            language: row.language,
            record_id: row.record_id,
            updated_at: row.updated_at,
            records: u64::try_from(row.records).unwrap_or_default(),
            lines: found.files().map(|(_, file)| file.lines.len() as u64).sum(),
            files,
        }
    }
}

/// Lines in ascending order as ranges with both ends.
fn ranges(lines: &[u32]) -> Vec<LineRange> {
    let mut ranges: Vec<LineRange> = Vec::new();
    for &line in lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    ranges
}
