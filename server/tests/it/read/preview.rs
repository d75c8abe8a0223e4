//! Link previews: the metadata of pages, and the image.

use crate::harness::{Archive, Reachable, TOKEN, TestServer, Upload, cobertura};

const PREVIEW: &str = "/coverages-api/preview.png";

fn upload(branch: &str, covered: u32) -> Upload {
    Upload::of(Archive::report("<p>", &cobertura(covered, 100)).tar_gz())
        .with("branch_name", branch)
}

/// The size in the head of a PNG (PNG specification, section 11.2.2).
fn size(png: &[u8]) -> (u32, u32) {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"), "a PNG");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

async fn image(server: &TestServer, query: &str) -> Vec<u8> {
    let response = server.get(&format!("{PREVIEW}{query}")).await;
    assert_eq!(response.status(), 200, "{query}");
    assert_eq!(response.headers()["content-type"], "image/png");
    let png = response.bytes().await.unwrap().to_vec();
    assert_eq!(size(&png), (1_200, 630), "{query}");
    png
}

#[tokio::test]
async fn a_pasted_link_says_the_number() {
    let server = TestServer::start_with(&[
        "--upload-token",
        TOKEN,
        "--public-url",
        "https://coverage.example.com",
    ])
    .await;
    upload("main", 84).accepted(&server).await;
    let fix = upload("fix/<b>&\"tax", 80).with("commit_hash", "c2");
    let id = fix.accepted(&server).await["coverage"]["id"]
        .as_i64()
        .unwrap();
    let page = async |path: &str| server.get(path).await.text().await.unwrap();
    let repository = page("/repos/acme/payments").await;
    for tag in [
        "property=\"og:title\" content=\"acme/payments\"",
        "property=\"og:description\" content=\"Code coverage of acme/payments, branch main: 84.00 % in rust.\"",
        "property=\"og:image\" content=\"https://coverage.example.com/coverages-api/preview.png?org_name=acme&amp;repo_name=payments\"",
    ] {
        assert!(repository.contains(tag), "{tag}: {repository}");
    }
    let record = page(&format!("/records/{id}")).await;
    for tag in [
        "content=\"80.00 % (−4.00 against main) coverage in rust: commit c2 of acme/payments, branch fix/&lt;b&gt;&amp;&quot;tax, by Kim.\"",
        &format!("content=\"https://coverage.example.com/coverages-api/preview.png?record={id}\""),
    ] {
        assert!(record.contains(tag), "{tag}: {record}");
    }
}

#[tokio::test]
async fn an_image_follows_its_coverage_and_is_not_sent_twice() {
    let server = TestServer::start().await;
    let id = upload("main", 84).accepted(&server).await["coverage"]["id"].clone();
    let query = "?org_name=acme&repo_name=payments";
    let first = image(&server, query).await;
    image(&server, &format!("?record={id}")).await;
    let response = server.get(&format!("{PREVIEW}{query}")).await;
    let etag = response.headers()["etag"].to_str().unwrap().to_owned();
    let again = server
        .client()
        .get(server.url(&format!("{PREVIEW}{query}")));
    let again = again.header("if-none-match", &etag).send().await.unwrap();
    assert_eq!(again.status(), 304);
    upload("main", 12).accepted(&server).await;
    assert_ne!(image(&server, query).await, first);
}

#[tokio::test]
async fn an_image_of_something_unknown_is_still_an_image() {
    let server = TestServer::start().await;
    for query in [
        "",
        "?record=99",
        "?record=x",
        "?org_name=acme&repo_name=none",
        "?org_name=..&repo_name=%2F",
        "?org_name=%FF",
    ] {
        image(&server, query).await;
    }
}
