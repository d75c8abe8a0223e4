//! What caches may store of the responses to readers.

use super::*;

#[tokio::test]
async fn no_shared_cache_may_store_what_a_reader_gets() {
    let server = protected(&[]).await;
    let token = read_token(&server).await;
    let site = server.folder.path().join("site");
    std::fs::create_dir_all(&site).unwrap();
    std::fs::write(site.join("other.txt"), "x").unwrap();
    let signed = location(&read(&server, &token, "/reports/1/").await);
    for path in [
        "/",
        "/nothing",
        "/repos/acme/payments",
        "/?keyword=acme&p=1",
        "/coverages-api",
        "/coverages-api?p=x",
        "/coverages-api/nothing",
        "/coverages-api/assets/acme/payments/main/archive/index.html",
        "/coverages-ui/acme/payments",
        "/records/1",
        "/reports/1",
        "/reports/1/",
        "/reports/1/index.html",
        "/reports/1.zip",
        "/reports/999/",
        "/other.txt",
    ] {
        let response = read(&server, &token, path).await;
        let cache = header(&response, "cache-control");
        if cache == "no-store" {
            continue;
        }
        assert!(cache.starts_with("private, "), "{path}: {cache}");
        let varies = response.headers().get_all("vary").iter();
        let varies: Vec<_> = varies.map(|value| value.to_str().unwrap()).collect();
        assert!(
            varies.contains(&"authorization, cookie"),
            "{path}: {varies:?}"
        );
    }
    let response = strange(&server, &signed).await;
    assert!(header(&response, "cache-control").starts_with("private, "));
}

#[tokio::test]
async fn a_listing_is_revalidated_for_readers_only() {
    let server = protected(&[]).await;
    let token = read_token(&server).await;
    let listing = read(&server, &token, "/coverages-api").await;
    assert_eq!(header(&listing, "cache-control"), "private, no-cache");
    let again = || {
        let request = ask(&server, Method::GET, "/coverages-api");
        request.header("if-none-match", header(&listing, "etag"))
    };
    let kept = again().bearer_auth(&token).send().await.unwrap();
    assert_eq!(kept.status(), 304);
    assert_eq!(header(&kept, "cache-control"), "private, no-cache");
    assert_closed(again().send().await.unwrap(), "missing_token").await;
}
