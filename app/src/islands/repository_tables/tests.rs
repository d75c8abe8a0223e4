//! Tests of rows that the browser renders.

use super::{data::Rows, tables};
use crate::{Target, api::OverviewAnswer, links::ReportLinks};
use domain::{
    Change, Count, DayPoint, OrgSummary, OverviewQuery, Percentage, RepositoryRow, Sort, Timestamp,
};
use leptos::prelude::*;

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

fn rows(query: OverviewQuery) -> Rows {
    let percentage = Percentage::from_basis_points(8_123);
    let row = |name: &str, lines| RepositoryRow {
        repository: name.parse().expect("a repository"),
        branch: "fix/مرحبا <b>".parse().expect("a branch"),
        language: "c++".parse().expect("a language"),
        percentage,
        lines,
        change: Some(Change::from_basis_points(-41)),
        period_change: None,
        updated_at: Timestamp(NOW.0 - 7_200_000_000),
        record_id: 7,
        has_report: true,
        trend: vec![DayPoint {
            at: Timestamp(NOW.0 - 86_400_000_000),
            percentage,
        }],
    };
    let lines = Count {
        covered: 8_123,
        total: 10_000,
    };
    Rows {
        now: NOW,
        query,
        pages: 3,
        rows: vec![row("acme/core", Some(lines)), row("zoo/sub/web", None)],
        orgs: vec![OrgSummary {
            org: "acme".parse().expect("an org"),
            repositories: 4,
            percentage: Some(percentage),
            has_groups: true,
        }],
    }
}

fn html(rows: Rows) -> String {
    let owner = Owner::new();
    owner.with(|| {
        provide_context(Target(Percentage::from_basis_points(8_000)));
        provide_context(ReportLinks::default());
        tables(&rows).to_html()
    })
}

#[test]
fn rows_of_an_answer_are_rendered_like_those_of_the_page() {
    for sort in Sort::ALL {
        let query = OverviewQuery {
            keyword: "a&b".to_owned(),
            sort,
            page: 2,
            ..OverviewQuery::default()
        };
        let of_page = rows(query.clone());
        let answer = serde_json::to_string(&answer(of_page.clone())).expect("an answer");
        let answer = serde_json::from_str(&answer).expect("the same answer");
        let of_answer = Rows::of(query, answer).expect("valid names");
        assert_eq!(html(of_answer), html(of_page), "{sort:?}");
    }
}

fn answer(rows: Rows) -> OverviewAnswer {
    OverviewAnswer {
        now: rows.now,
        repositories: 2,
        page: rows.query.page,
        pages: rows.pages,
        rows: rows.rows.into_iter().map(Into::into).collect(),
        orgs: rows.orgs.into_iter().map(Into::into).collect(),
    }
}

#[test]
fn headings_lead_to_the_first_page_of_an_order_and_then_of_its_opposite() {
    let html = html(rows(OverviewQuery {
        sort: Sort::Lowest,
        page: 2,
        ..OverviewQuery::default()
    }));
    for part in [
        "aria-sort=\"ascending\" class=\"c-cov\"><a href=\"/?sort=highest\" data-sort=\"highest\" class=\"sort\">Coverage",
        "<a href=\"/?sort=recent\" data-sort=\"recent\" class=\"sort\">Uploaded",
        "<a href=\"/\" data-sort=\"name\" class=\"sort\">Repository",
        "href=\"/?sort=lowest&amp;p=3\"",
    ] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
    assert_eq!(html.matches("aria-sort").count(), 1);
    assert!(!html.contains("<b>/"), "names are escaped");
}
