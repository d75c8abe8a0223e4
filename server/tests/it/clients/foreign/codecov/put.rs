//! What Codecov's clients print, and their exit codes, when a proxy sends their body twice, late, or from another address.

use super::{programs::job, server_with};
use crate::{
    clients::foreign::{
        programs::{CLI, CLI_LEGACY, CLI_THREE_CALLS, Client, NPM, PYPI},
        token_for,
    },
    harness::{Reachable, TestServer},
};
use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{Method, header},
    response::{IntoResponse, Response},
};
use futures::future::join_all;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_util::task::AbortOnDropHandle;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sent {
    Twice,
    Late,
    Elsewhere,
}
use Sent::{Elsewhere, Late, Twice};

struct Proxy {
    how: Sent,
    server: TestServer,
}

/// Hands a request on. What it does to a body happens before the service has answered.
async fn hand_on(State(proxy): State<Arc<Proxy>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap();
    let path = head.uri.path_and_query().unwrap().as_str();
    let url = proxy.server.url(path);
    let is_body = head.method == Method::PUT;
    let from = match (proxy.how, is_body) {
        (Elsewhere, true) => "10.9.9.9",
        _ => "10.0.0.1",
    };
    let mut headers = head.headers.clone();
    for own in [
        header::HOST,
        header::CONTENT_LENGTH,
        header::TRANSFER_ENCODING,
    ] {
        headers.remove(own);
    }
    let send = || {
        let request = proxy.server.client.request(head.method.clone(), &url);
        let request = request.headers(headers.clone());
        request
            .header("x-forwarded-for", from)
            .body(body.clone())
            .send()
    };
    if is_body && proxy.how == Late {
        let mut database = proxy.server.database().await;
        let expire = "update foreign_requests set expires_at = 1";
        sqlx::query(expire).execute(&mut database).await.unwrap();
    }
    if is_body && proxy.how == Twice {
        assert_eq!(send().await.unwrap().status(), 200);
    }
    let answer = send().await.unwrap();
    let (status, kind) = (
        answer.status(),
        answer.headers().get(header::CONTENT_TYPE).cloned(),
    );
    let mut answer = (status, Body::from(answer.bytes().await.unwrap())).into_response();
    answer
        .headers_mut()
        .extend(kind.map(|kind| (header::CONTENT_TYPE, kind)));
    answer
}

#[rustfmt::skip]
const TABLE: &[(Sent, Client, i32, &str)] = &[
    // what happens, client, exit code, printed
    (Twice, CLI, 0, "Upload queued for processing complete"),
    (Twice, CLI_THREE_CALLS, 0, "Upload queued for processing complete"),
    (Twice, CLI_LEGACY, 0, "Upload queued for processing complete"),
    (Twice, NPM, 0, "Success!"),
    (Twice, PYPI, 0, "/repos/acme/payments"),
    (Late, CLI, 1, "it has been used or has expired; run the client again"),
    (Late, CLI_THREE_CALLS, 1, "it has been used or has expired; run the client again"),
    (Late, CLI_LEGACY, 1, "it has been used or has expired; run the client again"),
    (Late, NPM, 0, "Success!"),
    (Late, PYPI, 0, "404 Client Error"),
    (Elsewhere, CLI, 0, "Upload queued for processing complete"),
    (Elsewhere, CLI_THREE_CALLS, 0, "Upload queued for processing complete"),
    (Elsewhere, CLI_LEGACY, 0, "Upload queued for processing complete"),
    (Elsewhere, NPM, 0, "Success!"),
    (Elsewhere, PYPI, 0, "/repos/acme/payments"),
];

#[tokio::test]
async fn each_client_prints_what_the_table_says_about_its_body() {
    let runs = TABLE.iter().filter(|(_, client, ..)| client.is_installed());
    let runs = runs.map(|&(how, client, code, words)| async move {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let arguments = ["--public-url", &url, "--trusted-proxies", "127.0.0.1"];
        let server = server_with(&arguments).await;
        let token = token_for(&server, "acme/payments");
        let proxy = Arc::new(Proxy { how, server });
        let router = Router::new().fallback(hand_on).with_state(proxy.clone());
        let serving = async move { axum::serve(listener, router).await.unwrap() };
        let _serving = AbortOnDropHandle::new(tokio::spawn(serving));
        let variables = [("URL", url.as_str())];
        let ran = client.run(&job(), &proxy.server, &token, &variables).await;
        let stored = proxy.server.current_records().await.len();
        let is_expected =
            ran.code == code && ran.printed.contains(words) && stored == usize::from(how != Late);
        let name = client.name;
        (!is_expected)
            .then(|| format!("{how:?}, {name}: {}, {stored}\n{}\n", ran.code, ran.printed))
    });
    let wrong: Vec<_> = join_all(runs).await.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
