//! Overload: these clients take a refusal for the end, so they wait for their turn.

use super::{
    codecov::{LCOV, announced, payload, put, stated},
    coveralls::{JOBS, answer, job, send},
};
use crate::{
    harness::{Reachable, TOKEN, TestServer, within_deadline},
    upload::queue::{begin, is_full},
};
use futures::stream;
use reqwest::Body;
use std::{
    convert::Infallible,
    time::{Duration, Instant},
};
use tokio::{net::TcpStream, time::sleep};

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
async fn until_under_way(server: &TestServer, requests: u32) {
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
    let sent = request.body(Body::wrap_stream(endless)).send();
    let (status, refused) = answer(within_deadline(sent).await.unwrap()).await;
    assert_eq!(status, 408, "{refused}");
    let why = refused["message"].as_str().unwrap();
    assert!(why.contains("longer than 1 seconds"), "{why}");
}
