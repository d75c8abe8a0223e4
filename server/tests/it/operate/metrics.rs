//! `/metrics`: its format, what it counts, who may read it, and that clients cannot make it grow.

pub mod exposition;

use crate::harness::{Archive, Reachable, TOKEN, TestServer, Upload, cobertura, is_postgres};
use exposition::Exposition;
use reqwest::Method;
use std::{collections::BTreeSet, net::Ipv4Addr};

fn upload(covered: u32) -> Upload {
    Upload::of(Archive::report("<p>", &cobertura(covered, 8)).tar_gz())
}

/// A service that reads its database for each request of metrics.
async fn start(arguments: &[&str]) -> TestServer {
    let own = ["--upload-token", TOKEN, "metrics_cache_seconds", "0"];
    TestServer::start_with(&[&own, arguments].concat()).await
}

async fn metrics(server: &TestServer) -> Exposition {
    Exposition::parsed(&server.get_text("/metrics").await)
}

/// An address that no other test uses: the loopback network has sixteen million.
fn own_address() -> String {
    let [a, b, c]: [u8; 3] = rand::random();
    format!("{}:9464", Ipv4Addr::new(127, a | 1, b, c & 0x7f | 1))
}

#[tokio::test]
async fn metrics_are_well_formed_and_state_the_version() {
    let server = start(&[]).await;
    upload(5).accepted(&server).await;
    let response = server.get("/metrics").await;
    let content_type = &response.headers()["content-type"];
    assert_eq!(
        content_type,
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
    );
    let metrics = Exposition::parsed(&response.text().await.unwrap());
    let version = [("version", env!("CARGO_PKG_VERSION"))];
    assert_eq!(
        metrics.value("coverage_dashboard_build_info", &version),
        1.0
    );
    assert!(metrics.value("process_start_time_seconds", &[]) > 1.7e9);
    assert_eq!(metrics.value("database_up", &[]), 1.0);
    assert!(metrics.value("http_connections_open", &[]) >= 1.0);
    assert_eq!(
        metrics.value("http_requests_in_flight", &[]),
        1.0,
        "this one"
    );
    let pools: &[_] = if is_postgres() {
        &["all"]
    } else {
        &["read", "write"]
    };
    for pool in pools {
        let [idle, used] = ["idle", "used"].map(|state| {
            let labels = [("pool", *pool), ("state", state)];
            metrics.value("database_connections", &labels)
        });
        let most = metrics.value("database_connections_max", &[("pool", pool)]);
        assert!(
            (1.0..=most).contains(&(idle + used)),
            "{pool}: {idle} {used}"
        );
    }
}

#[tokio::test]
async fn uploads_are_counted_by_result() {
    let server = start(&[]).await;
    let fresh = metrics(&server).await;
    let uploads = |metrics: &Exposition, result: &str| {
        metrics.value("coverage_uploads_total", &[("result", result)])
    };
    assert_eq!(
        uploads(&fresh, "created"),
        0.0,
        "present before the first upload"
    );
    upload(5).accepted(&server).await;
    upload(6).accepted(&server).await;
    upload(6).with("commit_hash", "c2").accepted(&server).await;
    upload(6)
        .authorization(Some("wrong"))
        .refused(&server)
        .await;
    upload(6).with("language", "Ü").refused(&server).await;
    let metrics = metrics(&server).await;
    assert_eq!(uploads(&metrics, "created"), 2.0);
    assert_eq!(uploads(&metrics, "replaced"), 1.0);
    assert_eq!(uploads(&metrics, "invalid_token"), 1.0);
    assert_eq!(uploads(&metrics, "invalid_parameter"), 1.0);
    assert_eq!(
        metrics.value("coverage_upload_duration_seconds_count", &[]),
        5.0
    );
    let bytes = metrics.value("coverage_upload_received_bytes_total", &[]);
    assert!(bytes > 3.0 * upload(6).body().len() as f64, "{bytes}");
    assert_eq!(metrics.value("coverage_uploads_running", &[]), 0.0);
    assert_eq!(metrics.value("coverage_uploads_waiting", &[]), 0.0);
}

