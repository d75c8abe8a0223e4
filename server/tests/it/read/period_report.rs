//! The report of an org about a period over HTTP.

use super::{
    lines::refused,
    views::{ONE, TWO, two_records, upload},
};
use crate::harness::{Reachable, TestServer, within_deadline};
use domain::{DAY, Day};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::sleep;

/// A day before today, far from midnight of the days at which records are.
fn days_ago(days: i32) -> String {
    Day::of(store::now()).days_before(days).to_string()
}

/// Waits until so many records have failed: a gate judges a record after the answer to its upload.
pub(crate) async fn failed(server: &TestServer, count: i64) {
    const FAILED: &str = "select count(*) from record_analyses where verdict = 'failed'";
    let mut database = server.database().await;
    within_deadline(async {
        while sqlx::query_scalar::<_, i64>(FAILED)
            .fetch_one(&mut database)
            .await
            .unwrap()
            < count
        {
            sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}

/// Two records of a repository with owners, 10 days ago and today, and a repository without owners, whose gate fails.
async fn two_repositories(server: &TestServer) {
    two_records(server).await;
    let mut database = server.database().await;
    let age = "update records set created_at = created_at - $1, updated_at = updated_at - $1 where id = 1";
    sqlx::query(age)
        .bind(10 * DAY)
        .execute(&mut database)
        .await
        .unwrap();
    server.recompute().await;
    let web = |commit: &str| {
        let upload = upload(commit, &[("a.c", "10")]).with("repo_name", "web");
        upload.before("settings", b"[gate]\nfloor = 90\n")
    };
    web(ONE).accepted(server).await;
    let branch = web(TWO).with("branch_name", "fix/tax");
    branch.accepted(server).await;
    failed(server, 2).await;
}

fn row<'a>(rows: &'a Value, name: &str, value: &Value) -> &'a Value {
    let rows = rows.as_array().expect("rows");
    let found = rows.iter().find(|row| row[name] == *value);
    found.unwrap_or_else(|| panic!("no {value} in {rows:#?}"))
}

#[tokio::test]
async fn a_report_has_the_numbers_of_owners_views_and_new_code() {
    let server = TestServer::start().await;
    two_repositories(&server).await;
    let from = days_ago(5);
    let period = format!("org_name=ACME&from={from}");
    let report = server
        .get_json(&format!("/coverages-api/report?{period}"))
        .await;
    assert_eq!(
        (&report["org_name"], &report["from"]),
        (&json!("acme"), &json!(from))
    );
    let owners = server
        .get_json(&format!("/coverages-api/owners?{period}"))
        .await;
    let same = |own: &Value, other: &Value| {
        for name in ["covered", "total", "percentage", "delta", "files"] {
            assert_eq!(own["counts"][name], other[name], "{name} of {own:#}");
        }
    };
    let new = format!("/coverages-api/records/2/new?since={from}");
    for owner in owners["owners"].as_array().unwrap() {
        let name = &owner["owner"];
        let own = row(&report["owners"]["rows"], "owner", name);
        same(own, owner);
        let view = name.as_str().unwrap();
        let new = server.get_json(&format!("{new}&view=owner:{view}")).await;
        for name in ["covered", "coverable", "unknown"] {
            assert_eq!(own["counts"]["new"][name], new[name], "{name} of {view}");
        }
    }
    let first = &report["owners"]["rows"][0];
    assert_eq!(first["counts"]["new"]["coverable"], 2, "{first:#}");
    let views = format!("/coverages-api/views?org_name=acme&repo_name=payments&from={from}");
    let views = server.get_json(&views).await;
    let repositories = &report["by_repository"]["rows"];
    let payments = row(repositories, "repo_name", &json!("payments"));
    same(payments, &views["whole"]);
    let new = server.get_json(&new).await;
    assert_eq!(payments["counts"]["new"]["covered"], new["covered"]);
    // The repository without owners is a group of its own, so that the owners are complete.
    let others = row(&report["owners"]["rows"], "owner", &Value::Null);
    let web = row(repositories, "repo_name", &json!("web"));
    assert_eq!(others["counts"], web["counts"]);
    // Its first record is from today: it does not count in the change, and its new lines are not known.
    assert_eq!(
        (&report["repositories"], &report["base_percentage"]),
        (&json!(1), &json!(42.86))
    );
    assert_eq!(
        (&report["percentage"], &report["delta"]),
        (&json!(55.56), &json!(12.70))
    );
    assert_eq!(
        (&report["covered"], &report["total"]),
        (&json!(6), &json!(11))
    );
    assert_eq!(report["new"]["coverable"], 2);
    let gains = &report["moved_repositories"]["gains"]["rows"];
    assert_eq!(gains[0]["name"], "acme/payments");
    let gates = json!({"rows": [{"org_name": "acme", "repo_name": "web", "failed": 2, "judged": 2}], "more": 0});
    assert_eq!(report["gates"], gates);
    assert_eq!(report["records"], 3);
}

#[tokio::test]
async fn a_report_of_an_owner_has_only_its_repositories() {
    let server = TestServer::start().await;
    two_repositories(&server).await;
    let address = format!("org_name=acme&from={}&owner=@ACME/payments", days_ago(5));
    let report = server
        .get_json(&format!("/coverages-api/report?{address}"))
        .await;
    assert_eq!(report["owner"], "@acme/payments");
    assert_eq!(
        (&report["covered"], &report["total"]),
        (&json!(1), &json!(2))
    );
    let rows = report["by_repository"]["rows"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[0]["repo_name"]), (1, &json!("payments")));
    assert_eq!(rows[0]["counts"]["new"]["coverable"], 2);
    let empty = json!({"rows": [], "more": 0});
    assert_eq!((&report["owners"], &report["gates"]), (&empty, &empty));
    let page = server.get_text(&format!("/report?{address}")).await;
    let sentence = "the coverage of @acme/payments in acme came to 50.00\u{202f}%";
    assert!(page.contains(sentence), "{page}");
    let nobody = "/coverages-api/report?org_name=acme&owner=@acme/nobody";
    assert_eq!(refused(&server, nobody).await, (404, json!("not_found")));
}

#[tokio::test]
async fn a_period_without_a_report_is_refused_and_the_page_says_so() {
    let server = TestServer::start().await;
    upload(ONE, &[("a.c", "10")]).accepted(&server).await;
    let (early, late) = (days_ago(3653), "9999-12-31");
    for days in [
        format!("from={}&to={}", days_ago(1), days_ago(2)),
        format!("from={late}"),
        format!("from={early}"),
        "from=yesterday".to_owned(),
    ] {
        let path = format!("/coverages-api/report?org_name=acme&{days}");
        let expected = (422, json!("invalid_parameter"));
        assert_eq!(refused(&server, &path).await, expected, "{days}");
    }
    let page = server.get_text("/report?org_name=acme&from=9999-12-31");
    let sentence = "“from” in the address must not be after the last day or after today.";
    assert!(page.await.contains(sentence));
    // Before the first record, nothing is known.
    let past = format!("from={early}&to={early}");
    let report = server
        .get_json(&format!("/coverages-api/report?org_name=acme&{past}"))
        .await;
    assert_eq!(
        (&report["percentage"], &report["records"]),
        (&Value::Null, &json!(0))
    );
    let future = server
        .get_json(&format!("/coverages-api/report?org_name=acme&to={late}"))
        .await;
    assert!(future["to"].as_str() < Some(late), "{future:#}");
}
