//! The page of an org and its CSV files, over uploads that are dated back.

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};
use sqlx::Connection;

/// Uploads `covered` of 10,000 lines to `org/repo` and dates the record `days` back.
async fn upload(
    server: &TestServer,
    repository: &str,
    language: &str,
    covered: u32,
    days_ago: i64,
) {
    let (org, repo) = repository.rsplit_once('/').unwrap();
    let commit = format!("d{days_ago}");
    let answer = Upload::of(Archive::report("<p>", &cobertura(covered, 10_000)).tar_gz())
        .with("org_name", org)
        .with("repo_name", repo)
        .with("language", language)
        .with("commit_hash", &commit)
        .accepted(server)
        .await;
    let id = answer["coverage"]["id"].as_i64().unwrap();
    set_back(
        server,
        "update records set updated_at = updated_at - $1 where id = $2",
        days_ago,
        id,
    )
    .await;
}

async fn set_back(server: &TestServer, statement: &'static str, days: i64, id: i64) {
    let mut database = server.database().await;
    let changed = sqlx::query(statement)
        .bind(days * 86_400_000_000)
        .bind(id)
        .execute(&mut database)
        .await
        .unwrap();
    assert!(changed.rows_affected() > 0, "{statement}");
    database.close().await.unwrap();
    server.recompute().await;
}

/// Two repositories for 20 days, a nested one for 5 days, and one of another org.
async fn acme() -> TestServer {
    let server = TestServer::start().await;
    for (repository, covered, days_ago) in [
        ("acme/payments", 8_000, 20),
        ("acme/payments", 8_100, 3),
        ("acme/web/shop", 5_000, 20),
        ("acme/web/shop", 4_000, 10),
        ("acme/web/new", 0, 5),
        ("acmes/other", 0, 20),
    ] {
        upload(&server, repository, "rust", covered, days_ago).await;
    }
    server
}

async fn rows(server: &TestServer, path: &str) -> Vec<Vec<String>> {
    let text = server.get_text(path).await;
    let lines = text.strip_suffix("\r\n").unwrap().split("\r\n");
    lines
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect()
}

#[tokio::test]
async fn an_org_page_lists_its_groups_over_the_same_repositories() {
    let server = acme().await;
    let page = server.get_text("/orgs/acme").await;
    for shown in [
        "60.50",
        "−4.50",
        "12,100",
        "web/shop",
        "with its group",
        "1 repository left out",
        "href=\"/repos/acme/web/new\"",
    ] {
        assert!(page.contains(shown), "{shown} is not in {page}");
    }
    assert!(!page.contains("other"), "another org is in {page}");
    let group = server.get_text("/orgs/acme/web?range=7d").await;
    assert!(
        group.contains("40.00") && !group.contains("payments"),
        "{group}"
    );
    let all = server.get_text("/orgs/acme?over=all").await;
    assert!(all.contains("40.33"), "{all}");
    assert_eq!(server.get("/orgs/acm").await.status(), 404);
}

#[tokio::test]
async fn the_trend_csv_carries_the_last_value_of_each_day_forward() {
    let server = acme().await;
    let trend = rows(
        &server,
        "/coverages-api/orgs/trend.csv?org_name=acme&range=30d",
    )
    .await;
    assert_eq!(
        trend[0],
        [
            "day",
            "percentage",
            "lines_covered",
            "lines_total",
            "repositories"
        ]
    );
    let days: Vec<_> = trend[1..]
        .iter()
        .map(|row| (row[1].as_str(), row[2].as_str()))
        .collect();
    assert_eq!(days.len(), 21, "since the first record, today included");
    assert!(
        days[..10].iter().all(|day| *day == ("65.00", "13000")),
        "{days:?}"
    );
    assert!(
        days[10..17].iter().all(|day| *day == ("60.00", "12000")),
        "{days:?}"
    );
    assert!(
        days[17..].iter().all(|day| *day == ("60.50", "12100")),
        "{days:?}"
    );
    let plain = rows(
        &server,
        "/coverages-api/orgs/trend.csv?org_name=acme&mean=plain&over=all",
    )
    .await;
    assert_eq!(plain.last().unwrap()[1], "40.33");
}

