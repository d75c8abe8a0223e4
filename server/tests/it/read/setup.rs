//! The pages that show how to upload, and the results of uploads.

use crate::harness::{Archive, Reachable, TestServer, Upload, cobertura};

fn upload() -> Upload {
    Upload::of(Archive::report("<p>", &cobertura(1, 2)).tar_gz())
}

#[tokio::test]
async fn recipes_contain_the_address_of_this_server() {
    let server = TestServer::start_with(&[
        "--public-url",
        "https://coverage.acme.example",
        "--oidc-issuers",
        "gitlab=https://gitlab.acme.example",
    ])
    .await;
    let html = server.get_text("/setup?ci=gitlab&language=c%2B%2B").await;
    for shown in [
        "aud: https://coverage.acme.example",
        "COVERAGE_URL: https://coverage.acme.example",
        "curl -fsS https://coverage.acme.example/upload.sh | sh",
        "gcovr --html-details",
        "Set up for GitLab",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
    assert!(!html.contains("https://gitlab.acme.example"), "{html}");
}

#[tokio::test]
async fn former_parameters_are_renamed_also_after_a_slash() {
    let server = TestServer::start().await;
    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap();
    for path in ["/setup", "/setup/"] {
        let former = server.url(&format!("{path}?org=acme&repo=payments"));
        let answer = client.get(former).send().await.unwrap();
        assert_eq!(answer.status(), 308, "{path}");
        let current = format!("{path}?org_name=acme&repo_name=payments");
        assert_eq!(answer.headers()["location"], current.as_str());
    }
}

#[tokio::test]
async fn the_waiting_page_shows_a_refused_and_then_an_accepted_upload() {
    let server = TestServer::start().await;
    let path = "/setup?org_name=acme&repo_name=payments";
    let html = server.get_text(path).await;
    assert!(
        html.contains("3. Check: waiting for the first upload"),
        "{html}"
    );
    let again = server.get_text(path).await;
    let main = |html: &str| {
        let rest = html.split_once("<main").unwrap().1;
        rest.split_once("</main>").unwrap().0.to_owned()
    };
    assert_eq!(
        main(&html),
        main(&again),
        "without news the page stays unchanged"
    );
    upload().authorization(Some("wr0ng")).refused(&server).await;
    let html = server.get_text(path).await;
    assert!(html.contains("3. Check: an upload was refused"), "{html}");
    assert!(html.contains("The token was not accepted."), "{html}");
    upload().accepted(&server).await;
    let html = server.get_text(path).await;
    assert!(
        html.contains("3. Check: the upload has arrived") && html.contains("50.00"),
        "{html}"
    );
}

#[tokio::test]
async fn the_uploads_page_shows_readers_more_than_the_public() {
    let open = TestServer::start().await;
    upload().accepted(&open).await;
    let html = open.get_text("/uploads").await;
    assert!(html.contains("50.00\u{202f}%</a>"), "{html}");
    assert!(!html.contains("UPLOAD_TOKEN"), "{html}");
    let token = ["--upload-token", crate::harness::TOKEN];
    let behind_a_proxy = [
        "--protect-reading",
        "--user-header",
        "x-forwarded-user",
        "--trusted-proxies",
        "127.0.0.1",
    ];
    let server = TestServer::start_with(&[&token[..], &behind_a_proxy].concat()).await;
    upload().accepted(&server).await;
    assert_eq!(server.get("/uploads").await.status(), 401);
    let request = server.client.get(server.url("/uploads"));
    let answer = request.header("x-forwarded-user", "kim").send().await;
    let html = answer.unwrap().text().await.unwrap();
    assert!(html.contains("UPLOAD_TOKEN"), "{html}");
}

#[tokio::test]
async fn hostile_names_of_strangers_never_reach_the_uploads_page() {
    let server = TestServer::start().await;
    let hostile = "<script>alert(1)</script>\u{202e}";
    upload()
        .with("org_name", hostile)
        .with("branch_name", hostile)
        .refused(&server)
        .await;
    let html = server.get_text("/uploads").await;
    let named = "Correct these parameters: org_name is not valid.";
    assert!(html.contains(named), "{html}");
    assert!(!html.contains("alert(1)"), "{html}");
}
