//! People who log in at an OpenID Connect issuer.

mod administration;
mod attempts;
mod faults;
mod rights;

use super::{login::OURS, *};
use crate::harness::{LoginFault, LoginIssuer};
use serde_json::json;

/// A service whose readers log in at an issuer, with a record of each of two orgs.
pub struct Scene {
    pub issuer: LoginIssuer,
    pub server: TestServer,
}

impl Scene {
    pub async fn with(arguments: &[&str]) -> Self {
        let issuer = LoginIssuer::start().await;
        let own = [
            "--upload-token",
            TOKEN,
            "--failed-tries-per-address",
            "1000",
        ];
        let flags = issuer.flags();
        let all: Vec<_> = own.iter().chain(&flags).chain(arguments).copied().collect();
        let server = TestServer::start_with(&all).await;
        for org in ["acme", "labs"] {
            let upload = Upload::of(Archive::report(org, &cobertura(1, 2)).tar_gz());
            upload.with("org_name", org).accepted(&server).await;
        }
        Self { issuer, server }
    }

    /// Starts a login: the cookie of the attempt, and the address of the issuer.
    pub async fn start(&self, next: &str) -> (String, String) {
        let path = format!("/login/start?next={}", next.replace('&', "%26"));
        let response = ask(&self.server, Method::GET, &path).send().await.unwrap();
        assert_eq!(response.status(), 303, "{response:?}");
        let cookie = header(&response, "set-cookie");
        let name = cookie.split(';').next().unwrap().to_owned();
        assert!(
            cookie.ends_with("; Path=/; Max-Age=600; HttpOnly; SameSite=Lax"),
            "{cookie}"
        );
        (name, header(&response, "location").to_owned())
    }

    /// Logs in at the issuer. Returns the path to which it redirects the person.
    pub async fn at_issuer(&self, address: &str) -> String {
        let client = Client::builder().redirect(Policy::none()).build().unwrap();
        let response = client.get(address).send().await.unwrap();
        let back = header(&response, "location").to_owned();
        let path = back.strip_prefix(&self.server.url("")).unwrap();
        path.to_owned()
    }

    /// Follows the issuer's redirect back, in a browser with this cookie.
    pub async fn come_back(&self, path: &str, cookie: &str) -> Response {
        let request = ask(&self.server, Method::GET, path).header("accept", NAVIGATION);
        request.header("cookie", cookie).send().await.unwrap()
    }

    /// The whole login.
    pub async fn log_in(&self, next: &str) -> Response {
        let (cookie, address) = self.start(next).await;
        let path = self.at_issuer(&address).await;
        self.come_back(&path, &cookie).await
    }

    /// The cookie of a new session.
    pub async fn session(&self) -> String {
        let response = self.log_in("/").await;
        session_of(&response).unwrap_or_else(|| panic!("{response:?}"))
    }

    /// The answer to a browser with this cookie.
    pub async fn read(&self, path: &str, cookie: &str) -> Response {
        let request = ask(&self.server, Method::GET, path).header("cookie", cookie);
        request.send().await.unwrap()
    }
}

/// The cookie of the session that an answer starts.
pub fn session_of(response: &Response) -> Option<String> {
    let cookies = response.headers().get_all("set-cookie").iter();
    let mut cookies = cookies.map(|cookie| cookie.to_str().unwrap());
    let cookie = cookies.find(|cookie| cookie.starts_with("coverage-reader=session_"))?;
    cookie.split(';').next().map(str::to_owned)
}

