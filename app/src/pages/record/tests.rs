pub(in crate::pages) mod changed;
mod explained;
mod gate;
mod html_report;
mod parts;
mod paths;
mod standing;
mod view;

use crate::{
    ServiceFacts,
    testing::{FakeModel, render},
};
use domain::{
    Against, BaseRecord, Change, ComparedRecord, Comparison, Count, Counted, FileList, FileListing,
    FileRow, Files, FilesQuery, FoundBy, Moved, MovedFile, MovedGroup, MovedKind, Others,
    Percentage, RecordBeside, RecordChanges, RecordDetail, RecordUpload, Standing, Timestamp,
};

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

fn other_record(id: i64, basis_points: u16) -> RecordBeside {
    RecordBeside {
        id,
        commit: format!("c{id}").parse().expect("a commit"),
        percentage: Percentage::from_basis_points(basis_points),
        updated_at: NOW,
    }
}

fn row(path: &str, files: Option<u32>, covered: u64, total: u64) -> FileRow {
    FileRow {
        path: path.to_owned(),
        files,
        lines: Count { covered, total },
        ..FileRow::default()
    }
}

fn listing() -> FileListing {
    let folder = row("src/a<b>", Some(2), 10, 40);
    let rows = vec![folder, row("src/main.rs", None, 30, 30)];
    // A map needs eight areas.
    let largest = [rows.clone(), vec![row("src/b.rs", None, 1, 1); 6]].concat();
    FileListing {
        query: FilesQuery {
            folder: "src".to_owned(),
            page: 1,
            ..FilesQuery::default()
        },
        counter: "line".to_owned(),
        root: "/home/ci/".to_owned(),
        file_count: 3,
        folder: row("src", Some(3), 40, 70),
        matching: 2,
        pages: 1,
        rows,
        largest: FileList {
            rows: largest,
            others: Others::default(),
        },
    }
}

fn moved() -> Moved {
    let of = |basis_points| Change::from_basis_points(basis_points);
    let group = |files, basis_points| MovedGroup {
        files,
        change: of(basis_points),
    };
    Moved {
        counter: "line".to_owned(),
        added: group(1, -20),
        removed: group(0, 0),
        changed: group(2, -21),
        outside_groups: of(0),
        uncovered: 30,
        files: vec![MovedFile {
            path: "src/tax.py".to_owned(),
            kind: MovedKind::Added,
            before: Count::default(),
            after: Count {
                covered: 0,
                total: 30,
            },
            change: of(-20),
        }],
        other_files: 2,
        outside_files: of(-21),
    }
}

pub(in crate::pages) fn record() -> RecordDetail {
    let counted = |counter: &str, covered, total| Counted {
        counter: counter.to_owned(),
        count: Count { covered, total },
    };
    RecordDetail {
        now: NOW,
        record: ComparedRecord {
            id: 7,
            repository: "acme/shop".parse().expect("a repository"),
            forge: None,
            branch: "feature/x".parse().expect("a branch"),
            commit: "9be01d2aa77cc55".parse().expect("a commit"),
            author: "Zoë <z@example.org>".parse().expect("an author"),
            language: "rust".parse().expect("a language"),
            percentage: Percentage::from_basis_points(8_100),
            counts: vec![counted("line", 4_050, 5_000), counted("branch", 1, 4)],
            report_format: "cobertura".to_owned(),
            updated_at: NOW,
            has_report: true,
        },
        main_branch: "main".parse().expect("a branch"),
        view: None,
        views: Vec::new(),
        new_code: None,
        uncounted: Vec::new(),
        tool: Some("coverage.py 7.6".to_owned()),
        warnings: vec!["The report states <b>.".to_owned()],
        paths: None,
        ignored: None,
        created_at: Timestamp(NOW.0 - 86_400_000_000),
        standing: Standing::Superseded(9),
        parts: parts::alone(),
        has_tests: true,
        gate: None,
        pull_request: None,
        changes: RecordChanges::NotSent,
        knows_lost_lines: true,
        sum_of_lines: None,
        report_removed_at: None,
        is_pinned: false,
        older: Some(other_record(5, 8_141)),
        newer: Some(other_record(9, 8_200)),
        base: Some(BaseRecord {
            record: other_record(6, 8_000),
            branch: "main".parse().expect("a branch"),
            found_by: FoundBy::MainBranch,
        }),
        comparison: Some(Comparison {
            against: Against::Base,
            base: other_record(5, 8_141),
            change: Change::from_basis_points(-41),
            explained: None,
            moved: Some(moved()),
        }),
        upload: Some(RecordUpload {
            received_at: NOW,
            milliseconds: 2_340,
            bytes: 1_500_000,
            files: Some(12),
            token_name: Some("ci".to_owned()),
            request_id: "f00d".to_owned(),
            run_url: None,
            is_first: false,
        }),
        files: Files::Listed(Box::new(listing())),
    }
}

async fn page(record: RecordDetail, path: &str) -> String {
    let model = FakeModel {
        record: Some(Some(record)),
        ..FakeModel::default()
    };
    let (status, html) = render(model, path).await;
    assert_eq!(status, 200, "{html}");
    html
}

pub(in crate::pages) fn assert_shows(html: &str, all: &[&str]) {
    for shown in all {
        assert!(html.contains(shown), "{shown} is not on the page: {html}");
    }
}

#[tokio::test]
async fn changes_name_the_records_they_are_against() {
    let html = page(record(), "/records/7").await;
    assert_shows(
        &html,
        &[
            "the previous record on its branch",
            "href=\"/records/5\" class=\"link mono\">commit c5",
            "its base, the record that main had at that time",
            "href=\"/records/6\" class=\"link mono\">commit c6",
            "−0.41",
            "+1.00",
        ],
    );
    let first = RecordDetail {
        older: None,
        base: None,
        comparison: None,
        ..record()
    };
    let html = page(first, "/records/7").await;
    assert_shows(&html, &["there is nothing to compare it with"]);
    assert!(!html.contains("Why the coverage changed"), "{html}");
}

