//! The address of a body: bodies that come twice, at once, late, or from another client.

use super::{
    COMMIT, LCOV, OTHER_LCOV, UPLOAD, announced, newest_attempt, payload, put, record, records,
    refusal, server, server_with, stated, summary,
};
use crate::{
    clients::foreign::{overload::until_under_way, token_for},
    harness::{Reachable, TOKEN, TestServer, within_deadline},
};
use futures::stream;
use reqwest::Response;
use serde_json::{Value, json};
use std::{io, time::Duration};
use tokio::{sync::mpsc, task::JoinHandle, time::sleep};

#[tokio::test]
async fn an_address_serves_until_its_first_success_and_for_one_upload() {
    let server = server().await;
    let address = announced(&server, &stated()).await;
    let broken = put(&server, &address, "{\"coverage_files\": [{").await;
    assert_eq!(broken.status(), 400);
    let good = put(&server, &address, payload(&[("lcov.info", LCOV)])).await;
    assert_eq!(good.status(), 200);
    let answer = good.text().await.unwrap();
    // A client repeats a request whose answer was lost.
    let again = put(&server, &address, payload(&[("lcov.info", LCOV)])).await;
    assert_eq!(again.status(), 200);
    assert_eq!(again.text().await.unwrap(), answer);
    let other = put(&server, &address, payload(&[("lcov.info", OTHER_LCOV)])).await;
    assert_eq!(other.status(), 404);
    assert_eq!(record(&server, "acme/payments").await["percentage"], 75.0);
    let end = if address.ends_with('0') { '1' } else { '0' };
    let other = format!("{}{end}", &address[..address.len() - 1]);
    let guessed = put(&server, &other, payload(&[("lcov.info", LCOV)])).await;
    assert_eq!(guessed.status(), 404);
}

#[tokio::test]
async fn an_address_that_has_expired_is_refused() {
    let server = server().await;
    let address = announced(&server, &stated()).await;
    let mut database = server.database().await;
    let expire = "update foreign_requests set expires_at = 1";
    sqlx::query(expire).execute(&mut database).await.unwrap();
    let late = put(&server, &address, payload(&[("lcov.info", LCOV)])).await;
    assert_eq!(refusal(late).await.0, 404);
    assert!(records(&server, "acme/payments").await.is_empty());
}

/// Begins to send a body. The rest is sent through the channel, with an empty chunk at its end; without that, the body breaks off.
pub(in crate::clients::foreign) fn begin(
    server: &TestServer,
    address: &str,
    start: &str,
) -> (Answer, mpsc::UnboundedSender<String>) {
    let (send, chunks) = mpsc::unbounded_channel::<String>();
    send.send(start.to_owned()).unwrap();
    let chunks = stream::unfold(chunks, async |mut chunks| {
        let chunk = match chunks.recv().await {
            Some(last) if last.is_empty() => return None,
            Some(chunk) => Ok(chunk),
            None => Err(io::Error::other("gone")),
        };
        Some((chunk, chunks))
    });
    let request = server.client.put(address);
    let request = request.body(reqwest::Body::wrap_stream(chunks));
    (tokio::spawn(request.send()), send)
}

pub(in crate::clients::foreign) type Answer = JoinHandle<reqwest::Result<Response>>;

/// Waits until a request has claimed an address.
async fn until_claimed(server: &TestServer) {
    let mut database = server.database().await;
    let claimed = "select count(*) from foreign_requests where used_at is not null";
    within_deadline(async {
        loop {
            let claims = sqlx::query_scalar::<_, i64>(claimed);
            if claims.fetch_one(&mut database).await.unwrap() > 0 {
                return;
            }
            sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_repeated_body_waits_for_the_first_and_has_its_answer() {
    for breaks in [false, true] {
        let server = server().await;
        let address = announced(&server, &stated()).await;
        let whole = payload(&[("lcov.info", LCOV)]);
        let (start, rest) = whole.split_at(whole.len() / 2);
        let (first, send) = begin(&server, &address, start);
        until_claimed(&server).await;
        let (second, third, _) = tokio::join!(
            put(&server, &address, whole.clone()),
            put(&server, &address, payload(&[("lcov.info", OTHER_LCOV)])),
            async {
                // All three, and the request for the metrics.
                until_under_way(&server, 4).await;
                if !breaks {
                    send.send(rest.to_owned()).unwrap();
                    send.send(String::new()).unwrap();
                }
                drop(send);
            },
        );
        let mut statuses = [second.status().as_u16(), third.status().as_u16()];
        let record = record(&server, "acme/payments").await;
        if breaks {
            // The address is free again, so that one of the others is the first.
            assert!(first.await.unwrap().is_err());
            statuses.sort();
        } else {
            let first = first.await.unwrap().unwrap();
            assert_eq!(first.status(), 200);
            assert_eq!(first.text().await.unwrap(), second.text().await.unwrap());
            assert_eq!(record["percentage"], 75.0);
        }
        assert_eq!(statuses, [200, 404], "{breaks}");
        let summary = summary(&server, &record).await;
        assert_eq!(summary["parts"]["arrived"], json!([""]), "{summary}");
    }
}

#[tokio::test]
async fn a_repeated_body_that_has_waited_for_the_whole_time_is_refused() {
    let server = server_with(&["foreign_wait_seconds", "0"]).await;
    let address = announced(&server, &stated()).await;
    let (_first, _send) = begin(&server, &address, "{");
    until_claimed(&server).await;
    let second = put(&server, &address, payload(&[("lcov.info", LCOV)])).await;
    let (status, why) = refusal(second).await;
    assert_eq!(status, 503, "{why}");
    assert!(why.contains("Another request"), "{why}");
}

#[tokio::test]
async fn a_body_from_another_address_counts_for_the_sender_of_its_call() {
    let proxy = ["--trusted-proxies", "127.0.0.1"];
    let few = ["--failed-tries-per-address", "1"];
    let server = server_with(&[proxy, few].concat()).await;
    // The start creates the tables.
    server.get("/coverages-api/health").await;
    let call = async |from: &str, token: &str| {
        let request = server.client.post(server.url(UPLOAD)).json(&stated());
        let request = request.header("x-forwarded-for", from);
        let request = request.header("authorization", format!("token {token}"));
        request.send().await.unwrap()
    };
    let address_for = async |token: &str| {
        let answer: Value = call("10.0.0.1", token).await.json().await.unwrap();
        answer["raw_upload_location"].as_str().unwrap().to_owned()
    };
    let send = async |address: &str| {
        let request = server.client.put(address);
        let request = request.header("x-forwarded-for", "10.9.9.9");
        let request = request.body(payload(&[("lcov.info", LCOV)]));
        request.send().await.unwrap()
    };
    // The runners of one job may reach the service by several addresses.
    let address = address_for(TOKEN).await;
    assert_eq!(send(&address).await.status(), 200);
    // The token is checked again with the body.
    let token = token_for(&server, "acme/payments");
    let address = address_for(&token).await;
    let revoked = ["token", "revoke", "acme/payments"];
    assert!(server.command(&revoked).status().unwrap().success());
    let (status, why) = refusal(send(&address).await).await;
    assert_eq!(status, 401, "{why}");
    assert!(why.contains("was revoked"), "{why}");
    let row = newest_attempt(&server).await;
    assert_eq!(row.commit_hash.as_deref(), Some(COMMIT));
    // That was the failed attempt of the address of the call.
    assert_eq!(call("10.0.0.1", "wr0ng").await.status(), 429);
    assert_eq!(call("10.9.9.9", "wr0ng").await.status(), 401);
    assert_eq!(records(&server, "acme/payments").await.len(), 1);
}
