//! Tests of the files of the current record.

use super::{assert_shown, detail, html};
use domain::{Count, FileListing, FileRow, Files, FilesQuery, RepositoryDetail};

fn row(path: &str, files: Option<u32>, covered: u64, before: Option<u64>) -> FileRow {
    FileRow {
        path: path.to_owned(),
        files,
        lines: Count { covered, total: 10 },
        before: before.map(|covered| Count {
            covered,
            total: if covered == 0 { 0 } else { 10 },
        }),
        ..FileRow::default()
    }
}

/// The first rows of a folder with 1,204 rows.
fn with_files(folder: &str, rows: Vec<FileRow>) -> RepositoryDetail {
    let query = FilesQuery {
        folder: folder.to_owned(),
        ..FilesQuery::default()
    };
    let listing = FileListing {
        folder: row(folder, Some(3), 15, None),
        query,
        counter: "line".to_owned(),
        root: String::new(),
        file_count: 4_000,
        matching: 1_204,
        pages: 13,
        rows,
        largest: domain::FileList::default(),
    };
    RepositoryDetail {
        files: Some(Files::Listed(Box::new(listing))),
        ..detail()
    }
}

#[tokio::test]
async fn files_have_their_change_and_lead_to_their_source_and_folders_to_their_content() {
    let rows = vec![
        row("src/a<b>", Some(2), 3, Some(5)),
        row("src/new.rs", None, 4, Some(0)),
        row("src/old.rs", None, 9, None),
    ];
    let html = html(with_files("src", rows), "?branch_name=feature%2Fx&dir=src").await;
    let address = "/repos/acme/payments?branch_name=feature%2Fx&amp;";
    assert_shown(
        &html,
        &[
            &format!("href=\"{address}dir=src%2Fa%3Cb%3E#files\""),
            "a&lt;b&gt;/</bdi>",
            "2 files",
            "−20.00",
            "href=\"/records/17/source?path=src%2Fnew.rs\"",
            "<span class=\"chip\">new</span>",
            "title=\"nothing to compare with\"",
            "30.00\u{202f}%",
            "7<span class=\"what\"> missed</span>",
            &format!("href=\"{address}dir=src&amp;sort=uncovered\""),
            "1,201 more: show all on the record’s page",
            "href=\"/records/17?dir=src&amp;sort=name#files\"",
            "All files</a>",
        ],
    );
}

#[tokio::test]
async fn the_worst_files_come_with_their_paths_and_a_wrong_folder_leads_back() {
    let rows = vec![row("src/deep/x.rs", None, 0, Some(10))];
    let worst = html(with_files("", rows), "?sort=uncovered").await;
    assert_shown(
        &worst,
        &[
            "src/deep/x.rs</bdi>",
            "−100.00",
            "aria-current=\"true\">Most missed</a>",
            "href=\"/records/17?as=flat#files\"",
        ],
    );
    let wrong = html(with_files("gone", Vec::new()), "?dir=gone").await;
    assert_shown(
        &wrong,
        &[
            "<bdi>gone</bdi>",
            "href=\"/repos/acme/payments\" class=\"btn\"",
            "Show all files",
        ],
    );
}
