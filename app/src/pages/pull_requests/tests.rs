//! The list of all pull requests of a repository.

use crate::testing::{FakeModel, render};
use domain::{Percentage, PullRequestList, PullRequestRow, Timestamp, Verdict};

fn list(rows: Vec<PullRequestRow>, before: Option<i64>) -> PullRequestList {
    PullRequestList {
        now: Timestamp(1_794_232_920_000_000),
        repository: "acme/shop".parse().expect("a repository"),
        forge: None,
        run_url: None,
        rows,
        before,
    }
}

fn request() -> PullRequestRow {
    PullRequestRow {
        number: "12".parse().expect("a number"),
        branch: "<b>".parse().expect("a branch"),
        language: "rust".parse().expect("a language"),
        commit: "9be01d2aa7".parse().expect("a commit"),
        author: "<ada>".parse().expect("an author"),
        record_id: 7,
        change: Some(domain::Change::from_basis_points(-42)),
        percentage: Percentage::from_basis_points(8_100),
        changed: None,
        verdict: Some(Verdict::Unknown),
        reasons: Vec::new(),
        updated_at: Timestamp(1_794_000_000_000_000),
    }
}

async fn page(list: PullRequestList, path: &str) -> String {
    let model = FakeModel {
        pull_requests: Some(Some(list)),
        ..FakeModel::default()
    };
    let (status, html) = render(model, path).await;
    assert_eq!(status, 200, "{html}");
    html
}

#[tokio::test]
async fn pull_requests_lead_to_their_pages_and_to_older_ones() {
    let failed = PullRequestRow {
        verdict: Some(Verdict::Failed),
        reasons: vec![
            "1 of 5 changed lines are covered, 80 % needs 4: a<b>.py 8–11".to_owned(),
            "2 unchanged lines are no longer run, 0 are allowed: a.py 3, 5".to_owned(),
        ],
        ..request()
    };
    let html = page(
        list(vec![request(), failed], Some(40)),
        "/repos/acme/shop/pulls",
    )
    .await;
    for text in [
        "href=\"/repos/acme/shop/pulls/12\" class=\"link\">#12</a>",
        "<bdi>1 of 5 changed lines are covered, 80\u{a0}% needs 4</bdi>",
        "<bdi>2 unchanged lines are no longer run, 0 are allowed</bdi>",
        "on this page: 1 pull request, 1 fails",
        "not known",
        "−0.42",
        "&lt;ada&gt;",
        "class=\"verdict unknown\"",
        "href=\"/repos/acme/shop/pulls?before=40\"",
    ] {
        assert!(html.contains(text), "{text}: {html}");
    }
    assert!(!html.contains("← Newest"), "{html}");
}

#[tokio::test]
async fn an_empty_part_of_the_list_says_whether_there_are_older_ones() {
    let path = "/repos/acme/shop/pulls";
    let html = page(list(Vec::new(), None), path).await;
    assert!(html.contains("No upload named a pull request."), "{html}");
    let before = "/repos/acme/shop/pulls?before=9";
    let html = page(list(Vec::new(), None), before).await;
    assert!(html.contains("There are no older pull requests."), "{html}");
    let html = page(list(Vec::new(), Some(5)), before).await;
    assert!(html.contains("?before=5\""), "{html}");
}

#[tokio::test]
async fn a_repository_called_pulls_keeps_its_page() {
    let model = FakeModel {
        pull_requests: Some(None),
        repository: Some(None),
        similar: Some(Vec::new()),
        ..FakeModel::default()
    };
    let (status, html) = render(model, "/repos/acme/shop/pulls").await;
    assert_eq!(status, 404);
    assert!(
        html.contains("No coverage was uploaded for <bdi class=\"mono\">acme/shop/pulls</bdi>."),
        "{html}"
    );
}
