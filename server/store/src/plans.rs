//! Tests how SQLite runs the queries of pages: with indexes that contain exactly the needed columns.

mod org;
mod record;

use super::{
    Store, author, compare, ledger, listing, main_records, names, notifications, overview, quota,
    record as records, repository, retention, search, storage,
    testing::{TestStore, is_postgres},
};
use domain::BranchColumn;
use sqlx::{AssertSqlSafe, Row};

/// A SQLite database; `None` if the tests run on PostgreSQL.
async fn sqlite() -> Option<TestStore> {
    if is_postgres() {
        return None;
    }
    Some(TestStore::new().await)
}

async fn plan(store: &Store, query: &str) -> Vec<String> {
    let explain = AssertSqlSafe(format!("explain query plan {query}"));
    let rows = sqlx::query(explain)
        .fetch_all(&store.read_pool)
        .await
        .expect("a plan");
    rows.iter()
        .map(|row| row.try_get("detail").expect("a step of a plan"))
        .collect()
}

/// Indexes that contain superseded records too: searching them for current records costs more with every upload.
const OF_THE_HISTORY: [&str; 2] = ["records_by_place", "records_history"];

#[tokio::test]
async fn queries_for_current_records_never_read_the_history() {
    let Some(store) = sqlite().await else { return };
    let mut queries = overview::tests::queries();
    queries.extend(
        [
            main_records::FILL,
            repository::MAIN_BRANCH,
            repository::BRANCH_ROWS,
            repository::BRANCH_COUNT,
            repository::CURRENT_ROWS,
            repository::CHOICES,
            records::CURRENT_RECORDS,
            records::CURRENT_OF,
            compare::SIDE,
            compare::BRANCHES,
        ]
        .map(str::to_owned),
    );
    let repository_of = "acme/payments".parse().expect("a repository");
    let names = ["feature/x", "feature/x/y"].map(|name| name.parse().expect("a branch"));
    let of_names = records::current_of(&repository_of, &names);
    queries.push(of_names.text().to_owned());
    let sorted = BranchColumn::orders().map(repository::sorted_by);
    queries.extend(sorted.map(str::to_owned));
    for query in &queries {
        for step in plan(&store, query).await {
            // `h` is the previous record, found directly at the end of the history's index.
            let is_history = step.split(' ').any(|word| OF_THE_HISTORY.contains(&word))
                && !step.starts_with("SEARCH h ");
            assert!(
                !is_history && !step.starts_with("SCAN r"),
                "{step} in the plan of {query}"
            );
        }
    }
}

#[tokio::test]
async fn a_page_of_a_history_is_read_from_an_index_in_its_order() {
    let Some(store) = sqlite().await else { return };
    for query in [
        repository::HISTORY,
        repository::HISTORY_COUNT,
        repository::HISTORY_OF_LANGUAGE,
        repository::NEWER_HISTORY,
        repository::LANGUAGES,
        repository::POINTS,
        repository::NEXT,
        repository::FIRST,
        repository::LAST,
        repository::BUCKETS,
        compare::EARLIER,
    ] {
        for step in plan(&store, query).await {
            // Records of the same microsecond may need sorting, but not a history.
            let sorts = step.contains("TEMP B-TREE") && !step.contains("LAST TERM");
            let scans = ["SCAN r", "SCAN h"]
                .iter()
                .any(|scan| step.starts_with(scan));
            assert!(!sorts && !scans, "{step} in the plan of {query}");
        }
    }
    let steps = plan(&store, repository::BUCKETS).await;
    let reads = steps.iter().find(|step| step.starts_with("SEARCH r "));
    let reads = reads.expect("a search for the records of a span");
    assert!(reads.contains("COVERING INDEX records_history"), "{reads}");
    let steps = plan(&store, repository::KEPT).await;
    let reads = steps.iter().find(|step| step.starts_with("SEARCH t "));
    let reads = reads.expect("a search for spans of the table");
    assert!(
        reads.contains("(branch_id=? AND language=? AND span>? AND span<?)"),
        "{reads}"
    );
}

#[tokio::test]
async fn the_record_before_is_found_without_sorting() {
    let Some(store) = sqlite().await else { return };
    let steps = plan(&store, main_records::FILL).await;
    let before = steps
        .iter()
        .find(|step| step.starts_with("SEARCH h "))
        .expect("a search for the record before");
    assert!(
        before.contains("records_history (branch_id=? AND language=?)"),
        "{before}"
    );
}

#[tokio::test]
async fn what_a_row_was_a_week_ago_is_found_by_index() {
    let Some(store) = sqlite().await else { return };
    let steps = plan(&store, main_records::week_ago::RENEW).await;
    let reads: Vec<_> = steps.iter().filter(|step| step.contains(" h ")).collect();
    assert_eq!(reads.len(), 4, "{steps:?}");
    for step in reads {
        assert!(
            step.contains("records_history (branch_id=? AND language=?"),
            "{step}"
        );
    }
}