#[tokio::test]
async fn requests_are_counted_by_route_template_and_status() {
    let server = start(&[]).await;
    let id = upload(5).accepted(&server).await["coverage"]["id"].to_string();
    server.get(&format!("/reports/{id}/")).await;
    server.get("/records/999").await;
    server.get(&format!("/records/{id}")).await;
    let metrics = metrics(&server).await;
    let requests = |route: &str, method: &str, status: &str| {
        let labels = [("route", route), ("method", method), ("status", status)];
        metrics.value("http_requests_total", &labels)
    };
    assert_eq!(requests("/coverages-api", "POST", "201"), 1.0);
    assert_eq!(requests("/reports/{id}/", "GET", "307"), 1.0);
    assert_eq!(requests("/reports/{id}/{*path}", "GET", "200"), 1.0);
    assert_eq!(requests("/records/{id}", "GET", "200"), 1.0);
    assert_eq!(requests("/records/{id}", "GET", "404"), 1.0);
    let route = [("route", "/records/{id}"), ("method", "GET")];
    assert_eq!(
        metrics.value("http_request_duration_seconds_count", &route),
        2.0
    );
}

#[tokio::test]
async fn clients_cannot_add_label_values_to_request_metrics() {
    let server = start(&["--reports-origin", "http://reports.localhost"]).await;
    for n in 0..100 {
        let method = Method::from_bytes(format!("M{n}").as_bytes()).unwrap();
        for path in [
            format!("/nothing-{n}"),
            format!("/pkg/nothing-{n}.js"),
            format!("/coverages-api/nothing-{n}"),
            format!("/repos/nothing-{n}/x"),
            format!("/orgs/nothing/{n}"),
        ] {
            server.get(&path).await;
            let strange = server.client.request(method.clone(), server.url(&path));
            strange.send().await.unwrap();
        }
        let elsewhere = server.client.get(server.url(&format!("/nothing-{n}")));
        let elsewhere = elsewhere.header("host", "reports.localhost");
        assert_eq!(elsewhere.send().await.unwrap().status(), 404);
    }
    let text = server.get_text("/metrics").await;
    assert!(!text.contains("nothing") && !text.contains("M1"), "{text}");
    let metrics = Exposition::parsed(&text);
    let routes: BTreeSet<_> = metrics
        .series("http_requests_total")
        .map(|labels| labels["route"].clone())
        .collect();
    let known = [
        "/coverages-api/{*path}",
        "/orgs/{*org}",
        "/pkg/",
        "/repos/{*name}",
        "other",
    ];
    assert_eq!(routes, known.map(str::to_owned).into());
    assert!(metrics.series("http_requests_total").count() < 20, "{text}");
}

#[tokio::test]
async fn metrics_state_the_coverage_of_main_branches_for_any_name() {
    let server = start(&[]).await;
    let odd = [
        ("org", "Acme.x/p-_.1"),
        ("repo", "-_."),
        ("language", "c++#.-"),
    ];
    let named = |upload: Upload| {
        let upload = upload
            .with("org_name", odd[0].1)
            .with("repo_name", odd[1].1);
        upload.with("language", odd[2].1)
    };
    let lines: String = (1..=8)
        .map(|line| format!("DA:{line},{}\n", u8::from(line <= 5)))
        .collect();
    let lcov = format!(
        "SF:a.c\nFN:1,a\nFN:6,b\nFN:7,c\nFNDA:1,a\nFNDA:0,b\nFNDA:0,c\n{lines}BRDA:2,0,0,1\nBRDA:2,0,1,0\nend_of_record\n"
    );
    let measured = Upload::of(Archive::report("<p>", &lcov).tar_gz());
    named(measured).accepted(&server).await;
    let other = named(upload(1)).with("branch_name", "feature");
    other.accepted(&server).await;
    let metrics = metrics(&server).await;
    assert_eq!(metrics.value("coverage_lines_covered", &odd), 5.0);
    assert_eq!(metrics.value("coverage_lines_total", &odd), 8.0);
    assert_eq!(metrics.value("coverage_branches_covered", &odd), 1.0);
    assert_eq!(metrics.value("coverage_branches_total", &odd), 2.0);
    assert_eq!(metrics.value("coverage_functions_covered", &odd), 1.0);
    assert_eq!(metrics.value("coverage_functions_total", &odd), 3.0);
    assert_eq!(metrics.value("coverage_ratio", &odd), 0.625);
    let uploaded = metrics.value("coverage_last_upload_timestamp_seconds", &odd);
    let started = metrics.value("process_start_time_seconds", &[]);
    assert!((uploaded - started).abs() < 600.0, "{uploaded}");
    assert_eq!(metrics.series("coverage_ratio").count(), 1, "main alone");
}