#[tokio::test]
async fn csv_files_follow_the_metric_and_name_it() {
    let server = TestServer::start().await;
    for (repository, branches) in [
        ("tested", "branches-covered='3' branches-valid='8'"),
        ("bare", ""),
    ] {
        let xml = format!(
            "<coverage lines-covered='9' lines-valid='10' line-rate='0.9' {branches}><packages/></coverage>"
        );
        Upload::of(Archive::report("<p>", &xml).tar_gz())
            .with("repo_name", repository)
            .accepted(&server)
            .await;
    }
    let table = async |name: &str, metric: &str| {
        let path = format!("/coverages-api/orgs/{name}.csv?org_name=acme&over=all&metric={metric}");
        rows(&server, &path).await
    };
    let trend = table("trend", "branches").await;
    assert_eq!(
        trend[0].join(","),
        "day,percentage,branches_covered,branches_total,repositories"
    );
    assert_eq!(trend.last().unwrap()[1..], ["37.50", "3", "8", "1"]);
    assert_eq!(
        table("trend", "lines").await.last().unwrap()[1..],
        ["90.00", "18", "20", "2"]
    );
    let groups = table("groups", "functions").await;
    assert!(
        groups[0]
            .join(",")
            .contains("functions_covered,functions_total")
    );
    let movements = table("movements", "branches").await;
    let bare = movements.iter().find(|row| row[1] == "bare").unwrap();
    assert_eq!(bare[2..5], ["without_branches", "", ""], "unknown, not 0");
    let tested = movements.iter().find(|row| row[1] == "tested").unwrap();
    assert_eq!((&*tested[4], &*tested[7], &*tested[8]), ("37.50", "3", "8"));
    let wrong = server.get("/coverages-api/orgs/trend.csv?metric=new").await;
    assert_eq!(wrong.status(), 422);
    let image = "/coverages-api/trend.svg?org_name=acme&metric=branches&over=all";
    let image = server.get_text(image).await;
    assert!(
        image.contains("Branch coverage of acme") && image.contains("weighted by branches"),
        "{image}"
    );
}

#[tokio::test]
async fn all_orgs_have_a_page_and_csv_files_with_the_same_numbers() {
    let server = acme().await;
    let page = server.get_text("/orgs").await;
    for shown in ["all orgs", "href=\"/orgs/acme\"", "60.50", "2 orgs"] {
        assert!(page.contains(shown), "{shown} is not in {page}");
    }
    let groups = rows(&server, "/coverages-api/orgs/groups.csv").await;
    assert_eq!(
        groups[0].join(","),
        "org_name,percentage_at_start,percentage_at_end,change,percentage,lines_covered,lines_total,repositories,with_value,on_target,stale"
    );
    let of_acme = groups.iter().find(|row| row[0] == "acme").unwrap();
    assert_eq!(
        of_acme[1..].join(","),
        "65.00,60.50,-4.50,40.33,12100,30000,3,3,1,0"
    );
    let within = rows(&server, "/coverages-api/orgs/groups.csv?org_name=acme").await;
    assert_eq!((within.len(), within[1][0].as_str()), (2, "acme/web"));
    let trend = rows(&server, "/coverages-api/orgs/trend.csv?mean=plain&over=all").await;
    let all = server.get_text("/orgs?mean=plain&over=all").await;
    assert!(all.contains(&trend.last().unwrap()[1]), "{trend:?}");
}

#[tokio::test]
async fn every_page_states_the_same_coverage_of_an_org() {
    let server = acme().await;
    upload(&server, "acme/payments", "go", 1_000, 16).await;
    // An earlier record with lines does not count once a newer one has none.
    upload(&server, "acme/bare", "rust", 9_000, 20).await;
    Upload::of(Archive::report("<p>", "<coverage line-rate=\"0.5\"/>").tar_gz())
        .with("repo_name", "bare")
        .with("language", "rust")
        .with("commit_hash", "bare")
        .accepted(&server)
        .await;
    // 8,100, 1,000, 4,000 and 0 of 40,000 lines; two of the five main branches were not there three weeks ago.
    for path in [
        "/",
        "/orgs",
        "/orgs/acme",
        "/orgs/acme?range=7d",
        "/orgs/acme?over=all",
        "/report?org_name=acme",
    ] {
        let page = server.get_text(path).await;
        assert!(page.contains(">32.75"), "{path}: {page}");
    }
}

