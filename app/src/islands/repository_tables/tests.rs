//! Tests of rows that the browser renders.

use super::tables;
use crate::{Target, api::OverviewAnswer, links::ReportLinks};
use domain::{
    Change, Count, DayPoint, Order, OrgSummary, OverviewColumn, OverviewQuery, Percentage,
    RepositoryRow, Timestamp,
};
use leptos::prelude::*;

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

fn answer(page: u32) -> OverviewAnswer {
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
    OverviewAnswer {
        now: NOW,
        page,
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

fn html(query: OverviewQuery) -> String {
    let owner = Owner::new();
    owner.with(|| {
        provide_context(Target(Percentage::from_basis_points(8_000)));
        provide_context(ReportLinks::default());
        let page = query.page;
        tables(query, &answer(page)).to_html()
    })
}

#[test]
fn headings_lead_to_the_first_page_of_an_order_and_then_of_its_opposite() {
    let html = html(OverviewQuery {
        sort: Order::ascending(OverviewColumn::Coverage),
        page: 2,
        ..OverviewQuery::default()
    });
    for part in [
        "aria-sort=\"ascending\" class=\"c-cov\"><a href=\"/?sort=-coverage\" data-sort=\"-coverage\" class=\"sort\">Coverage",
        "<a href=\"/?sort=-uploaded\" data-sort=\"-uploaded\" class=\"sort\">Uploaded",
        "<a href=\"/\" data-sort=\"name\" class=\"sort\">Repository",
        "href=\"/?sort=coverage&amp;p=3\"",
    ] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
    assert_eq!(html.matches("aria-sort").count(), 1);
    assert!(!html.contains("<b>/"), "names are escaped");
}
