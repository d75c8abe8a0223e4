//! How SQLite answers the questions of pages: from indexes that hold just what is asked for.

use super::{Store, current, overview, repository};
use sqlx::{AssertSqlSafe, Row};

async fn plan(store: &Store, question: &str) -> Vec<String> {
    let explain = AssertSqlSafe(format!("explain query plan {question}"));
    let rows = sqlx::query(explain)
        .fetch_all(&store.readers)
        .await
        .expect("a plan");
    rows.iter()
        .map(|row| row.try_get("detail").expect("a step of a plan"))
        .collect()
}

/// Indexes that hold superseded records too: to look for current ones in them costs more with every upload.
const OF_THE_HISTORY: [&str; 2] = ["records_by_repository ", "records_history "];

#[tokio::test]
async fn what_pages_ask_of_current_records_never_reads_the_history() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("plans.db").display());
    let store = Store::open(&url).await.expect("a database");
    for question in [
        overview::MATCHING,
        overview::MAIN_BRANCH_ROWS,
        repository::MAIN_BRANCH,
        repository::BRANCH_ROWS,
        repository::BRANCH_COUNT,
        repository::CURRENT_ROWS,
        repository::CHOICES,
        current::CURRENT_RECORDS,
    ] {
        for step in plan(&store, question).await {
            // `h` is the record before, which the end of the history's index has at once.
            let is_history = OF_THE_HISTORY.iter().any(|index| step.contains(index))
                && !step.starts_with("SEARCH h ");
            assert!(
                !is_history && !step.starts_with("SCAN r"),
                "{step} in the plan of {question}"
            );
        }
    }
}

#[tokio::test]
async fn a_part_of_a_history_is_found_in_an_index_whose_order_it_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("plans.db").display());
    let store = Store::open(&url).await.expect("a database");
    for question in [
        repository::HISTORY,
        repository::HISTORY_OF_LANGUAGE,
        repository::NEWER_HISTORY,
        repository::LANGUAGES,
        repository::POINTS,
        repository::LAST,
        repository::BUCKETS,
    ] {
        for step in plan(&store, question).await {
            // Records of the same microsecond may have to be sorted, but not a history.
            let sorts = step.contains("TEMP B-TREE") && !step.contains("LAST TERM");
            let scans = ["SCAN r", "SCAN h"]
                .iter()
                .any(|scan| step.starts_with(scan));
            assert!(!sorts && !scans, "{step} in the plan of {question}");
        }
    }
}

#[tokio::test]
async fn the_record_before_is_found_without_sorting() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("plans.db").display());
    let store = Store::open(&url).await.expect("a database");
    let steps = plan(&store, overview::MAIN_BRANCH_ROWS).await;
    let before = steps
        .iter()
        .find(|step| step.starts_with("SEARCH h "))
        .expect("a search for the record before");
    assert!(
        before.contains("records_history (branch_id=? AND language=?)"),
        "{before}"
    );
}
