//! What people may read, by their groups.

use super::*;

/// Each group reads one org.
const ORGS: [&str; 2] = [
    "--read-orgs",
    "acme=payments,labs=lab,labs/x=x-team,*=admins",
];

async fn listed(scene: &Scene, session: &str) -> String {
    let response = scene.read("/coverages-api?full", session).await;
    assert_eq!(response.status(), 200);
    let listing: Value = response.json().await.unwrap();
    let names = listing["data"].as_object().unwrap().keys();
    names.cloned().collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn people_read_the_orgs_of_their_groups() {
    let scene = Scene::with(&ORGS).await;
    for (groups, expected) in [
        (json!(["payments"]), "acme/payments"),
        (json!(["lab", "other"]), "labs/payments"),
        (json!(["payments", "lab"]), "acme/payments labs/payments"),
        (json!("admins"), "acme/payments labs/payments"),
        (json!(["x-team"]), ""),
    ] {
        scene
            .issuer
            .logs_in(json!({ "sub": "kim-1", "groups": groups }));
        assert_eq!(
            listed(&scene, &scene.session().await).await,
            expected,
            "{groups}"
        );
    }
}

#[tokio::test]
async fn a_session_obeys_its_orgs_on_every_kind_of_route() {
    let scene = Scene::with(&ORGS).await;
    scene
        .issuer
        .logs_in(json!({ "sub": "kim-1", "groups": ["lab"] }));
    let session = scene.session().await;
    for (hidden, own) in [
        ("/repos/acme/payments", "/repos/labs/payments"),
        ("/orgs/acme", "/orgs/labs"),
        ("/records/1", "/records/2"),
        ("/coverages-api/records/1", "/coverages-api/records/2"),
        (
            "/coverages-api/orgs/trend.csv?org_name=acme",
            "/coverages-api/orgs/trend.csv?org_name=labs",
        ),
        ("/reports/1.zip", "/reports/2.zip"),
    ] {
        assert_eq!(scene.read(hidden, &session).await.status(), 404, "{hidden}");
        assert_eq!(scene.read(own, &session).await.status(), 200, "{own}");
    }
    let signed = scene.read("/reports/2/", &session).await;
    assert!(location(&signed).starts_with("/reports/2/@"), "{signed:?}");
    assert_eq!(scene.read("/reports/1/", &session).await.status(), 404);
    let badge = |org: &str| format!("/coverages-api/badge?org_name={org}&repo_name=payments");
    let badge = async |org: &str| {
        scene
            .read(&badge(org), &session)
            .await
            .text()
            .await
            .unwrap()
    };
    assert!(badge("acme").await.contains("unknown") && badge("labs").await.contains("50"));
    let message = |record: &str| {
        json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": "gate", "arguments": { "record": record } }
        })
    };
    let agent = async |record: &str| {
        let request = ask(&scene.server, Method::POST, "/mcp").header("cookie", &session);
        let request = request.header("accept", "application/json, text/event-stream");
        request
            .json(&message(record))
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap()
    };
    assert!(agent("1").await.contains("There is no record 1"));
    let own = agent("2").await;
    assert!(own.contains("/records/2"), "{own}");
}

#[tokio::test]
async fn an_org_whose_name_only_looks_similar_is_not_readable() {
    let scene = Scene::with(&ORGS).await;
    for org in ["labs2", "la_s", "lab", "labs/x", "xlabs"] {
        let upload = Upload::of(Archive::report(org, &cobertura(1, 2)).tar_gz());
        upload.with("org_name", org).accepted(&scene.server).await;
    }
    for (group, expected) in [
        ("lab", "labs/payments labs/x/payments"),
        ("x-team", "labs/x/payments"),
    ] {
        scene
            .issuer
            .logs_in(json!({ "sub": "kim-1", "groups": [group] }));
        let session = scene.session().await;
        assert_eq!(listed(&scene, &session).await, expected, "{group}");
        for page in [
            "/",
            "/orgs",
            "/uploads",
            "/?keyword=la",
            "/coverages-api/search?q=la",
        ] {
            let page = scene.read(page, &session).await.text().await.unwrap();
            for hidden in ["labs2", "la_s", "xlabs"] {
                assert!(!page.contains(hidden), "{hidden}: {page}");
            }
        }
        for hidden in ["labs2", "la_s", "lab", "xlabs"] {
            let page = scene
                .read(&format!("/repos/{hidden}/payments"), &session)
                .await;
            assert_eq!(page.status(), 404, "{hidden}");
        }
    }
}

