use crate::testing::{FakeModel, render};

#[tokio::test]
async fn an_unknown_page_says_so_and_links_onwards() {
    let (status, html) = render(FakeModel::default(), "/no/such/page").await;
    assert_eq!(status, 404, "{html}");
    assert!(
        html.contains("There is no page at /no/such/page."),
        "{html}"
    );
    assert!(html.contains("href=\"/\""), "{html}");
}

#[tokio::test]
async fn an_unreachable_database_is_503_with_a_retry_link() {
    let (status, html) = render(FakeModel::default(), "/").await;
    assert_eq!(status, 503, "{html}");
    assert!(html.contains("Try again"), "{html}");
    assert!(html.contains("role=\"alert\""), "{html}");
}

#[tokio::test]
async fn an_unknown_repository_suggests_similar_names() {
    let model = FakeModel {
        repository: Some(None),
        similar: Some(vec!["acme/payments".parse().expect("a repository")]),
        ..FakeModel::default()
    };
    let (status, html) = render(model, "/repos/acme/paymetns").await;
    assert_eq!(status, 404, "{html}");
    for shown in [
        "No coverage was uploaded for <bdi class=\"mono\">acme/paymetns</bdi>.",
        "<bdi>acme/payments</bdi></a>?</p>",
        "<span>Open <bdi>acme/payments</bdi></span>",
        "href=\"/repos/acme/payments\"",
        "href=\"/orgs/acme\"",
        "href=\"/setup?org_name=acme&amp;repo_name=paymetns\"",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
}

#[tokio::test]
async fn not_found_stays_404_if_the_search_for_similar_names_fails() {
    let model = FakeModel {
        repository: Some(None),
        ..FakeModel::default()
    };
    let (status, html) = render(model, "/repos/acme/paymetns").await;
    assert_eq!(status, 404, "{html}");
    assert!(!html.contains("Did you mean"), "{html}");
}
