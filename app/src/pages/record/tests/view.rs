//! The page of a record for the files of a view.

use super::*;
use domain::{Metric, RecordView, uncounted};

/// A record with a hostile name of an owner.
fn of_view() -> RecordDetail {
    let count = |covered, total| Count { covered, total };
    RecordDetail {
        view: Some(RecordView {
            name: "owner:@a/<b>".parse().expect("a view"),
            lines: Some(count(40, 70)),
            whole: Some(count(4_050, 5_000)),
        }),
        views: ["view:api", "owner:@a/<b>"]
            .map(|view| view.parse().expect("a view"))
            .to_vec(),
        uncounted: vec![(Metric::Branches, uncounted(Metric::Branches, true))],
        ..record()
    }
}

const VIEW: &str = "view=owner%3A%40a%2F%3Cb%3E";

#[tokio::test]
async fn a_view_has_its_numbers_beside_the_whole_and_stays_in_links() {
    let html = page(of_view(), &format!("/records/7?{VIEW}&dir=src")).await;
    let all = [
        "57.14<small>",
        "The whole record: 81.00 %, 4,050 of 5,000 lines covered.",
        "with 81.41 % in this view",
        "owner:@a/&lt;b&gt;",
        "href=\"/records/7?dir=src\"",
        "All owners",
        "<option value=\"view:api\">",
        // The list, the form of the search, the other base, the comparison, and records beside it.
        "dir=src%2Fa%3Cb%3E#files",
        "<input type=\"hidden\" name=\"view\" value=\"owner:@a/&lt;b&gt;\"",
    ];
    assert_shows(&html, &all);
    for link in [
        format!("/records/7?against=before&amp;{VIEW}&amp;dir=src#moved"),
        format!("/compare?base=5&amp;head=7&amp;{VIEW}"),
        format!("/records/9?{VIEW}"),
        format!("/records/7?{VIEW}&amp;as=flat&amp;dir=src#files"),
        "/records/7?view=folder%3Asrc".to_owned(),
    ] {
        assert!(html.contains(&format!("href=\"{link}\"")), "{link}: {html}");
    }
    assert!(!html.contains("@a/<b>"), "{html}");
}

#[tokio::test]
async fn a_view_without_known_lines_has_no_percentage() {
    for (lines, sentence) in [
        (None, "The files of this record are not known"),
        (Some(Count::default()), "have no lines to cover"),
    ] {
        let mut record = of_view();
        record.comparison = None;
        if let Some(view) = &mut record.view {
            view.lines = lines;
        }
        let html = page(record, &format!("/records/7?{VIEW}")).await;
        let no_base = "has no lines in this view, or they are not known";
        assert_shows(&html, &[sentence, no_base, "figure muted\">–"]);
    }
}

#[tokio::test]
async fn a_view_that_the_record_does_not_have_is_not_found() {
    let model = FakeModel {
        record: Some(Some(record())),
        ..FakeModel::default()
    };
    let (status, html) = render(model, "/records/7?view=view:api").await;
    assert_eq!(status, 404);
    assert_shows(
        &html,
        &["The main branch defines no view:api, none of its files"],
    );
}

#[tokio::test]
async fn the_page_says_why_branches_are_not_known() {
    let html = page(of_view(), &format!("/records/7?{VIEW}")).await;
    let why =
        "<dt>Branches</dt><dd>the parts do not all name their branches, or not in the same way";
    assert_shows(&html, &[why]);
}
