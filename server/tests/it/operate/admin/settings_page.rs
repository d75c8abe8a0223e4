//! `/settings`: who may see it, and what it never shows.

use super::{audit_page::unchanged, *};
use crate::harness::{
    BINARY, SECRET, ServerProcess, TOKEN, database_url, is_postgres, remove_database,
};
use tempfile::TempDir;

/// The spellings of the address that lead to no other page.
const SPELLINGS: [&str; 6] = [
    "/settings/",
    "//settings",
    "/%73ettings",
    "/settings%2f",
    "/x/../settings",
    "/SETTINGS",
];

async fn page(server: &impl Reachable, token: &str) -> Response {
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    let request = client.get(server.url("/settings")).bearer_auth(token);
    request.header("accept", NAVIGATION).send().await.unwrap()
}

async fn html(server: &impl Reachable, token: &str) -> String {
    let response = page(server, token).await;
    assert_eq!(response.status(), 200);
    response.text().await.unwrap()
}

async fn started() -> TestServer {
    let server = TestServer::start().await;
    // The start creates the tables.
    server.get("/coverages-api/health").await;
    server
}

#[tokio::test]
async fn settings_need_an_admin_token_even_if_reading_is_public() {
    let server = started().await;
    let admin = token(&server, "ops", "admin", &[]);
    let reads = token(&server, "reads", "read", &[]);
    for path in ["/audit", "/settings"] {
        let stranger = ask(&server, Method::GET, path).send().await.unwrap();
        assert_eq!(stranger.headers()["cache-control"], "no-store");
        assert_eq!(refusal(stranger).await, (401, "missing_token".to_owned()));
    }
    for (token, status) in [("wr0ng", 401), (TOKEN, 403), (&reads, 403)] {
        let response = page(&server, token).await;
        assert_eq!(response.status(), status, "{token}");
        assert_eq!(response.headers()["cache-control"], "no-store");
        let html = response.text().await.unwrap();
        assert!(html.contains("Admin token"), "{html}");
        assert!(!html.contains("COVERAGE_ADDR") && !html.contains("reads"));
    }
    for path in SPELLINGS {
        let request = ask(&server, Method::GET, path).header("accept", NAVIGATION);
        let html = request.send().await.unwrap().text().await.unwrap();
        let shows = html.contains("COVERAGE_ADDR") || html.contains(">reads<");
        assert!(!shows, "{path}: {html}");
    }
    // A client library would change these before it sends them.
    for path in [
        "/x/../settings",
        "/settings/%2e",
        "/./settings",
        "/settings/.",
    ] {
        let html = unchanged(&server, path).await;
        let shows = html.contains("COVERAGE_ADDR") || html.contains(">reads<");
        assert!(!shows, "{path}: {html}");
    }
    let response = page(&server, &admin).await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["cache-control"], "no-store");
}

#[tokio::test]
async fn settings_list_every_token_without_its_secret() {
    let server = started().await;
    let admin = token(&server, "ops", "admin", &["--expires", "3d"]);
    let scope = ["--org", "acme", "--repo", "payments"];
    let ci = token(&server, "ci of payments", "upload", &scope);
    token(&server, "old", "read", &[]);
    done(&server, &["token", "revoke", "old"]);
    let html = html(&server, &admin).await;
    for shown in [
        ">ops<",
        ">ci of payments<",
        ">acme/payments<",
        ">old<",
        ">expires soon<",
        ">revoked<",
        ">UPLOAD_TOKEN<",
        "every repository",
    ] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
    let store = server.store().await;
    for token in store.operator().tokens().await.unwrap() {
        assert!(!html.contains(&token.hash), "{html}");
        assert!(!html.contains(&format!("…{}", token.hint)), "{html}");
    }
    for secret in [&admin, &ci] {
        // No part of the secret either.
        let mut parts = secret.as_bytes().windows(10);
        assert!(!parts.any(|part| html.contains(str::from_utf8(part).unwrap())));
    }
    assert!(!html.contains(TOKEN), "{html}");
    store.close().await;
}

#[tokio::test]
async fn settings_show_the_same_values_as_the_command() {
    let of_test = ["--target", "72.5", "--upload-orgs", "acme,zoo"];
    let arguments = [&["--upload-token", TOKEN], &of_test[..]].concat();
    let server = TestServer::start_with(&arguments).await;
    server.get("/coverages-api/health").await;
    let admin = token(&server, "ops", "admin", &[]);
    let html = html(&server, &admin).await;
    let (printed, _) = done(&server, &["config"]);
    let variables: Vec<_> = printed
        .lines()
        .filter_map(|line| line.split('\t').next())
        .collect();
    assert!(variables.len() > 30, "{printed}");
    for variable in variables {
        let cell = format!("<th scope=\"row\" class=\"mono\">{variable}</th>");
        assert_eq!(html.matches(&cell).count(), 1, "{variable}: {html}");
    }
    let engine = if is_postgres() {
        "; PostgreSQL, schema "
    } else {
        "; SQLite, schema "
    };
    for shown in [
        ">72.5<",
        ">--target<",
        "acme,<wbr>zoo<",
        ">(hidden)<",
        ">536870912<",
        engine,
        env!("CARGO_PKG_VERSION"),
        &server.url("").replace('/', "/<wbr>"),
    ] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
}

