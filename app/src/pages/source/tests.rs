//! Tests of the page of a source file.

use super::*;
use crate::testing::{FakeModel, render};
use domain::{ChainRecord, DAY, Timestamp};

fn detail(lines: SourceLines) -> SourceDetail {
    SourceDetail {
        query: SourceQuery {
            line: None,
            part: None,
            id: 7,
            path: "src/a<b>.rs".to_owned(),
        },
        repository: "acme/payments".parse().expect("a repository"),
        forge: None,
        branch: "main".parse().expect("a branch"),
        commit: "9be01d2f6a7c".parse().expect("a commit"),
        language: "rust".parse().expect("a language"),
        has_report: true,
        part: None,
        parts: Vec::new(),
        lines,
    }
}

async fn page(detail: SourceDetail) -> String {
    let model = FakeModel {
        source: Some(Some(detail)),
        ..FakeModel::default()
    };
    let (status, html) = render(model, "/records/7/source?path=src/a%3Cb%3E.rs").await;
    assert_eq!(status, 200, "{html}");
    html
}

#[tokio::test]
async fn missed_and_partial_lines_are_ranges_beside_the_page_of_the_tool() {
    let known = KnownLines {
        covered: 9,
        coverable: 1_300,
        missed: LineRanges {
            lines: 1_291,
            count: 502,
            first: vec![(3, 3), (10, 12)],
        },
        partial: LineRanges {
            lines: 1,
            count: 1,
            first: vec![(4, 4)],
        },
        missed_since: Vec::new(),
    };
    let html = page(detail(SourceLines::Known(known))).await;
    for shown in [
        "src/a&lt;b&gt;.rs",
        "9 of 1,300 lines covered",
        "1,291 lines did not run",
        "10–12",
        "and 500 more ranges",
        "1 line ran without all branches",
        "src=\"/reports/7/?source=src%2Fa%3Cb%3E.rs\"",
        "sandbox=\"allow-scripts allow-popups allow-downloads\"",
    ] {
        assert!(html.contains(shown), "{shown} is not on the page: {html}");
    }
}

#[tokio::test]
async fn missed_lines_say_since_when_they_have_not_run() {
    let record = |commit: &str, day: i64| ChainRecord {
        id: day,
        commit: commit.parse().expect("a commit"),
        created_at: Timestamp(day * DAY),
    };
    let (one, two) = (record("4f2a1b2c77", 70), record("9b1c2d3e77", 122));
    let missed = [
        (3, NotRunSince::Came(one.clone())),
        (4, NotRunSince::LastRun(one.clone(), Some(two))),
        (9, NotRunSince::LastRun(one.clone(), None)),
        (11, NotRunSince::HistoryBegins(one)),
    ];
    let missed_since = missed.into_iter().map(|(line, since)| MissedSince {
        lines: (line, line),
        since: Some(since),
    });
    let known = KnownLines {
        missed_since: missed_since.collect(),
        missed: LineRanges {
            lines: 5,
            count: 4,
            first: vec![(3, 4), (9, 9), (11, 11), (20, 20)],
        },
        ..KnownLines::default()
    };
    let html = page(detail(SourceLines::Known(known))).await;
    for shown in [
        "came on 12 Mar 1970 (4f2a1b2c), never run",
        "last run on 12 Mar 1970, lost by 9b1c2d3e",
        ">last run on 12 Mar 1970<",
        "not run since 12 Mar 1970 or earlier",
        "and 1 more range",
    ] {
        assert!(html.contains(shown), "{shown} is not on the page: {html}");
    }
}

#[tokio::test]
async fn the_part_whose_html_report_is_shown_is_named_and_others_are_offered() {
    let name = |name: &str| name.parse().expect("a part");
    let html = page(SourceDetail {
        part: Some(name("e2e")),
        parts: vec![name("e2e"), name("unit")],
        ..detail(SourceLines::NotKept)
    })
    .await;
    for shown in [
        "HTML report of part e2e",
        "src=\"/reports/7/?source=src%2Fa%3Cb%3E.rs&amp;part=e2e\"",
        "href=\"/records/7/source?path=src%2Fa%3Cb%3E.rs&amp;part=unit\"",
    ] {
        assert!(html.contains(shown), "{shown} is not on the page: {html}");
    }
}

#[tokio::test]
async fn a_file_without_missed_lines_says_so() {
    let html = page(detail(SourceLines::Known(KnownLines::default()))).await;
    assert!(html.contains("Every line ran"), "{html}");
    assert!(!html.contains("Partial"), "{html}");
}

#[tokio::test]
async fn without_lines_or_an_html_report_the_page_says_why() {
    let html = page(detail(SourceLines::NotKept)).await;
    assert!(html.contains("Lines of newer uploads are kept"), "{html}");
    let html = page(detail(SourceLines::NoSuchFile)).await;
    assert!(html.contains("no lines of this file"), "{html}");
    let bare = SourceDetail {
        has_report: false,
        ..detail(SourceLines::NotKept)
    };
    let html = page(bare).await;
    assert!(
        html.contains("No HTML report of this record is stored"),
        "{html}"
    );
    assert!(!html.contains("<iframe"), "{html}");
}

#[tokio::test]
async fn an_unknown_record_is_not_found() {
    for path in ["/records/9/source?path=a", "/records/x/source"] {
        let model = FakeModel {
            source: Some(None),
            ..FakeModel::default()
        };
        assert_eq!(render(model, path).await.0, 404, "{path}");
    }
}
