//! The lines of the chart.

use super::*;

#[tokio::test]
async fn the_chart_has_a_line_of_all_and_a_line_of_what_the_change_is_about() {
    let html = page(acme(), "/orgs/acme").await;
    let labels = [
        "acme, 3 of 4 repositories",
        "the same 2 repositories since 22 Oct 2026",
    ];
    let legend = labels.map(|label| html.find(&format!("<bdi>{label}</bdi>")));
    assert!(
        legend.iter().all(Option::is_some) && legend.is_sorted(),
        "{html}"
    );
    assert!(
        html.contains("2 repositories have no earlier record."),
        "{html}"
    );
    let all = page(acme(), "/orgs/acme?over=all").await;
    assert!(!all.contains("with data since"), "{all}");
    for tab in [
        "/owners?org_name=acme",
        "/gates?org_name=acme",
        "/report?org_name=acme",
    ] {
        assert!(html.contains(&format!("<a href=\"{tab}\">")), "{html}");
    }
    assert!(
        html.contains("<a href=\"/orgs/acme\" aria-current=\"page\">Trend</a>"),
        "{html}"
    );
}

#[tokio::test]
async fn without_repositories_to_compare_the_chart_has_all_and_no_change() {
    let late = vec![
        series("acme/late", &[(20, 1, Some(1))]),
        series("acme/later", &[(25, 1, Some(1))]),
    ];
    let html = page(history(Some("acme"), late), "/orgs/acme").await;
    let numbers = text(part(&html, "numbers"));
    assert!(
        numbers.contains("nothing to compare with on 22 Oct 2026"),
        "{numbers}"
    );
    assert!(
        html.contains("<bdi>acme, both repositories</bdi>"),
        "{html}"
    );
    assert!(!html.contains("with data since</bdi>"), "{html}");
}

#[tokio::test]
async fn the_largest_groups_have_a_line_and_come_before_what_moved() {
    let groups = (0..9).map(|n| {
        let lines = Some(1_000 + u64::from(n));
        series(&format!("acme/g{n}/r"), &[(0, 5_000 + n, lines)])
    });
    let html = page(history(Some("acme"), groups.collect()), "/orgs/acme").await;
    let order = ["id=\"trend\"", "id=\"groups\"", "id=\"moved\""].map(|id| html.find(id));
    assert!(order.is_sorted() && order[0].is_some(), "{order:?}");
    let arithmetic = text(part(&html, "how"));
    assert!(
        arithmetic.contains("The chart has the 7 largest of 9."),
        "{arithmetic}"
    );
    let has_line = |line: usize| html.contains(&format!("<i class=\"series-{line}\">"));
    assert!(has_line(8) && !has_line(9), "{html}");
}
