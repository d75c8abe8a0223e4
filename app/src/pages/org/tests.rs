//! The page as the server renders it.

mod chart;
mod metrics;

use crate::testing::{FakeModel, render};
use domain::{
    Count, Day, Interval, OrgHistory, OrgQuery, OrgSeries, Over, Percentage, Period, Step,
    Timestamp,
};

const TODAY: Day = Day(20_779); // 22 November 2026
const FROM: Day = Day(20_748);

pub(in crate::pages) fn series(name: &str, steps: &[(i32, u16, Option<u64>)]) -> OrgSeries {
    let (repository, language) = name.split_once(' ').unwrap_or((name, "rust"));
    let step = |&(day, basis_points, total): &(i32, u16, Option<u64>)| Step {
        day: Day(FROM.0 + day),
        percentage: Some(Percentage::from_basis_points(basis_points)),
        lines: total.map(|total| Count {
            covered: total * u64::from(basis_points) / 10_000,
            total,
        }),
    };
    OrgSeries {
        repository: repository.parse().expect("a repository"),
        branch: "main".parse().expect("a branch"),
        language: language.parse().expect("a language"),
        first: Day(FROM.0 + steps[0].0),
        ended: None,
        steps: steps.iter().map(step).collect(),
    }
}

pub(in crate::pages) fn history(org: Option<&str>, series: Vec<OrgSeries>) -> OrgHistory {
    let period = Period {
        from: FROM,
        to: TODAY,
    };
    OrgHistory {
        org: org.map(|org| org.parse().expect("an org")),
        now: Timestamp(TODAY.start().0 + 50_520_000_000),
        first: FROM,
        period: Some(period),
        interval: Interval::of(period, series.len()),
        series,
        is_cut: false,
        new_code: None,
        sums: None,
    }
}

fn acme() -> OrgHistory {
    history(
        Some("acme"),
        vec![
            series(
                "acme/payments",
                &[(0, 8_000, Some(10_000)), (9, 8_100, Some(10_000))],
            ),
            series(
                "acme/web/shop",
                &[(-3, 5_000, Some(1_000)), (5, 4_500, Some(1_000))],
            ),
            series("acme/web/new", &[(20, 1_000, Some(5_000))]),
            series("acme/bare", &[(0, 9_000, None)]),
        ],
    )
}

pub(in crate::pages) async fn page(history: OrgHistory, address: &str) -> String {
    let model = FakeModel {
        org: Some(Some(history)),
        ..FakeModel::default()
    };
    let (status, html) = render(model, address).await;
    assert_eq!(status, 200, "{html}");
    html
}

/// The part of the page from this `data-testid` to the next one.
pub(in crate::pages) fn part<'a>(html: &'a str, id: &str) -> &'a str {
    let start = html.find(&format!("data-testid=\"{id}\"")).expect(id);
    let rest = &html[start + 1..];
    &rest[..rest.find("data-testid=").unwrap_or(rest.len())]
}

pub(in crate::pages) fn text(html: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for char in html.chars() {
        match char {
            '<' => is_tag = true,
            '>' => is_tag = false,
            _ if !is_tag => text.push(char),
            _ => {}
        }
    }
    text
}

#[tokio::test]
async fn four_labelled_numbers_come_first() {
    let html = page(acme(), "/orgs/acme").await;
    let numbers = text(part(&html, "numbers"));
    // 8,550 of 11,000 after 8,500 of 11,000; and 500 of 5,000 of a new repository.
    for shown in [
        "56.56",
        "line coverage of all 3 repositories",
        "+0.46",
        "in the same 2 repositories since 22 Oct 2026: ",
        "9,050",
        "covered of 16,000 lines",
    ] {
        assert!(numbers.contains(shown), "{shown} is not in {numbers}");
    }
    assert!(
        html.contains("22 Oct 2026 to 22 Nov 2026, as of 22 Nov 2026, 14:02 UTC, with its group")
    );
}

#[tokio::test]
async fn the_calculation_is_explained_at_the_end() {
    let weighted = text(part(&page(acme(), "/orgs/acme").await, "how"));
    for shown in [
        "Covered lines as a share of all lines, on the main branches of the 2 repositories that have a value at both ends",
        "last value of its day",
        "kept until the next value",
        "1 repository cannot be weighted",
        "2 repositories are stale: nothing was uploaded for 14 days",
        "2 repositories left out",
    ] {
        assert!(weighted.contains(shown), "{shown} is not in {weighted}");
    }
    let plain = text(part(
        &page(acme(), "/orgs/acme?mean=plain&over=all").await,
        "how",
    ));
    assert!(plain.contains("each repository counts the same"), "{plain}");
    assert!(
        plain.contains("of all repositories that have a value on the day, 4 in the period"),
        "{plain}"
    );
    assert!(!plain.contains("weighted"), "{plain}");
}