#[tokio::test]
async fn a_person_without_a_group_that_counts_learns_why_and_gets_no_session() {
    let scene = Scene::with(&ORGS).await;
    for (groups, named) in [
        (
            json!(["staff", "<b>"]),
            "none of your groups (staff, &lt;b&gt;) may read",
        ),
        (
            json!(["a", "b", "c", "d", "e", "f", "g"]),
            "(a, b, c, d, e and 2 more)",
        ),
        (json!([]), "none of your groups may read"),
        (json!(null), "none of your groups may read"),
    ] {
        scene
            .issuer
            .logs_in(json!({ "sub": "kim-1", "email": "kim@example.com", "groups": groups }));
        let response = scene.log_in("/").await;
        assert_eq!(
            (response.status().as_u16(), session_of(&response)),
            (403, None)
        );
        let page = response.text().await.unwrap();
        assert!(
            page.contains(named) && page.contains("as kim@example.com"),
            "{named}: {page}"
        );
    }
    assert_eq!(
        scene
            .server
            .store()
            .await
            .operator()
            .sessions()
            .await
            .unwrap(),
        []
    );
}

#[tokio::test]
async fn changed_settings_count_for_sessions_that_exist() {
    let scene = Scene::with(&ORGS).await;
    scene
        .issuer
        .logs_in(json!({ "sub": "kim-1", "groups": ["payments", "lab"] }));
    let session = scene.session().await;
    let scene = restarted(scene, &["--read-orgs", "labs=lab"]).await;
    assert_eq!(listed(&scene, &session).await, "labs/payments");
    let scene = restarted(scene, &["--read-orgs", "acme=others"]).await;
    let refused = scene.read("/coverages-api", &session).await;
    assert_eq!(refused.status(), 403);
    assert!(header(&refused, "set-cookie").contains("Max-Age=0"));
    let problem: Value = refused.json().await.unwrap();
    assert_eq!(problem["code"], "not_a_reader");
    let of_another_issuer = Scene {
        issuer: LoginIssuer::start().await,
        server: scene.server,
    };
    let scene = restarted(of_another_issuer, &[]).await;
    assert_eq!(scene.read("/", &session).await.status(), 401);
}

/// The same service with other rights.
async fn restarted(scene: Scene, arguments: &[&str]) -> Scene {
    let Scene { issuer, server } = scene;
    let folder = server.stop().await;
    let flags = [&issuer.flags()[..], arguments].concat();
    let server = TestServer::start_in(folder, &flags).await;
    Scene { issuer, server }
}

#[tokio::test]
async fn groups_may_be_in_another_claim_or_in_the_answer_to_a_further_question() {
    let scene =
        Scene::with(&[&ORGS[..], &["--login-groups-claim", "realm_access.roles"]].concat()).await;
    scene
        .issuer
        .logs_in(json!({ "sub": "kim-1", "name": "Kim", "realm_access": { "roles": ["lab"] } }));
    assert_eq!(
        listed(&scene, &scene.session().await).await,
        "labs/payments"
    );
    assert_eq!(scene.issuer.requests("/userinfo"), 0);
    scene.issuer.logs_in(json!({ "sub": "kim-1" }));
    let claims = json!({ "sub": "kim-1", "realm_access": { "roles": ["payments"] } });
    scene.issuer.misbehave(&[LoginFault::Userinfo(200, claims)]);
    assert_eq!(
        listed(&scene, &scene.session().await).await,
        "acme/payments"
    );
    let of_another = json!({ "sub": "lee-2", "realm_access": { "roles": ["payments"] } });
    scene
        .issuer
        .misbehave(&[LoginFault::Userinfo(200, of_another)]);
    let response = scene.log_in("/").await;
    assert_eq!(
        (response.status().as_u16(), session_of(&response)),
        (502, None)
    );
}

#[tokio::test]
async fn a_name_that_the_identity_lacks_is_asked_for_and_not_needed() {
    let scene = Scene::with(&[]).await;
    scene.issuer.logs_in(json!({ "sub": "kim-1" }));
    for (fault, name) in [
        (
            LoginFault::Userinfo(200, json!({ "sub": "kim-1", "name": "Kim" })),
            "Kim",
        ),
        (
            LoginFault::Userinfo(200, json!({ "sub": "lee-2", "name": "Lee" })),
            "kim-1",
        ),
        (LoginFault::Userinfo(500, json!({})), "kim-1"),
        (
            LoginFault::Discovery(json!({ "userinfo_endpoint": null })),
            "kim-1",
        ),
    ] {
        scene.issuer.misbehave(&[fault]);
        let page = scene
            .read("/", &scene.session().await)
            .await
            .text()
            .await
            .unwrap();
        assert!(
            page.contains(&format!("Logged in as </span><bdi>{name}</bdi>")),
            "{name}: {page}"
        );
    }
}

#[tokio::test]
async fn without_read_orgs_everyone_who_logs_in_reads_everything() {
    let scene = Scene::with(&[]).await;
    let session = scene.session().await;
    assert_eq!(
        listed(&scene, &session).await,
        "acme/payments labs/payments"
    );
    assert_eq!(scene.read("/storage", &session).await.status(), 200);
    assert_eq!(scene.issuer.requests("/userinfo"), 0);
}
