//! Tests of the page as it is rendered.

mod files;
mod history;
mod missing;
mod orders;

use crate::testing::{FakeModel, render};
use domain::{
    BranchName, BranchPage, BranchRow, Change, Count, History, HistoryPosition, HistoryRow,
    ListedRecord, NewCount, NewTotals, Percentage, RepositoryDetail, Series, Timestamp, Trend,
    TrendPoint,
};

/// 9 Nov 2026, 14:02 UTC.
const NOW: Timestamp = Timestamp(1_794_232_920_000_000);
const DAY: i64 = 86_400_000_000;

fn branch(name: &str) -> BranchName {
    name.parse().expect("a branch")
}

fn at(basis_points: u16) -> Percentage {
    Percentage::from_basis_points(basis_points)
}

fn row(name: &str, language: &str, basis_points: u16) -> BranchRow {
    BranchRow {
        branch: branch(name),
        record: ListedRecord {
            language: language.parse().expect("a language"),
            commit: "9be01d2000000000".parse().expect("a commit"),
            author: "Zoë O’Neill".parse().expect("an author"),
            percentage: at(basis_points),
            lines: Some(Count {
                covered: 32_700,
                total: 41_870,
            }),
            change: Some(Change::between(at(8_000), at(basis_points))),
            updated_at: Timestamp(NOW.0 - DAY),
            record_id: 17,
            has_report: true,
        },
        against_base: (name != "main").then(|| (5, Change::between(at(7_800), at(basis_points)))),
        pull_request: None,
        verdict: None,
    }
}

fn series(name: &str, language: &str, values: &[u16]) -> Series {
    let point = |(index, &value): (i64, &u16)| TrendPoint {
        record_id: 100 + index,
        at: Timestamp(NOW.0 - (values.len() as i64 - index) * DAY),
        percentage: at(value),
        commit: format!("c{index}").parse().expect("a commit"),
        author: "Zoë".parse().expect("an author"),
        has_failed: false,
        counted: None,
    };
    Series {
        branch: branch(name),
        language: language.parse().expect("a language"),
        points: (0..).zip(values).map(point).collect(),
        is_active: true,
    }
}

fn record(id: i64) -> HistoryRow {
    HistoryRow {
        record: ListedRecord {
            record_id: id,
            language: "rust".parse().expect("a language"),
            commit: "77ac0ef000000000".parse().expect("a commit"),
            author: "build-bot".parse().expect("an author"),
            percentage: at(8_042),
            lines: None,
            change: None,
            updated_at: Timestamp(NOW.0 - DAY),
            has_report: true,
        },
        is_confirmed: true,
        is_complete: true,
        pull_request: None,
        verdict: None,
    }
}

/// `acme/payments` with `feature/x` chosen and compared with `main`.
fn detail() -> RepositoryDetail {
    let rows = vec![row("main", "rust", 7_800), row("feature/x", "rust", 8_050)];
    RepositoryDetail {
        now: NOW,
        repository: "acme/payments".parse().expect("a repository"),
        forge: None,
        main_branch: branch("main"),
        branch: branch("feature/x"),
        languages: vec!["rust".parse().expect("a language")],
        current: vec![rows[1].clone()],
        new_code: vec![NewTotals {
            record_id: rows[1].record.record_id,
            since: NOW,
            new: NewCount {
                lines: Count {
                    covered: 61,
                    total: 83,
                },
                unknown: 2,
            },
        }],
        choices: vec![branch("main"), branch("feature/x"), branch("dev")],
        run_url: None,
        files: None,
        branches: BranchPage {
            matching: 2,
            rows,
            page: 1,
            pages: 1,
        },
        trend: Trend {
            series: vec![
                series("feature/x", "rust", &[8_000, 8_050]),
                series("main", "rust", &[7_900, 7_800]),
            ],
            hidden: 0,
            records: 4,
        },
        history: History {
            rows: vec![record(42)],
            newer: None,
            older: Some(HistoryPosition::OlderThan("5-42".parse().expect("a key"))),
            records: 51,
        },
    }
}

async fn page(detail: RepositoryDetail, path: &str) -> (u16, String) {
    let model = FakeModel {
        repository: Some(Some(detail)),
        ..FakeModel::default()
    };
    render(model, path).await
}

