use super::*;
use crate::testing::{FakeModel, render};
use domain::ChainRecord;

fn list(languages: Vec<FlickeringLanguage>) -> FlickerList {
    FlickerList {
        now: Timestamp(1_794_232_920_000_000),
        repository: "acme/payments".parse().expect("a repository"),
        languages,
        has_more_languages: false,
    }
}

async fn page(list: Option<FlickerList>, path: &str) -> (u16, String) {
    let model = FakeModel {
        flicker: Some(list),
        similar: Some(Vec::new()),
        ..FakeModel::default()
    };
    render(model, path).await
}

#[tokio::test]
async fn flickering_lines_link_to_their_file_in_the_newest_record() {
    let found = FlickeringLanguage {
        language: "rust".parse().expect("a language"),
        record_id: 7,
        updated_at: Timestamp(1_794_232_920_000_000),
        records: 20,
        lines: 4,
        all_files: 1,
        named: vec![ChainRecord {
            id: 5,
            commit: "9be01d2".parse().expect("a commit"),
            created_at: Timestamp(1_794_232_920_000_000),
        }],
        files: vec![FlickeringFile {
            path: "src/<b>.rs".to_owned(),
            lines: vec![(3, 5), (9, 9)],
            records: vec![7, 5],
        }],
    };
    let (status, html) = page(Some(list(vec![found])), "/flicker?repo=acme/payments").await;
    assert_eq!(status, 200);
    for expected in [
        "4 lines in 1 file flicker in",
        "searched 20 records of the main branch; ",
        "href=\"/records/7/source?path=src%2F%3Cb%3E.rs\"",
        "src/&lt;b&gt;.rs",
        "source?path=src%2F%3Cb%3E.rs&amp;line=3-5#L3\" class=\"link\">3–5</a>, ",
        "data-label=\"Lines\"",
        "the newest</a> was uploaded",
        "href=\"/records/7\" class=\"link mono\">record 7</a>",
        "href=\"/records/5\" class=\"link mono\">9be01d2</a>",
        ">9 Nov 2026</span>",
    ] {
        assert!(html.contains(expected), "{expected} in {html}");
    }
}

#[tokio::test]
async fn a_repository_without_lines_says_so_and_an_unknown_one_is_not_found() {
    let (status, html) = page(Some(list(Vec::new())), "/flicker?repo=acme/payments").await;
    assert_eq!(status, 200);
    assert!(
        html.contains("There is no line data of the main branch yet."),
        "{html}"
    );
    for path in ["/flicker?repo=acme/none", "/flicker", "/flicker?repo=x"] {
        assert_eq!(page(None, path).await.0, 404, "{path}");
    }
}
