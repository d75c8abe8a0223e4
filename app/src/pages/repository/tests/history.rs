//! Tests of the history and of the period.

use super::{assert_shown, detail, html};
use domain::HistoryPosition;

#[tokio::test]
async fn the_period_is_a_range_or_a_quarter_and_the_history_follows_it() {
    let parameters =
        "?branch_name=feature%2Fx&tab=history&before=5-42&from=2026-07-01&to=2026-09-30";
    let html = html(detail(), parameters).await;
    let address = "/repos/acme/payments?branch_name=feature%2Fx&amp;tab=history";
    assert_shown(
        &html,
        &[
            &format!(
                "href=\"{address}&amp;from=2026-10-01&amp;to=2026-11-09\" aria-label=\"Q4: this quarter\">Q4</a>"
            ),
            &format!(
                "href=\"{address}&amp;from=2026-07-01&amp;to=2026-09-30\" aria-current=\"true\" aria-label=\"Q3: last quarter\">Q3</a>"
            ),
            &format!("href=\"{address}&amp;range=7d\""),
            ", 51 records, 1 Jul 2026 to 30 Sep 2026, newest first",
        ],
    );
}

#[tokio::test]
async fn choosing_a_range_keeps_all_other_choices() {
    let html = html(detail(), "?branch_name=feature%2Fx&compare=dev").await;
    assert_shown(
        &html,
        &["href=\"/repos/acme/payments?branch_name=feature%2Fx&amp;compare=dev&amp;range=7d\""],
    );
}

#[tokio::test]
async fn the_link_to_older_records_keeps_the_branch() {
    let first = html(detail(), "?branch_name=feature%2Fx&tab=history").await;
    assert_shown(
        &first,
        &[
            "href=\"/repos/acme/payments?branch_name=feature%2Fx&amp;tab=history&amp;before=5-42#history\"",
            "51 records",
        ],
    );
    assert!(!first.contains("Newer"), "{first}");
    let mut second = detail();
    second.history.newer = Some(HistoryPosition::NewerThan("6-43".parse().expect("a key")));
    second.history.older = None;
    let second = html(second, "?branch_name=feature%2Fx&before=7-44").await;
    assert_shown(
        &second,
        &[
            "href=\"/repos/acme/payments?branch_name=feature%2Fx&amp;tab=history&amp;after=6-43#history\"",
            "href=\"/repos/acme/payments?branch_name=feature%2Fx&amp;tab=history#history\"",
        ],
    );
}
