//! The rules by which a record ignores files: stored with its first upload, and kept for all later ones.

use super::{
    Flag, MainRight, Stated, StoreError, Writer, gates::read_ignore_rules, main_branch, names,
    parts, run::Run,
};
use domain::GlobList;
use sqlx::AnyConnection;

pub(super) const OF_COMMIT: &str = concat!(
    "select d.ignore_rules, case when ",
    parts::record_is_unconfirmed!(),
    " then 1 else 0 end from records r
     join branches b on b.id = r.branch_id
     left join record_details d on d.record_id = r.id
     where b.repository_id = (select k.id from repositories k where k.name_key = $1)
       and b.name = $2 and r.language = $3 and r.commit_hash = $4"
);

const OF_RECORD: &str = "select ignore_rules from record_details where record_id = $1";

impl Writer<'_> {
    /// The rules for an upload: of its record, if the commit has one; else its own, if it may change the main branch and is of
    /// it; else the rules of the main branch.
    pub async fn ignore_rules(self, new: &Stated) -> Result<GlobList, StoreError> {
        let of_record: Option<(Option<String>, Flag)> =
            self.store.first(OF_COMMIT, [new.key()]).await?;
        let is_granted = new.main_right == MainRight::Granted;
        match of_record {
            // An upload with the right replaces all data of uploads without it.
            Some((rules, Flag(is_unconfirmed))) if !(is_unconfirmed && is_granted) => {
                return read_ignore_rules(rules);
            }
            _ => {}
        }
        if let Some(own) = new.settings.as_ref().filter(|_| is_granted)
            && self.is_of_main(new).await?
        {
            return Ok(own.ignore.clone());
        }
        let of_main = self.settings_of_main(&new.repository).await?;
        Ok(of_main.unwrap_or_default().ignore)
    }

    /// The rules of a record.
    pub async fn ignore_rules_of(self, record_id: i64) -> Result<GlobList, StoreError> {
        let rules: Option<Option<String>> = self.store.first_value(OF_RECORD, [record_id]).await?;
        read_ignore_rules(rules.flatten())
    }

    async fn is_of_main(self, new: &Stated) -> Result<bool, StoreError> {
        let repository: Option<i64> = self.store.first_value(names::ID, [&new.repository]).await?;
        // The first branch of a repository becomes its main branch.
        let Some(repository) = repository else {
            return Ok(true);
        };
        let mut connection = self.store.read_pool.acquire().await?;
        main_branch::would_be_main(&mut connection, repository, &new.branch, 1).await
    }
}

/// Stores the rules of a record with its first upload, within the transaction that publishes it. A later upload must have used
/// the same rules.
///
/// # Errors
///
/// [`StoreError::IgnoreRulesChanged`].
pub(super) async fn keep(
    connection: &mut AnyConnection,
    record_id: i64,
    rules: &GlobList,
    is_first: bool,
) -> Result<(), StoreError> {
    const STORE: &str = "update record_details set ignore_rules = $2 where record_id = $1";
    if !is_first {
        let kept: Option<Option<String>> = connection.first_value(OF_RECORD, [record_id]).await?;
        return match read_ignore_rules(kept.flatten())? == *rules {
            true => Ok(()),
            false => Err(StoreError::IgnoreRulesChanged),
        };
    }
    let text = (!rules.is_empty()).then(|| serde_json::to_string(rules));
    let text = text.transpose().map_err(StoreError::Rules)?;
    connection.run(STORE, (record_id, text)).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        NewRecord,
        testing::{TestStore, new_record},
    };

    #[tokio::test]
    async fn an_upload_with_other_rules_than_its_record_changes_nothing() {
        let store = TestStore::new().await;
        let with = |pattern: &str| NewRecord {
            ignore: GlobList::of([pattern]).expect("a pattern"),
            ..new_record("acme/payments", "main", "c1")
        };
        let first = store.writer().publish(&with("gen/**")).await;
        let id = first.expect("published").record.id;
        let other = store.writer().publish(&with("src/**")).await;
        assert!(
            matches!(other, Err(StoreError::IgnoreRulesChanged)),
            "{other:?}"
        );
        let kept = with("gen/**");
        let rules = store.writer().ignore_rules(&kept.stated).await;
        assert_eq!(rules.expect("rules"), kept.ignore);
        let rules = store.writer().ignore_rules_of(id).await;
        assert_eq!(rules.expect("rules"), kept.ignore);
        store.writer().publish(&kept).await.expect("published");
    }
}