#[tokio::test]
async fn a_person_logs_in_at_the_issuer_and_continues_where_they_wanted() {
    let scene = Scene::with(&[]).await;
    let server = &scene.server;
    let page = ask(
        server,
        Method::GET,
        "/repos/acme/payments?branch_name=main&p=1",
    );
    let page = page.header("accept", NAVIGATION).send().await.unwrap();
    assert_eq!(page.status(), 401);
    let page = page.text().await.unwrap();
    // At the registered address, where the cookie of the login will be.
    let start =
        server.url("/login/start?next=%2Frepos%2Facme%2Fpayments%3Fbranch_name%3Dmain%26p%3D1");
    assert!(
        page.contains(&format!("href=\"{start}\"")) && page.contains("Log in with 127.0.0.1"),
        "{page}"
    );

    let response = scene
        .log_in("/repos/acme/payments?branch_name=main&p=1")
        .await;
    assert_eq!(response.status(), 303);
    assert_eq!(
        location(&response),
        "/repos/acme/payments?branch_name=main&p=1"
    );
    assert_eq!(header(&response, "referrer-policy"), "no-referrer");
    let cookies: Vec<_> = response.headers().get_all("set-cookie").iter().collect();
    let lasting = cookies.iter().filter_map(|cookie| cookie.to_str().ok());
    let lasting: Vec<_> = lasting.collect();
    assert!(
        lasting[0].ends_with("; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax"),
        "{lasting:?}"
    );
    let ended = lasting[1].strip_prefix("coverage-login-").unwrap();
    assert!(
        ended.ends_with("=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"),
        "{ended}"
    );

    let session = session_of(&response).unwrap();
    let page = scene.read("/repos/acme/payments", &session).await;
    assert_eq!(
        (page.status().as_u16(), header(&page, "cache-control")),
        (200, "no-store")
    );
    let page = page.text().await.unwrap();
    assert!(
        page.contains("Logged in as </span><bdi>kim@example.com</bdi>"),
        "{page}"
    );
    assert!(page.contains("action=\"/logout\""), "{page}");
    let secret = session.split_once('=').unwrap().1;
    for header in [format!("Bearer {secret}"), secret.to_owned()] {
        let request = ask(server, Method::GET, "/").header("authorization", header);
        assert_closed(request.send().await.unwrap(), "invalid_token").await;
    }
}

#[tokio::test]
async fn a_logout_ends_the_session_in_every_copy_of_its_cookie() {
    let scene = Scene::with(&[]).await;
    let (one, other) = (scene.session().await, scene.session().await);
    let logout = || ask(&scene.server, Method::POST, "/logout").header("cookie", &one);
    let strange = logout()
        .header("sec-fetch-site", "cross-site")
        .send()
        .await
        .unwrap();
    assert_eq!(strange.status(), 403);
    assert_eq!(scene.read("/", &one).await.status(), 200);
    let response = logout().header(OURS.0, OURS.1).send().await.unwrap();
    assert_eq!(
        (location(&response), header(&response, "clear-site-data")),
        ("/".to_owned(), "\"storage\"")
    );
    assert!(header(&response, "set-cookie").contains("Max-Age=0"));
    let ended = scene.read("/coverages-api", &one).await;
    assert_eq!(
        header(&ended, "set-cookie").split(';').next(),
        Some("coverage-reader=")
    );
    let problem: Value = ended.json().await.unwrap();
    assert_eq!(problem["detail"], "Your session has ended; log in again.");
    assert_eq!(scene.read("/", &other).await.status(), 200);
}

#[tokio::test]
async fn a_session_ends_in_time_and_is_stored_as_a_hash_only() {
    let scene = Scene::with(&["--login-seconds", "600"]).await;
    let session = scene.session().await;
    let sessions = scene
        .server
        .store()
        .await
        .operator()
        .sessions()
        .await
        .unwrap();
    let [stored] = &sessions[..] else {
        panic!("{sessions:?}")
    };
    assert_eq!(
        (stored.subject.as_str(), stored.person.as_str()),
        ("kim-1", "kim@example.com")
    );
    let seconds = (stored.expires_at.0 - stored.created_at.0) / 1_000_000;
    assert!((590..=600).contains(&seconds), "{seconds}");
    let mut database = scene.server.database().await;
    let secret = session.split_once('=').unwrap().1;
    let plain: i64 = sqlx::query_scalar("select count(*) from sessions where hash = $1")
        .bind(secret)
        .fetch_one(&mut database)
        .await
        .unwrap();
    assert_eq!(plain, 0);
    assert_eq!(scene.read("/", &session).await.status(), 200);
    sqlx::query("update sessions set expires_at = 1")
        .execute(&mut database)
        .await
        .unwrap();
    assert_eq!(scene.read("/", &session).await.status(), 401);
}

