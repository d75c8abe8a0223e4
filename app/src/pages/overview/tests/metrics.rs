//! Other metrics than lines, and new code.

use super::*;
use domain::{Day, NewCount};

#[tokio::test]
async fn a_row_shows_its_new_code_and_that_branches_are_not_counted() {
    let new = NewCount {
        lines: Count {
            covered: 101,
            total: 120,
        },
        unknown: 12,
    };
    let rows = vec![RepositoryRow {
        percentage: None,
        lines: None,
        new_code: Some((new, Day::of(NOW))),
        ..row("acme/payments", 8_374, 2)
    }];
    let query = OverviewQuery {
        metric: StatedMetric::Branches,
        ..OverviewQuery::default()
    };
    let html = page(overview(query, rows)).await;
    assert_shows(
        &html,
        &[
            "not counted",
            "href=\"/repos/acme/payments?metric=new\"",
            "New code 84.17\u{202f}% of 120 lines, 12 may be new",
            "101 of 120 new lines covered, counted on 9 Nov 2026.",
            "weighted by branches",
            "href=\"/orgs/acme?metric=branches\"",
            "<a href=\"/?metric=branches&amp;sort=-uploaded\" class=\"sort\">Uploaded",
            "<a href=\"/\">Lines</a>",
        ],
    );
    assert!(!html.contains("0.00"), "{html}");
}