async fn html(detail: RepositoryDetail, parameters: &str) -> String {
    let (status, html) = page(detail, &format!("/repos/acme/payments{parameters}")).await;
    assert_eq!(status, 200, "{html}");
    html
}

fn assert_shown(html: &str, all: &[&str]) {
    for shown in all {
        assert!(html.contains(shown), "{shown} is not on the page: {html}");
    }
}

#[tokio::test]
async fn everything_on_the_page_is_of_the_chosen_branch() {
    let html = html(detail(), "?branch_name=feature%2Fx").await;
    assert_shown(
        &html,
        &[
            "80.50<small>",
            "32,700 of 41,870 lines",
            "<option value=\"feature/x\" selected",
            "feature/x · rust",
            "branch_name=feature%2Fx",
            "href=\"/reports/17/\"",
            "aria-current=\"page\">Files and trend</a>",
            "href=\"/repos/acme/payments?branch_name=feature%2Fx&amp;tab=branches\"",
            "href=\"/repos/acme/payments/pulls\"",
        ],
    );
    let history = self::html(detail(), "?branch_name=feature%2Fx&tab=history").await;
    let shown = [
        "href=\"/records/42\"",
        "href=\"/authors/build-bot\"",
        "<time datetime=\"2026-11-08T14:02:00Z\">1 day ago</time>",
        ", 51 records, the last 3 months, newest first",
    ];
    assert_shown(&history, &shown);
    assert!(!history.contains("<figure"), "{history}");
}

#[tokio::test]
async fn the_headline_compares_with_the_last_record_the_base_and_the_target() {
    let html = html(detail(), "?branch_name=feature%2Fx").await;
    assert_shown(
        &html,
        &[
            "+0.50",
            "+2.50",
            "since the previous record",
            "href=\"/compare?base=5&amp;head=17\"",
            "against the target of",
            "80.50",
            "New code since ",
            ": 61 of 83 lines covered (73.49 %), 2 more lines may be new",
        ],
    );
}

#[tokio::test]
async fn the_chart_has_each_branch_with_its_points_as_data() {
    let html = html(detail(), "?branch_name=feature%2Fx").await;
    assert_shown(
        &html,
        &[
            "Trend of line coverage: feature/x · rust, main · rust",
            "data-island=\"trend_chart\"",
            "[86400000000,8050,1,\"c1\"]",
            "\"authors\":[\"Zoë\",\"Zoë\"]",
            "<bdi>feature/x · rust</bdi>",
            "aria-label=\"Trend of line coverage. feature/x · rust: ",
            "4 records, one point for each",
            "Show as table",
        ],
    );
}

#[tokio::test]
async fn branches_of_the_chart_can_be_removed_and_added() {
    let default = html(detail(), "?branch_name=feature%2Fx&range=all").await;
    assert_shown(
        &default,
        &[
            "href=\"/repos/acme/payments?branch_name=feature%2Fx&amp;compare=-&amp;range=all\"",
            "aria-label=\"Remove main from the chart\"",
            "<input type=\"hidden\" name=\"compare\" value=\"main\"",
            "<option value=\"dev\">",
        ],
    );
    let alone = html(detail(), "?branch_name=feature%2Fx&compare=-").await;
    assert!(!alone.contains("Remove main from"), "{alone}");
    let two = html(
        detail(),
        "?branch_name=feature%2Fx&compare=main&compare=dev",
    )
    .await;
    assert_shown(
        &two,
        &[
            "href=\"/repos/acme/payments?branch_name=feature%2Fx&amp;compare=main\"",
            "Remove dev from the chart",
        ],
    );
}

#[tokio::test]
async fn the_badge_is_shown_and_can_be_copied_in_four_markups() {
    let html = html(detail(), "?branch_name=feature%2Fx&tab=badge").await;
    assert_shown(
        &html,
        &[
            "<img src=\"/coverages-api/badge?org_name=acme&amp;repo_name=payments&amp;branch_name=feature%2Fx\" alt=\"coverage: 80.50 %\"",
            "[![coverage](https://coverage.example/coverages-api/badge?org_name=acme&amp;repo_name=payments&amp;branch_name=feature%2Fx)]\
             (https://coverage.example/repos/acme/payments?branch_name=feature%2Fx)",
            ".. image:: https://coverage.example/",
            "image:https://coverage.example/",
            "&lt;a href=",
            "trend.svg?org_name=acme",
            "/upload.sh | sh -s -- --org=acme --repo=payments",
            "https://coverage.example/coverages-api",
            "href=\"/setup?org_name=acme&amp;repo_name=payments\"",
        ],
    );
}