#[tokio::test]
async fn settings_of_an_org_show_neither_other_tokens_nor_the_configuration() {
    let server = started().await;
    let admin = token(&server, "ops of acme", "admin", &["--org", "acme"]);
    for (name, org) in [("group", "acme/tools"), ("other", "zoo")] {
        token(&server, name, "upload", &["--org", org]);
    }
    token(&server, "everything", "upload", &[]);
    let html = html(&server, &admin).await;
    for shown in [">ops of acme<", ">group<", "only tokens for acme/…"] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
    for hidden in [
        ">other<",
        "zoo",
        ">everything<",
        "UPLOAD_TOKEN",
        "DATABASE_URL",
    ] {
        assert!(!html.contains(hidden), "{hidden}: {html}");
    }
}

#[tokio::test]
async fn no_configured_secret_is_in_the_settings() {
    let folder = TempDir::new().unwrap();
    let mut database = database_url(folder.path());
    if is_postgres() {
        // The server of the tests trusts its socket and ignores the password.
        database = database.replacen('@', ":s3cret-of-the-database@", 1);
    }
    let keys = [
        ("AWS_ACCESS_KEY_ID", "k3y-of-the-object-storage"),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
        ("AWS_SESSION_TOKEN", "s3ssion-of-the-object-storage"),
    ];
    let mut command = Command::new(BINARY);
    command.envs(keys).env("LOG_FORMAT", "json");
    let arguments = ["--database-url", &database];
    let server = ServerProcess::start_by(command, folder.path(), &arguments);
    let create = ["token", "create", "--name", "ops", "--for", "admin"];
    let created = Command::new(BINARY).args(create).args(arguments).output();
    let admin = text(created.unwrap().stdout);
    let html = html(&server, admin.trim()).await;
    assert!(html.contains(">environment<"), "{html}");
    let secrets = keys.map(|(_, secret)| secret);
    for secret in [TOKEN, admin.trim(), "s3cret"].into_iter().chain(secrets) {
        assert!(!html.contains(secret), "{secret}: {html}");
    }
    if is_postgres() {
        assert!(html.contains(">postgres://…@"), "{html}");
    }
    server.kill();
    remove_database(folder.path());
}

#[tokio::test]
async fn the_settings_hide_the_password_of_an_address() {
    let address = "https://kim:s3cret@coverage.example";
    let server = TestServer::start_with(&["--public-url", address]).await;
    server.get("/coverages-api/health").await;
    let admin = token(&server, "ops", "admin", &[]);
    let html = html(&server, &admin).await;
    assert!(
        html.contains(">https:/<wbr>/<wbr>…@coverage.example<"),
        "{html}"
    );
    assert!(!html.contains("s3cret"), "{html}");
}

#[tokio::test]
async fn an_admin_logs_in_for_the_settings() {
    let server = started().await;
    let admin = token(&server, "ops", "admin", &[]);
    let form = ask(&server, Method::GET, "/login?next=/settings");
    let form = form.send().await.unwrap();
    assert_eq!(form.status(), 200);
    assert!(form.text().await.unwrap().contains("Admin token"));
    let response = ask(&server, Method::POST, "/login")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("sec-fetch-site", "same-origin")
        .header("origin", server.url(""))
        .body(format!("token={admin}&next=%2Fsettings"))
        .send()
        .await
        .unwrap();
    assert_eq!(response.headers()["location"], "/settings");
    let cookie = response.headers()["set-cookie"].to_str().unwrap();
    let cookie = cookie.split(';').next().unwrap();
    let request = ask(&server, Method::GET, "/settings").header("cookie", cookie);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert!(response.text().await.unwrap().contains(">ops<"));
}

#[tokio::test]
async fn a_reader_needs_an_admin_token_for_the_settings() {
    let server = TestServer::start_with(&["--upload-token", TOKEN, "--protect-reading"]).await;
    server.get("/coverages-api/health").await;
    let admin = token(&server, "ops", "admin", &[]);
    let reads = token(&server, "reads", "read", &[]);
    let stranger = ask(&server, Method::GET, "/settings").send().await.unwrap();
    assert_eq!(refusal(stranger).await, (401, "missing_token".to_owned()));
    let response = page(&server, &reads).await;
    assert_eq!(response.status(), 403);
    assert!(response.text().await.unwrap().contains("Admin token"));
    assert_eq!(page(&server, &admin).await.status(), 200);
}
