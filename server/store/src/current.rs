//! The current records of one repository, as the response to an upload lists them.

use super::{Record, StoreError, Writer, record::record_columns, run::Run};
use domain::Repository;

pub(super) const CURRENT_RECORDS: &str = concat!(
    record_columns!(),
    "from repositories p
    join records r on r.repository_id = p.id and r.superseded_at is null
    join branches b on b.id = r.branch_id
    where p.name_key = $1 order by r.updated_at desc, r.id desc"
);

impl Writer<'_> {
    /// Returns the current record of every branch and language of a repository, the last updated first.
    pub async fn current_records(self, repository: &Repository) -> Result<Vec<Record>, StoreError> {
        let records = self.store.all(CURRENT_RECORDS, (repository,)).await?;
        Ok(records)
    }
}
