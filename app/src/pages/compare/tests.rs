//! The page that compares two records, rendered over a fake read model.

use crate::testing::{FakeModel, render};
use domain::{
    Change, Compare, ComparedRecord, Count, Counted, CountedSides, Moved, MovedFile, MovedGroup,
    MovedKind, Percentage, RecordBeside, RecordChoice, Timestamp,
};

/// 2026-11-09 12:00 UTC.
const NOW: i64 = 1_794_225_600_000_000;

fn record(id: i64, basis_points: u16, covered: u64) -> ComparedRecord {
    ComparedRecord {
        id,
        repository: "acme/shop".parse().expect("a repository"),
        forge: None,
        branch: "main".parse().expect("a branch"),
        language: "rust".parse().expect("a language"),
        commit: format!("{id}be01d2aa77cc55").parse().expect("a commit"),
        author: "Ada <b>".parse().expect("an author"),
        percentage: Percentage::from_basis_points(basis_points),
        counts: vec![Counted {
            counter: "line".to_owned(),
            count: Count {
                covered,
                total: 1_000,
            },
        }],
        report_format: "cobertura".to_owned(),
        updated_at: Timestamp(NOW - 3_600_000_000),
        has_report: true,
    }
}

fn choice(id: i64, branch: &str, is_current: bool) -> RecordChoice {
    RecordChoice {
        record: RecordBeside {
            id,
            commit: format!("{id}be01d2aa77cc55").parse().expect("a commit"),
            percentage: Percentage::from_basis_points(7_000),
            updated_at: Timestamp(NOW - 7_200_000_000),
        },
        branch: branch.parse().expect("a branch"),
        is_current,
    }
}

fn moved() -> Moved {
    let change = Change::from_basis_points(-500);
    let none = MovedGroup {
        files: 0,
        change: Change::from_basis_points(0),
    };
    let count = |covered| Count {
        covered,
        total: 100,
    };
    Moved {
        counter: "line".to_owned(),
        added: none,
        removed: none,
        changed: MovedGroup { files: 1, change },
        outside_groups: none.change,
        uncovered: 50,
        files: vec![MovedFile {
            path: "src/tax.rs".to_owned(),
            kind: MovedKind::Changed,
            before: count(90),
            after: count(40),
            change,
        }],
        other_files: 0,
        outside_files: none.change,
    }
}

fn compare() -> Compare {
    let head = ComparedRecord {
        branch: "fix/<tax>".parse().expect("a branch"),
        ..record(9, 7_000, 700)
    };
    Compare {
        now: Timestamp(NOW),
        base: Some(record(7, 7_500, 750)),
        head: Some(head),
        view: None,
        views: Vec::new(),
        counted: None,
        explained: None,
        moved: Some(moved()),
        choices: vec![
            choice(7, "main", true),
            choice(9, "fix/<tax>", true),
            choice(3, "fix/<tax>", false),
        ],
    }
}

async fn page(compare: Compare, path: &str) -> (u16, String) {
    let model = FakeModel {
        compare: Some(compare),
        ..FakeModel::default()
    };
    render(model, path).await
}