#[tokio::test]
async fn the_number_of_repositories_in_metrics_is_limited_and_stable() {
    let server = start(&["--metrics-repositories", "2"]).await;
    for repo in ["zebra", "lion", "ant"] {
        upload(5).with("repo_name", repo).accepted(&server).await;
    }
    let metrics = metrics(&server).await;
    assert_eq!(metrics.value("coverage_repositories_left_out", &[]), 1.0);
    let shown: Vec<_> = metrics
        .series("coverage_ratio")
        .map(|labels| labels["repo"].clone())
        .collect();
    assert_eq!(shown, ["zebra", "lion"]);
}

#[tokio::test]
async fn metrics_state_the_lines_of_owners_as_they_were_counted_last() {
    let server = start(&["--metrics-owners", "1"]).await;
    let owners = b"*.nothing @acme/core\n";
    let lines: String = (1..=8)
        .map(|line| format!("DA:{line},{}\n", u8::from(line <= 5)))
        .collect();
    let lcov = format!("SF:a.c\n{lines}end_of_record\n");
    let upload = Upload::of(Archive::report("<p>", &lcov).tar_gz());
    upload.before("owners", owners).accepted(&server).await;
    let total = "coverage_owner_lines_total";
    assert_eq!(metrics(&server).await.series(total).count(), 0);
    server.get_text("/coverages-api/owners?org_name=acme").await;
    let metrics = metrics(&server).await;
    let none = [("org", "acme"), ("owner", "none")];
    assert_eq!(metrics.value("coverage_owner_lines_covered", &none), 5.0);
    assert_eq!(metrics.value(total, &none), 8.0);
    assert_eq!(metrics.value("coverage_owners_left_out", &[]), 0.0);
}

#[tokio::test]
async fn metrics_do_not_query_the_database_again_while_cached() {
    let arguments = ["--upload-token", TOKEN, "metrics_cache_seconds", "3600"];
    let server = TestServer::start_with(&arguments).await;
    assert_eq!(metrics(&server).await.series("coverage_ratio").count(), 0);
    upload(5).accepted(&server).await;
    let metrics = metrics(&server).await;
    assert_eq!(metrics.series("coverage_ratio").count(), 0);
    let created = [("result", "created")];
    assert_eq!(metrics.value("coverage_uploads_total", &created), 1.0);
}

#[tokio::test]
async fn metrics_with_their_own_address_are_served_only_there() {
    let address = own_address();
    let server = start(&["--metrics-addr", &address, "--protect-reading"]).await;
    upload(5).accepted(&server).await;
    let get = async |path: &str| {
        let request = server.client.get(format!("http://{address}{path}"));
        request.send().await.unwrap()
    };
    let text = get("/metrics").await.text().await.unwrap();
    assert_eq!(
        Exposition::parsed(&text).series("coverage_ratio").count(),
        1
    );
    for path in ["health", "live", "ready"] {
        let response = get(&format!("/coverages-api/{path}")).await;
        assert_eq!(response.status(), 200, "{path}");
    }
    for path in [
        "/",
        "/coverages-api",
        "/reports/1/",
        "/records/1",
        "/uploads",
        "/storage",
    ] {
        assert_eq!(get(path).await.status(), 404, "{path}");
    }
    assert_eq!(server.get("/metrics").await.status(), 401);
    let open = start(&["--metrics-addr", &own_address()]).await;
    assert_eq!(open.get("/metrics").await.status(), 404);
}

#[tokio::test]
async fn the_reports_origin_serves_no_metrics() {
    let server = start(&["--reports-origin", "http://reports.localhost"]).await;
    assert_eq!(server.get("/metrics").await.status(), 200);
    let there = server.client.get(server.url("/metrics"));
    let there = there.header("host", "reports.localhost").send().await;
    assert_eq!(there.unwrap().status(), 404);
}
