//! What clients of other services state in one request, for their next ones: the upload whose body follows, the branch of a commit.

use crate::{StoreError, Writer, run::Run, time::now};
use domain::{CommitHash, Repository, Timestamp};
use sqlx::FromRow;

/// The statement of an earlier request.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct ForeignRequest {
    /// What the client stated, as its adapter wrote it; the result, once it is used.
    pub stated: String,
    /// When the next request was done.
    pub used_at: Option<Timestamp>,
}

/// The most statements of a repository at a time: a statement has up to about 2 kB.
const MOST: u64 = 10_000;

impl Writer<'_> {
    /// Stores a statement under the hash of its key for some seconds. It replaces an earlier one. Also removes expired statements.
    /// Returns whether it is stored: a repository has at most 10,000.
    pub async fn keep_foreign_request(
        self,
        repository: &Repository,
        key_hash: &str,
        stated: &str,
        seconds: u32,
    ) -> Result<bool, StoreError> {
        const COUNT: &str = "select count(*) from foreign_requests where repository = $1";
        const REMOVE: &str = "delete from foreign_requests where expires_at <= $1";
        const KEEP: &str = "
            insert into foreign_requests (key_hash, repository, expires_at, stated) values ($1, $2, $3, $4)
            on conflict (key_hash) do update
            set expires_at = excluded.expires_at, stated = excluded.stated, used_at = null";
        let now = now();
        let expires_at = Timestamp(now.0 + i64::from(seconds) * 1_000_000);
        let mut transaction = self.store.begin().await?;
        transaction.run(REMOVE, [now]).await?;
        let (kept,): (i64,) = transaction.one(COUNT, [repository.key()]).await?;
        let has_room = u64::try_from(kept).is_ok_and(|kept| kept < MOST);
        if has_room {
            let values = (key_hash, repository.key(), expires_at, stated);
            transaction.run(KEEP, values).await?;
        }
        transaction.commit().await?;
        Ok(has_room)
    }

    /// Returns the statement under this hash; `None` if there is none, or if it has expired.
    pub async fn foreign_request(
        self,
        key_hash: &str,
    ) -> Result<Option<ForeignRequest>, StoreError> {
        const REQUEST: &str = "
            select stated, used_at from foreign_requests where key_hash = $1 and expires_at > $2";
        self.store.first(REQUEST, (key_hash, now())).await
    }

    /// Returns the branches and languages in which a commit has records, at most 100.
    pub async fn series_of_commit(
        self,
        repository: &Repository,
        commit: &CommitHash,
    ) -> Result<Vec<(String, String)>, StoreError> {
        const SERIES: &str = "
            select b.name, r.language from records r
            join branches b on b.id = r.branch_id + 0 -- so that the index of commits is used
            join repositories p on p.id = b.repository_id
            where p.name_key = $1 and r.commit_hash = $2
            order by b.name, r.language limit 100";
        self.store.all(SERIES, (repository.key(), commit)).await
    }

    /// Notes that the next request is done, with its result in place of the statement.
    pub async fn use_foreign_request(self, key_hash: &str, result: &str) -> Result<(), StoreError> {
        const USE: &str =
            "update foreign_requests set used_at = $2, stated = $3 where key_hash = $1";
        let values = (key_hash, now(), result);
        self.store.write(|pool| pool.run(USE, values)).await
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::TestStore;

    #[tokio::test]
    async fn a_statement_of_a_client_is_kept_until_it_expires() {
        let store = TestStore::new().await;
        let writer = store.writer();
        let of = "acme/app".parse().expect("a repository");
        let kept = writer.keep_foreign_request(&of, "one", "{}", 600).await;
        kept.expect("kept");
        let read = writer.foreign_request("one").await.expect("read");
        let read = read.expect("a statement");
        assert_eq!((read.stated.as_str(), read.used_at), ("{}", None));
        let used = writer.use_foreign_request("one", "done").await;
        used.expect("used");
        let read = writer.foreign_request("one").await.expect("read");
        assert!(read.is_some_and(|read| read.used_at.is_some() && read.stated == "done"));
        let replaced = writer.keep_foreign_request(&of, "one", "[]", 0).await;
        replaced.expect("kept");
        assert_eq!(writer.foreign_request("one").await.expect("read"), None);
        assert_eq!(writer.foreign_request("two").await.expect("read"), None);
    }
}
