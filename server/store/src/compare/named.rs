//! The records that a client names: one by its id, or the current ones of a branch.

use crate::{
    Reader, StoreError,
    record::{Record, record_columns},
};
use domain::RecordRef;

const BY_ID: &str = concat!(
    record_columns!(),
    "from records r
    join repositories p on p.id = r.repository_id
    join branches b on b.id = r.branch_id
    where r.id = $1"
);

/// The current records of a branch, the last uploaded first.
pub(crate) const CURRENT: &str = concat!(
    record_columns!(),
    "from repositories p
    join branches b on b.repository_id = p.id and b.name = $2
    join records r on r.branch_id = b.id and r.superseded_at is null
    where p.name_key = $1 order by r.updated_at desc, r.id desc"
);

impl Reader {
    /// Returns the record with an id, or the current records of a branch: one for each language, the last uploaded first. Empty
    /// if there are none.
    pub async fn records_named(&self, name: &RecordRef) -> Result<Vec<Record>, StoreError> {
        let (store, found) = match name {
            RecordRef::Id(id) => {
                let store = self.sees_record(*id).await?;
                (store, sqlx::query_as(BY_ID).bind(*id))
            }
            RecordRef::CurrentOf(repository, branch) => {
                let found = sqlx::query_as(CURRENT)
                    .bind(repository.key())
                    .bind(branch.as_str());
                (self.sees(repository), found)
            }
        };
        match store {
            Some(store) => Ok(found.fetch_all(&store.read_pool).await?),
            None => Ok(Vec::new()),
        }
    }
}
