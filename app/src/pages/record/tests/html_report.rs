//! The HTML report on the page of a record.

use super::*;

#[tokio::test]
async fn its_html_report_is_in_a_sandboxed_frame_folded_below_its_files() {
    let html = page(record(), "/records/7").await;
    assert_shows(
        &html,
        &[
            "<iframe",
            "src=\"/reports/7/\"",
            "sandbox=\"allow-scripts allow-popups allow-downloads\"",
            "loading=\"lazy\"",
            "title=\"HTML report of commit 9be01d2a, rust\"",
            "<details id=\"report\" class=\"card folded html-report\">",
            "href=\"/reports/7.zip\"",
        ],
    );
    let mut alone = record();
    alone.files = Files::NotListed;
    let html = page(alone, "/records/7").await;
    assert_shows(&html, &["<details id=\"report\" open class="]);
}
