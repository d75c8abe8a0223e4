//! Lines with different states in two uploads of one part of a commit.

use super::{packed, unpacked};
use crate::{Store, StoreError, Writer, run::Run, time::now};
use ::lines::{Flicker, Lines};
use domain::PartName;

/// The maximum number of repeated uploads of a record that are kept. The first ones are kept.
const MAX_RERUNS: i64 = 5;

const OF_MAIN: &str = "
    select r.id from records r
    join repositories p on p.id = r.repository_id and p.main_branch_id = r.branch_id
    where r.id = $1 and r.unconfirmed_at is null";

const KEEP: &str = "
    insert into record_reruns (record_id, arrived_at, files)
    select r.id, $2, $3 from records r
    where r.id = $1 and (select count(*) from record_reruns o where o.record_id = r.id) < $4";

const OF_RECORD: &str = "
    select o.files from record_reruns o where o.record_id = $1 order by o.arrived_at limit $2";

impl Writer<'_> {
    /// Returns the lines of a part of a record of the main branch, before an upload replaces them. `None` if the part has no
    /// lines or damaged ones, or if the record is on another branch.
    pub async fn lines_to_replace(
        self,
        record_id: i64,
        part: &PartName,
    ) -> Result<Option<Lines>, StoreError> {
        let record: Option<i64> = self.store.first_value(OF_MAIN, (record_id,)).await?;
        let Some(record) = record else {
            return Ok(None);
        };
        match self.part_lines(record, part).await {
            // Damaged lines do not matter: the upload replaces them.
            Err(StoreError::Lines { .. }) => Ok(None),
            lines => lines,
        }
    }

    /// Stores the lines of a record that had different states in two uploads of one part.
    pub async fn keep_rerun(self, record_id: i64, both: &Flicker) -> Result<(), StoreError> {
        let Some(files) = packed(both) else {
            return Ok(());
        };
        let mut transaction = self.store.begin().await?;
        let rerun = (record_id, now(), files, MAX_RERUNS);
        transaction.execute(KEEP, rerun).await?;
        transaction.commit().await
    }
}

/// The results of each repeated upload of a record.
pub(super) async fn of_record(store: &Store, record_id: i64) -> Result<Vec<Flicker>, StoreError> {
    let files: Vec<Vec<u8>> = store.values(OF_RECORD, (record_id, MAX_RERUNS)).await?;
    Ok(files.iter().filter_map(|files| unpacked(files)).collect())
}
