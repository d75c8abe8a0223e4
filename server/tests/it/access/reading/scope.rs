//! A reader of one org sees nothing of another: every answer is the same as if the other org did not exist.

mod addresses;
mod admins;

use super::*;
use crate::read::markup::{places::places, seed::Seeded};
use addresses::BESIDE;
use reqwest::StatusCode;
use serde_json::json;

/// The name in every field of the other org's data.
const HIDDEN: &str = "zz hidden";

/// A service with one record of the reader's org, number 1.
async fn service() -> TestServer {
    let arguments = [
        "--upload-token",
        TOKEN,
        "--protect-reading",
        "--user-header",
        "x-user",
        "--trusted-proxies",
        "127.0.0.1",
        "--accept",
        "codecov",
    ];
    let server = TestServer::start_with(&arguments).await;
    let upload = Upload::of(Archive::report("own", &cobertura(1, 2)).tar_gz())
        .with("org_name", "labs")
        .with("repo_name", "tools")
        .with("commit_author", "Lee")
        .header("x-request-id", "same");
    let answer = upload.accepted(&server).await;
    assert_eq!(answer["coverage"]["id"], 1);
    server
}

/// The same service with data of another org.
async fn with_another_org() -> Seeded {
    let seeded = Seeded::on(service().await, HIDDEN).await;
    assert_eq!(seeded.records, [3, 4]);
    let upload = Upload::of(Archive::report("other", &cobertura(1, 3)).tar_gz());
    let upload = upload.with("commit_hash", "deadbeefcafe");
    upload.accepted(&seeded.server).await;
    // An author who works for both.
    let upload = Upload::of(Archive::report("other", &cobertura(1, 3)).tar_gz());
    let upload = upload
        .with("commit_author", "Lee")
        .with("commit_hash", "c0ffee");
    upload.accepted(&seeded.server).await;
    // A repository with the address of an author's page in the replaced system.
    let upload = Upload::of(Archive::report("other", &cobertura(1, 3)).tar_gz());
    let upload = upload.with("org_name", "acme/user");
    upload.accepted(&seeded.server).await;
    let refused = Upload::of(b"no archive".to_vec());
    refused.refused(&seeded.server).await;
    seeded
}

async fn token_for(server: &TestServer, purpose: Purpose, scope: Scope) -> String {
    let tokens = Tokens::new(None, server.store().await);
    let by = Actor::service();
    let made = tokens.make("of labs", purpose, &scope, None, &by);
    made.await.unwrap().token
}

fn labs() -> Scope {
    Scope::Org("labs".parse().unwrap())
}

/// What a client can learn from an answer.
#[derive(Debug, PartialEq, Eq)]
struct Learned {
    status: StatusCode,
    location: Option<String>,
    body: String,
}

impl Learned {
    fn text(&self) -> String {
        format!("{} {:?} {}", self.status, self.location, self.body)
    }

    /// Where the two differ, and a little before that.
    fn first_difference(&self, other: &Self) -> usize {
        let (one, other) = (self.text(), other.text());
        let mut pairs = one.char_indices().zip(other.char_indices());
        let at = pairs.find(|(one, other)| one != other);
        let at = at.map_or(one.len().min(other.len()), |((at, _), _)| at);
        (at.saturating_sub(60)..at)
            .find(|at| one.is_char_boundary(*at) && other.is_char_boundary(*at))
            .unwrap_or(0)
    }
}

async fn learned(server: &TestServer, request: RequestBuilder) -> Learned {
    let response = request.header("x-request-id", "same").send().await.unwrap();
    let location = response.headers().get("location");
    Learned {
        status: response.status(),
        location: location.map(|value| value.to_str().unwrap().to_owned()),
        body: steady(
            server,
            &String::from_utf8_lossy(&response.bytes().await.unwrap()),
        ),
    }
}

