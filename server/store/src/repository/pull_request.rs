//! The data of a pull request's page: the records of its newest commit, and its uploads.

use super::pull_requests::pull_request_rows;
use crate::{Reader, Store, StoreError, Unsigned, Writer, paging::cut, run::Run, time::now};
use domain::{PullRequest, PullRequestDetail, PullRequestRow, RecordQuery, Repository, Verdict};
use sqlx::FromRow;
use std::collections::HashSet;

/// The number of uploads on a page.
const UPLOADS: usize = 25;

/// The maximum number of languages of the newest commit.
const MOST_LANGUAGES: i64 = 50;

/// The newest commit is the commit whose first record is the newest, as in the comment: a late job of an older commit does not
/// make that commit the newest.
pub(crate) const NEWEST_COMMIT: &str = pull_request_rows!(
    "select r.id from record_changes c
    join records r on r.id = c.record_id
    where c.pull_request = $2 and r.repository_id = $1 and r.commit_hash = (
        select h.commit_hash from record_changes m
        join records h on h.id = m.record_id
        where m.pull_request = $2 and h.repository_id = $1
        group by h.commit_hash order by min(h.created_at) desc, h.commit_hash limit 1)
    order by r.updated_at desc, r.id desc limit $3",
    "r.updated_at desc, r.id desc"
);

pub(crate) const OF_PULL_REQUEST: &str = pull_request_rows!(
    "select r.id from record_changes c
    join records r on r.id = c.record_id
    where c.pull_request = $2 and r.repository_id = $1
    order by r.updated_at desc, r.id desc limit $3 offset $4",
    "r.updated_at desc, r.id desc"
);

pub(crate) const OF_RECORD: &str = "
    select p.org_name, p.repo_name, c.pull_request from record_changes c
    join records r on r.id = c.record_id
    join repositories p on p.id = r.repository_id
    where c.record_id = $1 and c.pull_request is not null";

#[derive(FromRow)]
struct Named {
    #[sqlx(flatten)]
    repository: Repository,
    pull_request: PullRequest,
}

impl Writer<'_> {
    /// Returns the pull request of a record, if an upload named it.
    pub async fn pull_request_of(
        self,
        record_id: i64,
    ) -> Result<Option<(Repository, PullRequest)>, StoreError> {
        let found: Option<Named> = self.store.first(OF_RECORD, [record_id]).await?;
        Ok(found.map(|found| (found.repository, found.pull_request)))
    }
}

impl Store {
    /// The records of the newest commit of a pull request, one for each language, the last uploaded first.
    async fn newest_of_pull_request(
        &self,
        repository_id: i64,
        number: &PullRequest,
    ) -> Result<Vec<PullRequestRow>, StoreError> {
        let newest = self.all(NEWEST_COMMIT, (repository_id, number, MOST_LANGUAGES));
        let mut newest: Vec<PullRequestRow> = newest.await?;
        let mut languages = HashSet::new();
        newest.retain(|row| languages.insert(row.language.clone()));
        Ok(newest)
    }
}

impl Reader {
    /// Returns the records of the newest commit of a pull request, one for each language. Empty if nothing was uploaded for it.
    pub async fn newest_of_pull_request(
        &self,
        repository: &Repository,
        number: &PullRequest,
    ) -> Result<Vec<PullRequestRow>, StoreError> {
        match self.main_of(repository).await? {
            Some((store, main)) => {
                let found = store.newest_of_pull_request(main.repository_id, number);
                found.await
            }
            None => Ok(Vec::new()),
        }
    }

    /// Returns a pull request with one page of its uploads; `None` if its repository has no uploads. A pull request without
    /// uploads has no records.
    pub async fn pull_request(
        &self,
        repository: &Repository,
        number: &PullRequest,
        page: u32,
    ) -> Result<Option<PullRequestDetail>, StoreError> {
        let Some((store, main)) = self.main_of(repository).await? else {
            return Ok(None);
        };
        let id = main.repository_id;
        let mut newest = store.newest_of_pull_request(id, number).await?;
        newest.sort_by(|a, b| {
            urgency(a)
                .cmp(&urgency(b))
                .then(a.language.cmp(&b.language))
        });
        let others = newest.split_off(newest.len().min(PullRequestDetail::MOST_RECORDS));
        let mut records = Vec::new();
        for row in newest {
            let query = RecordQuery {
                id: row.record_id,
                ..RecordQuery::default()
            };
            records.extend(self.record_page(&query).await?);
        }
        let page = page.clamp(1, PullRequestDetail::MOST_PAGES);
        let before = u64::from(page - 1) * UPLOADS as u64;
        let values = (id, number, Unsigned::from(UPLOADS + 1), Unsigned(before));
        let mut uploads: Vec<PullRequestRow> = store.all(OF_PULL_REQUEST, values).await?;
        let has_older = cut(&mut uploads, UPLOADS) && page < PullRequestDetail::MOST_PAGES;
        Ok(Some(PullRequestDetail {
            now: now(),
            repository: main.repository,
            forge: main.forge,
            number: number.clone(),
            records,
            others,
            uploads,
            page,
            has_older,
        }))
    }
}

/// Failed gates come first, passed ones last.
fn urgency(row: &PullRequestRow) -> u8 {
    match row.verdict {
        Some(Verdict::Failed) => 0,
        Some(Verdict::Unknown) => 1,
        Some(Verdict::Incomplete) => 2,
        None => 3,
        Some(Verdict::Passed) => 4,
    }
}
