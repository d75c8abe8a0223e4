//! Tests how SQLite runs the queries of a record's page.

use super::{
    super::{
        analysis, base, carry,
        changes::{self, of_forge},
        closing, comments, flicker, history, line_history, parts, push_base, record_page,
        records_of, repository, verdict,
    },
    plan, sqlite,
};

#[tokio::test]
async fn neighbours_of_a_record_are_found_by_index_in_any_history() {
    let Some(store) = sqlite().await else { return };
    for query in [record_page::BEFORE, record_page::AFTER] {
        let steps = plan(&store, query).await;
        let [step] = steps.as_slice() else {
            panic!("{steps:?}");
        };
        assert!(
            step.contains("records_history (branch_id=? AND language=? AND updated_at"),
            "{step}"
        );
    }
    let steps = plan(&store, record_page::UPLOAD).await;
    assert!(
        steps.len() == 1 && steps[0].contains("uploads_of_records (record_id=?)"),
        "{steps:?}"
    );
    for step in plan(&store, record_page::RECORD).await {
        assert!(
            !step.contains("SCAN") || step.contains("CONSTANT"),
            "{step}"
        );
    }
}

#[tokio::test]
async fn the_base_of_a_push_is_found_by_index_and_never_sorted() {
    let Some(store) = sqlite().await else { return };
    for query in [
        push_base::MAIN,
        push_base::OWN,
        push_base::OF_COMMIT,
        push_base::NEWEST,
    ] {
        for step in plan(&store, query).await {
            let is_allowed = !step.starts_with("SCAN") || step.contains("CONSTANT");
            assert!(is_allowed && !step.contains("TEMP B-TREE"), "{step}");
        }
    }
}

#[tokio::test]
async fn the_base_of_a_record_is_found_by_index_in_any_history() {
    let Some(store) = sqlite().await else { return };
    let steps = plan(&store, base::BASE).await;
    for table in ["r", "p", "c", "d", "t", "x", "h"] {
        let scan = format!("SCAN {table}");
        assert!(
            !steps
                .iter()
                .any(|step| *step == scan || step.starts_with(&format!("{scan} "))),
            "{table}: {steps:?}"
        );
    }
    for index in [
        "SEARCH x USING INDEX records_by_commit (commit_hash=?)",
        "SEARCH t USING COVERING INDEX record_changes_by_tree (tree_hash=?)",
        "SEARCH h USING COVERING INDEX records_history (branch_id=? AND language=? AND updated_at<?)",
    ] {
        assert!(steps.iter().any(|step| step == index), "{index}: {steps:?}");
    }
}

#[tokio::test]
async fn what_a_comment_is_about_is_found_by_index_among_all_pull_requests_of_this_number() {
    let Some(store) = sqlite().await else { return };
    let steps = plan(&store, comments::SUBJECT).await;
    let by_index = |index: &str| steps.iter().any(|step| step.contains(index));
    assert!(
        by_index("USING INDEX records_of_branch (branch_id=?)"),
        "{steps:?}"
    );
    assert!(by_index("SEARCH c USING INTEGER PRIMARY KEY"), "{steps:?}");
    assert!(!by_index("(pull_request=?)"), "{steps:?}");
    let scans = steps.iter().filter(|step| step.starts_with("SCAN"));
    for scan in scans {
        assert!(
            ["SCAN recent", "SCAN found"].contains(&scan.as_str()),
            "{steps:?}"
        );
    }
}

#[tokio::test]
async fn the_changes_of_a_commit_are_found_by_index() {
    let Some(store) = sqlite().await else { return };
    for step in plan(&store, of_forge::KNOWN).await {
        assert!(!step.contains("SCAN"), "{step}");
    }
}

#[tokio::test]
async fn what_follows_from_a_record_is_found_by_index() {
    let Some(store) = sqlite().await else { return };
    for query in [
        analysis::FIND,
        analysis::SIDE,
        analysis::MEASURED,
        carry::BY_COMMIT,
        carry::BY_TREE,
        carry::OF_RECORD,
        carry::ON_MAIN,
        changes::SENT,
        flicker::KNOWN,
        flicker::NEWEST,
        flicker::OF_REPOSITORY,
        flicker::RECORD,
        records_of::OF_COMMIT,
        records_of::OF_PULL_REQUEST,
        repository::OLDER,
        repository::NEWEST_PLACE,
        repository::NEWEST_COMMIT,
        repository::OF_PULL_REQUEST,
        parts::ELSEWHERE,
        closing::CARRYING,
        closing::WAITING,
        verdict::OF_COMMIT,
    ] {
        for step in plan(&store, query).await {
            // The ids from a subquery are few.
            let is_of_few =
                step.contains("CONSTANT") || ["SCAN found", "SCAN page"].contains(&step.as_str());
            assert!(!step.starts_with("SCAN") || is_of_few, "{step} in {query}");
        }
    }
}

#[tokio::test]
async fn the_history_of_lines_is_found_by_index() {
    let Some(store) = sqlite().await else { return };
    for query in line_history::QUERIES.into_iter().chain([history::NAMED]) {
        for step in plan(&store, query).await {
            // The records of a chain, and ids from subqueries.
            let is_of_few =
                ["SCAN n", "SCAN b", "SCAN chain", "SCAN found"].contains(&step.as_str());
            let is_scan = step.starts_with("SCAN") && !step.contains("CONSTANT");
            // `h` is the newest record of a tag.
            let is_of_branch = step.contains("(branch_id=") && !step.starts_with("SEARCH h ");
            assert!(
                (!is_scan || is_of_few) && !is_of_branch,
                "{step} in {query}"
            );
        }
    }
}
