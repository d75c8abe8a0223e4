//! Unites records again without a carried part, after the part has arrived in another language of their commit.

use super::{Remaining, delete_part::give};
use crate::{
    RecordKey, StoreError, Writer,
    actor::Actor,
    audit::{self, AuditChange},
    holding::{self, Moment},
    main_records, names,
    parts::of_record,
    revision,
    run::Run,
    time::next_moment,
    write::{begin, settle},
};
use domain::{AuditAction, PartName, Percentage};
use sqlx::{AnyConnection, FromRow};

pub(crate) const CARRYING: &str = "
    select r.id from repositories p
     join branches b on b.repository_id = p.id
     join records r on r.branch_id = b.id
     join carried_parts k on k.record_id = r.id
     where p.name_key = $1 and b.name = $2 and r.commit_hash = $3 and r.language <> $4 and k.part = $5
     order by r.id";

impl Writer<'_> {
    /// Returns the records of the commit, in other languages, that carry a part.
    pub async fn carrying_elsewhere(
        self,
        record: RecordKey<'_>,
        part: &PartName,
    ) -> Result<Vec<i64>, StoreError> {
        let ids = sqlx::query_scalar(CARRYING)
            .bind(record.repository.key())
            .bind(record.branch)
            .bind(record.commit)
            .bind(record.language)
            .bind(part)
            .fetch_all(&self.store.read_pool)
            .await?;
        Ok(ids)
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
        let mut connection = self.store.write_pool.acquire().await?;
        let reunited = reunite(&mut connection, record_id, parts, by).await;
        settle(connection, reunited).await
    }
}

#[derive(FromRow)]
struct RecordRow {
    #[sqlx(rename = "percentage_basis_points")]
    percentage: Percentage,
    superseded_at: Option<i64>,
    branch_name: String,
    language: String,
    commit_hash: String,
}

async fn reunite(
    connection: &mut AnyConnection,
    record_id: i64,
    parts: &Remaining,
    by: &Actor,
) -> Result<(), StoreError> {
    const RECORD: &str = "
        select r.percentage_basis_points, r.superseded_at, b.name as branch_name, r.language, r.commit_hash from records r
        join branches b on b.id = r.branch_id
        where r.id = $1 and r.repository_id = $2";
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
    let record: Option<RecordRow> = transaction.first(RECORD, (record_id, held.id)).await?;
    let Some(record) = record else { return Ok(()) };
    let after = give(&mut transaction, record_id, parts, held.last_upload_at).await?;
    if record.superseded_at.is_none() && record.percentage != after {
        let subject = format!(
            "record {record_id}: {}, {}, {}",
            record.branch_name, record.language, record.commit_hash
        );
        let change = AuditChange::of(AuditAction::PercentageReplaced, &repository, subject)
            .before(format!("{} %", record.percentage))
            .after(format!("{after} %"));
        audit::write(&mut transaction, by, &change).await?;
    }
    revision::measure(&mut transaction, record_id).await?;
    main_records::refresh(&mut transaction, held.id).await?;
    transaction.commit().await?;
    Ok(())
}
