//! Which verdicts a reader gets over time.

use crate::{
    NewChange, ReadScope, Scope,
    testing::{TestStore, is_postgres, new_record},
};
use domain::{GateCounts, GateHistory, GatesQuery};
use sqlx::AssertSqlSafe;

/// Stores a record of a pull request with the verdict and the changed lines of its analysis.
async fn upload(store: &TestStore, repository: &str, place: &str, verdict: &str, changed: &str) {
    let (pull, commit) = place.split_once(' ').expect("a pull request and a commit");
    let mut new = new_record(repository, &format!("branch-{pull}"), commit);
    new.stated.change = NewChange {
        pull_request: pull.parse().ok(),
        ..NewChange::default()
    };
    let published = store.writer().publish(&new).await;
    let id = published.expect("published").record.id;
    let empty = if is_postgres() { "''::bytea" } else { "x''" };
    let insert = format!(
        "insert into record_analyses (record_id, revision, changed_covered, changed_coverable, verdict, analysis)
         values ({id}, 0, {changed}, {verdict}, {empty})"
    );
    let done = sqlx::query(AssertSqlSafe(insert)).execute(&store.write_pool);
    done.await.expect("an analysis");
}

async fn history(store: &TestStore, scope: ReadScope, of: &str) -> Option<GateHistory> {
    let (org, repo) = of.split_once(' ').unwrap_or((of, ""));
    let query = GatesQuery {
        org: org.parse().ok(),
        repo: repo.parse().ok(),
        ..GatesQuery::default()
    };
    let found = store.reader(scope).gate_history(&query).await;
    found.expect("an answer")
}

fn last(history: Option<GateHistory>) -> GateCounts {
    let history = history.expect("a history");
    history.rows.last().expect("a week").counts
}

#[tokio::test]
async fn the_last_upload_of_a_pull_request_counts_in_what_the_reader_sees() {
    let store = TestStore::new().await;
    upload(&store, "acme/one", "7 c1", "'failed'", "1, 5").await;
    upload(&store, "acme/one", "7 c2", "'passed'", "4, 5").await;
    upload(&store, "acme/sub/two", "7 c1", "'unknown'", "null, null").await;
    upload(&store, "labs/one", "9 c1", "'failed'", "0, 1").await;
    upload(&store, "acme/one", "main c3", "null", "null, null").await;
    let counts = last(history(&store, ReadScope::ALL, "ACME One").await);
    assert_eq!((counts.results, counts.passed, counts.failed), (1, 1, 0));
    assert_eq!((counts.changed.covered, counts.changed.total), (4, 5));
    let org = history(&store, ReadScope::ALL, "acme").await;
    let counts = last(org.clone());
    assert_eq!((counts.results, counts.passed, counts.unknown), (2, 1, 1));
    assert_eq!(counts.changes_unknown, 1);
    let repositories = org.expect("a history").repositories.into_iter();
    let repositories: Vec<_> = repositories.map(|(name, _)| name.to_string()).collect();
    assert_eq!(repositories, ["acme/one", "acme/sub/two"]);
    let all = last(history(&store, ReadScope::ALL, "").await);
    assert_eq!((all.results, all.failed), (3, 1));
    let labs = ReadScope::of([Scope::Org("labs".parse().expect("an org"))]);
    assert_eq!(last(history(&store, labs.clone(), "").await).results, 1);
    for hidden in ["acme", "acme one", "none", "labs none"] {
        let found = history(&store, labs.clone(), hidden).await;
        assert_eq!(found, None, "{hidden}");
    }
}