/// The text without values that differ between two services or two moments: the address, nonces, times, durations, and places of
/// times in charts.
fn steady(server: &TestServer, text: &str) -> String {
    let text = text.replace(&server.url(""), "");
    let mut steady = String::new();
    for (at, part) in text.split("nonce=\"").enumerate() {
        let part = match part.split_once('"') {
            Some((_, rest)) if at > 0 => rest,
            _ => part,
        };
        steady.push_str(part);
    }
    let is_of_time = |char: char| char.is_ascii_digit() || ".:".contains(char);
    let mut rest = steady.as_str();
    let mut text = String::new();
    while let Some(start) = rest.find(|char: char| char.is_ascii_digit()) {
        text.push_str(&rest[..start]);
        let run = &rest[start..];
        let run = &run[..run.find(|char| !is_of_time(char)).unwrap_or(run.len())];
        let after = &rest[start + run.len()..];
        let is_time = run.contains(':') || run.len() >= 13;
        let is_duration = after.trim_start_matches(['\u{a0}', ' ']).starts_with("ms");
        let is_place = text.ends_with(['M', 'L']);
        let differs = is_time || is_duration || is_place;
        text.push_str(if differs { "#" } else { run });
        rest = after;
    }
    text + rest
}

/// All addresses of the service that read, with those of [`BESIDE`].
fn addresses(seeded: &Seeded) -> Vec<String> {
    // They answer everybody, or admins only.
    let others = [
        "/login",
        "/audit",
        "/settings",
        "/admin/",
        "/coverages-api/openapi.json",
        "/upload.sh.sha256",
    ];
    let all = places(seeded)
        .into_iter()
        .flat_map(|(_, addresses)| addresses);
    let all = all.filter(|address| !others.iter().any(|other| address.starts_with(other)));
    all.chain(BESIDE.iter().map(ToString::to_string)).collect()
}

