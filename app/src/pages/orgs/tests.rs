//! The page as the server renders it.

use crate::{
    pages::org::tests::{history, page, part, series, text},
    testing::{FakeModel, render},
};
use domain::OrgHistory;

fn three() -> OrgHistory {
    history(
        None,
        vec![
            series(
                "acme/core/a",
                &[(0, 8_000, Some(10_000)), (30, 9_000, Some(10_000))],
            ),
            series("acme/b", &[(25, 1_000, Some(1_000))]),
            series("zeta/c", &[(0, 6_000, Some(100)), (3, 5_000, Some(100))]),
        ],
    )
}

#[tokio::test]
async fn each_org_has_a_row_and_the_whole_is_the_last_one() {
    let html = page(three(), "/orgs").await;
    let table = part(&html, "groups");
    let rows: Vec<_> = table.split("<tr").skip(2).map(text).collect();
    // One of two has the target of 80 %; the new one does not count for the change.
    for (row, shown) in rows.iter().zip([
        ["acme", "82.73", "+10.00", "50\u{202f}% (1 of 2)", "11,000"],
        ["zeta", "50.00", "−10.00", "0\u{202f}% (0 of 1)", "100"],
        [
            "all orgs",
            "82.43",
            "+9.80",
            "33\u{202f}% (1 of 3)",
            "11,100",
        ],
    ]) {
        for text in shown {
            assert!(row.contains(text), "{text} is not in {row}");
        }
    }
    assert_eq!(rows.len(), 3, "{table}");
    assert!(html.contains("22 Nov 2026, 14:02 UTC, 2 orgs"), "{html}");
}

#[tokio::test]
async fn each_org_has_a_line_and_a_link_with_the_same_choices() {
    let html = page(three(), "/orgs?mean=plain&range=12m").await;
    for link in [
        "href=\"/orgs/acme?range=12m&amp;mean=plain\"",
        "href=\"/orgs?range=12m\"",
        "href=\"/coverages-api/orgs/groups.csv?range=12m&amp;mean=plain\"",
        "href=\"/coverages-api/orgs/trend.csv?range=12m&amp;mean=plain\"",
        "action=\"/orgs\"",
    ] {
        assert!(html.contains(link), "{link} is not in {html}");
    }
    assert!(
        html.contains("Coverage of the same 2 repositories since"),
        "{html}"
    );
    assert!(
        html.contains("href=\"#left-out\"") && html.contains("id=\"left-out\""),
        "{html}"
    );
    let labels = ["all orgs, 2 of 3 repositories", "acme", "zeta"];
    let legend = labels.map(|label| html.find(&format!("<bdi>{label}</bdi>")));
    assert!(
        legend.iter().all(Option::is_some) && legend.is_sorted(),
        "{legend:?}"
    );
}

#[tokio::test]
async fn the_only_org_is_replaced_by_its_groups() {
    let only = vec![
        series("acme/core/a", &[(0, 8_000, Some(10))]),
        series("acme/web/b", &[(0, 8_000, Some(10))]),
        series("acme/c", &[(0, 8_000, Some(10))]),
    ];
    let html = page(history(None, only), "/orgs").await;
    assert!(html.contains("Groups of acme, the only org"), "{html}");
    assert!(html.contains("href=\"/orgs/acme/core\""), "{html}");
}

#[tokio::test]
async fn before_the_first_upload_the_page_leads_to_the_setup() {
    let model = FakeModel {
        org: Some(None),
        ..FakeModel::default()
    };
    let (status, html) = render(model, "/orgs").await;
    assert_eq!(status, 200);
    assert!(
        html.contains("No uploads yet") && html.contains("href=\"/setup\""),
        "{html}"
    );
}

#[tokio::test]
async fn an_only_org_without_groups_has_a_row_but_no_line_of_its_own() {
    let html = page(
        history(None, vec![series("acme/a", &[(0, 8_000, Some(10))])]),
        "/orgs",
    )
    .await;
    assert!(
        part(&html, "groups").contains("href=\"/orgs/acme\""),
        "{html}"
    );
    assert!(!html.contains("<bdi>acme</bdi> <span"), "{html}");
}
