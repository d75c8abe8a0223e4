//! Tests of the heading of a record and of its state on its branch.

use super::*;

#[tokio::test]
async fn a_record_is_shown_with_its_names_and_numbers() {
    let html = page(record(), "/records/7").await;
    assert_shows(
        &html,
        &[
            "9be01d2a</span></h1>",
            "href=\"/repos/acme/shop?branch_name=feature%2Fx\"",
            "href=\"/authors/Zo%C3%AB%20%3Cz%40example.org%3E\"",
            "href=\"/orgs/acme\"",
            "href=\"/records/9\" class=\"link\">its current record",
            "4,050 of 5,000 lines covered",
            "branches covered: 25.00\u{202f}%",
            "coverage.py 7.6",
            "cobertura",
            "8 Nov 2026, 14:02 UTC",
            "The report states &lt;b",
        ],
    );
}

#[tokio::test]
async fn an_unconfirmed_record_says_so_and_links_to_the_reason() {
    for current in [None, Some(9)] {
        let record = RecordDetail {
            standing: Standing::Unconfirmed(current),
            ..record()
        };
        let html = page(record, "/records/7").await;
        assert_shows(
            &html,
            &[
                "It is unconfirmed, so not current: nothing proved that the branch contains its commit.",
                "href=\"/uploads?repo=acme%2Fshop\" class=\"link\">The repository's uploads",
                "unconfirmed, so no trend includes it",
            ],
        );
        let link = "href=\"/records/9\" class=\"link\">The branch's current record";
        assert_eq!(html.contains(link), current.is_some(), "{html}");
        let wrong = ["has a newer record", "no longer active", "superseded"];
        assert!(!wrong.iter().any(|text| html.contains(text)), "{html}");
    }
}
