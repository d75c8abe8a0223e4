use crate::testing::{FakeModel, render};

#[tokio::test]
async fn an_address_that_is_no_page_says_so_and_leads_on() {
    let (status, html) = render(FakeModel::default(), "/no/such/page").await;
    assert_eq!(status, 404, "{html}");
    assert!(html.contains("There is no page at this address."), "{html}");
    assert!(html.contains("href=\"/\""), "{html}");
}

#[tokio::test]
async fn a_database_that_is_out_of_reach_is_503_with_a_way_to_try_again() {
    let (status, html) = render(FakeModel::default(), "/").await;
    assert_eq!(status, 503, "{html}");
    assert!(html.contains("Try again"), "{html}");
    assert!(html.contains("role=\"alert\""), "{html}");
}

#[tokio::test]
async fn an_unknown_repository_names_those_that_may_have_been_meant() {
    let model = FakeModel {
        repository: Some(None),
        alike: Some(vec!["acme/payments".parse().expect("a repository")]),
        ..FakeModel::default()
    };
    let (status, html) = render(model, "/repos/acme/paymetns").await;
    assert_eq!(status, 404, "{html}");
    for shown in [
        "No coverage was uploaded for acme/paymetns.",
        "Did you mean one of these?",
        "href=\"/repos/acme/payments\"",
        "value=\"paymetns\"",
        "href=\"/setup\"",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
}

#[tokio::test]
async fn a_database_that_fails_while_names_are_looked_for_leaves_not_found_as_it_is() {
    let model = FakeModel {
        repository: Some(None),
        ..FakeModel::default()
    };
    let (status, html) = render(model, "/repos/acme/paymetns").await;
    assert_eq!(status, 404, "{html}");
    assert!(!html.contains("Did you mean"), "{html}");
}
