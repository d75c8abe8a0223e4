//! Records that carry a part which has arrived in another language of their commit: they are united again without it.

use super::{Remaining, delete_part::give};
use crate::{
    RecordKey, Store, StoreError,
    holding::{self, Moment},
    main_records,
    names::{self, repository_id},
    parts::of_record,
    revision,
    time::next_moment,
    write::{begin, settle},
};
use domain::PartName;
use sqlx::AnyConnection;

const CARRYING: &str = concat!(
    "select r.id from branches b
     join records r on r.branch_id = b.id
     join carried_parts k on k.record_id = r.id
     where b.repository_id = ",
    repository_id!("$3"),
    " and b.name = $4 and r.commit_hash = $5 and r.language <> $6 and k.part = $7
     order by r.id"
);

impl Store {
    /// The records of a commit in languages other than the record's that carry a part.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn carrying_elsewhere(
        &self,
        record: RecordKey<'_>,
        part: &PartName,
    ) -> Result<Vec<i64>, StoreError> {
        let ids = sqlx::query_scalar(CARRYING)
            .bind(record.repository.org.as_str())
            .bind(record.repository.repo.as_str())
            .bind(record.repository.key())
            .bind(record.branch.as_str())
            .bind(record.commit.as_str())
            .bind(record.language.as_str())
            .bind(part.as_str())
            .fetch_all(&self.readers)
            .await?;
        Ok(ids)
    }

    /// Gives a record the numbers of its measured and carried parts, united again. Nothing changes if it was deleted.
    ///
    /// # Errors
    ///
    /// [`StoreError::PartsChanged`], or when the database fails. Nothing has changed then.
    pub async fn reunite(&self, record_id: i64, parts: &Remaining) -> Result<(), StoreError> {
        let mut connection = self.writer.acquire().await?;
        let reunited = reunite(&mut connection, record_id, parts).await;
        settle(connection, reunited).await
    }
}

async fn reunite(
    connection: &mut AnyConnection,
    record_id: i64,
    parts: &Remaining,
) -> Result<(), StoreError> {
    let mut transaction = begin(connection).await?;
    let Some(repository) = names::of_record(&mut transaction, record_id).await? else {
        return Ok(());
    };
    let moment = Moment::After(next_moment());
    let Some(held) = holding::hold(&mut transaction, &repository, moment).await? else {
        return Ok(());
    };
    let rows = of_record(&mut transaction, record_id).await?;
    let measured = rows.iter().filter(|row| row.is_measured());
    let measured: Vec<_> = measured
        .map(|row| (row.name.clone(), row.arrived_at))
        .collect();
    if measured != parts.parts {
        return Err(StoreError::PartsChanged);
    }
    give(&mut transaction, record_id, parts, held.last_upload_at).await?;
    revision::measure(&mut transaction, record_id).await?;
    main_records::refresh(&mut transaction, held.id).await?;
    transaction.commit().await?;
    Ok(())
}
