//! Searches the newest records of a main branch for lines that flicker.

use super::{keep, reruns_of};
use crate::{
    Store, StoreError, Unsigned, Writer,
    blocking::{blocking, decoding, lines},
    run::Run,
};
use ::lines::{Changes, Flicker, FlickerSearch, Limits, Lines, OlderRun};
use domain::PartName;

pub(crate) const NEWEST: &str = "
    select r.id from records r
    join record_lines l on l.record_id = r.id
    where r.branch_id = (select p.main_branch_id from repositories p where p.id = $1)
      and r.language = $2 and r.unconfirmed_at is null
    order by r.updated_at desc limit $3";

const RECORD: &str = "
    select l.lines, c.changes from record_lines l
    left join record_changes c on c.record_id = l.record_id
    where l.record_id = $1";

/// The measured parts of a record. A record with the unnamed part alone has no rows.
const PARTS: &str = "
    select q.part from record_parts q where q.record_id = $1 and q.skip_reason is null order by q.part";

/// The repository and the language of a confirmed record of the main branch.
pub(crate) const SERIES: &str = "
    select r.repository_id, r.language from records r
    join repositories p on p.id = r.repository_id and p.main_branch_id = r.branch_id
    where r.id = $1 and r.unconfirmed_at is null";

struct Searched {
    id: i64,
    parts: Vec<String>,
    /// The lines, as they are stored: most records have the same lines as the one before, and equal lines have equal bytes.
    encoded: Vec<u8>,
    /// The changes since the record before.
    changes: Option<Changes>,
}

struct Walk {
    search: FlickerSearch,
    /// The record to compare with the next one: the last record that is not a broken run.
    good: i64,
    /// The parts of that record.
    parts: Vec<String>,
    /// The lines of that record.
    encoded: Vec<u8>,
    /// The changes since the next record.
    changes: Option<Changes>,
}

impl Writer<'_> {
    /// Searches the newest records of a main branch for lines that flicker, and stores them. `record_id` is the record that was
    /// uploaded last; if it is on another branch, nothing happens.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if stored lines or changes are damaged.
    pub async fn find_flicker(self, record_id: i64) -> Result<(), StoreError> {
        let series: Option<(i64, String)> = self.store.first(SERIES, [record_id]).await?;
        let Some((repository_id, language)) = series else {
            return Ok(());
        };
        let most = Unsigned::from(Flicker::RECORDS);
        let newest: Vec<i64> = self
            .store
            .values(NEWEST, (repository_id, language, most))
            .await?;
        let Some((&first, older)) = newest.split_first() else {
            return Ok(());
        };
        let Some(newest) = self.searched(first).await? else {
            return Ok(());
        };
        let encoded = newest.encoded.clone();
        let mut walk = Walk {
            search: FlickerSearch::from(first, lines(first, encoded).await?),
            good: first,
            parts: newest.parts,
            encoded: newest.encoded,
            changes: newest.changes,
        };
        walk.add_reruns(self.store, first).await?;
        for &id in older {
            if walk.search.is_over() {
                break;
            }
            // The record may have been deleted meanwhile.
            let Some(older) = self.searched(id).await? else {
                break;
            };
            walk = walk.before(self.store, older).await?;
        }
        let records = walk.search.records().into();
        keep(self.store, first, records, &walk.search.found()).await
    }

    async fn searched(self, id: i64) -> Result<Option<Searched>, StoreError> {
        let row: Option<(Vec<u8>, Option<Vec<u8>>)> = self.store.first(RECORD, [id]).await?;
        let Some((encoded, changes)) = row else {
            return Ok(None);
        };
        let parts = self.store.values(PARTS, [id]).await?;
        let decode = move || changes.as_deref().map(Changes::decode).transpose();
        Ok(Some(Searched {
            id,
            parts,
            encoded,
            changes: decoding(id, decode).await?,
        }))
    }
}

impl Walk {
    async fn before(mut self, store: &Store, older: Searched) -> Result<Self, StoreError> {
        // The lines of records with different parts cannot be compared.
        let mut is_broken = older.parts != self.parts;
        let is_single = older.parts.len() < 2;
        for part in older.parts.iter().filter(|_| !is_single) {
            if is_broken {
                break;
            }
            let Ok(part) = part.parse::<PartName>() else {
                continue;
            };
            let newer = store.encoded_part_lines(self.good, &part).await?;
            if let Some((newer, of_older)) =
                newer.zip(store.encoded_part_lines(older.id, &part).await?)
                && newer != of_older
            {
                let newer = lines(self.good, newer).await?;
                let of_older = lines(older.id, of_older).await?;
                (self, is_broken) = self.compared(newer, of_older).await?;
            }
        }
        let stepped = decoding(older.id, move || {
            let Searched {
                id,
                parts,
                encoded,
                changes,
            } = older;
            let since = self.changes.as_ref();
            let mut run = match is_broken {
                true => OlderRun::Broken,
                false if encoded == self.encoded => OlderRun::Same,
                false => OlderRun::Other(Lines::decode(&encoded, &Limits::default())?),
            };
            if let OlderRun::Other(lines) = &run
                && is_single
                && self.search.is_broken(self.search.lines(), lines, since)
            {
                run = OlderRun::Broken;
            }
            let is_broken = matches!(run, OlderRun::Broken);
            self.search.before(id, run, since);
            self.changes = changes;
            if !is_broken {
                (self.good, self.parts, self.encoded) = (id, parts, encoded);
            }
            Ok((self, id))
        });
        let (mut walk, id) = stepped.await?;
        // In a broken run, two uploads differ because the run is broken.
        if walk.good == id {
            walk.add_reruns(store, id).await?;
        }
        Ok(walk)
    }

    async fn compared(self, newer: Lines, older: Lines) -> Result<(Self, bool), StoreError> {
        let compared = blocking(move || {
            let is_broken = self.search.is_broken(&newer, &older, self.changes.as_ref());
            (self, is_broken)
        });
        compared.await
    }

    /// Adds the results of repeated uploads of the record that was searched last.
    async fn add_reruns(&mut self, store: &Store, record_id: i64) -> Result<(), StoreError> {
        for both in reruns_of(store, record_id).await? {
            self.search.add_both(&both);
        }
        Ok(())
    }
}
