//! The state after a deletion.

use super::Deletion;
use crate::{
    BranchList, NewLines, NewRecord, Store, StoredReport,
    actor::Actor,
    testing::{TestStore, new_record},
};
use domain::{AuditAction, AuditPage, AuditQuery, CommitAuthor, Percentage, Scope};
use std::collections::HashSet;

fn upload(branch: &str, commit: &str) -> NewRecord {
    new_record("acme/payments", branch, commit)
}

async fn publish(store: &Store, new: &NewRecord) -> i64 {
    store
        .writer()
        .publish(new)
        .await
        .expect("published")
        .record
        .id
}

async fn delete(store: &Store, what: Deletion) -> super::Deleted {
    let deleted = store
        .operator()
        .delete(&what, &[Scope::All], &Actor::service())
        .await;
    deleted.expect("deleted").expect("something")
}

async fn current(store: &Store) -> Vec<i64> {
    let repository = "acme/payments".parse().expect("a repository");
    let records = store
        .writer()
        .current_records(&repository)
        .await
        .expect("records");
    records.iter().map(|record| record.id).collect()
}

async fn audit(store: &Store) -> AuditPage {
    let query = AuditQuery::default();
    store
        .operator()
        .audit_page(&query, &[Scope::All])
        .await
        .expect("a page")
}

#[tokio::test]
async fn the_newest_remaining_record_is_current_after_a_current_one_is_deleted() {
    let store = TestStore::new().await;
    let mut ids = Vec::new();
    for commit in ["c1", "c2", "c3"] {
        ids.push(publish(&store, &upload("main", commit)).await);
    }
    let middle = delete(&store, Deletion::Record(ids[1])).await;
    assert_eq!((middle.now_current, middle.left), (None, 2));
    assert_eq!(current(&store).await, [ids[2]]);
    let last = delete(&store, Deletion::Record(ids[2])).await;
    assert_eq!((last.now_current, last.left), (Some(ids[0]), 1));
    assert_eq!(current(&store).await, [ids[0]]);
}

#[tokio::test]
async fn a_deletion_does_not_revive_a_retired_branch() {
    let store = TestStore::new().await;
    let first = publish(&store, &upload("main", "c1")).await;
    let second = publish(&store, &upload("main", "c2")).await;
    let other = publish(&store, &upload("other", "c1")).await;
    let repository = "acme/payments".parse().expect("a repository");
    let list = BranchList {
        active: &HashSet::from(["other".to_owned()]),
        forge_claim: None,
        from_branch: None,
        by: &Actor::service(),
    };
    store
        .writer()
        .retire_branches(&repository, list)
        .await
        .expect("retired");
    let deleted = delete(&store, Deletion::Record(second)).await;
    assert_eq!((deleted.now_current, deleted.left), (None, 2));
    assert_eq!(current(&store).await, [other]);
    assert_eq!(delete(&store, Deletion::Record(first)).await.left, 1);
}

#[tokio::test]
async fn a_deletion_never_promotes_a_record_that_was_never_current() {
    let store = TestStore::new().await;
    let never = publish(&store, &upload("main", "c1")).await;
    let second = publish(&store, &upload("main", "c2")).await;
    let statement = "update records set superseded_at = updated_at where id = $1";
    sqlx::query(statement)
        .bind(never)
        .execute(&store.write_pool)
        .await
        .expect("changed");
    assert_eq!(
        delete(&store, Deletion::Record(second)).await.now_current,
        None
    );
    assert!(current(&store).await.is_empty());
}

#[tokio::test]
async fn deleting_a_record_also_removes_its_earlier_reports() {
    let store = TestStore::new().await;
    let with_report = async |commit: &str, key: &str| {
        store.writer().reserve_report(key).await.expect("announced");
        let report = StoredReport {
            key: key.to_owned(),
            start_page: None,
            bytes: 0,
        };
        let new = NewRecord {
            report: Some(report),
            ..upload("main", commit)
        };
        publish(&store, &new).await
    };
    let record = with_report("c1", "first").await;
    with_report("c2", "first of another").await;
    with_report("c1", "second").await;
    with_report("c2", "second of another").await;
    let deleted = delete(&store, Deletion::Record(record)).await;
    let keys = store.writer().reports_of_deletion(deleted.at, "").await;
    assert_eq!(keys.expect("keys"), ["first", "second"]);
    let released = store.writer().released_reports(10).await;
    assert_eq!(released.expect("keys"), ["first of another"]);
}

