use super::*;
use crate::testing::{FakeModel, render};
use domain::{TestFile, TestLines, TestList, TestRow};

async fn page(shown: Option<ShownTests>, query: &str) -> (u16, String) {
    let detail = RecordTestsDetail {
        record_id: 7,
        repository: "acme/payments".parse().expect("a repository"),
        commit: "9be01d2".parse().expect("a commit"),
        pull_request: None,
        shown,
    };
    let model = FakeModel {
        tests: Some(Some(detail)),
        ..FakeModel::default()
    };
    render(model, &format!("/records/7/tests{query}")).await
}

fn fee() -> TestRow {
    TestRow {
        name: "tests/<fee>.py::test".to_owned(),
        lines: 1_234,
        only: 5,
    }
}

fn fee_lines() -> TestLines {
    let file = TestFile {
        path: "src/fee_of.py".to_owned(),
        lines: 4,
        only: 1,
        ranges: vec![(3, 5), (9, 9)],
        only_ranges: vec![(9, 9)],
    };
    TestLines {
        row: fee(),
        files: vec![file],
        of: 3,
    }
}

fn list(found: u64) -> ShownTests {
    let row = TestRow {
        name: "t::b".to_owned(),
        ..fee()
    };
    let unlisted = TestLines {
        row,
        files: Vec::new(),
        of: 0,
    };
    ShownTests::List(TestList {
        tests: vec![fee_lines(), unlisted],
        of: 501,
        found,
        parts_without: vec!["e2e".parse().expect("a part")],
    })
}

#[tokio::test]
async fn tests_have_their_lines_and_parts_without_tests_are_named() {
    let (status, html) = page(Some(list(501)), "").await;
    assert_eq!(status, 200);
    for expected in [
        ">tests/<wbr>&lt;fee&gt;.py</bdi>",
        ">test</bdi></a>",
        "src/<wbr>fee_<wbr>of.py</bdi> <a href=\"/records/7/source?path=src%2Ffee_of.py&amp;line=9#L9\" class=\"link\">9</a>",
        "class=\"link\">and 4 more lines</a>",
        "href=\"/records/7/tests?test=t%3A%3Ab\" class=\"link\">its lines</a>",
        "href=\"/records/7/tests?test=tests%2F%3Cfee%3E.py%3A%3Atest\"",
        "1,234",
        "501 tests ran lines, in 2 files",
        ">1<span class=\"unit\"> test</span></span><b class=\"num\">5<span class=\"unit\"> lines only here</span></b></summary>",
        "The first 2 are shown.",
        "At least 10 lines depend on a single test.",
        "which may run the same lines: e2e.",
        "href=\"/records/7\"",
    ] {
        assert!(html.contains(expected), "{expected} in {html}");
    }
}

#[tokio::test]
async fn a_search_says_how_many_tests_it_finds() {
    let (_, html) = page(Some(list(2)), "?find=fee").await;
    for expected in [
        "2 of 501 tests found",
        "<p>10 lines depend on a single test",
        "value=\"fee\"",
        "<details open>",
    ] {
        assert!(html.contains(expected), "{expected} in {html}");
    }
}

#[tokio::test]
async fn a_test_leads_to_the_lines_that_it_ran() {
    let shown = ShownTests::One(Some(fee_lines()));
    let (status, html) = page(Some(shown), "?test=a").await;
    assert_eq!(status, 200);
    for expected in [
        "href=\"/records/7/source?path=src%2Ffee_of.py&amp;line=3-5#L3\"",
        "href=\"/records/7/source?path=src%2Ffee_of.py&amp;line=9#L9\"",
        "1,234 lines in 3 files, 5 run by no other test",
        "And 2 more files.",
        "href=\"/records/7/tests\"",
    ] {
        assert!(html.contains(expected), "{expected} in {html}");
    }
    let (status, html) = page(Some(ShownTests::One(None)), "?test=a%3Cb").await;
    assert_eq!(status, 404);
    assert!(html.contains("a test called “a&lt;b”."), "{html}");
}

#[tokio::test]
async fn a_record_without_tests_says_so() {
    let (status, html) = page(None, "").await;
    assert_eq!(status, 200);
    assert!(html.contains("do not say which tests ran"), "{html}");
}
