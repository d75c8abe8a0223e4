//! What people of `ADMIN_GROUPS` do in the browser, and who may not.

use super::*;
use domain::{AuditEntry, AuditQuery};

const RIGHTS: [&str; 4] = [
    "--read-orgs",
    "acme=payments,labs=lab",
    "--admin-groups",
    "acme=leads,zoo=ops",
];

/// The forms of administrators, each about the record or the repository of acme.
const FORMS: [(&str, &str); 5] = [
    (
        "/admin/tokens/create",
        "name=made&for=upload&org_name=acme&expires=90d",
    ),
    ("/admin/tokens/revoke", "token=1"),
    (
        "/admin/gate/set",
        "org_name=ACME&repo_name=payments&changed=80&paths=a%2F**%3Alost%3D0",
    ),
    ("/admin/gate/clear", "org_name=acme&repo_name=payments"),
    ("/admin/records/delete", "record=1"),
];

/// A scene, and the session of a person of these groups.
async fn session(scene: &Scene, groups: &[&str]) -> String {
    let claims = json!({ "sub": "kim-1", "preferred_username": "kim", "groups": groups });
    scene.issuer.logs_in(claims);
    scene.session().await
}

/// A form of a page of the dashboard, or of another `site`.
async fn send(scene: &Scene, (path, form): (&str, &str), cookie: &str, site: &str) -> Response {
    let request = ask(&scene.server, Method::POST, path).header("cookie", cookie);
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let request = request.header("sec-fetch-site", site);
    request.body(form.to_owned()).send().await.unwrap()
}

async fn refusal(response: Response) -> (u16, String) {
    assert_eq!(header(&response, "cache-control"), "no-store");
    let status = response.status().as_u16();
    let problem: Value = response.json().await.unwrap();
    (status, problem["code"].as_str().unwrap().to_owned())
}

/// The rows of the audit log about actions of people and of tokens, the oldest first.
async fn audited(scene: &Scene) -> Vec<AuditEntry> {
    let (store, query) = (scene.server.store().await, AuditQuery::default());
    let page = store.operator().audit_page(&query, &[Scope::All]).await;
    let mut entries = page.unwrap().entries;
    entries.retain(|entry| ["person", "token"].contains(&entry.actor_kind.as_str()));
    entries.reverse();
    entries
}

#[tokio::test]
async fn people_of_admin_groups_do_in_the_browser_what_the_commands_do() {
    let scene = Scene::with(&RIGHTS).await;
    let lead = session(&scene, &["payments", "lab", "leads"]).await;
    let text = async |path: &str| scene.read(path, &lead).await.text().await.unwrap();
    assert!(text("/records/1").await.contains("/admin/delete?record=1"));
    assert!(!text("/records/2").await.contains("/admin/delete"));
    assert!(
        text("/admin/delete?record=1")
            .await
            .contains("Delete this record?")
    );
    let gate = "/admin/gate?org_name=acme&repo_name=payments&changed=80";
    assert!(text(gate).await.contains("action=\"/admin/gate/set\""));
    let of_labs = "/admin/gate?org_name=labs&repo_name=payments";
    for hidden in ["/admin/delete?record=2", "/admin/revoke?token=1", of_labs] {
        assert_eq!(scene.read(hidden, &lead).await.status(), 404, "{hidden}");
    }

    let [create, _, set, clear, delete] = FORMS;
    let made = send(&scene, create, &lead, "same-origin").await;
    assert_eq!(made.status(), 200);
    assert_eq!(header(&made, "cache-control"), "no-store");
    let page = made.text().await.unwrap();
    let at = page.find(">cov_").unwrap_or_else(|| panic!("{page}")) + 1;
    let token = page[at..].split('<').next().unwrap();
    let upload = Upload::of(Archive::report("two", &cobertura(1, 2)).tar_gz());
    let upload = upload.with("branch_name", "next");
    let upload = upload.authorization(Some(&format!("Bearer {token}")));
    upload.accepted(&scene.server).await;
    let settings = text("/settings").await;
    assert!(
        settings.contains(">made<") && !settings.contains(token),
        "{settings}"
    );
    let revoked = send(
        &scene,
        ("/admin/tokens/revoke", "token=1"),
        &lead,
        "same-origin",
    )
    .await;
    assert_eq!(
        (revoked.status().as_u16(), location(&revoked)),
        (303, "/settings".to_owned())
    );
    for _ in 0..2 {
        for form in [set, clear] {
            let done = send(&scene, form, &lead, "same-origin").await;
            let page = "/admin/gate?org_name=acme&repo_name=payments";
            assert_eq!(
                (done.status().as_u16(), location(&done)),
                (303, page.to_owned())
            );
        }
    }
    let deleted = send(&scene, delete, &lead, "same-origin").await;
    assert_eq!(location(&deleted), "/repos/acme/payments");
    assert_eq!(scene.read("/records/1", &lead).await.status(), 404);

    let entries = audited(&scene).await;
    assert!(entries.iter().all(|entry| entry.actor_kind == "person"
        && entry.actor == "kim (kim-1)"
        && entry.source == "127.0.0.1"));
    let actions: Vec<_> = entries.iter().map(|entry| entry.action.as_str()).collect();
    let expected = [
        "token_created",
        "token_revoked",
        "gate_set",
        "gate_cleared",
        "gate_set",
        "gate_cleared",
        "record_deleted",
    ];
    assert_eq!(actions, expected);
    let gate = entries[2].new.as_deref();
    assert_eq!(gate, Some("changed 80, a/**: lost 0"));
    assert!(!format!("{entries:?}").contains(token));
}

