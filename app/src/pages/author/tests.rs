//! Tests of the page as it is rendered.

use crate::testing::{FakeModel, render};
use domain::{
    AuthorDetail, AuthorQuery, AuthorRecord, AuthorSummary, Change, ListedRecord, Percentage,
    Timestamp,
};

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

fn detail(name: &str, records: usize) -> AuthorDetail {
    let at = Percentage::from_basis_points;
    let record = AuthorRecord {
        repository: "acme/payments".parse().expect("a repository"),
        branch: "fix/مرحبا".parse().expect("a branch"),
        record: ListedRecord {
            record_id: 7,
            commit: "9be01d2a77".parse().expect("a commit"),
            author: name.parse().expect("an author"),
            language: "rust".parse().expect("a language"),
            percentage: at(8_042),
            lines: None,
            change: Some(Change::between(at(8_000), at(8_042))),
            updated_at: Timestamp(NOW.0 - 7_200_000_000),
            has_report: true,
        },
    };
    AuthorDetail {
        now: NOW,
        query: AuthorQuery {
            order: None,
            author: name.parse().expect("an author"),
            repository: None,
            language: None,
            after: None,
        },
        summary: AuthorSummary {
            records: 5_000,
            is_cut: true,
            repositories: vec![(record.repository.clone(), 5_000)],
            languages: vec![record.record.language.clone()],
            last_upload: record.record.updated_at,
        },
        records: vec![record; records],
        next: "5-7".parse().ok(),
        is_whole: false,
    }
}

async fn page(detail: Option<AuthorDetail>, path: &str) -> (u16, String) {
    let model = FakeModel {
        author: Some(detail),
        similar_authors: Some(vec!["Nobody Else".parse().expect("a name")]),
        ..FakeModel::default()
    };
    render(model, path).await
}

#[tokio::test]
async fn an_author_is_shown_by_name_with_linked_records() {
    let (status, html) = page(Some(detail("Zoë <b>", 1)), "/authors/Zo%C3%AB%20%3Cb%3E").await;
    assert_eq!(status, 200, "{html}");
    for shown in [
        "Zoë &lt;b",
        "Names are not checked",
        "5,000+",
        "of the newest 5,000 records",
        "80.42",
        "+0.42",
        "2 h ago",
        "9be01d2a",
        "href=\"/records/7\"",
        "href=\"/repos/acme/payments\"",
        "href=\"/repos/acme/payments?branch_name=fix%2F%D9%85%D8%B1%D8%AD%D8%A8%D8%A7\"",
        "href=\"/reports/7/\"",
        "href=\"/authors/Zo%C3%AB%20%3Cb%3E?after=5-7\"",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
    assert!(!html.contains("<b>Zoë") && !html.contains("rank"), "{html}");
}

#[tokio::test]
async fn all_records_of_an_author_are_one_list_by_time() {
    let mut all = detail("Kim", 3);
    all.is_whole = true;
    all.next = None;
    let other = "acme/web".parse().expect("a repository");
    let at = Percentage::from_basis_points;
    all.records[1].record.change = Some(Change::between(at(8_042), at(8_000)));
    all.records[1].record.updated_at.0 -= 1;
    all.records[2].record.updated_at.0 -= 2;
    all.records[1].repository = other;
    all.summary
        .repositories
        .push((all.records[1].repository.clone(), 1));
    let (_, html) = page(Some(all), "/authors/Kim").await;
    for (shown, times) in [
        ("rowgroup", 0),
        ("raised", 0),
        ("class=\"name slug\"", 3),
        ("Change on its branch", 1),
        (">2</dd>", 1),
        ("repositories (rust)", 1),
        ("<dt>last upload</dt>", 1),
    ] {
        assert_eq!(html.matches(shown).count(), times, "{shown}: {html}");
    }
    let rows: Vec<_> = html.split("<tr data-keys").skip(1).collect();
    let of_web = rows.iter().map(|row| row.contains("acme/web"));
    assert_eq!(of_web.collect::<Vec<_>>(), [false, true, false], "{html}");
}

#[tokio::test]
async fn an_author_without_records_is_404_with_similar_names() {
    let (status, html) = page(None, "/authors/nobody").await;
    assert_eq!(status, 404, "{html}");
    assert!(
        html.contains("No record has the author “nobody”."),
        "{html}"
    );
    for shown in ["href=\"/authors/Nobody%20Else\"", "href=\"/authors\""] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
    let (status, html) = page(None, "/authors/a%00b").await;
    assert_eq!(status, 404, "{html}");
}

#[tokio::test]
async fn without_a_name_the_page_searches_for_authors() {
    let (status, html) = page(None, "/authors").await;
    assert_eq!(status, 200, "{html}");
    assert!(html.contains("data-suggest=\"authors\""), "{html}");
}

#[tokio::test]
async fn a_filter_without_matches_says_so_and_can_be_cleared() {
    let mut nothing = detail("..", 0);
    nothing.query.repository = "acme/other".parse().ok();
    let path = "/authors?name=..&repo=acme%2Fother";
    let (status, html) = page(Some(nothing.clone()), path).await;
    assert_eq!(status, 200, "{html}");
    assert!(html.contains("there may be older ones"), "{html}");
    assert!(html.contains("href=\"/authors?name=..\""), "{html}");
    assert!(
        html.contains("<input type=\"hidden\" name=\"name\" value=\"..\""),
        "{html}"
    );
    nothing.next = None;
    nothing.is_whole = true;
    let (_, html) = page(Some(nothing), path).await;
    let without = "There is no record of <a href=\"/authors?name=..\" title=\"Remove this filter\" class=\"link\"><bdi>acme/other</bdi>";
    assert!(html.contains(without), "{html}");
}

#[tokio::test]
async fn headings_of_many_records_lead_to_the_first_ones_in_an_order() {
    let address = "/authors/Kim?language=c%2B%2B";
    let mut many = detail("Kim", 2);
    many.query.language = "c++".parse().ok();
    let (_, newest) = page(Some(many.clone()), address).await;
    many.query.order = "-change".parse().ok();
    many.next = None;
    let (_, sorted) = page(Some(many), &format!("{address}&records=-change")).await;
    for (html, shown) in [
        (&newest, "newest first".to_owned()),
        (
            &newest,
            format!("href=\"{address}&amp;records=uploaded#records\""),
        ),
        (&newest, "Older →".to_owned()),
        (
            &sorted,
            "the first 2 by change, biggest rise first".to_owned(),
        ),
        (
            &sorted,
            format!("href=\"{address}&amp;records=change#records\""),
        ),
        // The order of the page without a choice.
        (&sorted, format!("href=\"{address}#records\"")),
        (
            &sorted,
            format!("href=\"{address}\" class=\"btn\">⇤ Newest"),
        ),
    ] {
        assert!(html.contains(&shown), "{shown} is not in {html}");
    }
}
