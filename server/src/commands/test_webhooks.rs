//! Sends a test notification to each webhook of the settings.

use super::{CommandError, refuse};
use config::Serve;
use domain::text::chain;
use jobs::notifications::{Event, Message, webhook_client};
use std::io::{self, Write};
use store::now;

/// Send a test notification to each webhook of the settings, once.
#[derive(Clone, Debug, clap::Args)]
pub struct TestWebhooksArguments {
    /// The settings, as `serve` takes them.
    #[command(flatten)]
    pub serve: Serve,
}

/// Prints a line for each webhook. Fails if one did not receive the test.
pub(crate) async fn run(
    arguments: TestWebhooksArguments,
    out: &mut impl Write,
) -> Result<(), CommandError> {
    let serve = arguments.serve;
    if let Some(mistake) = serve.notifications.mistake() {
        return refuse(mistake);
    }
    let unprinted = |error: io::Error| CommandError::failed("cannot print the results")(error);
    let hooks: Vec<_> = serve.notifications.webhooks.iter().collect();
    if hooks.is_empty() {
        return refuse("WEBHOOKS names no webhook");
    }
    let client = webhook_client(&serve);
    let client = client.map_err(CommandError::failed("cannot prepare calls to webhooks"))?;
    let event = Event::test(&serve.public_url(serve.addr));
    let stored = serde_json::to_string(&event);
    let stored = stored.map_err(|error| unprinted(io::Error::other(error)))?;
    let mut failed = 0;
    for hook in &hooks {
        let seconds = now().0 / 1_000_000;
        let message = Message {
            id: &format!("test_{seconds}"),
            seconds,
            event: &event,
            stored: &stored,
        };
        let printed = match client.send(hook, message).await {
            Ok(()) => writeln!(out, "{}: delivered", hook.name()),
            Err(error) => {
                failed += 1;
                writeln!(out, "{}: not delivered: {}", hook.name(), chain(&error))
            }
        };
        printed.map_err(unprinted)?;
    }
    match failed {
        0 => Ok(()),
        failed => refuse(format!(
            "the test was not delivered to {failed} of {} webhooks",
            hooks.len()
        )),
    }
}