#[tokio::test]
async fn each_chosen_language_has_a_badge_and_a_number() {
    let mut both = detail();
    both.languages.push("python".parse().expect("a language"));
    both.current.push(row("feature/x", "python", 6_000));
    let all = html(both.clone(), "?branch_name=feature%2Fx&tab=badge").await;
    assert_eq!(all.matches("alt=\"rust: 80.50 %\"").count(), 1, "{all}");
    assert_eq!(all.matches("alt=\"python: 60.00 %\"").count(), 1, "{all}");
    let numbers = html(both.clone(), "?branch_name=feature%2Fx&language=python").await;
    assert!(
        !numbers.contains("80.50<small>") && numbers.contains("60.00<small>"),
        "{numbers}"
    );
    let one = html(both, "?branch_name=feature%2Fx&tab=badge&language=python").await;
    assert!(!one.contains("alt=\"rust: 80.50 %\""), "{one}");
}

#[tokio::test]
async fn the_main_branch_is_marked_and_the_page_says_who_may_change_it() {
    let mut main = detail();
    main.branch = branch("main");
    main.current = vec![main.branches.rows[0].clone()];
    let html = html(main, "?tab=branches").await;
    assert_shown(
        &html,
        &[
            "main (main branch)",
            "coverage-dashboard main-branch acme/payments BRANCH",
        ],
    );
    assert!(
        !html.contains("branch_name=main&amp;"),
        "a badge of the main branch names no branch: {html}"
    );
}

#[tokio::test]
async fn a_branch_that_was_merged_keeps_its_history_and_says_so() {
    let mut merged = detail();
    merged.current.clear();
    let badge = html(merged.clone(), "?branch_name=feature%2Fx&tab=badge").await;
    let all = "/repos/acme/payments?branch_name=feature%2Fx&amp;tab=history&amp;range=all";
    assert_shown(
        &badge,
        &[
            "is no longer active",
            &format!("href=\"{all}\""),
            "alt=\"coverage: unknown\"",
        ],
    );
    let history = html(merged, "?branch_name=feature%2Fx&tab=history").await;
    assert_shown(&history, &["href=\"/records/42\""]);
}

#[tokio::test]
async fn an_unknown_or_impossible_repository_is_404() {
    for path in [
        "/repos/acme/none",
        "/repos/acme",
        "/repos/acme/%2e%2e",
        "/repos/a/b?branch_name=%0a",
    ] {
        let model = FakeModel {
            repository: Some(None),
            ..FakeModel::default()
        };
        let (status, html) = render(model, path).await;
        assert_eq!(status, 404, "{path}: {html}");
        assert_shown(&html, &["Not found", "Go to the overview"]);
    }
}

#[tokio::test]
async fn a_database_out_of_reach_is_503_with_a_way_to_try_again() {
    let (status, html) = render(FakeModel::default(), "/repos/acme/payments").await;
    assert_eq!(status, 503);
    assert_shown(&html, &["Try again"]);
}

#[tokio::test]
async fn a_range_without_uploads_says_so_instead_of_an_empty_chart() {
    let mut quiet = detail();
    quiet.trend = Trend::default();
    let html = html(quiet, "?branch_name=feature%2Fx&range=7d").await;
    assert_shown(&html, &["Nothing was uploaded in the last 7 days."]);
    assert!(!html.contains("<figure"), "{html}");
}

#[tokio::test]
async fn names_of_any_letters_and_length_are_shown_as_text() {
    let hostile = format!("\"><script>alert(1)</script>&{}", "é".repeat(80));
    for name in [hostile.as_str(), "fix/مرحبا-utf8", "🚀/🦀"] {
        let mut named = detail();
        named.branch = branch(name);
        named.choices.push(branch(name));
        named.current[0].branch = branch(name);
        named.branches.rows[1].branch = branch(name);
        named.trend.series[0].branch = branch(name);
        let text = name
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        for tab in ["files", "branches", "history", "badge"] {
            let html = html(named.clone(), &format!("?branch_name=x&tab={tab}")).await;
            assert!(!html.contains("<script>alert"), "{html}");
            assert_shown(&html, &[&text]);
        }
    }
}
