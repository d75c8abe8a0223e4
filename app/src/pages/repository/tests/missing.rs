//! What the page says if something is missing: a current record, or readers of the badge.

use super::{assert_shown, branch, detail, html, page};
use crate::{
    ServiceFacts,
    testing::{FakeModel, render},
};
use domain::History;

#[tokio::test]
async fn a_branch_without_a_current_record_says_what_is_missing() {
    let mut unknown = detail();
    unknown.branch = branch("never");
    unknown.languages.clear();
    unknown.current.clear();
    let mut waiting = unknown.clone();
    unknown.history = History::default();
    let path = "/repos/acme/payments?branch_name=never";
    let (status, html) = page(unknown, path).await;
    assert_eq!(status, 200);
    assert_shown(
        &html,
        &[
            "No upload of this branch yet",
            "href=\"/repos/acme/payments\"",
            "Go to ",
            "href=\"/uploads?repo=acme%2Fpayments\"",
        ],
    );
    waiting.history.rows[0].is_complete = false;
    let (status, html) = page(waiting, path).await;
    assert_eq!(status, 200);
    assert_shown(&html, &["No current record yet", "waits for parts"]);
}

#[tokio::test]
async fn the_badge_box_says_who_sees_badges_if_reading_is_protected() {
    for (is_open, says) in [
        (false, "only people who are logged in here see"),
        (true, "badges and trends are open to everyone"),
    ] {
        let model = FakeModel {
            repository: Some(Some(detail())),
            facts: ServiceFacts {
                is_reading_protected: true,
                are_badges_open: is_open,
                ..ServiceFacts::default()
            },
            ..FakeModel::default()
        };
        let (_, html) = render(model, "/repos/acme/payments?tab=badge").await;
        assert_shown(&html, &[says]);
    }
    let html = html(detail(), "").await;
    assert!(!html.contains("Reading is protected"), "{html}");
}