#[tokio::test]
async fn who_administers_an_org_sets_and_removes_the_rules_of_the_org() {
    let scene = Scene::with(&RIGHTS).await;
    let lead = session(&scene, &["payments", "lab", "leads"]).await;
    let page = "/admin/gate?org_name=acme&repo_name=payments";
    let rules = "org_name=acme&repo_name=payments&changed=80&for=org";
    let text = async || scene.read(page, &lead).await.text().await.unwrap();
    let set = send(&scene, ("/admin/gate/set", rules), &lead, "same-origin").await;
    assert_eq!(
        (set.status().as_u16(), location(&set)),
        (303, page.to_owned())
    );
    let after = text().await;
    assert!(
        after.contains("org acme") && after.contains("Remove the rules of the org"),
        "{after}"
    );
    assert!(
        !after.contains("Remove the rules of this repository"),
        "{after}"
    );
    send(&scene, ("/admin/gate/clear", rules), &lead, "same-origin").await;
    assert!(!text().await.contains("org acme"));
    let wrong = (
        "/admin/gate/set",
        "org_name=acme&repo_name=payments&lost=0&for=all",
    );
    let refused = refusal(send(&scene, wrong, &lead, "same-origin").await).await;
    assert_eq!(refused, (422, "invalid_parameter".to_owned()));
}

#[tokio::test]
async fn a_form_that_is_sent_again_or_leaves_the_scope_changes_nothing() {
    let scene = Scene::with(&RIGHTS).await;
    let lead = session(&scene, &["payments", "lab", "leads"]).await;
    let ours = "same-origin";
    let [create, revoke, set, _, delete] = FORMS;
    for form in [create, revoke, set, delete] {
        let first = send(&scene, form, &lead, ours).await.status().as_u16();
        assert!([200, 303].contains(&first), "{form:?}");
    }
    let before = audited(&scene).await.len();
    assert_eq!(
        send(&scene, set, &lead, ours).await.status(),
        404,
        "the repository is gone"
    );
    // The name of a revoked token is free.
    let made = send(&scene, create, &lead, ours).await;
    assert_eq!(made.status(), 200);
    for (form, status, code) in [
        (create, 422, "invalid_parameter"),
        (revoke, 404, "not_found"),
        (delete, 404, "not_found"),
        (("/admin/records/delete", "record=2"), 404, "not_found"),
        (("/admin/records/delete", "record=x"), 404, "not_found"),
        (
            ("/admin/gate/set", "org_name=labs&repo_name=payments&lost=0"),
            404,
            "not_found",
        ),
        (
            ("/admin/gate/clear", "org_name=labs&repo_name=payments"),
            404,
            "not_found",
        ),
        (
            ("/admin/tokens/create", "name=wide&for=admin&org_name=*"),
            403,
            "token_not_for_repository",
        ),
        (
            ("/admin/tokens/create", "name=x&for=read&org_name=labs"),
            403,
            "token_not_for_repository",
        ),
        (
            ("/admin/tokens/create", "name=all&for=read&org_name="),
            422,
            "invalid_parameter",
        ),
        (
            (
                "/admin/tokens/create",
                "name=all&for=read&org_name=*&repo_name=x",
            ),
            422,
            "invalid_parameter",
        ),
    ] {
        let answer = send(&scene, form, &lead, ours).await;
        assert_eq!(refusal(answer).await, (status, code.to_owned()), "{form:?}");
    }
    assert_eq!(audited(&scene).await.len(), before + 1);
    let request = ask(&scene.server, Method::POST, delete.0).header("cookie", &lead);
    let request = request.header("accept", NAVIGATION).header(OURS.0, OURS.1);
    let page = request.body("record=%3Cb%3E").send().await.unwrap();
    assert_eq!(
        (page.status().as_u16(), header(&page, "content-type")),
        (404, "text/html; charset=utf-8")
    );
    let page = page.text().await.unwrap();
    assert!(
        page.contains("There is no record &lt;b&gt;.") && !page.contains("<b>"),
        "{page}"
    );
}

#[tokio::test]
async fn nobody_else_can_send_a_form_of_administrators() {
    let scene = Scene::with(&RIGHTS).await;
    let lead = session(&scene, &["payments", "leads"]).await;
    let reader = session(&scene, &["payments"]).await;
    let elsewhere = session(&scene, &["payments", "ops"]).await;
    for form in FORMS {
        for (cookie, site, status, code) in [
            ("", "same-origin", 401, "missing_token"),
            (&reader, "same-origin", 403, "admin_token_required"),
            (&lead, "cross-site", 403, "form_of_another_site"),
            (&lead, "same-site", 403, "form_of_another_site"),
            (&lead, "none", 403, "form_of_another_site"),
        ] {
            let answer = send(&scene, form, cookie, site).await;
            assert_eq!(
                refusal(answer).await,
                (status, code.to_owned()),
                "{form:?} {site}"
            );
        }
        let answer = send(&scene, form, &elsewhere, "same-origin").await;
        let expected = match form.0 {
            "/admin/tokens/create" => (403, "token_not_for_repository".to_owned()),
            _ => (404, "not_found".to_owned()),
        };
        assert_eq!(refusal(answer).await, expected, "{form:?}");
    }
    assert_eq!(audited(&scene).await, []);
    assert_eq!(scene.read("/records/1", &lead).await.status(), 200);
    let page = scene
        .read("/records/1", &reader)
        .await
        .text()
        .await
        .unwrap();
    assert!(!page.contains("/admin/"), "{page}");
    for page in [
        "/settings",
        "/audit",
        "/admin/delete?record=1",
        "/admin/gate?org_name=acme&repo_name=payments",
    ] {
        assert_eq!(scene.read(page, &reader).await.status(), 401, "{page}");
    }
}
