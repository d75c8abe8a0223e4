use super::*;
use crate::testing::{FakeModel, render};

async fn page(list: Option<TestList>) -> (u16, String) {
    let detail = RecordTestsDetail {
        record_id: 7,
        repository: "acme/payments".parse().expect("a repository"),
        commit: "9be01d2".parse().expect("a commit"),
        pull_request: None,
        list,
    };
    let model = FakeModel {
        tests: Some(Some(detail)),
        ..FakeModel::default()
    };
    render(model, "/records/7/tests").await
}

#[tokio::test]
async fn tests_have_their_lines_and_parts_without_tests_are_named() {
    let list = TestList {
        tests: vec![TestRow {
            name: "tests/<fee>.py::test".to_owned(),
            lines: 1_234,
            only: 5,
        }],
        of: 501,
        parts_without: vec!["e2e".parse().expect("a part")],
    };
    let (status, html) = page(Some(list)).await;
    assert_eq!(status, 200);
    for expected in [
        "tests/&lt;fee&gt;.py::test",
        "1,234",
        "501 tests ran lines",
        "500 more are in the API.",
        "which may run the same lines: e2e.",
        "href=\"/records/7\"",
    ] {
        assert!(html.contains(expected), "{expected} in {html}");
    }
}

#[tokio::test]
async fn a_record_without_tests_says_so() {
    let (status, html) = page(None).await;
    assert_eq!(status, 200);
    assert!(html.contains("do not say which tests ran"), "{html}");
}
