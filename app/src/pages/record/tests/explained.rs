//! Why the percentage changed, on a record's page.

use super::*;
use domain::{ChangeCause, ChangeGroup, Explained, Explanation, LostLines};

fn group(cause: ChangeCause, path: &str, covered: i64, total: i64) -> ChangeGroup {
    ChangeGroup {
        path: Some(path.to_owned()),
        covered,
        total,
        files: 1,
        ..ChangeGroup::of_no_file(cause)
    }
}

/// A record whose change is explained by groups on a base with 800 of 1000 lines.
fn with(groups: Vec<ChangeGroup>, lost: Option<LostLines>) -> RecordDetail {
    let sum = |of: fn(&ChangeGroup) -> i64| groups.iter().map(of).sum::<i64>();
    let base = Count {
        covered: 800,
        total: 1000,
    };
    let head = Count {
        covered: 800_u64.saturating_add_signed(sum(|group| group.covered)),
        total: 1000_u64.saturating_add_signed(sum(|group| group.total)),
    };
    let explained = Explained {
        explanation: Explanation::new(base, head, groups).expect("counts"),
        sentence: "The sentence.".to_owned(),
        lost,
    };
    let mut record = record();
    record.comparison = record.comparison.map(|comparison| Comparison {
        change: Change::between(base.percentage(), head.percentage()),
        explained: Some(explained),
        ..comparison
    });
    record
}

#[tokio::test]
async fn groups_have_their_reason_and_a_link_to_the_file() {
    let lost = LostLines {
        lines: 4,
        files: vec![("src/<b>.c".to_owned(), vec![(3, 5), (9, 9)])],
        unmeasured: Vec::new(),
    };
    let part = ChangeGroup {
        part: Some("e2e".parse().expect("a part")),
        ..group(ChangeCause::PartAbsent, "web.c", -2, 0)
    };
    let gone = ChangeGroup {
        is_whole_file: true,
        ..group(ChangeCause::Vanished, "legacy.c", -9, -9)
    };
    let groups = vec![group(ChangeCause::Lost, "src/<b>.c", -4, 0), part, gone];
    let html = page(with(groups, Some(lost)), "/records/7").await;
    assert_shows(
        &html,
        &[
            "The sentence.",
            "unchanged lines, no longer run: <a href=\"/records/7/source?path=src%2F%3Cb%3E.c&amp;line=3-5#L3\" class=\"link\">3–5</a>, ",
            "href=\"/records/7/source?path=src%2F%3Cb%3E.c\"",
            "src/&lt;b&gt;.c",
            "lines of the absent part e2e",
            "file no longer measured",
            "Total",
        ],
    );
    assert!(!html.contains("source?path=legacy.c"), "{html}");
    assert!(
        !html.contains("Covered of total, before and after"),
        "{html}"
    );
}

#[tokio::test]
async fn many_groups_are_summed_up() {
    let groups = (0..60).map(|index| group(ChangeCause::Lost, &format!("{index:02}.c"), -1, 0));
    let html = page(with(groups.collect(), None), "/records/7").await;
    assert_eq!(html.matches("no longer run").count(), 50);
    assert_shows(&html, &["10 other groups, and rounding", "\u{2212}1.00"]);
}
