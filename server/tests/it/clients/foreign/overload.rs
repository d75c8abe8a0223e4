//! Overload: these clients take a refusal for the end, so they wait for their turn.

use super::{
    codecov::{self, LCOV, announced, payload, put, stated},
    coveralls::{JOBS, answer, job, programs::measured, send},
    programs::{CLI, COVERALLS_NEXT, COVERALLS_PYPI, NPM, PYPI, RUBY},
    token_for,
};
use crate::{
    harness::{Reachable, TOKEN, TestServer, within_deadline},
    upload::queue::{begin, is_full},
};
use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, Method, StatusCode, Uri},
    response::{IntoResponse, Response},
};
use futures::{StreamExt, future::join_all, stream};
use std::{
    convert::Infallible,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Notify,
    time::sleep,
};
use tokio_util::task::AbortOnDropHandle;

/// A service whose only permit another upload holds, and in which no native upload may wait.
async fn busy(arguments: &[&str]) -> (TestServer, TcpStream) {
    let own = ["--upload-token", TOKEN, "--accept", "codecov,coveralls"];
    let few = ["--concurrent-uploads", "1", "waiting_uploads", "0"];
    let server = TestServer::start_with(&[&own[..], &few, arguments].concat()).await;
    let under_way = begin(&server).await;
    is_full(&server).await;
    (server, under_way)
}