#[tokio::test]
async fn the_records_of_an_author_are_read_from_one_index_in_order() {
    let Some(store) = sqlite().await else { return };
    for (query, record) in [
        (author::SUMMARY.text(), "SEARCH r "),
        (author::WINDOW_END.text(), "SEARCH r "),
        (author::RECORDS.text(), "SEARCH a "),
    ] {
        let steps = plan(&store, query).await;
        let search = steps.iter().find(|step| step.starts_with(record));
        let search = search.unwrap_or_else(|| panic!("no {record}in {steps:#?}"));
        assert!(
            search.contains("USING COVERING INDEX records_by_author (commit_author=?"),
            "{search}"
        );
        assert!(
            !steps.iter().any(|step| step.starts_with("SCAN r ")),
            "{steps:#?}"
        );
    }
    let steps = plan(&store, author::RECORDS.text()).await;
    let before = steps.iter().find(|step| step.starts_with("SEARCH h "));
    assert!(
        before
            .is_some_and(|step| step
                .contains("records_history (branch_id=? AND language=? AND updated_at<?)")),
        "{steps:#?}"
    );
}

#[tokio::test]
async fn the_ledger_is_read_from_its_end_and_never_sorted() {
    let Some(store) = sqlite().await else { return };
    for (query, step) in [
        (ledger::page::WINDOW_END, "SEARCH uploads USING"),
        (
            ledger::page::LAST_DAY.text(),
            "SEARCH u USING INTEGER PRIMARY KEY",
        ),
        (
            ledger::arrivals::ATTEMPTS_OF_REPOSITORY.text(),
            "SEARCH u USING INDEX uploads_by_repository (<expr>=? AND <expr>=?)",
        ),
        (
            ledger::arrivals::NEWEST_OF_REPOSITORY,
            "SEARCH r USING INDEX records_current_by_repository (repository_id=? AND superseded_at=?)",
        ),
    ] {
        let steps = plan(&store, query).await;
        assert!(
            steps.iter().any(|found| found.starts_with(step)),
            "{steps:#?}"
        );
        assert!(
            !steps.iter().any(|found| found.contains("ORDER BY")),
            "{steps:#?}"
        );
    }
}

#[tokio::test]
async fn the_listing_looks_up_records_and_never_scans_them() {
    let Some(store) = sqlite().await else { return };
    for query in listing::tests::queries::queries() {
        for step in plan(&store, &query).await {
            assert!(!step.starts_with("SCAN r"), "{step} of {query}");
            assert!(
                !step.starts_with("SEARCH r ")
                    || step.contains("place")
                    || step.contains("current")
                    || step.contains("INTEGER PRIMARY KEY"),
                "{step} of {query}"
            );
        }
    }
}

#[tokio::test]
async fn rows_before_a_filtered_page_are_skipped_in_an_index_alone() {
    let Some(store) = sqlite().await else { return };
    for (query, index) in listing::tests::queries::queries_of_late_pages() {
        let steps = plan(&store, &query).await;
        let step = format!("SEARCH r USING COVERING INDEX {index} ");
        assert!(
            steps.iter().any(|found| found.starts_with(&step)),
            "{steps:#?}"
        );
    }
}

#[tokio::test]
async fn a_name_in_any_case_is_looked_up_and_never_scanned_for() {
    let Some(store) = sqlite().await else { return };
    for query in [
        names::STORED,
        repository::MAIN_BRANCH,
        records::CURRENT_RECORDS,
        records::CURRENT_OF,
        author::RECORDS.text(),
        ledger::arrivals::NEWEST_OF_REPOSITORY,
    ] {
        let steps = plan(&store, query).await;
        let is_search = |step: &String| step.ends_with("INDEX repositories_by_key (name_key=?)");
        assert!(steps.iter().any(is_search), "{steps:#?}");
        assert!(!steps.iter().any(|step| step == "SCAN p"), "{steps:#?}");
    }
    for step in plan(&store, names::STORED_ORG).await {
        let is_scan = step.starts_with("SCAN") && !step.contains("CONSTANT");
        assert!(!is_scan, "{step}");
    }
}

#[tokio::test]
async fn retention_reads_only_records_that_have_a_report() {
    let Some(store) = sqlite().await else { return };
    for query in [retention::NEXT_SERIES, retention::REPORTS] {
        for step in plan(&store, query).await {
            let is_of_records = step.contains(" r ") || step.contains(" later ");
            assert!(
                (!is_of_records || step.contains("INDEX records_of_reports"))
                    && !step.contains("TEMP B-TREE"),
                "{step} in the plan of {query}"
            );
        }
    }
}

