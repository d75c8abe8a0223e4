//! Stores the verdict of the gate about a record for lists, and reads the verdicts about all languages of its commit.

use super::{Flag, StoreError, Writer, notifications, run::Run};
use domain::{Language, Percentage, Verdict};
use sqlx::FromRow;

/// The result of one language of a commit.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct LanguageResult {
    /// The id of the record.
    pub id: i64,
    /// The language.
    pub language: Language,
    /// The coverage.
    #[sqlx(rename = "percentage_basis_points")]
    pub percentage: Percentage,
    /// Whether the gate failed.
    pub has_failed: Flag,
    /// Whether no rule of the gate could be judged.
    pub is_unknown: Flag,
    /// Whether the record waits for parts.
    pub is_waiting: Flag,
}

const KEEP: &str = "update record_analyses set verdict = $2 where record_id = $1";

pub(super) const OF_COMMIT: &str = "
    select r.id, r.language, r.percentage_basis_points,
           case when a.verdict = 'failed' then 1 else 0 end as has_failed,
           case when a.verdict = 'unknown' then 1 else 0 end as is_unknown,
           case when c.waits_until is not null then 1 else 0 end as is_waiting
    from records r
    left join record_analyses a on a.record_id = r.id
    left join record_completions c on c.record_id = r.id
    where r.branch_id = (select o.branch_id from records o where o.id = $1)
      and r.commit_hash = (select o.commit_hash from records o where o.id = $1)
    order by r.language";

impl Writer<'_> {
    /// Judges a record by the gate, and stores the verdict for lists.
    pub async fn keep_verdict(self, record_id: i64) -> Result<Option<Verdict>, StoreError> {
        let Some(summary) = self.store.everything().record_summary(record_id).await? else {
            return Ok(None);
        };
        let verdict = summary.gate.map(|gate| gate.verdict);
        let word = verdict.map(Verdict::word);
        let store = self.store;
        store
            .write(|pool| pool.run(KEEP, (record_id, word)))
            .await?;
        // The changes of a pull request may have been requested from the forge after the upload.
        if store.notes_uploads {
            let mut connection = store.write_pool.acquire().await?;
            notifications::note(&mut connection, record_id).await?;
        }
        Ok(verdict)
    }

    /// Returns the results of all languages of the same commit and branch.
    pub async fn commit_results(self, record_id: i64) -> Result<Vec<LanguageResult>, StoreError> {
        self.store.all(OF_COMMIT, [record_id]).await
    }
}