#[tokio::test]
async fn only_the_browser_that_started_a_login_completes_it_and_only_once() {
    let scene = Scene::with(&[]).await;
    let (cookie, address) = scene.start("/").await;
    let (others, _) = scene.start("/").await;
    let path = scene.at_issuer(&address).await;
    // A victim who is led to the answer for somebody else's login must not get that session.
    for foreign in [
        "",
        &others,
        "coverage-login-abcdefgh=",
        "coverage-login-abcdefgh=x.y.z.w",
    ] {
        let response = scene.come_back(&path, foreign).await;
        assert_eq!(response.status(), 401, "{foreign}");
        assert_eq!(session_of(&response), None);
        let page = response.text().await.unwrap();
        assert!(page.contains("was not started in this browser"), "{page}");
    }
    assert_eq!(scene.issuer.requests("/token"), 0);
    for tampered in [
        path.replace("state=", "state=x"),
        path.replace("iss=http", "iss=https"),
    ] {
        assert_eq!(scene.come_back(&tampered, &cookie).await.status(), 401);
    }
    assert!(session_of(&scene.come_back(&path, &cookie).await).is_some());
    let again = scene.come_back(&path, &cookie).await;
    assert_eq!((again.status().as_u16(), session_of(&again)), (401, None));
    let page = again.text().await.unwrap();
    assert!(
        page.contains("invalid_grant") && page.contains("role=\"alert\""),
        "{page}"
    );
}

#[tokio::test]
async fn logins_in_several_tabs_do_not_end_each_other() {
    let scene = Scene::with(&[]).await;
    let (one, first) = scene.start("/orgs").await;
    let (other, second) = scene.start("/uploads").await;
    let both = format!("{one}; {other}");
    for (address, next) in [(second, "/uploads"), (first, "/orgs")] {
        let path = scene.at_issuer(&address).await;
        // An answer that belongs to no login ends no login.
        let strange = scene
            .come_back("/login/callback?code=a&state=bbbbbbbbbb", &both)
            .await;
        let (_, state) = address.split_once("state=").unwrap();
        let started = &state[..8];
        assert!(!header(&strange, "set-cookie").contains(started));
        assert_eq!(location(&scene.come_back(&path, &both).await), next);
    }
}

#[tokio::test]
async fn the_secret_of_a_session_is_no_token_for_anything() {
    let scene = Scene::with(&[]).await;
    let session = scene.session().await;
    let secret = session.split_once('=').unwrap().1;
    let upload = Upload::of(Archive::report("x", &cobertura(1, 2)).tar_gz());
    let upload = upload.authorization(Some(&format!("Bearer {secret}")));
    let (status, problem) = upload.refused(&scene.server).await;
    assert_eq!((status, &problem["code"]), (401, &json!("invalid_token")));
    let again = scene.log_in("/").await;
    assert_eq!(again.status(), 303);
    let (cookie, address) = scene.start("/").await;
    let path = scene.at_issuer(&address).await;
    let replaced = scene
        .come_back(&path, &format!("{cookie}; {session}"))
        .await;
    assert_eq!(replaced.status(), 303);
    assert_eq!(
        scene.read("/", &session).await.status(),
        401,
        "it was replaced"
    );
}

#[tokio::test]
async fn a_login_never_leads_to_another_host() {
    let scene = Scene::with(&[]).await;
    for next in ["//evil.example", "https://evil.example/", "/\\evil.example"] {
        assert_eq!(location(&scene.log_in(next).await), "/", "{next}");
    }
    // The cookie of the attempt is the browser's own and could be set by another site on plain HTTP.
    let (cookie, address) = scene.start("/").await;
    let path = scene.at_issuer(&address).await;
    let (before, _) = cookie.rsplit_once('.').unwrap();
    let response = scene
        .come_back(&path, &format!("{before}.Ly9ldmlsLmV4YW1wbGU"))
        .await;
    assert_eq!(location(&response), "/");
}

