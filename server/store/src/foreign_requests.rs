//! What clients of other services state in one request, for their next ones: the upload whose body follows, the branch of a commit.

use crate::{StoreError, Writer, run::Run, time::now};
use domain::{CommitHash, Repository, Timestamp};
use sqlx::FromRow;

/// The statement of an earlier request.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct ForeignRequest {
    /// What the client stated, as its adapter wrote it; the result, once it is used.
    pub stated: String,
    /// When the next request was claimed, which is before it is done.
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

    /// Returns the statements whose keys are `group`, a dot and anything, at most 100.
    pub async fn foreign_requests_of(self, group: &str) -> Result<Vec<String>, StoreError> {
        const GROUP: &str = "
            select stated from foreign_requests
            where key_hash > $1 and key_hash < $2 and expires_at > $3
            order by key_hash limit 100";
        // The slash follows the dot.
        let bounds = (format!("{group}."), format!("{group}/"), now());
        self.store.values(GROUP, bounds).await
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

    /// Claims the next request, so that nobody else can do it meanwhile. `false` if it is claimed or done.
    pub async fn claim_foreign_request(self, key_hash: &str) -> Result<bool, StoreError> {
        const CLAIM: &str =
            "update foreign_requests set used_at = $2 where key_hash = $1 and used_at is null";
        let values = (key_hash, now());
        let claimed = self.store.write(|pool| pool.changed(CLAIM, values));
        Ok(claimed.await? == 1)
    }

    /// Ends a claim, because the next request failed.
    pub async fn release_foreign_request(self, key_hash: &str) -> Result<(), StoreError> {
        const RELEASE: &str = "update foreign_requests set used_at = null where key_hash = $1";
        self.store.write(|pool| pool.run(RELEASE, [key_hash])).await
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
    use crate::{run::Run, testing::TestStore};

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
        for expected in [true, false] {
            let claimed = writer.claim_foreign_request("one").await;
            assert_eq!(claimed.expect("an answer"), expected);
        }
        let released = writer.release_foreign_request("one").await;
        released.expect("released");
        let claimed = writer.claim_foreign_request("one").await;
        assert!(claimed.expect("an answer"));
        let used = writer.use_foreign_request("one", "done").await;
        used.expect("used");
        let read = writer.foreign_request("one").await.expect("read");
        assert!(read.is_some_and(|read| read.used_at.is_some() && read.stated == "done"));
        let replaced = writer.keep_foreign_request(&of, "one", "[]", 0).await;
        replaced.expect("kept");
        assert_eq!(writer.foreign_request("one").await.expect("read"), None);
        assert_eq!(writer.foreign_request("two").await.expect("read"), None);
    }

    #[tokio::test]
    async fn a_repository_has_at_most_ten_thousand_statements() {
        const FILL: &str = "
            insert into foreign_requests (key_hash, repository, expires_at, stated)
            with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 10000)
            select 'key ' || n, 'acme/app', 9000000000000000000 - n, '{}' from counted";
        let store = TestStore::new().await;
        let writer = store.writer();
        let filled = store.write(|pool| pool.run(FILL, ())).await;
        filled.expect("filled");
        let keep = async |repository: &str| {
            let of = repository.parse().expect("a repository");
            let kept = writer.keep_foreign_request(&of, "one", "{}", 600).await;
            kept.expect("an answer")
        };
        assert!(!keep("acme/app").await);
        assert_eq!(writer.foreign_request("one").await.expect("read"), None);
        assert!(keep("acme/other").await);
    }

    #[tokio::test]
    async fn the_statements_of_a_group_are_read_together() {
        let store = TestStore::new().await;
        let writer = store.writer();
        let of = "acme/app".parse().expect("a repository");
        for (key, stated) in [("a.1", "one"), ("a.2", "two"), ("ab.1", "b"), ("a", "c")] {
            let kept = writer.keep_foreign_request(&of, key, stated, 600).await;
            kept.expect("kept");
        }
        let group = writer.foreign_requests_of("a").await.expect("read");
        assert_eq!(group, ["one", "two"]);
    }
}
