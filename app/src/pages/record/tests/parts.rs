//! The parts on a record's page.

use super::*;
use domain::{CarriedPart, PartContent, PartSet, RecordPart, RecordParts};

/// The unnamed part.
pub(super) fn alone() -> RecordParts {
    RecordParts {
        arrived: vec![measured("", 8_100)],
        ..RecordParts::default()
    }
}

fn measured(name: &str, basis_points: u16) -> RecordPart {
    RecordPart {
        name: name.to_owned().try_into().expect("a part"),
        at: NOW,
        content: PartContent::Measured {
            percentage: Percentage::from_basis_points(basis_points),
            lines: Some(Count {
                covered: 1_200,
                total: 3_000,
            }),
            tool: Some("lcov <b>".to_owned()),
            has_report: true,
        },
    }
}

fn skipped(name: &str, reason: &str) -> RecordPart {
    RecordPart {
        content: PartContent::Skipped(reason.to_owned()),
        ..measured(name, 0)
    }
}

fn set(names: &str) -> PartSet {
    names.parse().expect("parts")
}

fn with(parts: RecordParts, standing: Standing) -> RecordDetail {
    RecordDetail {
        parts,
        standing,
        ..record()
    }
}

#[tokio::test]
async fn a_record_of_one_unnamed_part_has_no_table_of_parts() {
    let html = page(record(), "/records/7").await;
    assert!(!html.contains("id=\"parts\""), "{html}");
}

#[tokio::test]
async fn an_incomplete_record_names_what_it_waits_for() {
    let parts = RecordParts {
        arrived: vec![measured("unit", 4_000), skipped("web", "<b>docs</b> only")],
        expected: set("unit,web,e2e"),
        waits_until: Some(NOW),
        ..RecordParts::default()
    };
    let html = page(with(parts, Standing::Incomplete(Some(9))), "/records/7").await;
    assert_shows(
        &html,
        &[
            "It is not current yet: waiting for e2e.",
            "2 arrived, waiting for e2e",
            "href=\"/reports/7/parts/unit/\"",
            "aria-label=\"HTML report of unit\"",
            "1,200 of 3,000",
            "lcov &lt;b&gt;",
            "&lt;b&gt;docs&lt;/b&gt; only",
            "waiting until ",
            "The branch's current record",
        ],
    );
}

#[tokio::test]
async fn a_carried_part_has_one_row_that_also_says_what_it_waits_for() {
    let carried = |record_id| CarriedPart {
        name: "e2e".to_owned().try_into().expect("a part"),
        record_id,
        commit: "5b174c2dff".parse().expect("a commit"),
        measured_at: NOW,
    };
    let parts = |record_id| RecordParts {
        arrived: vec![measured("unit", 4_000)],
        expected: set("unit,e2e"),
        waits_until: Some(NOW),
        carried: vec![carried(record_id)],
        ..RecordParts::default()
    };
    let html = page(with(parts(Some(77)), Standing::Current), "/records/7").await;
    assert_shows(
        &html,
        &[
            "1 arrived, waiting for e2e, 1 carried forward",
            "href=\"/records/77\" class=\"link mono\">5b174c2d</a>",
            "; waiting until ",
        ],
    );
    assert_eq!(html.matches("<span class=\"mono\">e2e</span>").count(), 1);
    let html = page(with(parts(None), Standing::Current), "/records/7").await;
    assert!(!html.contains("/records/77"), "its record was deleted");
}

#[tokio::test]
async fn the_only_measured_part_beside_a_skipped_one_is_not_offered_for_deletion() {
    let parts = RecordParts {
        arrived: vec![measured("unit", 4_000), skipped("web", "docs only")],
        ..RecordParts::default()
    };
    let html = page(with(parts, Standing::Current), "/records/7").await;
    assert_shows(
        &html,
        &[
            "1 measured, 1 skipped",
            "<option value=\"web\">web</option>",
        ],
    );
    assert!(!html.contains("<option value=\"unit\">"), "{html}");
}

#[tokio::test]
async fn a_complete_record_says_what_did_not_arrive_and_what_is_usual() {
    let parts = RecordParts {
        arrived: vec![measured("", 4_000), measured("unit", 8_000)],
        expected: set("unit,web"),
        closed_at: Some(NOW),
        usual: set("e2e"),
        ..RecordParts::default()
    };
    let html = page(
        with(parts, Standing::Current),
        "/records/7?refused=invalid_token",
    )
    .await;
    assert_shows(
        &html,
        &[
            "2 arrived, complete without web",
            "did not arrive",
            "without a name",
            "/reports/7/parts/-/",
            "Most commits of the main branch also have e2e.",
            "The part was not deleted: the token was not accepted.",
            "<option value=\"-\">unnamed</option>",
        ],
    );
}

#[tokio::test]
async fn a_total_that_differs_from_the_lines_is_explained() {
    let detail = RecordDetail {
        sum_of_lines: Some(Percentage::from_basis_points(5_000)),
        ..record()
    };
    let html = page(detail, "/records/7").await;
    assert_shows(
        &html,
        &["They add up to 50.00 %; the tool states the total"],
    );
}
