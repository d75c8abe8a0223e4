//! The bodies that chat services take. All names in them are escaped: they are only text.

use super::event::{Event, EventKind};
use config::notifications::WebhookKind;
use domain::text::markdown;
use serde_json::{Value, json};

/// Returns the body for a receiver of this kind. `stored` is the JSON of the event.
pub(super) fn body(kind: WebhookKind, event: &Event, stored: &str) -> String {
    match kind {
        WebhookKind::Json => stored.to_owned(),
        WebhookKind::Slack => slack(event).to_string(),
        WebhookKind::Mattermost => mattermost(event).to_string(),
        WebhookKind::Teams => teams(event).to_string(),
    }
}

/// Slack reads `<…>` as a mention or a link, also in plain text; the three characters must be escaped
/// (<https://docs.slack.dev/messaging/formatting-message-text>).
fn slack(event: &Event) -> Value {
    let text = event.data.text.replace('&', "&amp;");
    let text = text.replace('<', "&lt;").replace('>', "&gt;");
    json!({
        "text": text,
        "mrkdwn": false,
        "unfurl_links": false,
        "blocks": [
            { "type": "section", "text": { "type": "plain_text", "text": cut(&event.data.text, 3_000), "emoji": false } },
            { "type": "actions", "elements": [
                { "type": "button", "text": { "type": "plain_text", "text": label(event) }, "url": event.data.url }
            ] }
        ]
    })
}

/// Mattermost reads Markdown and mentions (<https://developers.mattermost.com/integrate/webhooks/incoming>).
fn mattermost(event: &Event) -> Value {
    let lines: Vec<_> = event.data.text.lines().map(markdown::text).collect();
    let text = lines.join("\n");
    json!({ "text": format!("{text} [{}]({})", label(event), event.data.url) })
}

/// A card for workflows of Teams. A run of text is not Markdown (<https://adaptivecards.io/explorer/TextRun.html>).
fn teams(event: &Event) -> Value {
    let lines = event.data.text.lines().map(
        |line| json!({ "type": "RichTextBlock", "inlines": [{ "type": "TextRun", "text": line }] }),
    );
    let lines: Vec<_> = lines.collect();
    json!({
        "type": "message",
        "attachments": [{
            "contentType": "application/vnd.microsoft.card.adaptive",
            "content": {
                "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
                "type": "AdaptiveCard",
                "version": "1.4",
                "body": lines,
                "actions": [{ "type": "Action.OpenUrl", "title": label(event), "url": event.data.url }]
            }
        }]
    })
}

fn label(event: &Event) -> &'static str {
    match event.kind {
        EventKind::GateFailed | EventKind::CoverageDropped => "Open the record",
        EventKind::RepositorySilent => "Open the repository",
        EventKind::Digest => "Open the report",
        EventKind::Test => "Open the dashboard",
    }
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}
