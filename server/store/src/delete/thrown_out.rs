//! Deletes provisional records that no branch contains after a week: the merge queue threw their commits out.

use super::{Deletion, find_alone, remove};
use crate::{
    StoreError, Writer,
    run::Run,
    time::{next_moment, now},
};

const WEEK: i64 = 7 * 24 * 3_600 * 1_000_000;

/// The maximum number of records in one round.
const PAGE: i64 = 1_000;

const OLD: &str = "
    select v.record_id from provisional_records v
    join records r on r.id = v.record_id
    where r.updated_at < $1 order by v.record_id limit $2";

const IS_STILL: &str = "select 1 from provisional_records v where v.record_id = $1";

impl Writer<'_> {
    /// Deletes provisional records that were uploaded over a week ago, with their lines. The ledger keeps their uploads, and the next sweep
    /// removes their HTML reports. Returns their number.
    pub async fn remove_thrown_out(self) -> Result<u64, StoreError> {
        let old: Vec<i64> = self.store.values(OLD, (now().0 - WEEK, PAGE)).await?;
        let mut removed = 0;
        for record_id in old {
            let mut transaction = self.store.begin().await?;
            let target = find_alone(&mut transaction, &Deletion::Record(record_id)).await?;
            let is_still: Option<i64> = transaction.first_value(IS_STILL, [record_id]).await?;
            if let (Some(target), Some(_)) = (target, is_still) {
                remove(&mut transaction, &target, next_moment()).await?;
                transaction.commit().await?;
                removed += 1;
            }
        }
        Ok(removed)
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        MainRight, Standing,
        listing::tests::assert_consistent,
        testing::{TestStore, new_record},
    };

    #[tokio::test]
    async fn what_a_merge_queue_threw_out_is_deleted_after_a_week() {
        let store = TestStore::new().await;
        let main = store
            .writer()
            .publish(&new_record("acme/payments", "main", "c1"))
            .await
            .expect("published");
        let mut ids = Vec::new();
        for (branch, commit) in [("main", "c2"), ("main", "c3"), ("release/1.0", "c3")] {
            let mut new = new_record("acme/payments", branch, commit);
            new.stated.main_right = MainRight::Queued;
            let queued = store.writer().publish(&new).await.expect("published");
            assert_eq!(queued.standing, Standing::Provisional);
            ids.push(queued.record.id);
        }
        assert_eq!(store.writer().remove_thrown_out().await.expect("none"), 0);
        for id in [main.record.id, ids[0], ids[2]] {
            sqlx::query("update records set created_at = id, updated_at = id where id = $1")
                .bind(id)
                .execute(&store.write_pool)
                .await
                .expect("older");
        }
        assert_eq!(store.writer().remove_thrown_out().await.expect("two"), 2);
        for (id, is_left) in [(ids[0], false), (ids[1], true), (ids[2], false)] {
            let found = store.everything().names_of_record(id).await.expect("read");
            assert_eq!(found.is_some(), is_left, "{id}");
        }
        assert_consistent(&store.read_pool, "the deletion").await;
    }
}
