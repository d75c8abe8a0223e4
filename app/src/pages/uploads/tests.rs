//! Tests of the page as it is rendered.

use crate::{
    ServiceFacts,
    testing::{FakeModel, render},
};
use domain::{Count, LastDay, LedgerPage, LedgerQuery, Sender, Timestamp, UploadAttempt};

const NOW: Timestamp = Timestamp(1_794_232_920_000_000);

/// A refusal and a record.
fn attempts() -> Vec<UploadAttempt> {
    let text = |text: &str| Some(text.to_owned());
    let refused = UploadAttempt {
        id: 9,
        received_at: Timestamp(NOW.0 - 60_000_000),
        milliseconds: 240,
        request_id: text("r3quest"),
        org: text("acme"),
        repo: text("payments <b>"),
        branch: text("fix/\u{202e}x"),
        commit: None,
        language: text("rust"),
        part: text("unit"),
        sender: Sender::Unknown,
        token_name: None,
        status: 401,
        code: "invalid_token".to_owned(),
        detail: text("The token is unknown <i>."),
        record_id: None,
        report_format: None,
        run_url: None,
        client: None,
        bytes: 412_345,
        changed_lines: None,
    };
    let taken = UploadAttempt {
        id: 8,
        repo: text("billing"),
        sender: Sender::Known,
        token_name: text("ci of billing"),
        status: 201,
        code: "created".to_owned(),
        detail: text("Record 7 has 50.00 %."),
        record_id: Some(7),
        changed_lines: Some(Count {
            covered: 22,
            total: 24,
        }),
        ..refused.clone()
    };
    vec![refused, taken]
}

async fn page(attempts: Vec<UploadAttempt>, is_reading_protected: bool, path: &str) -> String {
    page_before(Some(8), attempts, is_reading_protected, path).await
}

/// A page after which older attempts follow, if there is a `next`.
async fn page_before(
    next: Option<i64>,
    attempts: Vec<UploadAttempt>,
    is_reading_protected: bool,
    path: &str,
) -> String {
    let model = FakeModel {
        ledger: Some(LedgerPage {
            now: NOW,
            query: LedgerQuery::default(),
            last_day: LastDay {
                attempts: 3,
                refused: 1,
                unknown: 1,
                is_cut: false,
            },
            attempts,
            next,
        }),
        facts: ServiceFacts {
            is_reading_protected,
            ..ServiceFacts::default()
        },
        ..FakeModel::default()
    };
    let (status, html) = render(model, path).await;
    assert_eq!(status, 200, "{html}");
    html
}

#[tokio::test]
async fn readers_see_every_attempt_with_its_error_and_advice() {
    let html = page(attempts(), true, "/uploads").await;
    for shown in [
        "accepted in the last 24 hours",
        ">2</span></dd>",
        "9 Nov 14:01<",
        "2 uploads",
        "href=\"/uploads?outcome=refused\" class=\"link\">1 refused</a>",
        "✗",
        "Refused",
        "401",
        "invalid_token",
        "The token is unknown &lt;i",
        "Compare the CI's secret",
        "acme",
        "payments &lt;b",
        "r3quest",
        "<span title=\"part\" class=\"chip\"><bdi>unit</bdi></span>",
        "412 kB in 240 ms",
        "✓",
        "Accepted",
        "Record 7: </span>50.00\u{202f}%</a>",
        "22 of 24 changed lines",
        "href=\"/records/7\"",
        "ci of billing",
        "9 Nov 2026, 14:01 UTC",
        "href=\"/uploads?before=8\"",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
}

#[tokio::test]
async fn accepted_parts_of_a_record_share_a_row_that_the_newest_one_answers() {
    let [refused, taken] = attempts().try_into().expect("two attempts");
    let newest = UploadAttempt {
        id: 10,
        part: Some("e2e".to_owned()),
        detail: Some("Record 7 has 75.00 %.".to_owned()),
        ..taken.clone()
    };
    let html = page(
        vec![newest, taken.clone(), refused, taken],
        true,
        "/uploads",
    )
    .await;
    assert_eq!(html.matches("<th scope=\"row\"").count(), 3, "{html}");
    let [first, refused, last] =
        ["75.00", "Compare the CI's secret", "50.00\u{202f}%</a>"].map(|text| html.find(text));
    assert!(
        first < refused && refused < last,
        "in the order of time: {html}"
    );
    for shown in [
        "unit</bdi></span><span title=\"part\" class=\"chip\"><bdi>e2e</bdi>",
        "Record 7: </span>75.00\u{202f}%</a>",
        ">824 kB, 2 uploads</summary>",
        ">Record 7</a> has 50.00 %.</bdi></p>",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
}

#[tokio::test]
async fn if_reading_is_public_no_token_or_input_of_strangers_is_shown() {
    let html = page(attempts(), false, "/uploads").await;
    for hidden in [
        "ci of billing",
        "The token is unknown",
        "payments &lt;b",
        "payments <b",
    ] {
        assert!(!html.contains(hidden), "{hidden} is in {html}");
    }
    for shown in [
        "The token was not accepted.",
        "Compare the CI's secret",
        "no repository named",
        "Record 7: </span>50.00\u{202f}%</a>",
        "billing",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
}

#[tokio::test]
async fn a_command_in_the_advice_can_be_copied_without_the_full_stop() {
    let [refused, _] = attempts().try_into().expect("two attempts");
    let refused = UploadAttempt {
        code: "unsupported_media_type".to_owned(),
        ..refused
    };
    let html = page(vec![refused], true, "/uploads").await;
    for shown in [
        "data-copy=\"curl -F file=@coverage.tar.gz\"",
        ">curl -F file=@coverage.tar.gz</pre>",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
}

#[tokio::test]
async fn filters_are_in_the_address_and_in_every_link() {
    let path = "/uploads?outcome=refused&sender=known&repo=acme%2Fp&code=invalid_token&before=12";
    let html = page(attempts(), true, path).await;
    for shown in [
        "value=\"acme/p\"",
        "<option value=\"invalid_token\" selected",
        "<input type=\"hidden\" name=\"outcome\" value=\"refused\"",
        "<input type=\"hidden\" name=\"sender\" value=\"known\"",
        "href=\"/uploads?outcome=refused&amp;sender=known&amp;repo=acme%2Fp&amp;code=invalid_token&amp;before=8\"",
        "href=\"/uploads?outcome=taken&amp;sender=known&amp;repo=acme%2Fp\"",
    ] {
        assert!(html.contains(shown), "{shown} is not in {html}");
    }
    assert_eq!(html.matches("aria-current=\"true\"").count(), 2, "{html}");
}

#[tokio::test]
async fn an_empty_ledger_shows_how_to_upload() {
    let html = page_before(None, Vec::new(), true, "/uploads").await;
    assert!(
        html.contains("No uploads yet") && html.contains("href=\"/setup\""),
        "{html}"
    );
    let html = page(Vec::new(), true, "/uploads?outcome=taken").await;
    assert!(
        html.contains("Nothing found so far") && html.contains("Older"),
        "{html}"
    );
}