#[tokio::test]
async fn changes_are_one_sentence_and_a_table_that_adds_up() {
    let html = page(record(), "/records/7").await;
    assert_shows(
        &html,
        &[
            "−0.41 points: 1 file added (−0.20), 2 files changed (−0.21). 30 more lines are missed.",
            "– → 0/30",
            "+30",
            "2 other files, and rounding",
            "Total",
            "href=\"/records/7?against=before#moved\"",
            "base: main",
            "href=\"/records/7/source?path=src%2Ftax.py\"",
        ],
    );
    let mut unknown = record();
    unknown.comparison.as_mut().expect("a comparison").moved = None;
    assert_shows(
        &page(unknown, "/records/7").await,
        &["No per-file comparison is available"],
    );
}

#[tokio::test]
async fn folders_link_to_their_content_in_the_table_and_the_map() {
    let html = page(record(), "/records/7?dir=src").await;
    let folder = "href=\"/records/7?dir=src%2Fa%3Cb%3E#files\"";
    // The table, and the drawings of both sizes.
    assert_eq!(html.matches(folder).count(), 3, "{html}");
    assert_shows(
        &html,
        &[
            "57.14 %, 30 of 70 lines missed",
            "All paths are relative to ",
            "aria-sort=\"descending\"",
            "a&lt;b&gt;/",
            "href=\"/records/7#files\">All files",
            "href=\"/records/7?as=flat&amp;dir=src#files\"",
            "href=\"/records/7/tests\"",
        ],
    );
    assert!(!html.contains("<b>/"), "{html}");
}

#[tokio::test]
async fn a_search_without_a_match_says_so_and_links_back() {
    let listing = FileListing {
        query: FilesQuery {
            keyword: "<nothing>".to_owned(),
            page: 1,
            ..FilesQuery::default()
        },
        matching: 0,
        rows: Vec::new(),
        largest: FileList::default(),
        ..listing()
    };
    let record = RecordDetail {
        files: Files::Listed(Box::new(listing)),
        ..record()
    };
    let html = page(record, "/records/7?file=%3Cnothing%3E").await;
    assert_shows(
        &html,
        &[
            "No file has “",
            "&lt;nothing",
            "Show all files",
            "0 files found",
        ],
    );
}

#[tokio::test]
async fn long_lists_are_paged_with_their_order_in_the_links() {
    let listing = FileListing {
        query: FilesQuery {
            view: domain::FileView::Flat,
            sort: domain::FileSort::Coverage,
            page: 2,
            ..FilesQuery::default()
        },
        matching: 250,
        pages: 3,
        ..listing()
    };
    let record = RecordDetail {
        files: Files::Listed(Box::new(listing)),
        ..record()
    };
    let html = page(record, "/records/7?as=flat&sort=coverage&p=2").await;
    assert_shows(
        &html,
        &[
            "Page 2 of 3",
            "href=\"/records/7?as=flat&amp;sort=coverage&amp;p=3#files\"",
            "href=\"/records/7?as=flat&amp;sort=name#files\"",
            "href=\"/records/7?as=flat&amp;sort=coverage#files\"",
        ],
    );
}

#[tokio::test]
async fn records_without_files_or_html_or_a_row_in_the_ledger_say_so() {
    let bare = |files| RecordDetail {
        record: ComparedRecord {
            has_report: false,
            ..record().record
        },
        files,
        upload: None,
        warnings: Vec::new(),
        ..record()
    };
    let html = page(bare(Files::NotKept), "/records/7").await;
    assert_shows(
        &html,
        &[
            "it was imported, or uploaded before the service stored files",
            "No HTML report was uploaded with this record",
            "The upload is older than the ledger",
        ],
    );
    assert!(
        !html.contains("<iframe") && !html.contains("Warnings about"),
        "{html}"
    );
    let offers = ["open the HTML report", "/reports/"];
    assert!(offers.iter().all(|offer| !html.contains(offer)), "{html}");
    assert_shows(
        &page(bare(Files::NotListed), "/records/7").await,
        &["lists no files"],
    );
}

#[tokio::test]
async fn its_upload_and_its_badge_are_shown_with_text_to_copy() {
    let html = page(record(), "/records/7").await;
    assert_shows(
        &html,
        &[
            "2.3 s",
            "1.5 MB, 12 files",
            "replaced an earlier upload",
            "f00d",
            "href=\"/uploads?repo=acme%2Fshop\"",
            "/coverages-api/badge?record=7&amp;v=1794232920000000-8100",
            "[![coverage](https://coverage.example/coverages-api/badge?record=7",
        ],
    );
}

#[tokio::test]
async fn token_names_are_shown_to_readers_only() {
    for is_reading_protected in [false, true] {
        let model = FakeModel {
            record: Some(Some(record())),
            facts: ServiceFacts {
                is_reading_protected,
                ..ServiceFacts::default()
            },
            ..FakeModel::default()
        };
        let (_, html) = render(model, "/records/7").await;
        let is_named = html.contains("<dt>Token</dt>");
        assert_eq!(is_named, is_reading_protected, "{html}");
    }
}

#[tokio::test]
async fn an_unknown_record_is_404_with_an_explanation() {
    for path in ["/records/7", "/records/x", "/records/99999999999999999999"] {
        let model = FakeModel {
            record: Some(None),
            ..FakeModel::default()
        };
        let (status, html) = render(model, path).await;
        assert_eq!(status, 404, "{html}");
        assert_shows(&html, &["There is no record", "Go to the overview"]);
    }
}