#[tokio::test]
async fn a_deleted_repository_leaves_only_its_row_in_the_audit_log() {
    let store = TestStore::new().await;
    for (number, branch) in ["main", "main", "next"].into_iter().enumerate() {
        let key = format!("key-{number}");
        store
            .writer()
            .reserve_report(&key)
            .await
            .expect("announced");
        let new = NewRecord {
            report: Some(StoredReport {
                key,
                start_page: None,
                bytes: 0,
            }),
            line_states: Some(NewLines {
                covered: 0,
                coverable: 1,
                encoded: Vec::new(),
                branches: None,
                tests: None,
            }),
            ..upload(branch, &format!("c{number}"))
        };
        publish(&store, &new).await;
    }
    let repository = "acme/payments".parse().expect("a repository");
    let deleted = delete(&store, Deletion::Repository(repository)).await;
    assert_eq!((deleted.what.records, deleted.what.reports), (3, 3));
    for table in [
        "records",
        "record_details",
        "record_lines",
        "branches",
        "repositories",
        "main_records",
        "orgs",
        "uploads",
    ] {
        let count = sqlx::AssertSqlSafe(format!("select count(*) from {table}"));
        let count: i64 = sqlx::query_scalar(count)
            .fetch_one(&store.read_pool)
            .await
            .expect("a count");
        assert_eq!(count, 0, "{table}");
    }
    let keys = store.writer().reports_of_deletion(deleted.at, "").await;
    assert_eq!(keys.expect("keys"), ["key-0", "key-1", "key-2"]);
    let keys = store
        .writer()
        .reports_of_deletion(deleted.at, "key-1")
        .await;
    assert_eq!(keys.expect("keys"), ["key-2"]);
    let page = audit(&store).await;
    let entry = &page.entries[0];
    assert_eq!(entry.action, AuditAction::RepositoryDeleted.word());
    assert_eq!(entry.about().as_deref(), Some("acme/payments"));
    assert_eq!(
        entry.old.as_deref(),
        Some("3 records, 3 with an HTML report")
    );
}

#[tokio::test]
async fn deletion_outside_the_scope_or_of_nothing_changes_nothing() {
    let store = TestStore::new().await;
    let id = publish(&store, &upload("main", "c1")).await;
    let scopes = [
        Scope::Org("other".parse().expect("an org")),
        Scope::Repository("acme/other".parse().expect("a repository")),
    ];
    let refused = store
        .operator()
        .delete(&Deletion::Record(id), &scopes, &Actor::service())
        .await;
    assert!(matches!(refused, Ok(None)));
    assert_eq!(current(&store).await, [id]);
    let repository: domain::Repository = "acme/payments".parse().expect("a repository");
    let other: domain::Repository = "acme/other".parse().expect("a repository");
    let branch = "next".parse().expect("a branch");
    for what in [
        Deletion::Record(id + 1),
        Deletion::Branch(repository, branch),
        Deletion::Repository(other),
    ] {
        let deleted = store
            .operator()
            .delete(&what, &[Scope::All], &Actor::service())
            .await;
        assert_eq!(deleted.expect("no failure"), None, "{what:?}");
        assert_eq!(
            store.operator().deletable(&what).await.expect("no failure"),
            None
        );
    }
    assert!(audit(&store).await.entries.is_empty());
}

#[tokio::test]
async fn a_replaced_author_name_is_nowhere_in_the_database() {
    let store = TestStore::new().await;
    publish(&store, &upload("main", "c1")).await;
    publish(&store, &upload("next", "c1")).await;
    let name = |name: &str| name.parse::<CommitAuthor>().expect("an author");
    let (old, new) = (name("Kim"), name("Somebody"));
    let replaced = store
        .operator()
        .replace_author(&old, &new, &Actor::service())
        .await;
    assert_eq!(replaced.expect("replaced"), 2);
    assert_eq!(store.operator().records_by(&old).await.expect("a count"), 0);
    assert_eq!(store.operator().records_by(&new).await.expect("a count"), 2);
    let page = audit(&store).await;
    let written = format!("{:?}", page.entries);
    assert!(
        written.contains("Somebody") && !written.contains("Kim"),
        "{written}"
    );
    let again = store
        .operator()
        .replace_author(&old, &new, &Actor::service())
        .await;
    assert_eq!(again.expect("nothing"), 0);
    assert_eq!(audit(&store).await.entries.len(), 1);
}

#[tokio::test]
async fn a_replaced_percentage_of_a_current_record_is_in_the_audit_log() {
    let store = TestStore::new().await;
    let with = |commit: &str, basis_points| NewRecord {
        percentage: Percentage::from_basis_points(basis_points),
        ..upload("main", commit)
    };
    publish(&store, &with("c1", 5_000)).await;
    publish(&store, &with("c1", 5_000)).await;
    assert!(
        audit(&store).await.entries.is_empty(),
        "nothing has changed"
    );
    publish(&store, &with("c1", 9_000)).await;
    publish(&store, &with("c2", 1_000)).await;
    publish(&store, &with("c1", 2_000)).await;
    let page = audit(&store).await;
    assert_eq!(page.entries.len(), 1, "c1 was no longer current");
    let entry = &page.entries[0];
    assert_eq!(entry.action, AuditAction::PercentageReplaced.word());
    assert_eq!(entry.subject, "record 1: main, rust, c1");
    let values = (entry.old.as_deref(), entry.new.as_deref());
    assert_eq!(values, (Some("50.00 %"), Some("90.00 %")));
}
