//! The points of a repository's trend over HTTP.

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use app::api::{SeriesAnswer, TrendAnswer};
use serde_json::Value;

const OF_PAYMENTS: &str = "/coverages-api/trend?org_name=acme&repo_name=payments";

async fn upload(server: &TestServer, names: &[(&'static str, &str)], covered: u32) {
    let upload = Upload::of(Archive::report("<p>", &cobertura(covered, 10_000)).tar_gz());
    let upload = names
        .iter()
        .fold(upload, |upload, (name, value)| upload.with(name, value));
    upload.accepted(server).await;
}

async fn trend(server: &TestServer, parameters: &str) -> TrendAnswer {
    let text = server.get_text(&format!("{OF_PAYMENTS}{parameters}")).await;
    serde_json::from_str(&text).unwrap()
}

fn names(trend: &TrendAnswer) -> Vec<String> {
    let name = |series: &SeriesAnswer| format!("{} {}", series.branch_name, series.language);
    trend.series.iter().map(name).collect()
}

#[tokio::test]
async fn a_trend_has_every_record_with_time_coverage_id_and_commit() {
    let server = TestServer::start().await;
    upload(&server, &[("commit_hash", "9be01d2f6a7c")], 8_000).await;
    upload(&server, &[("commit_hash", "c2")], 8_150).await;
    let trend = trend(&server, "").await;
    assert_eq!((trend.records, trend.hidden), (2, 0));
    let [series] = &trend.series[..] else {
        panic!("one series, not {trend:?}");
    };
    assert!(series.is_active);
    let points: Vec<_> = series
        .points
        .iter()
        .map(|point| (point.1.basis_points(), point.2, point.3.as_str()))
        .collect();
    assert_eq!(points, [(8_000, 1, "9be01d2f"), (8_150, 2, "c2")]);
    assert!(series.points[0].0 < series.points[1].0);
    let raw: Value = serde_json::from_str(&server.get_text(OF_PAYMENTS).await).unwrap();
    let point = raw.pointer("/series/0/points/1").unwrap();
    let (at, rest) = point.as_array().unwrap().split_first().unwrap();
    assert!(at.as_i64().unwrap() > 1_700_000_000_000_000);
    assert_eq!(Value::from(rest), serde_json::json!([8150, 2, "c2"]));
}

#[tokio::test]
async fn branches_are_compared_in_their_order_and_eight_series_are_the_most() {
    let server = TestServer::start().await;
    for branch in ["main", "dev", "release/1", "x & y", "a", "b", "c", "d", "e"] {
        upload(&server, &[("branch_name", branch)], 7_000).await;
    }
    let some =
        "&branch_name=dev&compare=x+%26+y&compare=main&compare=&compare=none&compare=release%2F1";
    let some = trend(&server, some).await;
    assert_eq!(
        names(&some),
        ["dev rust", "x & y rust", "main rust", "release/1 rust"]
    );
    assert_eq!((some.records, some.hidden), (4, 0));
    let others = ["x+%26+y", "main", "release%2F1", "a", "b", "c", "d", "e"];
    let others = others.map(|branch| format!("&compare={branch}")).concat();
    let all = trend(&server, &format!("&branch_name=dev{others}")).await;
    assert_eq!((all.series.len(), all.records, all.hidden), (8, 8, 1));
    let alone = trend(&server, "&branch_name=dev").await;
    assert_eq!(names(&alone), ["dev rust"]);
}

#[tokio::test]
async fn a_period_has_only_the_records_of_its_days() {
    let server = TestServer::start().await;
    upload(&server, &[], 8_000).await;
    let count = async |period: &str| trend(&server, period).await.records;
    for inside in [
        "",
        "&range=7d",
        "&from=2026-01-01",
        "&from=2026-01-01&to=9999-12-31",
        "&from=&to=",
    ] {
        assert_eq!(count(inside).await, 1, "{inside}");
    }
    for outside in [
        "&to=2026-01-01",
        "&from=2026-01-01&to=2026-01-31",
        "&from=2026-01-31&to=2026-01-01",
    ] {
        assert_eq!(count(outside).await, 0, "{outside}");
    }
    let picture = server
        .get_text("/coverages-api/trend.svg?org_name=acme&repo_name=payments&from=2026-01-01&to=2026-01-31")
        .await;
    assert!(
        picture.contains("Nothing was uploaded on these days."),
        "{picture}"
    );
    let page = server
        .get_text("/repos/acme/payments?from=2026-01-01&to=2026-01-31")
        .await;
    for shown in [
        "Nothing was uploaded on these days.",
        "name=\"from\" value=\"2026-01-01\"",
        "name=\"to\" value=\"2026-01-31\"",
    ] {
        assert!(page.contains(shown), "{shown} is not in {page}");
    }
}

#[tokio::test]
async fn a_long_trend_is_reduced_to_300_points_and_says_how_many_records_there_are() {
    let server = TestServer::start().await;
    for n in 0..310 {
        upload(&server, &[("commit_hash", &format!("c{n}"))], 8_000 + n % 7).await;
    }
    let trend = trend(&server, "").await;
    assert_eq!((trend.records, trend.points()), (310, 300));
}

#[tokio::test]
async fn an_unchanged_trend_is_not_sent_again() {
    let server = TestServer::start().await;
    upload(&server, &[], 8_000).await;
    let first = server.get(OF_PAYMENTS).await;
    assert_eq!(first.headers()["content-type"], "application/json");
    assert_eq!(first.headers()["cache-control"], "no-cache");
    let etag = first.headers()["etag"].clone();
    let again = async || {
        let request = server.client.get(server.url(OF_PAYMENTS));
        let answer = request.header("if-none-match", &etag).send().await.unwrap();
        answer.status()
    };
    assert_eq!(again().await, 304);
    upload(&server, &[("commit_hash", "c2")], 9_000).await;
    assert_eq!(again().await, 200);
}

#[tokio::test]
async fn a_trend_of_something_unknown_or_impossible_is_refused_with_a_reason() {
    let server = TestServer::start().await;
    upload(&server, &[], 8_000).await;
    for (parameters, status, code) in [
        ("org_name=acme&repo_name=none", 404, "not_found"),
        (
            "org_name=acme&repo_name=payments&branch_name=none",
            404,
            "not_found",
        ),
        ("org_name=acme", 422, "invalid_parameter"),
        (
            "org_name=acme&repo_name=payments&from=March",
            422,
            "invalid_parameter",
        ),
        (
            "org_name=acme&repo_name=payments&compare=a&compare=%0A",
            422,
            "invalid_parameter",
        ),
        (
            "org_name=acme&repo_name=payments&compare=a&compare=b&compare=c&compare=d&compare=e&compare=f&compare=g&compare=h&compare=i",
            422,
            "invalid_parameter",
        ),
        ("org_name=acme&repo_name=%FF", 400, "malformed_request"),
    ] {
        let answer = server
            .get(&format!("/coverages-api/trend?{parameters}"))
            .await;
        assert_eq!(answer.status(), status, "{parameters}");
        let problem: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        assert_eq!(problem["code"], code, "{parameters}");
    }
}