#[tokio::test]
async fn every_choice_is_a_link_that_keeps_the_others() {
    let html = page(acme(), "/orgs/acme?mean=plain&range=12m").await;
    for link in [
        "href=\"/orgs/acme?range=7d&amp;mean=plain\"",
        "href=\"/orgs/acme?mean=plain\"",
        "href=\"/orgs/acme?range=12m\"",
        "href=\"/orgs/acme?range=12m&amp;mean=plain&amp;over=all\"",
        "href=\"/coverages-api/orgs/trend.csv?org_name=acme&amp;range=12m&amp;mean=plain\"",
        "href=\"/coverages-api/orgs/movements.csv?org_name=acme&amp;range=12m&amp;mean=plain\"",
    ] {
        assert!(html.contains(link), "{link} is not in {html}");
    }
    assert!(
        html.contains("href=\"/orgs/acme?range=12m&amp;mean=plain\" aria-current=\"true\""),
        "{html}"
    );
    assert!(
        html.contains("<input type=\"hidden\" name=\"mean\" value=\"plain\">"),
        "{html}"
    );
    assert!(
        html.contains("name=\"from\" value=\"2026-10-22\""),
        "{html}"
    );
}

#[tokio::test]
async fn changes_add_up_and_new_repositories_are_separate() {
    let html = page(acme(), "/orgs/acme").await;
    let table = text(part(&html, "movements"));
    for shown in [
        "payments",
        "80.00",
        "81.00",
        "+1.00",
        "+0.91",
        "web/shop",
        "−5.00",
        "−0.45",
        "The same 2 repositories since 22 Oct 2026",
        "New in this period, not in the change",
        "web/new",
        "Without line counts",
        "bare",
        "All 3 repositories–56.56\u{202f}%–9,050 of 16,000–",
    ] {
        assert!(table.contains(shown), "{shown} is not in {table}");
    }
    assert!(html.contains("href=\"/repos/acme/web/shop\""));
    let order = ["payments", "web/shop", "web/new", "bare"].map(|name| table.find(name));
    assert!(order.is_sorted(), "{order:?}");
}

#[tokio::test]
async fn each_repository_has_a_cell_with_a_number_besides_its_shade() {
    let mut history = acme();
    let others = (0..6).map(|n| series(&format!("acme/other-{n}"), &[(0, 8_000, Some(10))]));
    history.series.extend(others);
    let html = page(history, "/orgs/acme").await;
    let heat = part(&html, "heat");
    for (shade, shown) in [
        ("fall-3", "web/shop −5.00"),
        ("still", "bare 0.00"),
        ("rise-2", "payments +1.00"),
        ("no-change", "web/new new"),
    ] {
        let class = format!("class=\"cell {shade}\">");
        let (_, cell) = heat.split_once(&class).expect(shade);
        let cell = text(&cell[..cell.find("</li>").expect("an end")]);
        assert!(cell.starts_with(shown), "{shown}: {cell}");
    }
}

#[tokio::test]
async fn groups_link_to_their_pages_with_the_same_settings() {
    let html = page(acme(), "/orgs/acme?mean=plain").await;
    assert!(
        html.contains("href=\"/orgs/acme/web?mean=plain\""),
        "{html}"
    );
    let nested = page(
        history(
            Some("acme/web/x"),
            vec![series("acme/web/x/y", &[(0, 1, None)])],
        ),
        "/orgs/acme/web/x",
    )
    .await;
    assert!(
        nested.contains("href=\"/orgs/acme\"") && nested.contains("href=\"/orgs/acme/web\""),
        "{nested}"
    );
    assert!(!nested.contains("data-testid=\"groups\""), "{nested}");
}

#[tokio::test]
async fn rows_of_omitted_repositories_state_the_reason() {
    let html = page(acme(), "/orgs/acme").await;
    let rows = text(part(&html, "movements"));
    for row in [
        "web/new first record on 11 Nov 2026",
        "bare",
        "its coverage files do not count lines",
    ] {
        assert!(rows.contains(row), "{rows}");
    }
    assert!(html.contains("href=\"#moved\""), "{html}");
    assert!(!html.contains("data-testid=\"left-out\""), "{html}");
    let all = text(&page(acme(), "/orgs/acme?mean=plain&over=all").await);
    assert!(
        !all.contains("left out") && !all.contains("do not count lines"),
        "{all}"
    );
    assert!(html.contains("href=\"/orgs/acme?over=all\""), "{html}");
}

