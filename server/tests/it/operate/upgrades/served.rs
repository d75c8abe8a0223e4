//! What the service must serve of the seeded data. The numbers follow from the seed alone.

mod later;

pub use later::{assert_commands, assert_records};

use crate::harness::{Reachable, TestServer};
use app::api::{PointAnswer, TrendAnswer};
use domain::DAY;
use serde_json::Value;

/// The seeded records in the order of the listing, and whether each is current.
const RECORDS: [(&str, bool); 11] = [
    ("11: acme/payments main c4 Eve rust 100.0", false),
    ("8: acme/payments feature/x d1 Kim rust 65.0", true),
    ("7: acme/payments main c3 Ada go 60.0", true),
    ("6: acme/payments main c3 Ada rust 80.0", true),
    ("5: acme/payments main c2 Kim rust 75.0", false),
    ("4: acme/payments main c1 Kim rust 70.0", false),
    ("2: acme/platform/Web dev e2 Zoë typescript 50.0", true),
    ("1: acme/platform/Web master e1 Zoë typescript 90.0", true),
    ("10: acme/tools main g2 Ada go 99.0", true),
    ("9: acme/tools release g1 Ada go 85.0", true),
    ("3: zoo/legacy main f1 Kim rust 40.0", false),
];

/// Checks the listing, the overview, the page of a repository, its trend and its badge, and an HTML report.
pub async fn assert_served(server: &impl Reachable) {
    assert_listed(server).await;
    assert_overview(server).await;
    assert_trend(server).await;
    let badge = "/coverages-api/badge.json?org_name=acme&repo_name=payments&language=rust";
    assert_eq!(server.get_json(badge).await["message"], "80.00%");
    assert_shown(
        server,
        "/repos/acme/payments",
        &[
            "80.00",
            "+5.00",
            "800 of 1,000 lines",
            "feature/x",
            "<svg",
            "href=\"/records/6\"",
        ],
    )
    .await;
    let report = server.get_text("/reports/6/index.html").await;
    assert_eq!(report, super::older::PAGE);
}

async fn assert_listed(server: &impl Reachable) {
    let expected = |only_current: bool| -> Vec<&str> {
        let expected = RECORDS.iter();
        let expected = expected.filter(|(_, is_current)| *is_current || !only_current);
        expected.map(|(text, _)| *text).collect()
    };
    let all: Vec<_> = server.records().await.iter().map(listed).collect();
    assert_eq!(all, expected(false));
    let current = server.current_records().await;
    let current: Vec<_> = current.iter().map(listed).collect();
    assert_eq!(current, expected(true));
}

fn listed(record: &Value) -> String {
    let text = |name: &str| record[name].as_str().unwrap();
    format!(
        "{}: {}/{} {} {} {} {} {}",
        record["id"],
        text("org_name"),
        text("repo_name"),
        text("branch_name"),
        text("commit_hash"),
        text("commit_author"),
        text("language"),
        record["percentage"],
    )
}

async fn assert_overview(server: &impl Reachable) {
    // The language, the coverage, the change since the record before, the change of a period, the branch, and whether there is
    // a report.
    let of = |days: u32, rust: &str| {
        [
            format!("acme/payments go 60.00\u{202f}% Last change – {days} days – main"),
            format!(
                "acme/payments rust 80.00\u{202f}% Last change ▲ up +5.00 {days} days ▲ up {rust} main HTML"
            ),
            format!("acme/tools go 85.00\u{202f}% Last change – {days} days – release"),
            format!(
                "acme/platform/Web typescript stale 90.00\u{202f}% Last change – {days} days = unchanged 0.00 master"
            ),
        ]
    };
    let overview = server.get_text("/").await;
    // Over 30 days: the first record of `main` is 20 days old. Sorted by name, a heading has the org.
    let expected = of(30, "+10.00").map(|row| {
        let row = row.strip_prefix("acme/").unwrap();
        row.strip_prefix("platform/").unwrap_or(row).to_owned()
    });
    assert_eq!(rows(&overview), expected);
    let headings = overview.split("data-testid=\"org\"").skip(1);
    let headings = headings.map(|card| text(card.split_once("<table").unwrap().0));
    // 800 of 1,000 lines, 85 of 100, and 90 of 100 in the group.
    assert_eq!(
        headings.collect::<Vec<_>>(),
        [
            "acme 2 repositories coverage with its groups, weighted by lines 81.25\u{202f}%",
            "acme/platform 1 repository coverage weighted by lines 90.00\u{202f}%"
        ]
    );
    // Over 7 days: the record before that is 10 days old.
    let mut in_order = rows(&server.get_text("/?sort=change").await);
    in_order.sort();
    let mut expected = of(7, "+5.00");
    expected.sort();
    assert_eq!(in_order, expected);
}

/// The rows of the overview as text, without ages, and without the column of new code, which appears once new code is counted.
fn rows(page: &str) -> Vec<String> {
    let rows = page.split("<tr").filter_map(|row| row.split_once('>'));
    let rows = rows.filter_map(|(_, row)| row.split_once("<td class=\"c-time\""));
    let row = |(row, end): (&str, &str)| {
        let report = if end.contains("HTML ↗") {
            " HTML"
        } else {
            ""
        };
        let row = text(row).replace("/ ", "/");
        row.replace("% – Last change", "% Last change") + report
    };
    rows.map(row).collect()
}

/// The text between tags.
fn text(html: &str) -> String {
    let parts = html.split('<').filter_map(|part| part.split_once('>'));
    let parts = parts.map(|(_, text)| text.trim());
    let parts: Vec<_> = parts.filter(|text| !text.is_empty()).collect();
    parts.join(" ")
}

async fn assert_trend(server: &impl Reachable) {
    let path = "/coverages-api/trend?org_name=acme&repo_name=payments";
    let trend: TrendAnswer = serde_json::from_str(&server.get_text(path).await).unwrap();
    let points = |language: &str| -> Vec<PointAnswer> {
        let mut series = trend.series.iter();
        let series = series.find(|series| series.language == language);
        series.unwrap().points.clone()
    };
    let shown = |points: &[PointAnswer]| -> Vec<_> {
        let shown = points.iter();
        shown
            .map(|point| (point.1.basis_points(), point.2, point.3.clone()))
            .collect()
    };
    let rust = points("rust");
    let expected = [(7_000, 4, "c1"), (7_500, 5, "c2"), (8_000, 6, "c3")];
    assert_eq!(
        shown(&rust),
        expected.map(|(p, id, c)| (p, id, c.to_owned()))
    );
    let ages = [rust[1].0.0 - rust[0].0.0, rust[2].0.0 - rust[1].0.0];
    assert_eq!(ages, [10 * DAY, 7 * DAY]);
    assert_eq!(shown(&points("go")), [(6_000, 7, "c3".to_owned())]);
}

/// Checks that a page has these texts.
async fn assert_shown(server: &impl Reachable, path: &str, texts: &[&str]) {
    let page = server.get_text(path).await;
    for text in texts {
        assert!(page.contains(text), "{text} is not on {path}: {page}");
    }
}

/// Checks that `verify` finds nothing.
pub fn assert_well(server: &TestServer, when: &str) {
    let output = server.command(&["verify", "--json", "--all"]).output();
    let output = output.unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        (text.as_str(), output.status.code()),
        ("", Some(0)),
        "{when}"
    );
}
