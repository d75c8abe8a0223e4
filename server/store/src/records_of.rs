//! The records of a commit or of a pull request.

use super::{
    Page, Reader, StoreError, Unsigned,
    paging::cut,
    record::{Record, record_columns},
    run::Run,
};
use domain::{PullRequest, Repository};

const ON_A_PAGE: usize = 100;

/// The records whose commit starts with a text, in one of two spellings.
pub(super) const OF_COMMIT: &str = concat!(
    record_columns!(),
    "from records r
     join repositories p on p.id = r.repository_id
     join branches b on b.id = r.branch_id
     where r.id in (
         select h.id from records h where h.commit_hash >= $2 and h.commit_hash < $3
         union
         select h.id from records h where h.commit_hash >= $4 and h.commit_hash < $5)
       and r.repository_id = (select k.id from repositories k where k.name_key = $1)
     order by r.updated_at desc, r.id desc limit $6 offset $7"
);

pub(super) const OF_PULL_REQUEST: &str = concat!(
    record_columns!(),
    "from record_changes c
     join records r on r.id = c.record_id
     join repositories p on p.id = r.repository_id
     join branches b on b.id = r.branch_id
     where c.pull_request = $2 and r.repository_id = (select k.id from repositories k where k.name_key = $1)
     order by r.updated_at desc, r.id desc limit $3 offset $4"
);

impl Reader {
    /// Returns a page of the records of a repository whose commit starts with `start`, the newest first. The first page is 1.
    pub async fn records_of_commit(
        &self,
        repository: &Repository,
        start: &str,
        page: u64,
    ) -> Result<Page, StoreError> {
        let Some(store) = self.sees(repository) else {
            return Ok(Page::default());
        };
        let lower = start.to_ascii_lowercase();
        let values = (
            repository.key(),
            start,
            // `~` comes after all characters of a hash.
            format!("{start}~"),
            &lower,
            format!("{lower}~"),
            Unsigned::from(ON_A_PAGE + 1),
            offset(page),
        );
        let rows = store.all(OF_COMMIT, values).await?;
        Ok(page_of(rows))
    }

    /// Like `records_of_commit`, for a pull request.
    pub async fn records_of_pull_request(
        &self,
        repository: &Repository,
        number: &PullRequest,
        page: u64,
    ) -> Result<Page, StoreError> {
        let Some(store) = self.sees(repository) else {
            return Ok(Page::default());
        };
        let values = (
            repository.key(),
            number,
            Unsigned::from(ON_A_PAGE + 1),
            offset(page),
        );
        let rows = store.all(OF_PULL_REQUEST, values).await?;
        Ok(page_of(rows))
    }
}

fn offset(page: u64) -> Unsigned {
    let before = page.saturating_sub(1);
    Unsigned(before.saturating_mul(ON_A_PAGE as u64))
}

fn page_of(mut records: Vec<Record>) -> Page {
    let has_next = cut(&mut records, ON_A_PAGE);
    Page { records, has_next }
}
