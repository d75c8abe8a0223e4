//! Reads the lines that flicker for their page.

use super::unpacked;
use crate::{Reader, StoreError, Unsigned, paging::cut, run::Run, time::now};
use domain::{
    ChainRecord, CommitHash, FlickerList, FlickeringLanguage, Language, Repository, Timestamp,
    ranges_of,
};
use sqlx::FromRow;
use std::collections::BTreeSet;

pub(crate) const OF_REPOSITORY: &str = "
    select f.language, f.record_id, r.updated_at, f.records, f.files
    from repositories p
    join flickering_lines f on f.repository_id = p.id
    join records r on r.id = f.record_id
    where p.name_key = $1 order by f.language limit $2";

pub(crate) const RECORD: &str =
    "select r.id, r.commit_hash, r.created_at from records r where r.id = $1";

/// The maximum number of listed languages. Each may have as many stored bytes as [`super::MAX_UNPACKED_BYTES`].
const LANGUAGES: usize = 50;

/// The maximum number of files on the page in all languages, and the maximum number of bytes of their paths.
const NAMED_FILES: usize = 200;
const NAMED_BYTES: usize = 64 << 10;

/// The maximum number of records on the page whose commit is read; `RECORDS` in each language.
const NAMED_RECORDS: usize = 100;

/// The maximum number of ranges of lines for each file. The page shows one fewer, and that there are more.
const NAMED_RANGES: usize = 21;

#[derive(FromRow)]
struct Row {
    language: Language,
    record_id: i64,
    updated_at: Timestamp,
    records: Unsigned,
    files: Vec<u8>,
}

#[derive(FromRow)]
struct RecordRow {
    id: i64,
    commit_hash: CommitHash,
    created_at: Timestamp,
}

impl RecordRow {
    fn named(self) -> ChainRecord {
        ChainRecord {
            id: self.id,
            commit: self.commit_hash,
            created_at: self.created_at,
        }
    }
}

impl Reader {
    /// Returns the lines of a repository's main branch that are known to flicker; `None` if the repository has no uploads.
    pub async fn flicker(
        &self,
        repository: &Repository,
    ) -> Result<Option<FlickerList>, StoreError> {
        let Some(store) = self.sees(repository) else {
            return Ok(None);
        };
        let Some(repository) = self.stored_repository(repository).await? else {
            return Ok(None);
        };
        let most = Unsigned::from(LANGUAGES + 1);
        let mut rows: Vec<Row> = store.all(OF_REPOSITORY, (&repository, most)).await?;
        let has_more_languages = cut(&mut rows, LANGUAGES);
        let mut room = Room {
            files: NAMED_FILES,
            bytes: NAMED_BYTES,
        };
        let listed = rows.into_iter().map(|row| row.listed(&mut room));
        let mut languages: Vec<FlickeringLanguage> = listed.collect();
        let mut left = NAMED_RECORDS;
        for language in &mut languages {
            let ids = language.files.iter().flat_map(|file| &file.records);
            let ids: BTreeSet<i64> = ids.copied().collect();
            for id in ids.into_iter().take(left) {
                left -= 1;
                let record: Option<RecordRow> = store.first(RECORD, [id]).await?;
                language.named.extend(record.map(RecordRow::named));
            }
        }
        Ok(Some(FlickerList {
            now: now(),
            repository,
            languages,
            has_more_languages,
        }))
    }
}

/// The rest of what the page may name.
struct Room {
    files: usize,
    bytes: usize,
}

impl Room {
    fn has(&mut self, path: &str) -> bool {
        let left = self.files.checked_sub(1);
        let left = left.zip(self.bytes.checked_sub(path.len()));
        if let Some((files, bytes)) = left {
            *self = Self { files, bytes };
        }
        left.is_some()
    }
}

impl Row {
    fn listed(self, room: &mut Room) -> FlickeringLanguage {
        let found = unpacked(&self.files).unwrap_or_default();
        let named = found.files().take_while(|(path, _)| room.has(path));
        let files = named.map(|(path, file)| {
            let mut ranges = ranges_of(file.lines.iter().copied());
            ranges.truncate(NAMED_RANGES);
            domain::FlickeringFile {
                path: path.to_owned(),
                lines: ranges,
                records: file.records.clone(),
            }
        });
        FlickeringLanguage {
            language: self.language,
            record_id: self.record_id,
            updated_at: self.updated_at,
            records: self.records.into(),
            lines: found.files().map(|(_, file)| file.lines.len() as u64).sum(),
            all_files: found.files().len() as u64,
            files: files.collect(),
            named: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flicker::packed;
    use ::lines::{Flicker, FlickeringFile};

    fn row(files: impl Iterator<Item = (String, Vec<u32>)>) -> Row {
        let files = files.map(|(path, lines)| {
            let file = FlickeringFile {
                lines,
                fingerprint: 0,
                records: vec![1],
            };
            (path.into(), file)
        });
        Row {
            language: "c".parse().expect("a language"),
            record_id: 1,
            updated_at: now(),
            records: Unsigned(20),
            files: packed(&Flicker::from_iter(files)).expect("few files"),
        }
    }

    #[test]
    fn the_page_names_a_bounded_number_of_files_and_bytes() {
        let lines = || (1..100).step_by(2).collect();
        let mut room = Room {
            files: NAMED_FILES,
            bytes: NAMED_BYTES,
        };
        let many = row((0..150).map(|file| (format!("{file}.c"), lines())));
        let many_in_other_language = row((0..150).map(|file| (format!("{file}.c"), lines())));
        let first = many.listed(&mut room);
        assert_eq!((first.files.len(), first.all_files), (150, 150));
        assert_eq!(first.lines, 150 * 50);
        assert_eq!(first.files[0].lines.len(), NAMED_RANGES);
        let second = many_in_other_language.listed(&mut room);
        assert_eq!((second.files.len(), second.all_files), (50, 150));
        let mut room = Room {
            files: NAMED_FILES,
            bytes: NAMED_BYTES,
        };
        let long = row((0..100).map(|file| (format!("{}{file:2}", "a".repeat(4_000)), lines())));
        let long = long.listed(&mut room);
        assert_eq!((long.files.len(), long.all_files), (16, 100));
    }

    #[test]
    fn stored_files_that_flicker_have_a_bounded_size() {
        let files = (0..1_000).map(|file| (format!("{}{file:4}", "a".repeat(4_000)), vec![1]));
        let mut room = Room { files: 0, bytes: 0 };
        let listed = row(files).listed(&mut room);
        assert!(listed.all_files < 300, "{}", listed.all_files);
        assert!(listed.files.is_empty());
    }
}
