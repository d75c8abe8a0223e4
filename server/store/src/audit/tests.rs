//! Rows of the audit log can be added, but not changed or deleted.

use super::{AuditChange, AuditFilter, write};
use crate::{Store, actor::Actor, testing::TestStore};
use domain::{AuditAction, AuditPage, AuditQuery, Scope};

async fn add(store: &Store, repository: &str, subject: &str) {
    let mut connection = store.write_pool.acquire().await.expect("a connection");
    let repository = repository.parse().expect("a repository");
    let change = AuditChange::of(AuditAction::RecordDeleted, &repository, subject);
    let change = change.before("50.00 %").after("none");
    write(&mut connection, &Actor::service(), &change)
        .await
        .expect("written");
}

async fn page(store: &Store, query: &AuditQuery, scopes: &[Scope]) -> AuditPage {
    store
        .operator()
        .audit_page(query, scopes)
        .await
        .expect("a page")
}

#[tokio::test]
async fn the_audit_log_refuses_updates_and_deletes() {
    let store = TestStore::new().await;
    add(&store, "acme/payments", "record 1").await;
    for statement in [
        "update audit set actor = 'nobody'",
        "update audit set subject = 'x' where id = 1",
        "delete from audit",
        "delete from audit where id = 1",
    ] {
        let refused = sqlx::query(statement).execute(&store.write_pool).await;
        let error = refused.expect_err("a refusal").to_string();
        assert!(error.contains("append-only"), "{statement}: {error}");
    }
    let all = page(&store, &AuditQuery::default(), &[Scope::All]).await;
    assert_eq!(all.entries.len(), 1);
    assert_eq!(all.entries[0].subject, "record 1");
}

#[tokio::test]
async fn the_pages_of_the_audit_log_have_every_row_exactly_once() {
    let store = TestStore::new().await;
    for number in 0..120 {
        let name = ["acme/one", "Acme/Sub/two", "acme2/one"][number % 3];
        add(&store, name, &format!("record {number}")).await;
    }
    let org = |name: &str| Scope::Org(name.parse().expect("an org"));
    let one = Scope::Repository("ACME/one".parse().expect("a repository"));
    for (scope, count) in [
        (Scope::All, 120),
        (org("acme"), 80),
        (org("acme/sub"), 40),
        (one, 40),
        (org("nobody"), 0),
    ] {
        let (mut query, mut ids) = (AuditQuery::default(), Vec::new());
        loop {
            let page = page(&store, &query, std::slice::from_ref(&scope)).await;
            ids.extend(page.entries.iter().map(|entry| entry.id));
            query.before = page.next;
            if page.next.is_none() {
                break;
            }
        }
        assert_eq!(ids.len(), count, "{scope:?}");
        assert!(ids.is_sorted_by(|one, next| one > next), "{scope:?}");
        let filter = AuditFilter {
            since: None,
            scope,
            action: Some(AuditAction::RecordDeleted),
        };
        let mut reading = store.operator().read_audit(filter);
        let mut read = reading.next().await.expect("rows");
        read.reverse();
        let read: Vec<_> = read.iter().map(|entry| entry.id).collect();
        assert_eq!(read, ids);
    }
}

#[tokio::test]
async fn a_filter_of_the_audit_log_finds_only_its_rows() {
    let store = TestStore::new().await;
    add(&store, "acme/one", "record 1").await;
    add(&store, "acme/two", "record 2").await;
    let found = async |repository: &str, action| {
        let query = AuditQuery {
            action,
            repository: repository.to_owned(),
            before: None,
        };
        let page = page(&store, &query, &[Scope::All]).await;
        page.entries.len()
    };
    assert_eq!(found("E/Tw", None).await, 1);
    assert_eq!(found("%", None).await, 0);
    assert_eq!(found("", Some(AuditAction::RecordDeleted)).await, 2);
    assert_eq!(found("", Some(AuditAction::TokenCreated)).await, 0);
}