#[tokio::test]
async fn a_service_without_an_issuer_has_no_login_at_one() {
    let server = protected(&[]).await;
    for path in ["/login/start", "/login/callback?code=a&state=b"] {
        let response = strange(&server, path).await;
        assert_eq!(response.status(), 404, "{path}");
    }
    let page = server.get_text("/login").await;
    assert!(!page.contains("/login/start"), "{page}");
}

#[tokio::test]
async fn tokens_and_proxies_still_work_beside_the_issuer() {
    let proxy = ["--user-header", "x-user", "--trusted-proxies", "127.0.0.1"];
    let scene = Scene::with(&proxy).await;
    let token = read_token(&scene.server).await;
    assert_eq!(read(&scene.server, &token, "/").await.status(), 200);
    let named = ask(&scene.server, Method::GET, "/").header("x-user", "kim");
    assert_eq!(named.send().await.unwrap().status(), 200);
    let response = login::log_in(&scene.server, &token, "/").await;
    assert_eq!(response.status(), 303);
    let wrong = login::log_in(&scene.server, "nonsense", "/").await;
    let page = wrong.text().await.unwrap();
    assert!(
        page.contains("<details open") && page.contains("Log in with"),
        "{page}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_sees_who_is_logged_in_and_ends_sessions() {
    let scene = Scene::with(&["--read-orgs", "acme=payments"]).await;
    scene.issuer.logs_in(
        json!({ "sub": "kim-1", "name": "Kim \u{202e}", "groups": ["payments", "other"] }),
    );
    let kim = scene.session().await;
    scene
        .issuer
        .logs_in(json!({ "sub": "lee-2", "name": "Lee", "groups": ["payments"] }));
    let lee = scene.session().await;
    let run = |arguments: &[&str]| {
        let words = [&["session"], arguments].concat();
        scene.server.command(&words).output().unwrap()
    };
    let listed = String::from_utf8(run(&["list"]).stdout).unwrap();
    let rows: Vec<_> = listed.lines().collect();
    assert!(
        rows[0].starts_with("PERSON") && rows[1].starts_with("Lee"),
        "{listed}"
    );
    assert!(
        rows[2].starts_with("Kim \\u{202e}") && rows[2].contains("kim-1"),
        "{listed}"
    );
    assert!(
        rows[2].contains("payments") && !rows[2].contains("other"),
        "{listed}"
    );

    let ended = run(&["end", "--person", "kim-1"]);
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(said.ends_with("\n1 session ended.\n"), "{said}");
    assert_eq!(scene.read("/", &kim).await.status(), 401);
    assert_eq!(scene.read("/", &lee).await.status(), 200);
    let unknown = run(&["end", "--person", "kim-1"]);
    assert_eq!(unknown.status.code(), Some(1));
    let neither = run(&["end"]);
    assert_eq!(neither.status.code(), Some(2));
    assert!(run(&["end", "--all"]).status.success());
    assert_eq!(scene.read("/", &lee).await.status(), 401);
    let listed = run(&["list"]).stdout;
    assert_eq!(
        String::from_utf8(listed).unwrap(),
        "Nobody is logged in at an issuer.\n"
    );
}

#[tokio::test]
async fn a_person_who_opens_a_page_for_admins_is_asked_for_an_admin_token() {
    let scene = Scene::with(&[]).await;
    let session = scene.session().await;
    let request = ask(&scene.server, Method::GET, "/settings").header("cookie", &session);
    let response = request.header("accept", NAVIGATION).send().await.unwrap();
    assert_eq!(response.status(), 401);
    let page = response.text().await.unwrap();
    assert!(
        page.contains(">Admin token<") && !page.contains("role=\"alert\""),
        "{page}"
    );
    assert_eq!(
        scene.read("/", &session).await.status(),
        200,
        "the session stays"
    );
}