#[tokio::test]
async fn the_parts_in_the_change_csv_add_up_to_the_change() {
    let server = acme().await;
    for (view, change) in [
        ("", -450),
        ("&over=all", -2_467),
        ("&mean=plain", -450),
        ("&mean=plain&over=all", -2_467),
    ] {
        let path = format!("/coverages-api/orgs/movements.csv?org_name=acme{view}");
        let moved = rows(&server, &path).await;
        assert_eq!(moved[0][..3], ["org_name", "repo_name", "state"]);
        let names: Vec<_> = moved[1..]
            .iter()
            .map(|row| (row[1].as_str(), row[2].as_str()))
            .collect();
        assert_eq!(
            names,
            [("shop", "kept"), ("payments", "kept"), ("new", "new")]
        );
        let sum: f64 = moved[1..]
            .iter()
            .filter_map(|row| row[6].parse::<f64>().ok())
            .sum();
        assert_eq!((sum * 100.0).round() as i64, change, "{moved:?}");
    }
}

#[tokio::test]
async fn a_csv_names_its_file_and_is_revalidated() {
    let server = acme().await;
    let path = "/coverages-api/orgs/trend.csv?org_name=acme/web&from=2020-01-01";
    let response = server.get(path).await;
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(header("x-content-type-options"), "nosniff");
    let disposition = header("content-disposition");
    assert!(
        disposition.starts_with("attachment; filename=\"acme-web_trend_20"),
        "{disposition}"
    );
    let again = server
        .client()
        .get(server.url(path))
        .header("if-none-match", header("etag"));
    assert_eq!(again.send().await.unwrap().status(), 304);
}

#[tokio::test]
async fn all_bad_parameters_of_a_csv_are_named_at_once() {
    let server = acme().await;
    let response = server
        .get("/coverages-api/orgs/trend.csv?org_name=a%20b&range=1d&from=2026-02-30&over=some")
        .await;
    assert_eq!(response.status(), 422);
    let problem: serde_json::Value = response.json().await.unwrap();
    let named: Vec<_> = problem["errors"].as_object().unwrap().keys().collect();
    assert_eq!(named, ["from", "org_name", "over", "range"]);
    let response = server
        .get("/coverages-api/orgs/movements.csv?org_name=acme&range=1d&from=2026-02-30&over=some")
        .await;
    let problem: serde_json::Value = response.json().await.unwrap();
    let named: Vec<_> = problem["errors"].as_object().unwrap().keys().collect();
    assert_eq!(named, ["from", "over", "range"]);
    for path in ["?org_name=nobody", "?org_name=acme&to=2020-01-01"] {
        let response = server
            .get(&format!("/coverages-api/orgs/trend.csv{path}"))
            .await;
        assert_eq!(response.status(), 404, "{path}");
    }
}

#[tokio::test]
async fn each_language_is_a_series_and_other_branches_do_not_count() {
    let server = TestServer::start().await;
    upload(&server, "acme/poly", "rust", 10_000, 9).await;
    upload(&server, "acme/poly", "go", 5_000, 9).await;
    Upload::of(Archive::report("<p>", &cobertura(0, 1_000_000)).tar_gz())
        .with("repo_name", "poly")
        .with("branch_name", "feature/x")
        .accepted(&server)
        .await;
    let trend = rows(&server, "/coverages-api/orgs/trend.csv?org_name=acme").await;
    assert_eq!(trend.last().unwrap()[1..], ["75.00", "15000", "20000", "1"]);
}

#[tokio::test]
async fn a_repository_name_that_looks_like_a_formula_is_text_in_a_csv() {
    let server = TestServer::start().await;
    upload(&server, "acme/-cmd", "rust", 1, 0).await;
    let moved = rows(&server, "/coverages-api/orgs/movements.csv?org_name=acme").await;
    assert_eq!(moved[1][1], "'-cmd");
}