#[tokio::test]
async fn the_size_of_reports_is_summed_from_a_covering_index() {
    let Some(store) = sqlite().await else { return };
    let stored = "SEARCH r USING COVERING INDEX records_report_bytes (repository_id=?";
    let in_database = "SEARCH r USING COVERING INDEX records_database_bytes (repository_id=?";
    let in_sources = "SEARCH t USING COVERING INDEX source_texts_by_digest (repository_id=?";
    let released = "SEARCH l USING COVERING INDEX orphaned_reports_repository (repository_id=?";
    let oldest = "SEARCH l USING INDEX orphaned_reports_repository (repository_id=?";
    let each = |of: &quota::Statements| {
        [
            (of.stored, stored),
            (of.in_database, in_database),
            (of.in_sources, in_sources),
            (of.released, released),
            (of.oldest, oldest),
        ]
    };
    for (query, search) in each(&quota::OF_REPOSITORY)
        .into_iter()
        .chain(each(&quota::OF_ORG))
    {
        let steps = plan(&store, query).await;
        assert!(
            steps.iter().any(|step| step.starts_with(search)),
            "{steps:?}"
        );
        assert!(
            !steps.iter().any(|step| step.starts_with("SCAN")),
            "{steps:?}"
        );
    }
}

#[tokio::test]
async fn what_is_to_be_notified_is_found_by_index() {
    let Some(store) = sqlite().await else { return };
    for (query, step) in [
        (
            notifications::DUE,
            "notification_deliveries_due (webhook=? AND due_at<?)",
        ),
        (
            notifications::SILENT,
            "repositories_by_last_upload (last_upload_at>? AND last_upload_at<?)",
        ),
    ] {
        let steps = plan(&store, query).await;
        assert!(steps[0].contains(step), "{steps:?}");
        // Due deliveries are sorted by repository.
        let sorts = steps.iter().any(|step| step.contains("TEMP B-TREE"));
        assert_eq!(sorts, query == notifications::DUE, "{steps:?}");
    }
}

#[tokio::test]
async fn the_storage_is_summed_up_from_one_index_and_never_sorts_reports() {
    let Some(store) = sqlite().await else { return };
    for query in [
        storage::BY_AGE,
        storage::lists::REPOSITORIES,
        retention::sizes::SIZES,
    ] {
        let steps = plan(&store, query).await;
        let scan = "SCAN r USING COVERING INDEX records_of_reports";
        assert!(steps.iter().any(|step| step == scan), "{steps:#?}");
        let is_sort =
            |step: &String| step.contains("TEMP B-TREE") && query != storage::lists::REPOSITORIES;
        assert!(!steps.iter().any(is_sort), "{steps:#?}");
        let others = steps.iter().filter(|step| step.starts_with("SCAN "));
        assert!(
            others.clone().all(|step| step == scan || step == "SCAN s"),
            "{steps:#?}"
        );
    }
    let steps = plan(&store, storage::lists::REPOSITORIES).await;
    let sorts = steps.iter().filter(|step| step.contains("TEMP B-TREE"));
    assert_eq!(sorts.count(), 1, "the branches alone: {steps:#?}");
    let steps = plan(&store, storage::lists::PINNED).await;
    let search = "SEARCH r USING INDEX records_pinned (pinned_at>?)";
    assert!(steps.iter().any(|step| step == search), "{steps:#?}");
}

#[tokio::test]
async fn a_search_reads_commits_authors_and_owners_from_indexes_alone() {
    let Some(store) = sqlite().await else { return };
    let steps = plan(&store, search::COMMITS.text()).await;
    let reads = "SEARCH c USING COVERING INDEX records_by_commit (commit_hash>? AND commit_hash<?)";
    assert!(steps.iter().any(|step| step == reads), "{steps:#?}");
    let scans = |step: &String| step.starts_with("SCAN r") || step.contains("TEMP B-TREE");
    assert!(!steps.iter().any(scans), "{steps:#?}");
    let steps = plan(&store, search::PULL_REQUESTS.text()).await;
    let reads = "record_changes_by_pull_request (pull_request=?)";
    assert!(steps.iter().any(|step| step.contains(reads)), "{steps:#?}");
    assert!(!steps.iter().any(scans), "{steps:#?}");
    let steps = plan(&store, search::OTHERS.text()).await;
    let reads = "SCAN p USING INDEX repositories_by_last_upload";
    assert!(steps.iter().any(|step| step == reads), "{steps:#?}");
    // Two indexes start with the author.
    let steps = plan(&store, search::AUTHORS).await;
    let indexes = ["records_by_author", "records_of_author_by_place"];
    let reads = indexes.map(|index| format!("SEARCH r USING COVERING INDEX {index}"));
    let is_search = |step: &&String| reads.iter().any(|read| step.starts_with(read));
    assert_eq!(steps.iter().filter(is_search).count(), 2, "{steps:#?}");
    let steps = plan(&store, search::OWNERS).await;
    let read = "SEARCH r USING COVERING INDEX sqlite_autoindex_owner_lines_1";
    let searches = steps.iter().filter(|step| step.starts_with(read));
    assert_eq!(searches.count(), 2, "{steps:#?}");
}

#[tokio::test]
async fn a_search_for_branches_reads_the_newest_first_and_never_sorts() {
    let Some(store) = sqlite().await else { return };
    for query in search::queries() {
        let steps = plan(&store, &query).await;
        for step in &steps {
            let is_allowed = !step.starts_with("SCAN p") && !step.starts_with("SCAN r");
            let sorts = step.contains("TEMP B-TREE") && !query.contains("b.repository_id = ");
            assert!(is_allowed && !sorts, "{steps:#?} of {query}");
        }
    }
}
