//! The page of gates over time.

use crate::testing::{FakeModel, render};
use domain::{
    Bounded, Count, Day, GateCounts, GateHistory, GateResult, GateRow, Period, Timestamp, Verdict,
};

fn day(text: &str) -> Day {
    text.parse().expect("a day")
}

fn counts() -> GateCounts {
    GateCounts {
        results: 9,
        passed: 3,
        failed: 1,
        unknown: 2,
        incomplete: 1,
        without: 2,
        changed: Count {
            covered: 40,
            total: 50,
        },
        changes_unknown: 3,
    }
}

fn history() -> GateHistory {
    let week = |from: &str, to: &str, counts| GateRow {
        days: Period {
            from: day(from),
            to: day(to),
        },
        repositories: 1,
        counts,
    };
    GateHistory {
        org: "acme".parse().ok(),
        repository: None,
        today: day("2026-11-28"),
        period: Period {
            from: day("2026-11-09"),
            to: day("2026-11-28"),
        },
        rows: vec![
            week("2026-11-09", "2026-11-15", counts()),
            week("2026-11-16", "2026-11-22", GateCounts::default()),
            week("2026-11-23", "2026-11-28", counts()),
        ],
        repositories: ["acme/shop", "acme/web"]
            .map(|name| (name.parse().expect("a repository"), counts()))
            .to_vec(),
        pulls: Bounded {
            rows: vec![GateResult {
                repository: "acme/shop".parse().expect("a repository"),
                pull_request: "7".parse().expect("a pull request"),
                branch: "fix/tax".parse().expect("a branch"),
                language: "rust".parse().expect("a language"),
                updated_at: Timestamp(day("2026-11-24").start().0),
                record_id: 9,
                verdict: Some(Verdict::Failed),
                reasons: vec![
                    "6 unchanged lines are no longer run, 0 are allowed: a.py 1–6".to_owned(),
                ],
                changed: Some(Count {
                    covered: 1,
                    total: 2,
                }),
            }],
            more: 0,
        },
        is_cut: false,
    }
}

async fn page(history: Option<GateHistory>, path: &str) -> (u16, String) {
    let model = FakeModel {
        gates: Some(history),
        similar: Some(Vec::new()),
        ..FakeModel::default()
    };
    render(model, path).await
}

#[tokio::test]
async fn unknown_verdicts_and_unknown_changes_are_beside_the_shares() {
    let (status, html) = page(Some(history()), "/gates?org_name=acme&by=week").await;
    assert_eq!(status, 200, "{html}");
    for text in [
        ">3 of 4<",
        "2 and 1",
        ">80.00\u{202f}%</span> <span class=\"muted small\">40 of 50<",
        ">3 not known<",
        "23 – 28 Nov 2026",
        "href=\"/gates?org_name=acme&amp;by=month\"",
        "href=\"/coverages-api/gates.csv?org_name=acme\"",
        "href=\"/gates?org_name=acme&amp;repo_name=shop\"",
        "Gates passed",
        ">Results<",
        "<dt>pull requests passed</dt><dd class=\"figure\">0 of 1<",
        "<dt>Reasons: lost lines 1</dt><dd class=\"figure\">1 failed<",
        // The second of three columns is empty.
        "<rect x=\"80.32%\" y=\"18\" width=\"6.00%\" height=\"16\" class=\"fail\">",
        "<bdi title=\"fix/tax\" class=\"mono\">fix/tax</bdi>",
        "Unknown verdicts, and gates that wait for parts, are neither passed nor failed.",
        "name=\"from\" value=\"2026-11-09\"",
        "href=\"/repos/acme/shop/pulls/7\"",
        ">acme/shop #7<",
        "1 pull request, 1 fails",
        "<bdi>6 unchanged lines are no longer run, 0 are allowed</bdi>",
        "24 Nov 2026, 00:00 UTC",
        ">24 Nov 2026<",
        "aria-sort=\"descending\"",
    ] {
        assert!(html.contains(text), "{text}: {html}");
    }
    assert!(
        !html.contains("16 – 22 Nov 2026"),
        "it has no results: {html}"
    );
    assert!(!html.contains("left out"), "{html}");
}

#[tokio::test]
async fn a_wrong_name_shows_nothing_of_others() {
    for (path, sentence) in [
        ("/gates?org_name=.,", "for the org .,"),
        (
            "/gates?org_name=acme&repo_name=.,",
            "for <bdi class=\"mono\">acme/.,</bdi>",
        ),
        (
            "/gates?repo_name=shop",
            "for <bdi class=\"mono\">/shop</bdi>",
        ),
    ] {
        let (status, html) = page(Some(history()), path).await;
        assert_eq!(status, 404, "{path}");
        assert!(html.contains(sentence), "{path}: {html}");
    }
}

#[tokio::test]
async fn a_period_without_pull_requests_is_no_error() {
    let nothing = GateHistory {
        rows: Vec::new(),
        repositories: Vec::new(),
        pulls: Bounded {
            rows: Vec::new(),
            more: 0,
        },
        is_cut: true,
        ..history()
    };
    let (status, html) = page(Some(nothing), "/gates?org_name=acme").await;
    assert_eq!(status, 200);
    assert!(html.contains("No pull request was uploaded"), "{html}");
    assert!(html.contains("older intervals are left out"), "{html}");
}
