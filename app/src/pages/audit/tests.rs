//! Tests of the page as it is rendered.

use crate::testing::{FakeModel, render};
use domain::{AuditEntry, AuditPage, AuditQuery, Scope, Timestamp};

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

fn entry() -> AuditEntry {
    AuditEntry {
        id: 7,
        at: Timestamp(NOW.0 - 60_000_000),
        actor_kind: "token".to_owned(),
        actor: "ops <b id=x>".to_owned(),
        source: "10.0.0.7".to_owned(),
        action: "record_deleted".to_owned(),
        org: Some("acme".to_owned()),
        repo: Some("payments".to_owned()),
        subject: "record 17: </title><b id=x>, rust, c1".to_owned(),
        old: Some("84.14 % \"><img>".to_owned()),
        new: Some("deleted".to_owned()),
    }
}

async fn page(scope: Option<Scope>, entries: Vec<AuditEntry>, path: &str) -> (u16, String) {
    let model = FakeModel {
        audit: Some(AuditPage {
            now: NOW,
            query: AuditQuery::default(),
            entries,
            next: Some(7),
        }),
        audit_access: scope,
        ..FakeModel::default()
    };
    render(model, path).await
}

#[tokio::test]
async fn the_audit_log_shows_actor_change_and_origin() {
    let (status, html) = page(Some(Scope::All), vec![entry()], "/audit").await;
    assert_eq!(status, 200);
    for shown in [
        "Record deleted",
        "acme/payments",
        "record 17",
        "84.14 %",
        "10.0.0.7",
        "/audit?before=7",
    ] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
}

#[tokio::test]
async fn names_in_the_audit_log_are_text_and_never_markup() {
    let (_, html) = page(Some(Scope::All), vec![entry()], "/audit").await;
    assert!(
        !html.contains("<b id=x>") && !html.contains("<img>"),
        "{html}"
    );
    assert!(html.contains("&lt;b id=x&gt;"), "{html}");
}

#[tokio::test]
async fn the_audit_log_shows_nothing_without_an_admin_token() {
    for path in ["/audit", "/audit/", "/audit?action=record_deleted"] {
        let (status, html) = page(None, vec![entry()], path).await;
        assert!([403, 404].contains(&status), "{path}");
        assert!(!html.contains("record 17"), "{html}");
    }
    let (status, html) = page(None, vec![entry()], "/audit").await;
    assert_eq!(status, 403);
    assert!(html.contains("/login?next=%2Faudit"), "{html}");
}

#[tokio::test]
async fn filters_of_the_audit_log_are_in_its_address() {
    let scope = Scope::Org("acme".parse().expect("an org"));
    let path = "/audit?repo=acme%2Fpayments&action=record_deleted&before=9";
    let (_, html) = page(Some(scope), Vec::new(), path).await;
    assert!(html.contains("value=\"acme/payments\""), "{html}");
    assert!(html.contains("value=\"record_deleted\" selected"), "{html}");
    assert!(
        html.contains("/audit?repo=acme%2Fpayments&amp;action=record_deleted&amp;before=7"),
        "{html}"
    );
    assert!(html.contains("You see only changes in acme/…."));
}
