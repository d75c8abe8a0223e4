//! The comments of pull requests: their records, their ids, and the lease of the upload that writes the comment.

use super::{
    StoreError, Writer,
    run::{Parameter, Run},
    time::now,
};
use domain::PullRequest;
use sqlx::{FromRow, any::AnyArguments};

/// How long an upload may write before another upload may, in microseconds.
const LEASE: i64 = 30_000_000;

/// A pull request on a forge.
#[derive(Clone, Debug)]
pub struct CommentKey {
    /// The repository.
    pub repository_id: i64,
    /// The address of the forge's API.
    pub forge: String,
    /// The number of the pull request.
    pub pull_request: PullRequest,
}

impl Parameter for &CommentKey {
    fn add_to(self, arguments: &mut AnyArguments) -> Result<(), sqlx::Error> {
        self.repository_id.add_to(arguments)?;
        self.forge.as_str().add_to(arguments)?;
        self.pull_request.as_str().add_to(arguments)
    }
}

/// The state of a comment for the upload that writes it.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct CommentTurn {
    /// The number of the latest upload with new results for the comment.
    pub sequence: i64,
    /// The id of the comment; `None` if it does not exist or is unknown.
    pub comment_id: Option<String>,
    /// The time when an upload began to create the comment, in microseconds since 1970.
    pub attempted_at: Option<i64>,
    /// The account on the forge that wrote the other comments of this repository.
    pub author: Option<String>,
}

/// The records that a comment is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommentSubject {
    /// The repository of the records.
    pub repository_id: i64,
    /// The newest record in each language, of the newest commit of the pull request.
    pub records: Vec<i64>,
}

/// The newest commit is the commit whose first record is the newest: a late job of an older commit does not make that commit the
/// newest. All uploads of a pull request are on its branch. The `||` operator keeps SQLite from reading the pull requests of all
/// repositories.
pub(super) const SUBJECT: &str = "
    with recent as (
        select r.id, r.repository_id, r.commit_hash, r.language, r.created_at, r.updated_at from records r
        where r.branch_id = (select o.branch_id from records o where o.id = $1)
        order by r.updated_at desc, r.id desc limit 500
    ), found as (
        select recent.id, recent.repository_id, recent.commit_hash, recent.language, recent.created_at, recent.updated_at
        from recent
        cross join record_changes c
        where c.record_id = recent.id and c.pull_request || '' = $2
    )
    select found.repository_id, found.id, found.language from found
    where found.commit_hash = (
        select found.commit_hash from found
        group by found.commit_hash order by min(found.created_at) desc, found.commit_hash limit 1)
    order by found.language, found.updated_at desc";

const ASK: &str = "
    insert into pull_request_comments (repository_id, forge, pull_request, sequence, leased_until)
    values ($1, $2, $3, 1, 0)
    on conflict (repository_id, forge, pull_request) do update set sequence = pull_request_comments.sequence + 1";

const TAKE: &str = "
    update pull_request_comments set leased_until = $4
    where repository_id = $1 and forge = $2 and pull_request = $3 and leased_until < $5
    returning sequence, comment_id, attempted_at, (
        select a.author from pull_request_comments a
        where a.repository_id = $1 and a.forge = $2 and a.author is not null limit 1) as author";

const ATTEMPT: &str = "
    update pull_request_comments set attempted_at = $4
    where repository_id = $1 and forge = $2 and pull_request = $3";

const KEEP: &str = "
    update pull_request_comments set comment_id = $4, author = $5, attempted_at = null
    where repository_id = $1 and forge = $2 and pull_request = $3";

const RELEASE: &str = "
    update pull_request_comments set leased_until = 0
    where repository_id = $1 and forge = $2 and pull_request = $3
    returning sequence";

impl Writer<'_> {
    /// Returns the records that the comment of a record's pull request is about.
    pub async fn comment_subject(
        self,
        record_id: i64,
        pull_request: &PullRequest,
    ) -> Result<CommentSubject, StoreError> {
        let rows: Vec<(i64, i64, String)> =
            self.store.all(SUBJECT, (record_id, pull_request)).await?;
        let mut subject = CommentSubject::default();
        let mut last = String::new();
        for (repository_id, id, language) in rows {
            subject.repository_id = repository_id;
            if language != last {
                subject.records.push(id);
                last = language;
            }
        }
        Ok(subject)
    }

    /// Whether the pull request has a comment.
    pub async fn has_comment(self, key: &CommentKey) -> Result<bool, StoreError> {
        const EXISTS: &str = "
            select count(*) from pull_request_comments
            where repository_id = $1 and forge = $2 and pull_request = $3 and comment_id is not null";
        let count: i64 = self.store.value(EXISTS, [key]).await?;
        Ok(count > 0)
    }

    /// Stores that there are new results for a comment, and takes the lease to write it. `None` if another upload has the lease;
    /// that upload then writes the comment again.
    pub async fn ask_for_comment(
        self,
        key: &CommentKey,
    ) -> Result<Option<CommentTurn>, StoreError> {
        self.store.write(|pool| pool.run(ASK, [key])).await?;

        self.take_comment(key).await
    }

    /// Takes the lease to write a comment; `None` if another upload has it.
    pub async fn take_comment(self, key: &CommentKey) -> Result<Option<CommentTurn>, StoreError> {
        let now = now().0;
        self.store
            .write(|pool| pool.first(TAKE, (key, now + LEASE, now)))
            .await
    }

    /// Stores that the comment is about to be created.
    pub async fn attempt_comment(self, key: &CommentKey) -> Result<(), StoreError> {
        self.store
            .write(|pool| pool.run(ATTEMPT, (key, now())))
            .await
    }

    /// Stores the id and the author of the comment.
    pub async fn keep_comment(
        self,
        key: &CommentKey,
        comment: Option<(&str, Option<&str>)>,
    ) -> Result<(), StoreError> {
        let (id, author) = comment.unzip();
        self.store
            .write(|pool| pool.run(KEEP, (key, id, author.flatten())))
            .await
    }

    /// Ends the lease. Returns the number of the latest upload with new results, which may have come meanwhile.
    pub async fn release_comment(self, key: &CommentKey) -> Result<i64, StoreError> {
        self.store.write(|pool| pool.value(RELEASE, [key])).await
    }
}