#[tokio::test]
async fn a_reader_of_one_org_learns_nothing_of_another_from_any_address() {
    let (alone, seeded) = (service().await, with_another_org().await);
    let of_alone = token_for(&alone, Purpose::Read, labs()).await;
    let of_both = token_for(&seeded.server, Purpose::Read, labs()).await;
    let mut differing = Vec::new();
    for address in addresses(&seeded) {
        for accept in ["text/html,*/*;q=0.8", "*/*"] {
            let answer = async |server: &TestServer, token: &str| {
                let request = ask(server, Method::GET, &address).bearer_auth(token);
                learned(server, request.header("accept", accept)).await
            };
            let expected = answer(&alone, &of_alone).await;
            let learned = answer(&seeded.server, &of_both).await;
            if learned != expected {
                let at = learned.first_difference(&expected);
                differing.push(format!(
                    "{address} ({accept}): {:.300}\nand not: {:.300}\n",
                    &learned.text()[at..],
                    &expected.text()[at..]
                ));
            }
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

#[tokio::test]
async fn the_addresses_do_show_the_other_org_to_its_readers() {
    let (alone, seeded) = (service().await, with_another_org().await);
    let of_alone = token_for(&alone, Purpose::Read, Scope::All).await;
    let of_both = token_for(&seeded.server, Purpose::Read, Scope::All).await;
    let (mut shown, addresses) = (0, addresses(&seeded));
    for address in &addresses {
        let answer = async |server: &TestServer, token: &str| {
            learned(server, ask(server, Method::GET, address).bearer_auth(token)).await
        };
        let expected = answer(&alone, &of_alone).await;
        shown += usize::from(answer(&seeded.server, &of_both).await != expected);
    }
    assert!(
        shown > addresses.len() / 2,
        "{shown} of {} addresses",
        addresses.len()
    );
}

#[tokio::test]
async fn agents_of_one_org_get_the_same_answers_as_if_there_were_no_other() {
    let (alone, seeded) = (service().await, with_another_org().await);
    let of_alone = token_for(&alone, Purpose::Read, labs()).await;
    let of_both = token_for(&seeded.server, Purpose::Read, labs()).await;
    for record in ["3", "acme/payments@main", "ACME/payments@zz hidden", "1"] {
        for tool in [
            "uncovered_in_change",
            "explain",
            "file_lines",
            "line_tests",
            "gate",
        ] {
            let message = json!({
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": { "name": tool, "arguments": { "record": record, "path": "zz hidden.rs", "line": 1 } }
            });
            let answer = async |server: &TestServer, token: &str| {
                let request = ask(server, Method::POST, "/mcp").bearer_auth(token);
                let request = request.header("accept", "application/json, text/event-stream");
                learned(server, request.json(&message)).await
            };
            let expected = answer(&alone, &of_alone).await;
            assert_eq!(expected.status, 200, "{expected:?}");
            let learned = answer(&seeded.server, &of_both).await;
            assert_eq!(learned, expected, "{tool} {record}");
        }
    }
}

#[tokio::test]
async fn every_way_to_log_in_has_the_scope_of_its_token() {
    let seeded = with_another_org().await;
    let server = &seeded.server;
    for purpose in [Purpose::Read, Purpose::Admin] {
        let token = token_for(server, purpose, labs()).await;
        let asks = [
            ask(server, Method::GET, "/coverages-api?full").bearer_auth(&token),
            ask(server, Method::GET, "/coverages-api?full").basic_auth("kim", Some(&token)),
            ask(server, Method::GET, "/coverages-api?full")
                .header("cookie", format!("{COOKIE}={token}")),
        ];
        for request in asks {
            let listed = request.send().await.unwrap().text().await.unwrap();
            assert!(listed.contains("labs/tools"), "{listed}");
            assert!(!listed.contains("acme"), "{listed}");
        }
        let tokens = server.store().await.operator().tokens().await.unwrap();
        let id = tokens.last().unwrap().id;
        let by = Actor::service();
        assert!(
            server
                .store()
                .await
                .operator()
                .revoke_token(id, &by)
                .await
                .unwrap()
        );
    }
}

#[tokio::test]
async fn a_reader_of_one_repository_or_group_sees_only_that() {
    let server = service().await;
    for (org, repo) in [
        ("labs/group", "a"),
        ("labs/group/sub", "b"),
        ("labs/groups", "c"),
        ("labs", "tools2"),
    ] {
        let upload = Upload::of(Archive::report("x", &cobertura(1, 2)).tar_gz());
        let upload = upload.with("org_name", org).with("repo_name", repo);
        upload.accepted(&server).await;
    }
    let all = [
        "labs/group/a",
        "labs/group/sub/b",
        "labs/groups/c",
        "labs/tools",
        "labs/tools2",
    ];
    let group = Scope::Org("labs/Group".parse().unwrap());
    let one = Scope::Repository("LABS/tools".parse().unwrap());
    let cases = [
        (Scope::All, &all[..]),
        (labs(), &all),
        (group, &all[..2]),
        (one, &all[3..4]),
    ];
    for (scope, expected) in cases {
        let tokens = Tokens::new(None, server.store().await);
        let (name, by) = (scope.to_string(), Actor::service());
        let made = tokens.make(&name, Purpose::Read, &scope, None, &by);
        let token = made.await.unwrap().token;
        for path in [
            "/coverages-api?full",
            "/coverages-api",
            "/coverages-api?keyword=a",
        ] {
            let listing: Value = read(&server, &token, path).await.json().await.unwrap();
            let listed: Vec<_> = listing["data"].as_object().unwrap().keys().collect();
            let expected: Vec<_> = expected
                .iter()
                .filter(|name| !path.contains("keyword") || name.contains('a'))
                .collect();
            assert_eq!(listed, expected, "{scope} {path}");
        }
        for (page, name) in all.map(|name| (format!("/repos/{name}"), name)) {
            let status = read(&server, &token, &page).await.status().as_u16();
            let is_shown = expected.contains(&name);
            assert_eq!(status, if is_shown { 200 } else { 404 }, "{scope} {page}");
        }
        let overview = read(&server, &token, "/").await.text().await.unwrap();
        let mut cards = overview.split("data-testid=\"org\"").skip(1);
        let own = cards.find(|card| card.contains("href=\"/orgs/labs\""));
        let direct = expected.iter().filter(|name| name.split('/').count() == 2);
        let direct = direct.count();
        assert_eq!(own.is_some(), direct > 0, "{scope} {overview}");
        if let Some(own) = own {
            assert!(
                own.contains(&format!(">{direct} repositor")),
                "{scope} {own}"
            );
            let has_groups = own.contains("with its groups");
            assert_eq!(has_groups, expected.len() == all.len(), "{scope} {own}");
        }
        let org = read(&server, &token, "/orgs/labs")
            .await
            .text()
            .await
            .unwrap();
        for name in all {
            let link = format!("\"/repos/{name}\"");
            assert_eq!(
                org.contains(&link),
                expected.contains(&name),
                "{scope} {name}"
            );
        }
    }
}

#[tokio::test]
async fn what_covers_the_whole_service_is_refused_to_readers_of_one_org() {
    let server = service().await;
    let token = token_for(&server, Purpose::Read, labs()).await;
    let response = read(&server, &token, "/metrics").await;
    assert_eq!(response.status(), 403);
    let problem: Value = response.json().await.unwrap();
    assert_eq!(problem["code"], "whole_service", "{problem}");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("only labs/…"), "{detail}");
    let page = read(&server, &token, "/storage").await;
    assert_eq!(page.status(), 403);
    let page = page.text().await.unwrap();
    assert!(page.contains("For readers of all orgs"), "{page}");
    let uploads = read(&server, &token, "/uploads")
        .await
        .text()
        .await
        .unwrap();
    assert!(!uploads.contains("\"/storage\""), "{uploads}");
}

#[tokio::test]
async fn a_reader_of_a_group_does_not_learn_that_the_org_around_it_is_full() {
    let arguments = [
        "--upload-token",
        TOKEN,
        "--protect-reading",
        "--quota-bytes-per-org",
        "1",
    ];
    let server = TestServer::start_with(&arguments).await;
    let upload = Upload::of(Archive::report("<p>", &cobertura(1, 3)).tar_gz());
    let upload = upload.with("org_name", "acme/platform");
    assert_eq!(upload.refused(&server).await.0, 507);
    let (tokens, by) = (Tokens::new(None, server.store().await), Actor::service());
    for (name, org, is_told) in [("kim", "acme", true), ("lee", "acme/platform", false)] {
        let scope = Scope::Org(org.parse().unwrap());
        let made = tokens.make(name, Purpose::Read, &scope, None, &by);
        let token = made.await.unwrap().token;
        let uploads = read(&server, &token, "/uploads")
            .await
            .text()
            .await
            .unwrap();
        assert!(uploads.contains("acme/platform"), "{org}: {uploads}");
        assert_eq!(uploads.contains("QUOTA_BYTES_PER_ORG"), is_told, "{org}");
    }
}

#[tokio::test]
async fn a_reader_of_an_org_without_uploads_sees_an_empty_service() {
    let empty = TestServer::start_with(&["--upload-token", TOKEN, "--protect-reading"]).await;
    let seeded = with_another_org().await;
    let nobody = || Scope::Org("nobody".parse().unwrap());
    let of_empty = token_for(&empty, Purpose::Read, nobody()).await;
    let of_others = token_for(&seeded.server, Purpose::Read, nobody()).await;
    for address in [
        "/",
        "/?keyword=pay",
        "/orgs",
        "/uploads",
        "/setup",
        "/authors",
        "/authors?name=lee",
        "/coverages-api",
        "/coverages-api?full",
        "/coverages-api/repositories",
        "/coverages-api/search?q=main",
        "/coverages-api/orgs/trend.csv?range=all",
    ] {
        let answer = async |server: &TestServer, token: &str| {
            learned(server, ask(server, Method::GET, address).bearer_auth(token)).await
        };
        let expected = answer(&empty, &of_empty).await;
        assert_eq!(
            answer(&seeded.server, &of_others).await,
            expected,
            "{address}"
        );
    }
}
