//! Tests of branches that the browser renders.

use super::{data::Rows, paged};
use crate::{Target, api::BranchesAnswer, links::ReportLinks};
use domain::{
    BranchColumn, BranchPage, BranchRow, Change, Count, ListOrder, Percentage, RepositoryQuery,
    Timestamp,
};
use leptos::prelude::*;

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

fn rows(order: Option<ListOrder<BranchColumn>>) -> Rows {
    let row = |name: &str, record_id, lines| BranchRow {
        branch: name.parse().expect("a branch"),
        language: "c++".parse().expect("a language"),
        commit: "0123456789abcdef".parse().expect("a commit"),
        author: "Kim <kim@example.org>".parse().expect("an author"),
        percentage: Percentage::from_basis_points(8_123),
        lines,
        change: None,
        against_base: (record_id == 7).then(|| (3, Change::from_basis_points(-41))),
        updated_at: Timestamp(NOW.0 - record_id * 3_600_000_000),
        record_id,
        has_report: record_id == 7,
    };
    let lines = Count {
        covered: 8_123,
        total: 10_000,
    };
    Rows {
        now: NOW,
        repository: "acme/core".parse().expect("a repository"),
        query: RepositoryQuery {
            keyword: "x & y".to_owned(),
            branches: order,
            page: 2,
            ..RepositoryQuery::default()
        },
        branch: "fix/مرحبا <b>".parse().expect("a branch"),
        main_branch: "main".parse().expect("a branch"),
        branches: BranchPage {
            rows: vec![
                row("main", 9, None),
                row("fix/مرحبا <b>", 7, Some(lines)),
                row("other", 5, None),
            ],
            matching: 123,
            page: 2,
            pages: 3,
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
fn branches_of_an_answer_are_rendered_like_those_of_the_page() {
    for order in ListOrder::all().map(Some).chain([None]) {
        let of_page = rows(order);
        let answer = BranchesAnswer::new(NOW, "main".to_owned(), of_page.branches.clone());
        let answer = serde_json::to_string(&answer).expect("an answer");
        let answer: BranchesAnswer = serde_json::from_str(&answer).expect("the same answer");
        let of_answer = Rows {
            branches: answer.try_into().expect("valid names"),
            ..of_page.clone()
        };
        assert_eq!(of_answer.branches, of_page.branches);
        assert_eq!(html(&of_answer), html(&of_page));
    }
}

#[test]
fn headings_of_branches_lead_to_the_first_page_in_an_order() {
    let html = html(&rows("coverage".parse().ok()));
    for part in [
        "aria-sort=\"ascending\"",
        "href=\"/repos/acme/core?find=x%20%26%20y&amp;branches=-coverage#branches\"",
        "href=\"/repos/acme/core?find=x%20%26%20y&amp;branches=-uploaded#branches\"",
        "href=\"/repos/acme/core?find=x%20%26%20y&amp;branches=coverage&amp;p=3\"",
        "name=\"branches\" value=\"coverage\"",
        "123 rows with “x &amp; y”",
    ] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
    assert_eq!(html.matches("aria-sort").count(), 1);
    assert!(html.contains("fix/مرحبا &lt;b&gt;"), "names are escaped");
}
