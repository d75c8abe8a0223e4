//! Report addresses that work without a credential.

use super::*;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::time::{SystemTime, UNIX_EPOCH};

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap().as_secs()
}

/// The parts of `/reports/{id}/@{version}.{expiry}.{signature}/{path}`.
pub fn parts(address: &str) -> (&str, &str, u64, &str, &str) {
    let (_, rest) = address.split_once("/reports/").unwrap();
    let (id, rest) = rest.split_once("/@").unwrap();
    let (segment, path) = rest.split_once('/').unwrap();
    let mut parts = segment.split('.');
    let mut part = || parts.next().unwrap();
    let (version, expiry, signature) = (part(), part().parse().unwrap(), part());
    assert_eq!((version.len(), signature.len()), (32, 32), "{address}");
    (id, version, expiry, signature, path)
}

/// Returns an address as the service signs it.
async fn signed(server: &TestServer, id: &str, version: &str, expiry: u64, path: &str) -> String {
    let key = server
        .store()
        .await
        .writer()
        .signing_key("report-links")
        .await;
    let mut mac = Hmac::<Sha256>::new_from_slice(key.unwrap().as_bytes()).unwrap();
    mac.update(format!("{id} {version} {expiry}").as_bytes());
    let whole = mac.finalize().into_bytes();
    let signature: String = whole[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("/reports/{id}/@{version}.{expiry}.{signature}/{path}")
}

#[tokio::test]
async fn a_reader_is_redirected_to_signed_files_without_credentials() {
    let server = protected(&["--report-link-seconds", "600"]).await;
    let token = read_token(&server).await;
    let start = location(&read(&server, &token, "/reports/1/?x=%20").await);
    let (_, _, expiry, _, path) = parts(&start);
    assert_eq!(path, "index.html?x=%20");
    assert!(expiry > now() && expiry <= now() + 600, "{start}");
    let (root, _) = start.split_once("index.html").unwrap();
    for (path, content) in [
        ("index.html", "one"),
        ("", "one"),
        ("style.css", "b{}"),
        ("sub/script.js", "0"),
    ] {
        let response = strange(&server, &format!("{root}{path}")).await;
        assert_eq!(response.status(), 200, "{path}");
        let cache = header(&response, "cache-control").to_owned();
        let seconds = cache.strip_prefix("private, max-age=");
        let seconds = seconds.and_then(|rest| rest.strip_suffix(", immutable"));
        let seconds: u64 = seconds.unwrap().parse().unwrap();
        assert!(seconds <= 600 && now() + seconds <= expiry + 1, "{cache}");
        let policy = header(&response, "content-security-policy");
        assert!(policy.starts_with("sandbox allow-scripts "), "{policy}");
        assert_eq!(header(&response, "referrer-policy"), "no-referrer");
        assert_eq!(response.text().await.unwrap(), content);
    }
    let folder = strange(&server, &format!("{root}sub")).await;
    assert_eq!(location(&folder), format!("{root}sub/"));
    let listing = strange(&server, &format!("{root}sub/")).await;
    assert_eq!(listing.status(), 200);
    let bare = strange(&server, root.trim_end_matches('/')).await;
    assert_eq!(location(&bare), root);
    let missing = strange(&server, &format!("{root}missing")).await;
    assert_eq!(missing.status(), 404);
}

#[tokio::test]
async fn every_unsigned_address_redirects_a_reader_to_a_signed_one() {
    let server = protected(&[]).await;
    let token = read_token(&server).await;
    let start = location(&read(&server, &token, "/reports/1/").await);
    let (_, version, _, _, _) = parts(&start);
    for (path, there) in [
        ("style.css", "style.css"),
        ("sub/", "sub/"),
        ("nothing", "nothing"),
        (&format!("@{version}/style.css?x"), "style.css?x"),
        (&format!("@{version}"), ""),
        ("@0123456789abcdef/sub/script.js", "sub/script.js"),
    ] {
        let unsigned = format!("/reports/1/{path}");
        assert_closed(strange(&server, &unsigned).await, "missing_token").await;
        let response = read(&server, &token, &unsigned).await;
        assert_eq!(header(&response, "cache-control"), "private, no-cache");
        let (id, now, _, _, path) = {
            let address = location(&response);
            assert!(address.starts_with('/'), "{address}");
            let (id, now, expiry, signature, path) = parts(&address);
            (
                id.to_owned(),
                now.to_owned(),
                expiry,
                signature.to_owned(),
                path.to_owned(),
            )
        };
        assert_eq!((&*id, &*now, &*path), ("1", version, there));
    }
    assert_eq!(read(&server, &token, "/reports/999/").await.status(), 404);
    assert_eq!(read(&server, &token, "/reports/999/x").await.status(), 404);
    assert_eq!(read(&server, &token, "/reports/1.zip").await.status(), 200);
}

#[tokio::test]
async fn a_signature_opens_one_version_of_one_report_until_it_expires() {
    let server = protected(&[]).await;
    let token = read_token(&server).await;
    let start = location(&read(&server, &token, "/reports/1/").await);
    let (_, version, expiry, signature, _) = parts(&start);
    let ours = signed(&server, "1", version, now() + 60, "index.html").await;
    assert_eq!(server.get_text(&ours).await, "one");

    let other = Upload::of(Archive::report("secret", &cobertura(1, 2)).tar_gz());
    other.with("branch_name", "other").accepted(&server).await;
    let secret = location(&read(&server, &token, "/reports/2/").await);
    let (_, other_version, _, _, _) = parts(&secret);
    let turned: String = signature.chars().rev().collect();
    let address = |id: &str, version: &str, expiry: u64, signature: &str| {
        format!("/reports/{id}/@{version}.{expiry}.{signature}/index.html")
    };
    let expired = signed(&server, "1", version, now() - 1, "index.html").await;
    let cut = address("1", version, expiry, &signature[..31]);
    assert_closed(strange(&server, &cut).await, "missing_token").await;
    for forged in [
        address("1", version, expiry, &turned),
        address("1", version, expiry, &"0".repeat(32)),
        address("1", version, expiry + 3_600, signature),
        address("1", version, expiry - 1, signature),
        address("1", other_version, expiry, signature),
        address("2", version, expiry, signature),
        address("2", other_version, expiry, signature),
        expired,
    ] {
        assert_closed(strange(&server, &forged).await, "missing_token").await;
        let again = location(&read(&server, &token, &forged).await);
        assert_eq!(
            strange(&server, &again).await.status().as_u16() / 100,
            2,
            "{forged}"
        );
    }
}

#[tokio::test]
async fn the_address_of_a_replaced_report_gives_strangers_nothing_newer() {
    let server = protected(&[]).await;
    let token = read_token(&server).await;
    let first = location(&read(&server, &token, "/reports/1/").await);
    upload(&server, "two").await;
    let led = location(&strange(&server, &first).await);
    assert_eq!(led, "/reports/1/index.html");
    assert_closed(strange(&server, &led).await, "missing_token").await;
    let second = location(&read(&server, &token, &led).await);
    assert_eq!(server.get_text(&second).await, "two");
}

#[tokio::test]
async fn signed_addresses_survive_a_restart_and_the_end_of_protection() {
    let server = protected(&[]).await;
    let token = read_token(&server).await;
    let signed = location(&read(&server, &token, "/reports/1/").await);
    let folder = server.stop().await;
    let server = TestServer::start_in(folder, &["--protect-reading"]).await;
    assert_eq!(server.get_text(&signed).await, "one");
    let folder = server.stop().await;
    let server = TestServer::start_in(folder, &[]).await;
    let (_, version, _, _, _) = parts(&signed);
    let plain = format!("/reports/1/@{version}/index.html");
    assert_eq!(location(&strange(&server, &signed).await), plain);
    assert_eq!(location(&strange(&server, "/reports/1/").await), plain);
    let response = strange(&server, &plain).await;
    assert_eq!(
        header(&response, "cache-control"),
        "private, max-age=31536000, immutable"
    );
}

#[tokio::test]
async fn no_page_loads_a_report_file_with_the_readers_credentials() {
    let server = protected(&[]).await;
    let token = read_token(&server).await;
    let cookie = format!("{COOKIE}={token}");
    let get = async |path: &str, dest: &'static str| {
        let request = ask(&server, Method::GET, path).header("cookie", &cookie);
        let request = request.header("sec-fetch-site", "same-site");
        let request = request.header("sec-fetch-dest", dest);
        request.send().await.unwrap()
    };
    let start = location(&get("/reports/1/", "document").await);
    for path in [
        "/reports/1/",
        "/reports/1/style.css",
        "/reports/1.zip",
        "/reports/1/@0123456789abcdef/style.css",
        "/coverages-api/assets/acme/payments/main/archive/style.css",
    ] {
        for dest in ["script", "style", "image", "worker", "empty"] {
            let response = get(path, dest).await;
            assert_eq!(response.status(), 403, "{path} {dest}");
            assert_eq!(header(&response, "location"), "", "{path} {dest}");
        }
    }
    let own = start.replace("index.html", "style.css");
    let request = ask(&server, Method::GET, &own).header("sec-fetch-dest", "style");
    let response = request.send().await.unwrap();
    assert_eq!(response.text().await.unwrap(), "b{}");
}