/// Waits until so many requests are under way.
pub(super) async fn until_under_way(server: &TestServer, requests: u32) {
    let under_way = async || {
        let metrics = server.get_text("/metrics").await;
        let mut lines = metrics.lines();
        let number = lines.find_map(|line| line.strip_prefix("http_requests_in_flight "));
        number.unwrap().parse::<u32>().unwrap()
    };
    within_deadline(async {
        while under_way().await < requests {
            sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn clients_of_other_services_wait_where_native_uploads_are_refused() {
    let (server, under_way) = busy(&[]).await;
    let (address, job) = (announced(&server, &stated()).await, job());
    let (_, of_codecov, of_coveralls) = tokio::join!(
        async {
            // The upload that has the permit, both clients, and the request for the metrics.
            until_under_way(&server, 4).await;
            is_full(&server).await;
            drop(under_way);
        },
        put(&server, &address, payload(&[("lcov.info", LCOV)])),
        send(&server, &job),
    );
    assert_eq!(of_codecov.status(), 200);
    assert_eq!(of_coveralls.status(), 200);
    assert_eq!(server.records().await.len(), 2);
}

#[tokio::test]
async fn a_client_that_has_waited_for_the_whole_time_is_refused() {
    let (server, _under_way) = busy(&["foreign_wait_seconds", "1"]).await;
    let address = announced(&server, &stated()).await;
    let since = Instant::now();
    let refused = put(&server, &address, payload(&[("lcov.info", LCOV)])).await;
    assert!(since.elapsed() >= Duration::from_secs(1));
    assert_eq!(refused.status(), 503);
    assert!(refused.headers().contains_key("retry-after"));
    let since = Instant::now();
    let (status, refused) = answer(send(&server, &job()).await).await;
    assert!(since.elapsed() >= Duration::from_secs(1));
    assert_eq!(status, 503);
    assert_eq!(refused["error"], true);
    let why = refused["message"].as_str().unwrap();
    assert!(why.contains("CONCURRENT_UPLOADS"), "{why}");
}

#[tokio::test]
async fn a_body_before_its_token_has_a_deadline_even_if_it_continues() {
    let own = ["--upload-token", TOKEN, "--accept", "coveralls"];
    let limits = ["early_body_seconds", "1"];
    let server = TestServer::start_with(&[&own[..], &limits].concat()).await;
    let endless = stream::unfold((), async |()| {
        sleep(Duration::from_millis(20)).await;
        Some((Ok::<_, Infallible>(" "), ()))
    });
    let request = server.client().post(server.url(JOBS));
    let request = request.header("content-type", "application/json");
    let sent = request.body(reqwest::Body::wrap_stream(endless)).send();
    let (status, refused) = answer(within_deadline(sent).await.unwrap()).await;
    assert_eq!(status, 408, "{refused}");
    let why = refused["message"].as_str().unwrap();
    assert!(why.contains("longer than 1 seconds"), "{why}");
}

#[tokio::test]
async fn the_clients_themselves_wait_for_their_turn() {
    let clients = [CLI, NPM, PYPI, COVERALLS_PYPI, COVERALLS_NEXT, RUBY];
    let clients: Vec<_> = clients.into_iter().filter(|it| it.is_installed()).collect();
    let (server, under_way) = busy(&[]).await;
    let job = measured(&server, "x").await;
    let token = token_for(&server, "acme/payments");
    let runs = clients
        .iter()
        .map(|it| it.succeed(&job, &server, &token, &[]));
    let waiting = u32::try_from(clients.len()).unwrap();
    tokio::join!(join_all(runs), async {
        // Also the upload that has the permit, and the request for the metrics.
        until_under_way(&server, waiting + 2).await;
        drop(under_way);
    });
    let ledger = server.store().await.writer().ledger(20).await.unwrap();
    let stored = ledger.iter().filter(|row| row.status < 300).count();
    assert_eq!(stored, clients.len(), "{ledger:?}");
}

/// A gateway in front of a service. It answers the first PUT with 502 while the service still receives the body.
struct Gateway {
    service: OnceLock<String>,
    client: reqwest::Client,
    has_failed: AtomicBool,
    /// The service receives the rest of the body.
    goes_on: Notify,
}

async fn pass_on(
    State(gateway): State<Arc<Gateway>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let url = format!("{}{uri}", gateway.service.get().unwrap());
    let request = gateway.client.request(method.clone(), url);
    let token = headers.get("authorization").cloned();
    let request = request.headers(
        token
            .map(|token| ("authorization".parse().unwrap(), token))
            .into_iter()
            .collect(),
    );
    if method != Method::PUT || gateway.has_failed.swap(true, Ordering::Relaxed) {
        let answer = request.body(body).send().await.unwrap();
        return (answer.status(), answer.bytes().await.unwrap()).into_response();
    }
    let (start, rest) = (body.slice(..body.len() / 2), body.slice(body.len() / 2..));
    let late = stream::once(async move {
        gateway.goes_on.notified().await;
        rest
    });
    let body = stream::iter([start]).chain(late).map(Ok::<_, Infallible>);
    tokio::spawn(request.body(reqwest::Body::wrap_stream(body)).send());
    StatusCode::BAD_GATEWAY.into_response()
}

#[tokio::test]
async fn a_client_that_repeats_a_body_too_early_waits_for_the_first() {
    if !CLI.is_installed() {
        return;
    }
    let gateway = Arc::new(Gateway {
        service: OnceLock::new(),
        client: reqwest::Client::new(),
        has_failed: AtomicBool::new(false),
        goes_on: Notify::new(),
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().fallback(pass_on).with_state(gateway.clone());
    let _running = AbortOnDropHandle::new(tokio::spawn(async move {
        axum::serve(listener, router).await.unwrap();
    }));
    let own = ["--upload-token", TOKEN, "--accept", "codecov"];
    let server = TestServer::start_with(&[&own[..], &["--public-url", &url]].concat()).await;
    gateway.service.set(server.url("")).unwrap();
    let job = codecov::programs::job();
    let at_gateway = [("URL", url.as_str())];
    tokio::join!(CLI.succeed(&job, &server, TOKEN, &at_gateway), async {
        // Both bodies, and the request for the metrics.
        until_under_way(&server, 3).await;
        gateway.goes_on.notify_one();
    });
    let ledger = server.store().await.writer().ledger(20).await.unwrap();
    let rows: Vec<_> = ledger.iter().map(|row| row.code.as_str()).collect();
    assert_eq!(rows, ["created"]);
}
