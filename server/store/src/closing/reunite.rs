//! Unites records again without a carried part, after the part has arrived in another language of their commit.

use super::{Remaining, delete_part::give};
use crate::{
    RecordKey, StoreError, Writer,
    actor::Actor,
    audit::{self, AuditChange},
    main_records,
    parts::{measured, of_record},
    revision,
    run::Run,
    standing::{StoredKey, earlier_upload},
};
use domain::{AuditAction, PartName};

pub(crate) const CARRYING: &str = "
    select r.id from repositories p
     join branches b on b.repository_id = p.id
     join records r on r.branch_id = b.id
     join carried_parts k on k.record_id = r.id
     where p.name_key = $1 and b.name = $2 and r.commit_hash = $4 and r.language <> $3 and k.part = $5
     order by r.id";

impl Writer<'_> {
    /// Returns the records of the commit, in other languages, that carry a part.
    pub async fn carrying_elsewhere(
        self,
        record: RecordKey<'_>,
        part: &PartName,
    ) -> Result<Vec<i64>, StoreError> {
        self.store.values(CARRYING, (record, part)).await
    }

    /// Gives a record the numbers of its measured and carried parts, united again, because of an upload of `by`. Nothing changes
    /// if the record was deleted.
    ///
    /// # Errors
    ///
    /// [`StoreError::PartsChanged`]. After an error, nothing has changed.
    pub async fn reunite(
        self,
        record_id: i64,
        parts: &Remaining,
        by: &Actor,
    ) -> Result<(), StoreError> {
        let mut transaction = self.store.begin().await?;
        let Some((held, key)) = StoredKey::hold(&mut transaction, record_id).await? else {
            return transaction.unchanged(()).await;
        };
        let earlier = earlier_upload(&mut transaction, key.series(), &key.commit).await?;
        let rows = of_record(&mut transaction, record_id).await?;
        if measured(&rows, None) != parts.parts {
            return Err(StoreError::PartsChanged);
        }
        let after = give(&mut transaction, record_id, parts, held.last_upload_at).await?;
        if let Some(before) = earlier.and_then(|earlier| earlier.current_percentage())
            && before != after
        {
            let subject = format!(
                "record {record_id}: {}, {}, {}",
                key.branch, key.language, key.commit
            );
            let change =
                AuditChange::of(AuditAction::PercentageReplaced, &held.repository, subject)
                    .before(format!("{before} %"))
                    .after(format!("{after} %"));
            audit::write(&mut transaction, by, &change).await?;
        }
        revision::measure(&mut transaction, record_id).await?;
        main_records::refresh(&mut transaction, held.id).await?;
        transaction.commit().await
    }
}
