//! The messages to chat services.

use super::{started, upload};
use crate::harness::{Archive, Notified, Receiver, TestServer, Upload, cobertura};

/// A branch whose name would be markup and a mention.
const BRANCH: &str = "a<!channel>&`@all`*b*[x](y)";

async fn notified(kind: &str) -> Notified {
    let receiver = Receiver::start().await;
    let hooks = format!("{kind}={}", receiver.url("/hook"));
    let server = started(&hooks, &[]).await;
    Upload::of(Archive::report("<p>", &cobertura(80, 100)).tar_gz())
        .with("commit_hash", "c1")
        .with("branch_name", BRANCH)
        .before("settings", b"[gate]\nfloor = 90\n")
        .accepted(&server)
        .await;
    receiver.wait_for(1).await.remove(0)
}

/// Markdown without its code spans, in which nothing is markup or a mention.
fn outside_code(markdown: &str) -> String {
    let mut outside = String::new();
    let mut rest = markdown;
    while let Some(at) = rest.find('`') {
        outside.push_str(&rest[..at]);
        let after = rest[at..].trim_start_matches('`');
        let fence = &rest[at..rest.len() - after.len()];
        let closing = after.match_indices(fence).find(|(at, _)| {
            !after[..*at].ends_with('`') && !after[at + fence.len()..].starts_with('`')
        });
        let (at, _) = closing.expect("a span of code ends");
        rest = &after[at + fence.len()..];
    }
    outside + rest
}

#[tokio::test]
async fn a_name_has_no_effect_in_any_chat() {
    let slack = notified("slack").await.body;
    let text = slack["text"].as_str().unwrap();
    assert!(text.contains("a&lt;!channel&gt;&amp;`"), "{text}");
    assert_eq!(slack["mrkdwn"], false);
    assert_eq!(slack["blocks"][0]["text"]["type"], "plain_text");
    let url = slack["blocks"][1]["elements"][0]["url"].as_str().unwrap();
    assert!(
        url.starts_with("https://coverage.example.com/records/"),
        "{url}"
    );

    let mattermost = notified("mattermost").await.body;
    let text = &outside_code(mattermost["text"].as_str().unwrap());
    for markup in ["<!", "@all", "*b*", "[x](", "`@"] {
        assert!(!text.contains(markup), "{markup}: {text}");
    }
    assert!(
        text.ends_with(&format!(" [Open the record]({url})")),
        "{text}"
    );

    let teams = notified("teams").await;
    let card = &teams.body["attachments"][0]["content"];
    let run = &card["body"][0]["inlines"][0];
    assert_eq!(run["type"], "TextRun");
    assert!(run["text"].as_str().unwrap().contains(BRANCH), "{run}");
    assert_eq!(card["actions"][0]["url"], url);
    assert!(!teams.headers.contains_key("webhook-signature"));
}

#[tokio::test]
async fn without_webhooks_nothing_is_noted() {
    let server = TestServer::start().await;
    upload(&server, "c1", 85).await;
    let mut database = server.database().await;
    let noted: i64 = sqlx::query_scalar("select count(*) from unnotified_records")
        .fetch_one(&mut database)
        .await
        .unwrap();
    assert_eq!(noted, 0);
}
