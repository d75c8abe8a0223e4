//! The page of a pull request.

use crate::{
    ServiceFacts,
    pages::record::tests::{
        assert_shows,
        changed::{file, with},
        record,
    },
    testing::{FakeModel, render},
};
use domain::{
    Count, Gate, PullRequestDetail, PullRequestRow, RecordChanges, RecordDetail, Verdict,
};

const PATH: &str = "/repos/acme/shop/pulls/1421";

fn judged(detail: RecordDetail, verdict: Verdict, reason: &str) -> RecordDetail {
    let gate = Gate {
        verdict,
        reasons: vec![reason.to_owned()],
        kept: Vec::new(),
        skipped: Vec::new(),
        evaluate: false,
    };
    RecordDetail {
        gate: Some(gate),
        ..detail
    }
}

fn upload(detail: &RecordDetail, verdict: Verdict) -> PullRequestRow {
    PullRequestRow {
        number: "1421".parse().expect("a number"),
        branch: detail.record.branch.clone(),
        language: detail.record.language.clone(),
        commit: detail.record.commit.clone(),
        author: detail.record.author.clone(),
        record_id: detail.record.id,
        change: None,
        percentage: detail.record.percentage,
        changed: Some(Count {
            covered: 7,
            total: 10,
        }),
        verdict: Some(verdict),
        reasons: Vec::new(),
        updated_at: detail.record.updated_at,
    }
}

fn failed() -> RecordDetail {
    let files = vec![
        file("src/a.rs", None, 4, &[]),
        file("src/<b>.rs", Some("src/old.rs"), 9, &[(41, 46), (50, 50)]),
    ];
    judged(
        with(files, &["src/new.rs"]),
        Verdict::Failed,
        "why <it> failed",
    )
}

fn of(records: Vec<RecordDetail>) -> PullRequestDetail {
    let uploads = records.iter();
    let uploads = uploads.map(|record| upload(record, Verdict::Failed));
    PullRequestDetail {
        now: record().now,
        repository: record().record.repository,
        forge: Some("https://api.github.com".to_owned()),
        number: "1421".parse().expect("a number"),
        others: Vec::new(),
        uploads: uploads.collect(),
        records,
        page: 1,
        has_older: true,
    }
}

async fn shown(detail: PullRequestDetail, path: &str) -> (u16, String) {
    let model = FakeModel {
        pull_request: Some(Some(detail)),
        facts: ServiceFacts::default(),
        ..FakeModel::default()
    };
    render(model, path).await
}

#[tokio::test]
async fn the_verdict_is_first_then_the_most_missed_lines_the_reasons_and_the_uploads() {
    let (status, html) = shown(of(vec![failed()]), PATH).await;
    assert_eq!(status, 200, "{html}");
    let in_order = [
        "Pull request #1421",
        "The gate failed",
        "why &lt;it&gt; failed",
        "Changed lines",
        "href=\"/records/7/source?path=src%2F%3Cb%3E.rs&amp;line=41-46#L41\"",
        "href=\"/records/7/source?path=src%2F%3Cb%3E.rs&amp;line=50#L50\"",
        "href=\"/records/7/source?path=src%2Fa.rs\"",
        "1 changed file is not measured",
        "Why the coverage changed",
        "id=\"uploads\"",
        "href=\"/records/7\" class=\"mono\">9be01d2a</a>",
        ">70.00\u{202f}%</span> <span class=\"muted small\">7 of 10<",
        "href=\"/repos/acme/shop/pulls/1421?p=2#uploads\"",
    ];
    let mut from = html.find("<main").expect("the content");
    for text in in_order {
        let at = html[from..].find(text);
        from += at.unwrap_or_else(|| panic!("{text} is missing or too early: {html}"));
    }
    assert!(!html.contains("src/<b>.rs"));
}

#[tokio::test]
async fn each_language_has_its_verdict_and_every_id_is_used_once() {
    let go = RecordDetail {
        record: domain::ComparedRecord {
            id: 8,
            language: "go".parse().expect("a language"),
            ..record().record
        },
        ..judged(with(Vec::new(), &[]), Verdict::Passed, "fine")
    };
    let (_, html) = shown(of(vec![failed(), go]), PATH).await;
    assert_shows(&html, &["The gate failed", "The gate passed", ">go</span>"]);
    let ids = html.match_indices(" id=\"").map(|(at, text)| {
        let id = &html[at + text.len()..];
        &id[..id.find('"').expect("an end")]
    });
    let mut ids: Vec<_> = ids.collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "{html}");
}

#[tokio::test]
async fn unknown_changes_and_no_gate_are_no_success() {
    let unknown = RecordDetail {
        changes: RecordChanges::Unknown("the forge did not answer".to_owned()),
        knows_lost_lines: false,
        ..record()
    };
    let (_, html) = shown(of(vec![unknown]), PATH).await;
    assert_shows(
        &html,
        &[
            "No gate",
            "The changed lines are not known: the forge did not answer",
            ">unknown</p>",
        ],
    );
    assert!(!html.contains("passed"), "{html}");
}

#[tokio::test]
async fn a_pull_request_without_uploads_is_expected_and_a_page_too_far_is_empty() {
    let nothing = PullRequestDetail {
        has_older: false,
        ..of(Vec::new())
    };
    let (status, html) = shown(nothing.clone(), PATH).await;
    assert_eq!(status, 404);
    assert_shows(
        &html,
        &[
            "No upload of pull request 1421 has arrived yet.",
            "How to upload",
        ],
    );
    let far = PullRequestDetail {
        uploads: Vec::new(),
        page: 9,
        has_older: false,
        ..of(vec![failed()])
    };
    let (status, html) = shown(far, "/repos/acme/shop/pulls/1421?p=9").await;
    assert_eq!(status, 200);
    assert_shows(&html, &["There are no older uploads.", "?p=8#uploads"]);
}
