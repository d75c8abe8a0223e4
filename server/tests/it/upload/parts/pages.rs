use super::*;

#[tokio::test]
async fn a_records_page_shows_its_parts_and_what_it_waits_for() {
    let server = TestServer::start().await;
    let html = Archive::new()
        .file("index.html", "unit")
        .file("coverage.xml", lcov("a.c", &[(1, 1), (2, 0)]));
    let unit = Upload::of(html.tar_gz())
        .with("part", "unit")
        .with("parts", "unit,web,e2e");
    let id = id(&unit.accepted(&server).await);
    let docs = notice("skip", "web").with("reason", "<b>docs</b> only");
    docs.accepted(&server).await;
    let page = server.get_text(&format!("/records/{id}")).await;
    for shown in [
        "It is not current yet: waiting for e2e.",
        "2 arrived, waiting for e2e",
        &format!("/reports/{id}/parts/unit/"),
        "1 of 2",
        "&lt;b&gt;docs&lt;/b&gt; only",
        "Delete a part",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    let plain = part("", &lcov("a.c", &[(1, 1)]))
        .with("commit_hash", "c2")
        .accepted(&server)
        .await;
    let page = server
        .get_text(&format!("/records/{}", super::id(&plain)))
        .await;
    assert!(!page.contains("Delete a part"), "{page}");
}

#[tokio::test]
async fn a_page_names_the_parts_that_most_commits_of_the_main_branch_have() {
    let server = TestServer::start().await;
    let coverage = lcov("a.c", &[(1, 1)]);
    for number in 0..10 {
        let commit = format!("c{number}");
        let upload = |name: &str| part(name, &coverage).with("commit_hash", &commit);
        upload("unit").accepted(&server).await;
        if number < 8 {
            upload("web").accepted(&server).await;
        }
        if number < 7 {
            upload("rare").accepted(&server).await;
        }
    }
    let next = part("unit", &coverage)
        .with("commit_hash", "next")
        .with("branch_name", "feature");
    let answer = next.accepted(&server).await;
    let notices = answer["summary"]["notices"].to_string();
    assert!(notices.contains("also have web."), "{notices}");
    assert_eq!(answer["summary"]["parts"]["complete"], true);
    let page = server.get_text(&format!("/records/{}", id(&answer))).await;
    assert!(
        page.contains("Most commits of the main branch also have web."),
        "{page}"
    );
}

#[tokio::test]
async fn a_record_that_waits_for_parts_is_incomplete_and_not_less_in_tables() {
    let server = TestServer::start().await;
    let on = |commit: &'static str, upload: Upload| {
        let upload = upload.with("branch_name", "fix").with("pull_request", "7");
        upload.with("commit_hash", commit)
    };
    let full = part("unit", &lcov("a.c", &[(1, 1), (2, 1)]));
    on("c1", full).accepted(&server).await;
    let half = part("unit", &lcov("a.c", &[(1, 1), (2, 0)]));
    let half = on("c2", half.with("parts", "unit,e2e"));
    half.accepted(&server).await;
    let pulls = server.get_text("/repos/acme/payments/pulls").await;
    assert!(pulls.contains("class=\"verdict incomplete\""), "{pulls}");
    let page = server
        .get_text("/repos/acme/payments?branch_name=fix&tab=history")
        .await;
    assert!(page.contains("50.00"), "{page}");
    assert!(!page.contains("−50.00"), "{page}");
    on("c2", part("e2e", &lcov("a.c", &[(1, 0), (2, 0)])))
        .accepted(&server)
        .await;
    let page = server
        .get_text("/repos/acme/payments?branch_name=fix")
        .await;
    assert!(page.contains("−50.00"), "{page}");
}
