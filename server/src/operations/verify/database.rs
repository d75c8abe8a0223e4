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
    let operator = store.operator();
    let (details, lines) = (
        ("files", "unreadable_details"),
        ("lines", "unreadable_lines"),
    );
    check_pages(outcome, details, async |after| {
        operator.check_details(after).await
    })
    .await?;
    check_pages(outcome, lines, async |after| {
        operator.check_lines(after).await
    })
    .await?;
    let changes = ("changes", "unreadable_changes");
    check_pages(outcome, changes, async |after| {
        operator.check_changes(after).await
    })
    .await?;
    let mut check = operator.source_check();
    let sources = ("source text", "unreadable_sources");
    check_pages(outcome, sources, async |after| check.next(after).await).await
}

async fn check_summaries(store: &Store, outcome: &mut Outcome<'_>) -> Result<(), VerifyError> {
    let mut after = 0;
    while let Some(last) = store.operator().next_repositories(after).await? {
        outcome.progress(|| format!("checking counts and summaries, repository {last}"))?;
        for wrong in store.operator().wrong_summaries(after, last).await? {
            let repair = Repair::Repository(wrong.repository_id);
            outcome.found(Finding {
                repository: Some(wrong.repository),
                repair: wrong.is_computed.then_some(repair),
                ..Finding::new(wrong.kind, wrong.detail)
            })?;
        }
        after = last;
    }
    let mut next = Some(String::new());
    while let Some(after) = next {
        outcome.progress(|| format!("checking counts and days of orgs after {after:?}"))?;
        let (page, last) = store.operator().wrong_orgs(&after).await?;
        for wrong in page {
            outcome.found(Finding {
                org: Some(wrong.org_name.clone()),
                repair: Some(Repair::Org(wrong.org_name)),
                ..Finding::new("wrong_org_counts", wrong.detail)
            })?;
        }
        next = last;
    }
    Ok(())
}

/// Checks the rows of one kind, page by page. `next` reads the page after a record.
async fn check_pages(
    outcome: &mut Outcome<'_>,
    (what, kind): (&str, &'static str),
    mut next: impl AsyncFnMut(i64) -> Result<Option<CheckedPage>, StoreError>,
) -> Result<(), VerifyError> {
    let (mut after, mut rows) = (0, 0);
    while let Some(page) = next(after).await? {
        rows += page.rows;
        outcome.progress(|| format!("checking the {what} of records, {rows} so far"))?;
        for (record, detail) in page.unreadable {
            outcome.found(Finding {
                record: Some(record),
                ..Finding::new(kind, detail)
            })?;
        }
        after = page.last;
    }
    Ok(())
}