#[tokio::test]
async fn one_repository_and_one_day_have_a_page_without_a_change() {
    let mut history = history(
        Some("acme"),
        vec![series("acme/only", &[(31, 8_000, Some(10))])],
    );
    history.period = Some(Period {
        from: TODAY,
        to: TODAY,
    });
    let html = page(history, "/orgs/acme").await;
    let numbers = text(part(&html, "numbers"));
    assert!(
        numbers.contains("80.00") && numbers.contains("one day: nothing to compare with"),
        "{numbers}"
    );
    let has_map = html.contains("data-testid=\"heat\"");
    assert!(!has_map, "the table shows few repositories: {html}");
}

#[tokio::test]
async fn invalid_dates_are_named_and_the_page_is_still_shown() {
    let html = page(acme(), "/orgs/acme?from=2026-02-30&mean=%3Cb%3E").await;
    assert!(
        html.contains("“from” in the address must be a date"),
        "{html}"
    );
    assert!(
        html.contains("“mean” in the address must be one of weighted, plain"),
        "{html}"
    );
    assert!(!html.contains("<b>\""), "{html}");
    assert!(text(part(&html, "numbers")).contains("+0.46"));
}

#[tokio::test]
async fn a_period_before_the_first_record_says_so_and_links_onwards() {
    let mut history = acme();
    history.period = None;
    let html = page(history, "/orgs/acme?to=2020-01-01&mean=plain").await;
    assert!(html.contains("No records in this period"), "{html}");
    assert!(
        html.contains("The first record is from 22 Oct 2026."),
        "{html}"
    );
    assert!(
        html.contains("href=\"/orgs/acme?range=all&amp;mean=plain\""),
        "{html}"
    );
}

#[tokio::test]
async fn orgs_without_repositories_of_the_whole_period_show_a_message_and_no_chart() {
    let late = vec![
        series("acme/late", &[(20, 1, Some(1))]),
        series("acme/later", &[(25, 1, Some(1))]),
    ];
    let html = page(history(None, late), "/orgs").await;
    assert!(
        html.contains("No repository has a value at both ends of this period."),
        "{html}"
    );
}

#[tokio::test]
async fn an_org_without_records_is_not_found_and_a_failing_database_is_503() {
    let nothing = || FakeModel {
        org: Some(None),
        ..FakeModel::default()
    };
    for address in ["/orgs/nobody", "/orgs/a%20b", "/orgs/acme/../x"] {
        let (status, html) = render(nothing(), address).await;
        assert_eq!(status, 404, "{address}: {html}");
        assert!(html.contains("Not found"), "{address}: {html}");
    }
    let waiting = FakeModel {
        similar: Some(vec!["acme/web".parse().expect("a repository")]),
        ..nothing()
    };
    let (status, html) = render(waiting, "/orgs/acme").await;
    assert_eq!(status, 200);
    let says = html.contains("No current record yet") && html.contains("href=\"/repos/acme/web\"");
    assert!(says, "{html}");
    let (status, _) = render(FakeModel::default(), "/orgs/acme").await;
    assert_eq!(status, 503);
}

#[tokio::test]
async fn a_page_of_thousands_of_repositories_is_bounded_and_adds_up() {
    let many = (0..3_000_u16).map(|n| {
        let name = format!("acme/r{n:04}");
        series(
            &name,
            &[(0, 5_000, Some(100)), (3, 5_000 + n % 400, Some(100))],
        )
    });
    let html = page(history(Some("acme"), many.collect()), "/orgs/acme").await;
    assert_eq!(part(&html, "heat").matches("<li").count(), 600);
    assert!(html.contains("2,400 repositories with the smallest changes are not shown."));
    let table = part(&html, "movements");
    assert_eq!(table.matches("/repos/").count(), 50);
    assert!(
        text(table).contains("2,950 more repositories"),
        "{}",
        text(table)
    );
    assert!(html.len() < 600_000, "{} bytes", html.len());
}

#[test]
fn a_default_org_query_has_the_linked_address() {
    let query = OrgQuery::new("acme".parse().expect("an org"));
    assert_eq!((query.over, query.parameters()), (Over::Same, Vec::new()));
}
