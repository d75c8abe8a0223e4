//! Sends a test notification to each webhook of the settings.

use config::Serve;
use domain::text::chain;
use jobs::notifications::{Event, Message, webhook_client};
use std::io::{self, Write};
use store::now;
use thiserror::Error;

/// Send a test notification to each webhook of the settings, once.
#[derive(Clone, Debug, clap::Args)]
pub struct TestWebhooksArguments {
    /// The settings, as `serve` takes them.
    #[command(flatten)]
    pub serve: Serve,
}

/// Why webhooks were not tested, or the test was not delivered.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TestWebhooksError {
    /// No webhook is listed.
    #[error("WEBHOOKS names no webhook")]
    None,
    /// The settings contradict each other.
    #[error("{0}")]
    Settings(&'static str),
    /// Calls to other services cannot be made.
    #[error("cannot prepare calls to webhooks")]
    Client(#[source] reqwest::Error),
    /// Some webhooks did not receive the test.
    #[error("the test was not delivered to {0} of {1} webhooks")]
    NotDelivered(usize, usize),
    /// The results cannot be printed.
    #[error("cannot print the results")]
    Print(#[from] io::Error),
}

/// Prints a line for each webhook. Fails if one did not receive the test.
pub async fn run(
    arguments: TestWebhooksArguments,
    out: &mut impl Write,
) -> Result<(), TestWebhooksError> {
    let serve = arguments.serve;
    if let Some(mistake) = serve.notifications.mistake() {
        return Err(TestWebhooksError::Settings(mistake));
    }
    let hooks: Vec<_> = serve.notifications.webhooks.iter().collect();
    if hooks.is_empty() {
        return Err(TestWebhooksError::None);
    }
    let client = webhook_client(&serve).map_err(TestWebhooksError::Client)?;
    let event = Event::test(&serve.public_url(serve.addr));
    let stored = serde_json::to_string(&event).map_err(io::Error::other)?;
    let mut failed = 0;
    for hook in &hooks {
        let seconds = now().0 / 1_000_000;
        let message = Message {
            id: &format!("test_{seconds}"),
            seconds,
            event: &event,
            stored: &stored,
        };
        match client.send(hook, message).await {
            Ok(()) => writeln!(out, "{}: delivered", hook.name())?,
            Err(error) => {
                failed += 1;
                writeln!(out, "{}: not delivered: {}", hook.name(), chain(&error))?;
            }
        }
    }
    match failed {
        0 => Ok(()),
        failed => Err(TestWebhooksError::NotDelivered(failed, hooks.len())),
    }
}
