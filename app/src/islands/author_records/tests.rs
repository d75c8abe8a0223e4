//! Tests of records of an author that the browser renders.

use super::{data::Rows, paged};
use crate::{Target, api::AuthorAnswer, links::ReportLinks};
use domain::{
    AuthorColumn, AuthorDetail, AuthorQuery, AuthorRecord, AuthorSummary, Change, Count, ListOrder,
    Percentage, RecordPlace, Timestamp,
};
use leptos::prelude::*;

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

fn rows(order: Option<ListOrder<AuthorColumn>>) -> Rows {
    let record = |record_id, lines| AuthorRecord {
        record_id,
        repository: "acme/core".parse().expect("a repository"),
        branch: "fix/مرحبا <b>".parse().expect("a branch"),
        commit: "0123456789abcdef".parse().expect("a commit"),
        language: "c++".parse().expect("a language"),
        percentage: Percentage::from_basis_points(8_123),
        lines,
        change: (record_id == 7).then(|| Change::from_basis_points(-41)),
        updated_at: Timestamp(NOW.0 - record_id * 3_600_000_000),
        has_report: record_id == 7,
    };
    let lines = Count {
        covered: 8_123,
        total: 10_000,
    };
    Rows {
        now: NOW,
        query: AuthorQuery {
            author: "Kim <kim@example.org>".parse().expect("an author"),
            repository: None,
            language: "c++".parse().ok(),
            after: None,
            order,
        },
        records: vec![record(7, Some(lines)), record(5, None)],
        next: order.is_none().then_some(RecordPlace {
            updated_at: NOW,
            record_id: 5,
        }),
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
fn records_of_an_author_in_an_answer_are_rendered_like_those_of_the_page() {
    for order in ListOrder::all().map(Some).chain([None]) {
        let of_page = rows(order);
        let answer = AuthorAnswer::from(AuthorDetail {
            now: NOW,
            query: of_page.query.clone(),
            summary: AuthorSummary {
                records: 60,
                is_cut: false,
                repositories: Vec::new(),
                languages: Vec::new(),
                last_upload: NOW,
            },
            records: of_page.records.clone(),
            next: of_page.next,
            is_whole: false,
        });
        let answer = serde_json::to_string(&answer).expect("an answer");
        let answer: AuthorAnswer = serde_json::from_str(&answer).expect("the same answer");
        let records = answer.rows.into_iter().map(AuthorRecord::try_from);
        let of_answer = Rows {
            records: records.collect::<Result<_, _>>().expect("valid names"),
            next: answer.next.and_then(|next| RecordPlace::parse(&next)),
            ..of_page.clone()
        };
        assert_eq!(of_answer.records, of_page.records);
        assert_eq!(html(&of_answer), html(&of_page));
    }
}

#[test]
fn headings_of_an_authors_records_lead_to_the_first_ones_in_an_order() {
    let address = "/authors/Kim%20%3Ckim%40example.org%3E?language=c%2B%2B";
    let sorted = html(&rows("-change".parse().ok()));
    for part in [
        "aria-sort=\"descending\"".to_owned(),
        "the first 2 by change, biggest rise first".to_owned(),
        format!("href=\"{address}&amp;records=change#records\""),
        // The order of the page without a choice.
        format!("href=\"{address}#records\""),
        format!("href=\"{address}\" class=\"btn\">⇤ Newest"),
    ] {
        assert!(sorted.contains(&part), "{part} is not in {sorted}");
    }
    let newest = html(&rows(None));
    for part in [
        "newest first".to_owned(),
        format!("href=\"{address}&amp;records=uploaded#records\""),
        "Older →".to_owned(),
    ] {
        assert!(newest.contains(&part), "{part} is not in {newest}");
    }
    assert!(newest.contains("fix/مرحبا &lt;b&gt;"), "names are escaped");
}
