//! Who is notified of what: flags, variables and their values.

mod events;
mod networks;
mod webhooks;

pub use events::{NotifiedEvents, Weekday};
pub use networks::WebhookNetworks;
pub use webhooks::{Webhook, WebhookKind, WebhookSecret, Webhooks};

use super::Optional;
use clap::Args;

/// Who is notified of what.
#[derive(Clone, Debug, Args)]
pub struct Notifications {
    /// The webhooks that are notified, such as json=https://ci.example.com/hook, or acme:slack=https://… for one org with its nested groups, or acme@payments:slack=https://… for the digest of the owner @payments. The kinds are json, slack, mattermost and teams.
    #[arg(long, env = "WEBHOOKS", default_value = "")]
    pub webhooks: Webhooks,

    /// The events that they are notified of: a failed gate, a drop of a main branch in percentage points, days without an upload, and
    /// the weekday of a digest (digest=monday).
    #[arg(long, env = "WEBHOOK_EVENTS", default_value = "gate,drop=1,silence=14")]
    pub webhook_events: NotifiedEvents,

    /// The key that signs notifications to webhooks of the kind json: whsec_ and the Base64 of 24 to 64 bytes [default: none].
    #[arg(long, env = "WEBHOOK_SECRET", default_value = "")]
    pub webhook_secret: Optional<WebhookSecret>,

    /// Private addresses and networks that webhooks may have, such as 10.0.0.0/8 [default: none].
    #[arg(long, env = "WEBHOOK_NETWORKS", default_value = "")]
    pub webhook_networks: WebhookNetworks,
}

impl Notifications {
    /// Returns why the service cannot start with these settings, if it cannot.
    pub fn mistake(&self) -> Option<&'static str> {
        let signs = self.webhook_secret.0.is_some();
        let mut kinds = self.webhooks.iter().map(|hook| hook.kind);
        let has_json = kinds.any(|kind| kind == WebhookKind::Json);
        if has_json && !signs {
            return Some(
                "webhooks of the kind json need WEBHOOK_SECRET, with which receivers check the sender; create one with: echo \"whsec_$(openssl rand -base64 32)\"",
            );
        }
        let has_owner = self.webhooks.iter().any(|hook| hook.owner.is_some());
        (has_owner && self.webhook_events.digest.is_none()).then_some(
            "a webhook of an owner gets digests only; add one to WEBHOOK_EVENTS, as in gate,drop=1,silence=14,digest=monday",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_webhook_of_an_owner_needs_a_digest_among_the_events() {
        let mistake = |events: &str| {
            let settings = Notifications {
                webhooks: "acme@team:slack=https://hooks.example"
                    .parse()
                    .expect("webhooks"),
                webhook_events: events.parse().expect("events"),
                webhook_secret: Optional(None),
                webhook_networks: "".parse().expect("no networks"),
            };
            settings.mistake().is_some()
        };
        assert!(mistake("gate,drop=1"));
        assert!(!mistake("gate,digest=friday"));
    }
}
