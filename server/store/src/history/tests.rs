//! An export of one database, imported into another, gives the same history.

use super::*;
use crate::actor::Actor;
use crate::{
    Deletion, Imported, ListingFilter, Scope,
    main_records::tests::{Draw, assert_kept, something_happens},
    testing::TestStore,
};

async fn history(store: &Store) -> Vec<HistoryRecord> {
    let (mut reading, mut all) = (store.operator().read_history(None, None, false), Vec::new());
    loop {
        let records = reading.next().await.expect("records");
        if records.is_empty() {
            return all;
        }
        all.extend(records);
    }
}

async fn import(store: &Store, records: &[HistoryRecord]) -> Imported {
    let mut all = Imported::default();
    for records in records.chunk_by(|one, other| one.repository == other.repository) {
        let imported = store
            .operator()
            .import(&records[0].repository, records)
            .await;
        let imported = imported.expect("an import");
        all.added += imported.added;
        all.known += imported.known;
    }
    all
}

async fn listed(store: &Store, full: bool) -> Vec<(String, String, String, String)> {
    let filter = ListingFilter {
        full,
        ..ListingFilter::default()
    };
    let page = store
        .everything()
        .list(&filter, 0, 1_000)
        .await
        .expect("a page");
    let records = page.records.into_iter().map(|record| {
        (
            record.repository.to_string(),
            record.branch.to_string(),
            record.commit.to_string(),
            record.percentage.to_string(),
        )
    });
    records.collect()
}

#[tokio::test]
async fn an_imported_history_equals_the_exported_one() {
    let (one, other) = (TestStore::new().await, TestStore::new().await);
    let mut draw = Draw(3);
    for _ in 0..150 {
        something_happens(&one, &mut draw).await;
    }
    // Settings are not records, and so not in the history.
    for repository in ["acme/one", "acme/two", "zoo/sub/three"] {
        let repository = repository.parse().expect("a repository");
        one.operator()
            .configure_main_branch(&repository, None, &Actor::service())
            .await
            .expect("configured");
    }
    let records = history(&one).await;
    let imported = import(&other, &records).await;
    assert_eq!((imported.added, imported.known), (records.len() as u64, 0));
    assert_eq!(history(&other).await, records);
    for full in [false, true] {
        assert_eq!(listed(&other, full).await, listed(&one, full).await);
    }
    assert_kept(&other.read_pool, "the import").await;
    let again = import(&other, &records).await;
    assert_eq!((again.added, again.known), (0, records.len() as u64));
    assert_eq!(history(&other).await, records, "no record was added twice");
    for _ in 0..20 {
        let happened = something_happens(&other, &mut draw).await;
        assert_kept(&other.read_pool, &happened).await;
    }
}

#[tokio::test]
async fn an_imported_older_history_comes_before_the_first_upload() {
    let store = TestStore::new().await;
    let mut draw = Draw(11);
    let is_current = |record: &HistoryRecord| record.superseded_at.is_none();
    while !history(&store).await.iter().any(is_current) {
        something_happens(&store, &mut draw).await;
    }
    let uploaded = history(&store).await;
    let last = uploaded.iter().rfind(|record| is_current(record));
    let last = last.expect("a record").clone();
    let older = |commit: &str, days: i64| HistoryRecord {
        commit: commit.parse().expect("a commit"),
        created_at: Timestamp(last.created_at.0 - days * 86_400_000_000),
        updated_at: Timestamp(last.created_at.0 - days * 86_400_000_000),
        superseded_at: None,
        unconfirmed_at: None,
        ..last.clone()
    };
    // Not in order of time, with two at the same time.
    let imported = import(&store, &[older("b", 1), older("a", 2), older("a2", 2)]).await;
    assert_eq!(imported.added, 3);
    let commits: Vec<_> = history(&store)
        .await
        .into_iter()
        .filter(|record| record.repository == last.repository && record.language == last.language)
        .map(|record| (record.commit.to_string(), record.superseded_at.is_none()))
        .collect();
    let expected = [("a", false), ("a2", false), ("b", false)];
    let expected = expected.map(|(commit, is_current)| (commit.to_owned(), is_current));
    assert_eq!(commits[..3], expected);
    assert_kept(&store.read_pool, "the import").await;
    assert_eq!(listed(&store, true).await.len(), uploaded.len() + 3);
}

#[tokio::test]
async fn a_deletion_during_an_export_skips_no_record() {
    let store = TestStore::new().await;
    let record = |number: i64| HistoryRecord {
        repository: "acme/payments".parse().expect("a repository"),
        branch: "main".parse().expect("a branch"),
        commit: format!("c{number}").parse().expect("a commit"),
        author: "Kim".parse().expect("an author"),
        language: "rust".parse().expect("a language"),
        percentage: Percentage::from_basis_points(5_000),
        lines: None,
        branches: None,
        functions: None,
        report_format: "cobertura".to_owned(),
        created_at: Timestamp(number * 1_000),
        updated_at: Timestamp(number * 1_000),
        superseded_at: None,
        unconfirmed_at: None,
        line_states: None,
        sources: Vec::new(),
        chain: None,
        report: None,
    };
    let records: Vec<_> = (1..=CHUNK * 2 + 10).map(record).collect();
    import(&store, &records).await;
    let delete = async |number: i64| {
        let find = "select id from records where commit_hash = $1";
        let id = sqlx::query_scalar(find)
            .bind(format!("c{number}"))
            .fetch_one(&store.read_pool)
            .await
            .expect("a record");
        let (what, by) = (Deletion::Record(id), Actor::service());
        let deleted = store.operator().delete(&what, &[Scope::All], &by).await;
        deleted.expect("deleted").expect("a record");
    };
    let (mut reading, mut read) = (store.operator().read_history(None, None, false), Vec::new());
    read.extend(reading.next().await.expect("records"));
    delete(3).await;
    read.extend(reading.next().await.expect("records"));
    // Two records that were read, one of them the last.
    delete(4).await;
    delete(CHUNK * 2).await;
    read.extend(reading.next().await.expect("records"));
    let commits = read.iter().map(|record| record.commit.to_string());
    let expected = records.iter().map(|record| record.commit.to_string());
    assert!(commits.eq(expected), "{} records", read.len());
    assert!(reading.next().await.expect("the end").is_empty());
}
