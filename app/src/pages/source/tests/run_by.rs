//! Which tests ran a line, now or at the base.

use super::*;

#[tokio::test]
async fn a_line_says_how_many_tests_ran_it_and_the_chosen_line_names_them() {
    let with = |states, tests| {
        let file = with_text(states, "a\nb\n");
        SourceDetail {
            query: SourceQuery {
                lines: Some((2, 2)),
                ..file.query
            },
            tests: Some(tests),
            ..file
        }
    };
    let now = SourceTests {
        lines: vec![(1, 2), (2, 1)],
        of: 464,
        named: vec!["test_<b>".to_owned()],
        are_former: false,
    };
    let former = SourceTests {
        lines: vec![(1, 2)],
        named: (1..=21).map(|test| format!("test_{test}")).collect(),
        are_former: true,
        ..now.clone()
    };
    for (states, tests, named) in [
        ("xx", now, "run by 1 of 464 tests: test_&lt;b&gt;<"),
        ("xm", former, "at the base, 21 tests ran it: test_1, "),
    ] {
        let html = page(with(states, tests)).await;
        assert_shown(
            &html,
            &["title=\"hit, run by 2 tests\"", "line=1#L1\"", named],
        );
        assert_eq!(
            html.contains("test_20, and 1 more<"),
            states == "xm",
            "{html}"
        );
    }
}
