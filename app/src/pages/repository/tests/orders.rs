//! Tests of the tables that show a part of their rows.

use super::{assert_shown, detail, html};

#[tokio::test]
async fn headings_of_a_long_history_lead_to_an_order_and_then_to_its_opposite() {
    let mut long = detail();
    long.history.rows[0].is_confirmed = false;
    long.history.rows[0].is_complete = false;
    let unsorted = html(long.clone(), "?after=5-42&language=c%2B%2B").await;
    assert_shown(
        &unsorted,
        &[
            ", newest first",
            "incomplete",
            "id=\"history-by-coverage\" href=\"/repos/acme/payments?language=c%2B%2B&amp;history=coverage#history\"",
        ],
    );
    let sorted = html(long, "?history=coverage").await;
    assert_shown(
        &sorted,
        &[
            "the first 1 by coverage, lowest first",
            "/repos/acme/payments?history=-coverage#history\"",
            "href=\"/repos/acme/payments?tab=history#history\"",
            "Newest</a>",
        ],
    );
}

#[tokio::test]
async fn headings_of_many_branches_lead_to_the_first_page_in_an_order() {
    let mut many = detail();
    many.branches.pages = 3;
    many.branches.page = 2;
    many.branches.matching = 123;
    let html = html(many, "?keyword=x+%26+y&branches=coverage&p=2").await;
    assert_shown(
        &html,
        &[
            "?keyword=x+%26+y&amp;branches=-coverage#branches\"",
            "?keyword=x+%26+y&amp;branches=-uploaded#branches\"",
            "?tab=branches&amp;keyword=x%20%26%20y&amp;branches=coverage&amp;p=3\"",
            "name=\"branches\" value=\"coverage\"",
            "123 branches and languages with “x &amp; y”",
        ],
    );
}
