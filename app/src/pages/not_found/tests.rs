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
