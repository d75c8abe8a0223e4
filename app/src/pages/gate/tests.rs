//! Tests of the page as it is rendered.

use crate::testing::{FakeModel, render};
use domain::{
    Gate, GatePreview, GateRules, Limits, PreviewedPullRequest, PullRequestRow, Scope, Timestamp,
    Verdict,
};

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

fn model(org: &str) -> FakeModel {
    let row = PullRequestRow {
        number: "17".parse().expect("a number"),
        branch: "<b id=x>".parse().expect("a branch"),
        language: "rust".parse().expect("a language"),
        commit: "c1".parse().expect("a commit"),
        author: "ada".parse().expect("an author"),
        record_id: 7,
        change: Some(domain::Change::from_basis_points(-42)),
        percentage: domain::Percentage::from_basis_points(8_000),
        changed: None,
        verdict: Some(Verdict::Passed),
        reasons: Vec::new(),
        updated_at: NOW,
    };
    let foreseen = Gate {
        verdict: Verdict::Unknown,
        reasons: vec!["a/<i>/**: the lines of these files are not known".to_owned()],
        kept: Vec::new(),
        skipped: Vec::new(),
        evaluate: false,
    };
    let limits = Limits {
        floor: Some(61),
        ..Limits::default()
    };
    let rules = GateRules {
        all: limits,
        ..GateRules::default()
    };
    FakeModel {
        gate_preview: Some(Some(GatePreview {
            now: NOW,
            repository: "acme/payments".parse().expect("a repository"),
            sources: vec![("org acme".to_owned(), rules)],
            has_own: false,
            pull_requests: vec![PreviewedPullRequest {
                row,
                foreseen: Some(foreseen),
            }],
        })),
        audit_access: Some(Scope::Org(org.parse().expect("an org"))),
        ..FakeModel::default()
    }
}

const PAGE: &str = "/admin/gate?org_name=acme&repo_name=payments";

#[tokio::test]
async fn rules_are_previewed_before_a_form_sets_them() {
    let (status, html) = render(model("acme"), PAGE).await;
    assert_eq!(status, 200);
    assert!(html.contains(">61<") && html.contains("org acme"), "{html}");
    assert!(!html.contains("action=\"/admin/gate/set\""), "{html}");
    let tried = format!("{PAGE}&changed=80&paths=a%2F%3Ci%3E%2F**%3Achanged%3D9&lost=");
    let (_, html) = render(model("acme"), &tried).await;
    for shown in [
        "Of the last 1: 0 failed, 0 passed, 1 unknown.",
        "href=\"/repos/acme/payments/pulls/17\"",
        "<span class=\"verdict passed\">",
        "<span class=\"verdict unknown\">",
        "a/&lt;i&gt;/**: the lines",
        "action=\"/admin/gate/set\"",
        "name=\"changed\" value=\"80\"",
        "value=\"a/&lt;i&gt;/**:changed=9\"",
    ] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
    assert!(!html.contains("<i>"));
}

#[tokio::test]
async fn a_wrong_field_is_named_and_nothing_can_be_set() {
    let (status, html) = render(model("acme"), &format!("{PAGE}&changed=%3Ci%3E")).await;
    assert_eq!(status, 200);
    assert!(
        html.contains("Changed lines, at least %: must be a whole number"),
        "{html}"
    );
    assert!(
        !html.contains("/admin/gate/set") && !html.contains("<i>"),
        "{html}"
    );
}

#[tokio::test]
async fn repositories_outside_of_the_scope_do_not_exist_on_the_page() {
    let (status, html) = render(model("labs"), PAGE).await;
    assert_eq!(status, 404);
    assert!(!html.contains(">61<"), "{html}");
}
