//! Tests of the overview as it is rendered.

mod metrics;

use crate::{
    links,
    testing::{FakeModel, render},
};
use domain::{
    Attention, AttentionList, AttentionRow, Change, Choice, Choices, Count, DAY, DayPoint, Order,
    OrgSummary, Overview, OverviewColumn, OverviewQuery, Percentage, RepositoryRow, Show,
    StatedMetric, Timestamp,
};

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

fn percentage(basis_points: u16) -> Percentage {
    Percentage::from_basis_points(basis_points)
}

fn row(name: &str, basis_points: u16, days: i64) -> RepositoryRow {
    let at = |days: i64| Timestamp(NOW.0 - days * DAY);
    RepositoryRow {
        repository: name.parse().expect("a repository"),
        branch: "main".parse().expect("a branch"),
        language: "rust".parse().expect("a language"),
        percentage: Some(percentage(basis_points)),
        lines: Some(Count {
            covered: 41_870,
            total: 50_000,
        }),
        change: Some(Change::between(percentage(8_000), percentage(basis_points))),
        period_change: Some(Change::between(percentage(9_000), percentage(basis_points))),
        new_code: None,
        updated_at: at(days),
        record_id: 7,
        has_report: true,
        trend: vec![
            DayPoint {
                at: at(days + 40),
                percentage: percentage(9_000),
            },
            DayPoint {
                at: at(days),
                percentage: percentage(basis_points),
            },
        ],
    }
}

fn overview(query: OverviewQuery, rows: Vec<RepositoryRow>) -> Overview {
    Overview {
        now: NOW,
        query,
        matching: u32::try_from(rows.len()).expect("a few rows"),
        pages: 1,
        is_new: false,
        orgs: vec![OrgSummary {
            org: "acme".parse().expect("an org"),
            repositories: 12,
            percentage: Some(percentage(8_436)),
            has_groups: false,
        }],
        choices: Choices {
            orgs: vec![Choice {
                name: "acme".parse().expect("an org"),
                repositories: 1_200,
            }],
            further_orgs: 3,
            languages: vec![Choice {
                name: "c++".parse().expect("a language"),
                repositories: 9,
            }],
        },
        rows,
        attention: None,
    }
}

async fn page(overview: Overview) -> String {
    let model = FakeModel {
        overview: Some(overview),
        ..FakeModel::default()
    };
    let (status, html) = render(model, "/").await;
    assert_eq!(status, 200, "{html}");
    html
}

