//! Other metrics than lines, and new code.

use super::*;
use domain::{NewCount, OrgNewCode};

#[tokio::test]
async fn another_metric_is_named_everywhere_and_kept_in_links() {
    let html = page(acme(), "/orgs/acme?metric=branches&mean=plain").await;
    for shown in [
        "<a href=\"/orgs/acme?metric=branches\">weighted by branches</a>",
        "<a href=\"/orgs/acme?mean=plain\">Lines</a>",
        "covered of 16,000 branches",
        "Trend of branch coverage",
        "data-label=\"Branches\" class=\"num\">8,100 of 10,000",
        "\"unit\":\"branches\"",
        "/coverages-api/orgs/trend.csv?org_name=acme&amp;metric=branches&amp;mean=plain",
        "/repos/acme/payments?metric=branches",
        "/orgs/acme/web?metric=branches&amp;mean=plain",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
}

#[tokio::test]
async fn new_code_is_summed_over_the_repositories_that_have_a_count() {
    let new = OrgNewCode {
        new: NewCount {
            lines: Count {
                covered: 900,
                total: 1_200,
            },
            unknown: 34,
        },
        counted: 3,
        repositories: 4,
        day: TODAY,
    };
    let of = |new| OrgHistory {
        new_code: Some(new),
        ..acme()
    };
    let html = page(of(new), "/orgs/acme").await;
    let shown = text(part(&html, "new-code"));
    assert!(
        shown
            .contains("new code: 900 of 1,200 new lines ran; 3 of 4 repositories are counted75.00"),
        "{shown}"
    );
    assert!(
        html.contains("counted on 22 Nov 2026") && html.contains("/owners?org_name=acme"),
        "{html}"
    );
    let none = OrgNewCode {
        new: NewCount::default(),
        counted: 4,
        ..new
    };
    let html = page(of(none), "/orgs/acme").await;
    let shown = text(part(&html, "new-code"));
    assert!(
        shown.contains("new code: no line is new") && !shown.contains("0.00"),
        "{shown}"
    );
}
