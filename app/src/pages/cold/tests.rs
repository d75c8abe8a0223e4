use super::*;
use crate::testing::{FakeModel, render};
use domain::{ChainRecord, Timestamp};

const BEGIN: Timestamp = Timestamp(1_794_232_920_000_000);

fn list(cold: Option<Cold>) -> ColdList {
    let languages: [Language; 2] =
        ["rust", "web"].map(|language| language.parse().expect("a language"));
    ColdList {
        repository: "acme/payments".parse().expect("a repository"),
        language: Some(languages[0].clone()),
        languages: languages.into(),
        owners: vec![(vec!["@acme/<b>".to_owned(), "@acme/c".to_owned()], 3)],
        cold,
    }
}

fn cold(files: Vec<ColdFile>) -> Cold {
    Cold {
        record_id: 7,
        begins_at: BEGIN,
        known_days: 100,
        files,
    }
}

async fn page(list: Option<ColdList>, path: &str) -> (u16, String) {
    let model = FakeModel {
        cold: Some(list),
        similar: Some(Vec::new()),
        ..FakeModel::default()
    };
    render(model, path).await
}

#[tokio::test]
async fn cold_files_have_their_lines_owners_and_last_run() {
    let file = |path: &str, since| ColdFile {
        path: path.to_owned(),
        coverable: 9,
        cold: 3,
        ranges: vec![(2, 4)],
        since,
    };
    let record = |id| ChainRecord {
        id,
        commit: "c1".parse().expect("a commit"),
        created_at: BEGIN,
    };
    let files = vec![
        file("src/<a>.c", Some(NotRunSince::LastRun(record(3), None))),
        file("b.c", None),
        file("c.c", Some(NotRunSince::Came(record(4)))),
        file("d.c", Some(NotRunSince::HistoryBegins(record(5)))),
    ];
    let found = list(Some(cold(files)));
    let (status, html) = page(Some(found), "/cold?repo=acme/payments&days=365").await;
    assert_eq!(status, 200);
    for expected in [
        "12 cold lines in 4 files",
        "href=\"/records/7/source?path=src%2F%3Ca%3E.c\"",
        "@acme/&lt;b&gt;, @acme/c and 3 more",
        "<a href=\"/records/3\" class=\"link whole\">9 Nov 2026</a>",
        "unknown",
        "never, added <a href=\"/records/4\" class=\"link whole\">9 Nov 2026</a>",
        "before <a href=\"/records/5\" class=\"link whole\">9 Nov 2026</a>",
        ">3 of 9<",
        "The history of lines starts on 9 Nov 2026.",
        "line=2-4#L2\" class=\"link\">2–4</a>",
        "The history of lines begins with its first record, 100 days ago.",
        "href=\"/cold?repo=acme%2Fpayments&amp;language=web&amp;days=365\"",
    ] {
        assert!(html.contains(expected), "{expected} in {html}");
    }
}

#[tokio::test]
async fn no_cold_line_and_no_history_are_different_sentences() {
    let (_, html) = page(
        Some(list(Some(cold(Vec::new())))),
        "/cold?repo=acme/payments",
    )
    .await;
    assert!(html.contains("No line is cold."), "{html}");
    assert!(!html.contains("The history of lines begins"), "{html}");
    let (status, html) = page(Some(list(None)), "/repos/acme/payments/cold").await;
    assert_eq!(status, 200);
    assert!(html.contains("No history of lines"), "{html}");
    for path in ["/cold?repo=acme/payments", "/cold"] {
        assert_eq!(page(None, path).await.0, 404, "{path}");
    }
}
