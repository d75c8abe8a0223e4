//! Checks the database alone: whether it is intact, and whether the tables derived from records agree with them.

use super::{Finding, Outcome, Repair, VerifyError};
use store::{CheckedPage, Store, StoreError};

/// Checks the database. If the file is damaged, later checks may fail.
pub(super) async fn check(store: &Store, outcome: &mut Outcome<'_>) -> Result<(), VerifyError> {
    outcome.progress(|| "checking the database".to_owned())?;
    let damage = match store.operator().damage().await {
        // The damage prevents the query for damage.
        Err(error) if error.is_damage() => vec![StoreError::to_string(&error)],
        damage => damage?,
    };
    for detail in damage {
        outcome.found(Finding::new("damaged_database", detail))?;
    }
    for detail in store.operator().broken_foreign_keys().await? {
        outcome.found(Finding::new("broken_foreign_key", detail))?;
    }
    check_summaries(store, outcome).await?;
    check_details(store, outcome).await?;
    check_lines(store, outcome).await
}

async fn check_summaries(store: &Store, outcome: &mut Outcome<'_>) -> Result<(), VerifyError> {
    let mut after = 0;
    while let Some(last) = store.operator().next_repositories(after).await? {
        outcome.progress(|| format!("checking counts and summaries, repository {last}"))?;
        for wrong in store.operator().wrong_summaries(after, last).await? {
            let finding = Finding::new(wrong.kind, wrong.detail);
            outcome.found(Finding {
                repository: Some(wrong.repository),
                repair: wrong
                    .is_computed
                    .then_some(Repair::Repository(wrong.repository_id)),
                ..finding
            })?;
        }
        after = last;
    }
    for wrong in store.operator().wrong_orgs().await? {
        let finding = Finding::new("wrong_org_counts", wrong.detail);
        outcome.found(Finding {
            org: Some(wrong.org_name.clone()),
            repair: Some(Repair::Org(wrong.org_name)),
            ..finding
        })?;
    }
    Ok(())
}

async fn check_details(store: &Store, outcome: &mut Outcome<'_>) -> Result<(), VerifyError> {
    let (mut after, mut rows) = (0, 0);
    while let Some(page) = store.operator().check_details(after).await? {
        rows += page.rows;
        outcome.progress(|| format!("checking the files of records, {rows} so far"))?;
        after = found(outcome, "unreadable_details", page)?;
    }
    Ok(())
}

async fn check_lines(store: &Store, outcome: &mut Outcome<'_>) -> Result<(), VerifyError> {
    let (mut after, mut rows) = (0, 0);
    while let Some(page) = store.operator().check_lines(after).await? {
        rows += page.rows;
        outcome.progress(|| format!("checking the lines of records, {rows} so far"))?;
        after = found(outcome, "unreadable_lines", page)?;
    }
    let (mut after, mut rows) = (0, 0);
    while let Some(page) = store.operator().check_changes(after).await? {
        rows += page.rows;
        outcome.progress(|| format!("checking the changes of records, {rows} so far"))?;
        after = found(outcome, "unreadable_changes", page)?;
    }
    Ok(())
}

/// Reports the rows of a page that cannot be read. Returns the last record of the page.
fn found(
    outcome: &mut Outcome<'_>,
    kind: &'static str,
    page: CheckedPage,
) -> Result<i64, VerifyError> {
    for (record, detail) in page.unreadable {
        let finding = Finding::new(kind, detail);
        outcome.found(Finding {
            record: Some(record),
            ..finding
        })?;
    }
    Ok(page.last)
}
