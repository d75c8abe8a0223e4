//! Tests of records that the browser renders.

use super::{data::Rows, paged};
use crate::{Target, api::HistoryAnswer, links::ReportLinks};
use domain::{
    Change, Count, History, HistoryKey, HistoryOrder, HistoryPlace, HistoryRow, Percentage,
    RepositoryQuery, Timestamp,
};
use leptos::prelude::*;

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

fn key(record_id: i64) -> HistoryKey {
    HistoryKey {
        at: Timestamp(NOW.0 - record_id),
        record_id,
    }
}

fn rows(place: HistoryPlace) -> Rows {
    let record = |record_id, lines| HistoryRow {
        record_id,
        at: Timestamp(NOW.0 - record_id * 3_600_000_000),
        language: "c++".parse().expect("a language"),
        commit: "0123456789abcdef".parse().expect("a commit"),
        author: "Kim <kim@example.org>".parse().expect("an author"),
        percentage: Percentage::from_basis_points(8_123),
        lines,
        change: Some(Change::from_basis_points(-41)),
        has_report: record_id == 7,
        is_confirmed: record_id == 7,
        is_complete: true,
    };
    let lines = Count {
        covered: 8_123,
        total: 10_000,
    };
    let is_sorted = matches!(place, HistoryPlace::Sorted(_));
    Rows {
        now: NOW,
        repository: "acme/core".parse().expect("a repository"),
        query: RepositoryQuery {
            language: "c++".parse().ok(),
            place,
            page: 1,
            ..RepositoryQuery::default()
        },
        branch: "fix/مرحبا <b>".parse().expect("a branch"),
        history: History {
            rows: vec![record(7, Some(lines)), record(5, None)],
            newer: (!is_sorted).then_some(HistoryPlace::NewerThan(key(7))),
            older: (!is_sorted).then_some(HistoryPlace::OlderThan(key(5))),
            records: 1_234,
        },
    }
}

fn html(rows: &Rows) -> String {
    let owner = Owner::new();
    owner.with(|| {
        provide_context(Target(Percentage::from_basis_points(8_000)));
        provide_context(ReportLinks::default());
        paged(rows).to_html()
    })
}

#[test]
fn records_of_an_answer_are_rendered_like_those_of_the_page() {
    let sorted = HistoryOrder::ALL.map(HistoryPlace::Sorted);
    for place in [HistoryPlace::Newest, HistoryPlace::OlderThan(key(9))]
        .into_iter()
        .chain(sorted)
    {
        let of_page = rows(place);
        let branch = of_page.branch.to_string();
        let answer = HistoryAnswer::new(NOW, branch, of_page.history.clone());
        let answer = serde_json::to_string(&answer).expect("an answer");
        let answer: HistoryAnswer = serde_json::from_str(&answer).expect("the same answer");
        let of_answer = Rows {
            history: answer.try_into().expect("valid names"),
            ..of_page.clone()
        };
        assert_eq!(of_answer.history, of_page.history, "{place:?}");
        assert_eq!(html(&of_answer), html(&of_page), "{place:?}");
    }
}

#[test]
fn headings_lead_to_an_order_and_then_to_its_opposite() {
    let mut waiting = rows(HistoryPlace::Newest);
    waiting.history.rows[1].is_complete = false;
    assert!(html(&waiting).contains("incomplete"));
    let html = html(&rows(HistoryPlace::Sorted(HistoryOrder::Lowest)));
    for part in [
        "aria-sort=\"ascending\"",
        "/repos/acme/core?language=c%2B%2B&amp;order=highest#history\"",
        "/repos/acme/core?language=c%2B%2B&amp;order=oldest#history\"",
        "/repos/acme/core?language=c%2B%2B#history\"",
        "the first 2 by coverage, lowest first",
        "1,234 records",
        "unconfirmed",
    ] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
    assert_eq!(html.matches("aria-sort").count(), 1);
    assert!(html.contains("fix/مرحبا &lt;b&gt;"), "names are escaped");
}