fn assert_shows(html: &str, all: &[&str]) {
    for shown in all {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
}

#[tokio::test]
async fn two_records_are_side_by_side_with_their_changes() {
    let (status, html) = page(compare(), "/compare?base=7&head=9").await;
    assert_eq!(status, 200);
    assert_shows(
        &html,
        &[
            "−5.00",
            "75.00",
            "70.00",
            "750 of 1,000",
            "700 of 1,000",
            "1 file changed (−5.00). 50 more lines are missed.",
            "href=\"/records/9/source?path=src%2Ftax.rs\"",
            "href=\"/records/7\"",
            "href=\"/reports/9/\"",
            ", by <bdi>",
            "href=\"/compare?base=9&amp;head=7\"",
            "<option value=\"3\"",
            "Earlier on fix/&lt;tax&gt;",
        ],
    );
    assert!(!html.contains("<tax>") && !html.contains("<b>\""), "{html}");
    // Each list has its own record selected.
    assert_eq!(html.matches(" selected").count(), 2, "{html}");
}

#[tokio::test]
async fn doubtful_comparisons_are_marked_with_the_reason() {
    let other = ComparedRecord {
        repository: "acme/other".parse().expect("a repository"),
        language: "go".parse().expect("a language"),
        report_format: "go".to_owned(),
        counts: vec![Counted {
            counter: "statement".to_owned(),
            count: Count {
                covered: 1,
                total: 2,
            },
        }],
        ..record(4, 5_000, 1)
    };
    let doubtful = Compare {
        base: Some(other),
        explained: None,
        moved: None,
        ..compare()
    };
    let (_, html) = page(doubtful, "/compare?base=4&head=9").await;
    assert_shows(
        &html,
        &[
            "two repositories, acme/other and acme/shop",
            "two languages, go and rust",
            "different formats, go and cobertura",
            "No per-file comparison is available",
            "Statements",
            "title=\"not counted\"",
        ],
    );
    let same = Compare {
        base: Some(record(9, 7_000, 700)),
        ..compare()
    };
    let (_, html) = page(same, "/compare?base=9&head=9").await;
    assert_shows(&html, &["Base and head are the same record."]);
}

#[tokio::test]
async fn with_one_record_chosen_the_page_prompts_for_the_other() {
    let one = Compare {
        base: None,
        explained: None,
        moved: None,
        ..compare()
    };
    let (status, html) = page(one, "/compare?head=9").await;
    assert_eq!(status, 200);
    assert_shows(&html, &["Choose a record…", "70.00", "<option value=\"7\""]);
    assert!(!html.contains("Why the coverage changed"), "{html}");
}

#[tokio::test]
async fn the_form_for_other_records_keeps_the_current_choice() {
    let one = Compare {
        base: None,
        explained: None,
        moved: None,
        ..compare()
    };
    let (_, html) = page(one.clone(), "/compare?head=9").await;
    assert_shows(&html, &["href=\"/compare?head=9&amp;others=1\""]);
    let (status, html) = page(one, "/compare?head=9&others=1").await;
    assert_eq!(status, 200);
    let fields: Vec<_> = html.split("<input").skip(1).collect();
    let field = |name: &str| {
        let name = format!("name=\"{name}\"");
        let field = fields.iter().find(|field| field.contains(&name));
        field
            .and_then(|field| field.split('>').next())
            .expect("a field")
    };
    assert!(field("head").contains("value=\"9\""), "{html}");
    assert!(!field("base").contains("value="), "{html}");
    assert_shows(&html, &["href=\"/compare?head=9\"", "Choose from lists"]);
    let (_, html) = page(compare(), "/compare?base=7&head=9&others=1").await;
    assert_shows(
        &html,
        &["value=\"7\"", "value=\"9\"", "Why the coverage changed"],
    );
}

#[tokio::test]
async fn without_records_the_page_explains_how_to_name_them() {
    let nothing = Compare {
        base: None,
        head: None,
        explained: None,
        moved: None,
        choices: Vec::new(),
        ..compare()
    };
    let (status, html) = page(nothing, "/compare?base=&head=").await;
    assert_eq!(status, 200);
    assert_shows(
        &html,
        &[
            "org/repo@branch",
            "name=\"base\"",
            "name=\"head\"",
            "required",
        ],
    );
}

#[tokio::test]
async fn an_unknown_record_is_404_with_an_explanation() {
    for (path, message) in [
        ("/compare?base=7&head=12", "There is no record 12."),
        (
            "/compare?base=7&head=acme/shop@gone",
            "The branch gone of acme/shop has no current record",
        ),
        ("/compare?base=main&head=9", "“main” is not a record"),
    ] {
        let found = Compare {
            head: None,
            ..compare()
        };
        let (status, html) = page(found, path).await;
        assert_eq!(status, 404, "{html}");
        assert_shows(&html, &[message, "Go to the overview"]);
    }
}

#[tokio::test]
async fn a_comparison_of_a_view_by_a_metric_keeps_both_in_its_links() {
    let count = |covered, total| Ok(Count { covered, total });
    let compare = Compare {
        view: "owner:@a/<b>".parse().ok(),
        views: vec!["view:api".parse().expect("a view")],
        counted: Some(CountedSides {
            base: count(1, 4),
            head: count(1, 2),
        }),
        ..compare()
    };
    let kept = "view=owner%3A%40a%2F%3Cb%3E&amp;metric=branches";
    let address = "/compare?base=7&head=9&view=owner%3A%40a%2F%3Cb%3E&metric=branches";
    let (status, html) = page(compare, address).await;
    assert_eq!(status, 200);
    assert_shows(
        &html,
        &[
            "percentage points of branches, from 25.00",
            "+25.00",
            "all lines 75.00\u{202f}%",
            "in owner:@a/&lt;b&gt;",
            &format!("href=\"/compare?base=9&amp;head=7&amp;{kept}\""),
            "href=\"/compare?base=7&amp;head=9&amp;metric=branches\"",
            "<input type=\"hidden\" name=\"metric\" value=\"branches\"",
            "href=\"/records/9?view=owner%3A%40a%2F%3Cb%3E\"",
            "the coverage file states no branches for this file",
            "aria-current=\"true\">Branches</a>",
        ],
    );
    assert_eq!(html.matches("aria-current=\"true\"").count(), 1, "{html}");
    assert!(!html.contains("@a/<b>"), "{html}");
}

#[tokio::test]
async fn a_count_that_is_not_known_has_its_reason_and_no_change() {
    let compare = Compare {
        counted: Some(CountedSides {
            base: Err("the parts do not all name their branches, or not in the same way"),
            head: Ok(Count::default()),
        }),
        moved: None,
        ..compare()
    };
    let (_, html) = page(compare, "/compare?base=7&head=9&metric=branches").await;
    assert_shows(
        &html,
        &[
            "The branches of the base are not known: the parts do not all name their branches, \
             or not in the same way. The head has no branches.",
        ],
    );
    assert!(!html.contains("Why the coverage changed"), "{html}");
}

#[tokio::test]
async fn a_view_that_neither_record_has_is_not_found() {
    let (status, html) = page(compare(), "/compare?base=7&head=9&view=view:api").await;
    assert_eq!(status, 404);
    assert_shows(&html, &["The main branch defines no view:api"]);
}