fn assert_shows(html: &str, all: &[&str]) {
    for shown in all {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
}

#[tokio::test]
async fn a_row_shows_coverage_changes_trend_age_and_report() {
    let html = page(overview(
        OverviewQuery::default(),
        vec![row("acme/payments", 8_374, 2)],
    ))
    .await;
    assert_shows(
        &html,
        &[
            "href=\"/repos/acme/payments\"",
            ">rust<",
            "83.74\u{202f}%",
            "41,870 of 50,000 lines covered",
            // The tick of the target.
            "M80.00 0V8",
            "+3.74",
            "\u{2212}6.26",
            "class=\"spark\"",
            ">main<",
            "href=\"/records/7\"",
            "2 days ago: 7 Nov 2026, 14:02 UTC",
            "href=\"/reports/7/\"",
        ],
    );
    assert!(!html.contains("chip stale"), "{html}");
}

#[tokio::test]
async fn a_row_without_uploads_for_two_weeks_is_marked_and_dashed() {
    let html = page(overview(
        OverviewQuery::default(),
        vec![row("acme/payments", 8_000, 14)],
    ))
    .await;
    assert_shows(&html, &["class=\"chip stale\"", ">stale<", "class=\"old\""]);
}

#[tokio::test]
async fn sorted_by_name_each_org_has_a_card_with_its_coverage() {
    let html = page(overview(
        OverviewQuery::default(),
        vec![
            row("acme/one", 1, 0),
            row("acme/two", 2, 0),
            row("zoo/sub/three", 3, 0),
        ],
    ))
    .await;
    assert_eq!(html.matches("data-testid=\"org\"").count(), 2);
    assert_shows(
        &html,
        &[
            "href=\"/orgs/acme\"",
            "2 of 12 repositories",
            "coverage weighted by lines",
            "84.36\u{202f}%",
            "href=\"/orgs/zoo/sub\"",
            "30 days",
        ],
    );
}

#[tokio::test]
async fn in_any_other_order_one_list_shows_names_with_their_org() {
    for (sort, days) in [
        (Order::ascending(OverviewColumn::Coverage), "30 days"),
        (Order::ascending(OverviewColumn::Change), "7 days"),
        (Order::descending(OverviewColumn::Uploaded), "30 days"),
    ] {
        let query = OverviewQuery {
            sort,
            ..OverviewQuery::default()
        };
        let html = page(overview(
            query,
            vec![row("acme/one", 1, 0), row("zoo/two", 2, 0)],
        ))
        .await;
        assert!(!html.contains("data-testid=\"org\""), "{html}");
        assert_shows(&html, &["acme/</bdi>", "zoo/</bdi>", days]);
    }
}

#[tokio::test]
async fn headings_lead_to_the_first_page_of_an_order_and_then_of_its_opposite() {
    let query = OverviewQuery {
        sort: Order::ascending(OverviewColumn::Coverage),
        page: 2,
        ..OverviewQuery::default()
    };
    let rows = vec![RepositoryRow {
        branch: "fix/مرحبا <b>".parse().expect("a branch"),
        ..row("acme/core", 8_123, 0)
    }];
    let html = page(Overview {
        pages: 3,
        ..overview(query, rows)
    })
    .await;
    for part in [
        "aria-sort=\"ascending\" class=\"c-cov\"><a href=\"/?sort=-coverage\" class=\"sort\">Coverage",
        "<a href=\"/?sort=-uploaded\" class=\"sort\">Uploaded",
        "<a href=\"/\" class=\"sort\">Repository",
        "href=\"/?sort=coverage&amp;p=3\"",
    ] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
    assert_eq!(html.matches("aria-sort").count(), 1);
    assert!(!html.contains("<b>/"), "names are escaped");
}

fn attention() -> Attention {
    let listed = |change: Option<Change>| AttentionList {
        repositories: 12,
        rows: vec![AttentionRow {
            repository: "acme/payments".parse().expect("a repository"),
            language: "rust".parse().expect("a language"),
            percentage: Some(percentage(4_107)),
            change,
            updated_at: Timestamp(NOW.0 - 23 * DAY),
        }],
    };
    Attention {
        dropped: listed(Some(Change::between(percentage(4_338), percentage(4_107)))),
        below: listed(None),
        stale: AttentionList::default(),
    }
}

#[tokio::test]
async fn attention_items_link_to_the_repository_and_to_their_kind() {
    let query = OverviewQuery {
        org: "acme".parse().ok(),
        sort: Order::descending(OverviewColumn::Uploaded),
        ..OverviewQuery::default()
    };
    let mut overview = overview(query, vec![row("acme/payments", 4_107, 23)]);
    overview.attention = Some(attention());
    let html = page(overview).await;
    assert_shows(
        &html,
        &[
            "Dropped in 7 days",
            "\u{2212}2.31",
            "Below 80\u{202f}%",
            "41.07\u{202f}%",
            "See all: 12 repositories",
            "href=\"/?org_name=acme&amp;show=dropped&amp;sort=change\"",
            "href=\"/?org_name=acme&amp;show=below&amp;sort=coverage\"",
        ],
    );
    assert!(!html.contains("data-testid=\"stale\""), "{html}");
}

#[tokio::test]
async fn without_attention_items_their_section_is_absent() {
    let mut overview = overview(OverviewQuery::default(), vec![row("acme/one", 9_000, 0)]);
    overview.attention = Some(Attention::default());
    let html = page(overview).await;
    assert!(!html.contains("Needs attention"), "{html}");
}

#[tokio::test]
async fn the_form_shows_the_choice_and_keeps_other_parameters() {
    let query = OverviewQuery {
        keyword: "pay \"&<".to_owned(),
        org: "gone".parse().ok(),
        language: "c++".parse().ok(),
        metric: StatedMetric::Branches,
        show: Show::Below,
        sort: Order::ascending(OverviewColumn::Coverage),
        page: 1,
    };
    let html = page(overview(query, vec![row("gone/payments", 1, 0)])).await;
    assert_shows(
        &html,
        &[
            "<option value=\"gone\" selected>gone</option>",
            ">acme (1,200)</option>",
            "3 more: search by name",
            "<option value=\"c++\" selected>c++ (9)</option>",
            "<option value=\"below\" selected>",
            "name=\"sort\" value=\"coverage\"",
            "name=\"metric\" value=\"branches\"",
            "name=\"keyword\" value=\"pay &quot;&amp;&lt;\"",
            // Clearing keeps the order.
            "href=\"/?metric=branches&amp;sort=coverage\"",
            // Another order keeps the filters.
            "href=\"/?keyword=pay%20%22%26%3C&amp;org_name=gone&amp;language=c%2B%2B&amp;metric=branches&amp;show=below\"",
        ],
    );
}

#[tokio::test]
async fn without_matches_the_page_names_the_filters_and_can_clear_them() {
    let query = OverviewQuery {
        keyword: "<script>".to_owned(),
        org: "acme".parse().ok(),
        show: Show::Stale,
        ..OverviewQuery::default()
    };
    let html = page(overview(query, Vec::new())).await;
    assert_shows(
        &html,
        &[
            "Nothing found",
            "&lt;script&gt;",
            "in acme",
            "without uploads for two weeks",
            "Show all",
            "0 repositories with",
            "href=\"/?org_name=acme&amp;show=stale\" title=\"Remove this filter\" class=\"link\">with “<bdi>&lt;script&gt;",
            "href=\"/?keyword=%3Cscript%3E&amp;org_name=acme\" title=\"Remove this filter\" class=\"link\"><bdi>without uploads",
        ],
    );
    let retired = page(overview(OverviewQuery::default(), Vec::new())).await;
    assert_shows(&retired, &["No current records"]);
}

#[tokio::test]
async fn before_the_first_upload_the_page_shows_only_how_to_upload() {
    let mut overview = overview(OverviewQuery::default(), Vec::new());
    overview.is_new = true;
    let html = page(overview).await;
    assert_shows(&html, &["Waiting for the first upload"]);
    for absent in [
        "Nothing found",
        "No current records",
        "<select",
        "aria-label=\"Order\"",
    ] {
        assert!(!html.contains(absent), "{absent}: {html}");
    }
}

#[tokio::test]
async fn an_unreachable_database_is_503_with_a_link() {
    let (status, html) = render(FakeModel::default(), "/?sort=change").await;
    assert_eq!(status, 503);
    assert_shows(&html, &["Not available", "Try again"]);
}

#[test]
fn an_address_holds_the_filters_and_unknown_ones_are_ignored() {
    let query = OverviewQuery {
        keyword: "pay&more".to_owned(),
        org: "acme/platform".parse().ok(),
        language: "c++".parse().ok(),
        metric: StatedMetric::Branches,
        show: Show::Dropped,
        sort: Order::ascending(OverviewColumn::Change),
        page: 3,
    };
    assert_eq!(
        links::overview(&query),
        "/?keyword=pay%26more&org_name=acme%2Fplatform&language=c%2B%2B&metric=branches&show=dropped&sort=change&p=3"
    );
    let parsed = |pairs: &[(&'static str, &str)]| {
        OverviewQuery::of(&|name| {
            let found = pairs.iter().filter(|(other, _)| *other == name);
            found.map(|(_, value)| (*value).to_owned()).collect()
        })
    };
    let same = parsed(&[
        ("keyword", " pay&more "),
        ("org_name", "acme/platform"),
        ("language", "c++"),
        ("metric", "branches"),
        ("show", "dropped"),
        ("sort", "change"),
        ("p", "3"),
    ]);
    assert_eq!(same, query);
    let usual = parsed(&[
        ("org_name", "../.."),
        ("language", "C++"),
        ("metric", "new"),
        ("show", "x"),
        ("sort", ""),
        ("p", "-1"),
    ]);
    assert_eq!(links::overview(&usual), "/");
}

#[tokio::test]
async fn an_empty_dashboard_links_to_the_recipes_and_refreshes() {
    let html = page(Overview {
        is_new: true,
        ..overview(OverviewQuery::default(), Vec::new())
    })
    .await;
    for shown in [
        "Waiting for the first upload",
        "href=\"/setup\"",
        "data-refresh=\"5\"",
        "Reload this page",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
}
