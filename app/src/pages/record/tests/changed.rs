//! The changed lines on a record's page.

use super::*;
use domain::{ChangedFile, ChangedLines, LineRange, UnknownFiles};

pub(in crate::pages) fn file(
    path: &str,
    old_path: Option<&str>,
    coverable: u64,
    missed: &[LineRange],
) -> ChangedFile {
    let lines = |&(first, last): &LineRange| u64::from(last - first) + 1;
    ChangedFile {
        path: path.to_owned(),
        old_path: old_path.map(ToOwned::to_owned),
        covered: coverable - missed.iter().map(lines).sum::<u64>(),
        coverable,
        missed: missed.to_vec(),
        partial: Vec::new(),
    }
}

pub(in crate::pages) fn with(files: Vec<ChangedFile>, unmeasured: &[&str]) -> RecordDetail {
    let changed = ChangedLines {
        base_commit: Some("5b174c2d6f7a8b9c".parse().expect("a commit")),
        covered: files.iter().map(|file| file.covered).sum(),
        coverable: files.iter().map(|file| file.coverable).sum(),
        files,
        unmeasured: unmeasured.iter().map(|&path| path.to_owned()).collect(),
        unknown: None,
    };
    RecordDetail {
        pull_request: Some("7".parse().expect("a number")),
        changes: RecordChanges::Known(changed),
        ..record()
    }
}

#[tokio::test]
async fn a_record_without_changes_has_no_changed_lines() {
    let html = page(record(), "/records/7").await;
    assert!(!html.contains("Changed lines"), "{html}");
}

#[tokio::test]
async fn files_with_the_most_missed_changed_lines_come_first() {
    let files = vec![
        file("src/a.rs", Some("src/a.rs"), 4, &[]),
        file("src/<b>.rs", Some("src/old.rs"), 6, &[(41, 42), (50, 50)]),
        file("src/c.rs", None, 0, &[]),
    ];
    let html = page(with(files, &[]), "/records/7").await;
    assert_shows(
        &html,
        &[
            "id=\"changes\"",
            "since commit ",
            "5b174c2d",
            "/pulls/7\" class=\"link\">pull request 7</a>",
            "7 of 10 changed lines are covered: 70.00 %.",
            "href=\"/records/7/source?path=src%2F%3Cb%3E.rs\"",
            "3 of 6",
            "href=\"/records/7/source?path=src%2F%3Cb%3E.rs&amp;line=41-42#L41\" class=\"link\">41–42</a>",
            "href=\"/records/7/source?path=src%2F%3Cb%3E.rs&amp;line=50#L50\" class=\"link\">50</a>",
            "src/old.rs",
            "And 1 file without a changed coverable line.",
        ],
    );
    let place = |text: &str| html.find(text).expect("it is there");
    assert!(place("3 of 6") < place("4 of 4"), "{html}");
    assert_eq!(
        html.matches("\"> was ").count(),
        1,
        "only the renamed file had another name"
    );
    assert!(!html.contains("src/<b>.rs"));
}

#[tokio::test]
async fn changed_files_that_are_not_measured_are_named() {
    let html = page(with(Vec::new(), &["src/<new>.rs"]), "/records/7").await;
    assert_shows(
        &html,
        &[
            "No coverable line changed.",
            "1 changed file is not measured",
            "src/&lt;new&gt;.rs",
        ],
    );
    assert!(!html.contains("data-testid=\"changes\""), "{html}");
}

#[tokio::test]
async fn long_lists_of_changed_lines_are_cut_with_their_number() {
    let many: Vec<LineRange> = (0..25)
        .map(|index| (index * 2 + 1, index * 2 + 1))
        .collect();
    let mut files = vec![file("many.rs", None, 30, &many)];
    files.extend((0..120).map(|index| file(&format!("src/{index}.rs"), None, 1, &[])));
    let html = page(with(files, &[]), "/records/7").await;
    assert_shows(
        &html,
        &[
            " and 5 more",
            "And 21 files with fewer missed lines.",
            "href=\"/coverages-api/records/7/changes\"",
        ],
    );
}

#[tokio::test]
async fn without_lines_the_page_says_that_changed_lines_are_not_known() {
    let unknown = RecordDetail {
        changes: RecordChanges::NoLines,
        ..record()
    };
    let html = page(unknown, "/records/7").await;
    assert_shows(&html, &["The lines of this record are not kept"]);
}

#[tokio::test]
async fn files_whose_changed_lines_are_not_known_are_counted() {
    let RecordDetail { changes, .. } = with(Vec::new(), &[]);
    let RecordChanges::Known(mut changed) = changes else {
        panic!("{changes:?}")
    };
    changed.unknown = Some(UnknownFiles {
        files: 3,
        reason: "GitHub <leaves out> lines.".to_owned(),
    });
    assert_eq!(changed.sentence(), "changed lines of 3 files not known");
    let detail = RecordDetail {
        changes: RecordChanges::Known(changed),
        ..record()
    };
    let html = page(detail, "/records/7").await;
    assert_shows(
        &html,
        &[
            "The changed lines of 3 files are not known: GitHub &lt;leaves out&gt; lines.",
            "No coverable line changed in the files whose changes are known.",
        ],
    );
}

#[tokio::test]
async fn without_the_changes_of_a_forge_the_page_says_why() {
    let unknown = RecordDetail {
        changes: RecordChanges::Unknown("the rate limit is exceeded.".to_owned()),
        ..record()
    };
    let html = page(unknown, "/records/7").await;
    assert_shows(
        &html,
        &["The changed lines are not known: the rate limit is exceeded."],
    );
}
