//! The pull requests of a repository.

use super::*;

#[tokio::test]
async fn a_repository_lists_its_pull_requests_with_changed_lines() {
    let server = TestServer::start().await;
    upload().with("commit_hash", "m1").accepted(&server).await;
    let none = server.get_text("/repos/acme/payments/pulls").await;
    assert!(!none.contains("<table"), "{none}");
    let request = |commit: &str, number: &str, branch: &str| {
        upload()
            .with("commit_hash", commit)
            .with("branch_name", branch)
            .with("pull_request", number)
            .after("changes", DIFF.as_bytes())
    };
    request("f1", "7", "fix").accepted(&server).await;
    let newest = request("f2", "7", "fix").accepted(&server).await;
    let waiting = request("g1", "8", "feature")
        .with("part", "unit")
        .with("parts", "unit,e2e");
    waiting.accepted(&server).await;
    let card = server.get_text("/repos/acme/payments/pulls").await;
    for expected in [
        "#7",
        "#8",
        "66.67",
        ">2 of 3<",
        "feature",
        "data-label=\"Gate\"",
    ] {
        assert!(card.contains(expected), "{expected} in {card}");
    }
    let link = "href=\"/repos/acme/payments/pulls/7\"";
    assert!(card.contains(link), "{card}");
    assert_eq!(
        card.matches("#7").count(),
        1,
        "only its newest record: {card}"
    );
    let page = server.get_text("/repos/ACME/payments/pulls/7").await;
    let first = format!("/records/{}/source?path=", newest["coverage"]["id"]);
    for expected in ["No gate", "2 of 3 covered", &first, ">f1<", ">f2<"] {
        assert!(page.contains(expected), "{expected} in {page}");
    }
    let none = server.get("/repos/acme/payments/pulls/99").await;
    assert_eq!(none.status(), 404);
    let none = none.text().await.unwrap();
    let sentence = "No upload of pull request 99 has arrived yet.";
    assert!(none.contains(sentence), "{none}");
}
