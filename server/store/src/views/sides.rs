//! The records whose files are counted: the records at the end of a period, and the records at its beginning.

use crate::{
    Store, StoreError, StoredFiles,
    repository::{LAST, POINTS},
    run::Run,
};
use domain::{Count, Language, TrendPoint};
use sqlx::FromRow;

pub(crate) const CURRENT: &str = "
    select r.id, r.language, r.lines_covered, r.lines_total from records r
    where r.branch_id = $1 and r.superseded_at is null and ($2 is null or r.language = $2)
    order by r.language limit $3";

pub(crate) const RECORD: &str =
    "select r.id, r.language, r.lines_covered, r.lines_total from records r where r.id = $1";

/// A record at the end of a period.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Head {
    pub(super) id: i64,
    pub(super) language: Language,
    #[sqlx(flatten, try_from = "domain::sql::LineColumns")]
    pub(super) lines: Option<Count>,
}

impl Store {
    /// The records at the end of a period, one for each language: the current ones if the period has no end.
    pub(super) async fn heads(
        &self,
        branch_id: i64,
        language: Option<&Language>,
        end: Option<i64>,
    ) -> Result<Vec<Head>, StoreError> {
        let Some(end) = end else {
            let values = (branch_id, language, crate::repository::MOST_LANGUAGES);
            return self.all(CURRENT, values).await;
        };
        let mut heads = Vec::new();
        for own in self.languages(branch_id).await? {
            if language.is_none_or(|language| *language == own)
                && let Some((id, _)) = self.last_before(branch_id, &own, end).await?
            {
                heads.extend(self.first::<Head>(RECORD, [id]).await?);
            }
        }
        Ok(heads)
    }

    /// The id and the time of the record that was the last one at a time, or else of the first record of the branch.
    pub(super) async fn beginning(
        &self,
        branch_id: i64,
        language: &Language,
        at: i64,
    ) -> Result<Option<(i64, i64)>, StoreError> {
        if let Some(found) = self.last_before(branch_id, language, at).await? {
            return Ok(Some(found));
        }
        let values = (branch_id, language, i64::MIN, i64::MAX, 1_i64);
        let first: Option<TrendPoint> = self.first(POINTS, values).await?;
        Ok(first.map(|first| (first.record_id, first.at.0)))
    }

    async fn last_before(
        &self,
        branch_id: i64,
        language: &Language,
        at: i64,
    ) -> Result<Option<(i64, i64)>, StoreError> {
        self.first(LAST, (branch_id, language, at)).await
    }

    /// The list of files of a record; `None` if it has no list.
    pub(super) async fn listed(&self, id: i64) -> Result<Option<StoredFiles>, StoreError> {
        let files = self.stored_files(id).await?;
        Ok(files.filter(|files| files.encoded.is_some()))
    }
}
