//! The receivers of notifications, and the key that signs them.

use crate::{items, optional::Setting};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{OrgName, text::hexadecimal};
use reqwest::Url;
use sha2::{Digest, Sha256};
use std::{fmt, ops::Deref, str::FromStr};

/// The receivers of notifications. Their addresses are secrets, since chat services accept every sender that knows one: errors
/// quote none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Webhooks(Vec<Webhook>);

/// A receiver.
#[derive(Clone, PartialEq, Eq)]
pub struct Webhook {
    /// The org of whose events it is notified, with its nested groups; `None` for all orgs.
    pub org: Option<OrgName>,
    /// The owner whose digest it gets, as in CODEOWNERS files. It then gets nothing else.
    pub owner: Option<String>,
    /// The format of its messages.
    pub kind: WebhookKind,
    /// Its address.
    pub url: Url,
}

/// The format of the messages of a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebhookKind {
    /// The event as JSON, signed.
    Json,
    /// An incoming webhook of Slack.
    Slack,
    /// An incoming webhook of Mattermost.
    Mattermost,
    /// A workflow of Microsoft Teams.
    Teams,
}

impl Webhook {
    /// The name of the receiver in the database. It differs for every kind, address, org and owner, and does not reveal the address.
    pub fn key(&self) -> String {
        let org = self.org.as_ref().map_or("", |org| org.as_str());
        let owner = self.owner.as_deref().unwrap_or_default();
        let text = format!("{org}{owner}:{:?}={}", self.kind, self.url);
        let digest = Sha256::digest(text.as_bytes());
        hexadecimal(digest.first_chunk::<16>().map_or(&[][..], |half| half))
    }

    /// The name of the receiver for people: its kind and host.
    pub fn name(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        format!("{} ({host})", self.kind.word())
    }

    /// Whether it is notified of events of the repositories in an org.
    pub fn covers(&self, org: &OrgName) -> bool {
        self.owner.is_none() && self.org.as_ref().is_none_or(|own| own.contains(org))
    }
}

impl WebhookKind {
    const ALL: [Self; 4] = [Self::Json, Self::Slack, Self::Mattermost, Self::Teams];

    /// The word for it in the settings.
    pub fn word(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Slack => "slack",
            Self::Mattermost => "mattermost",
            Self::Teams => "teams",
        }
    }
}

impl Deref for Webhooks {
    type Target = [Webhook];

    fn deref(&self) -> &[Webhook] {
        &self.0
    }
}

impl FromStr for Webhooks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let webhooks = (1..)
            .zip(items(text))
            .map(|(number, item)| webhook(item).map_err(|why| format!("webhook {number} {why}")));
        webhooks.collect::<Result<_, _>>().map(Self)
    }
}

fn webhook(item: &str) -> Result<Webhook, &'static str> {
    let (key, url) = item
        .split_once('=')
        .ok_or("does not state its kind, as in slack=https://…")?;
    let of_org = key.rsplit_once(':');
    let (org, kind) = of_org.map_or((None, key), |(org, kind)| (Some(org.trim()), kind));
    let kind = WebhookKind::ALL
        .into_iter()
        .find(|of| of.word() == kind.trim());
    let kind = kind.ok_or("must be of the kind json, slack, mattermost or teams")?;
    let (org, owner) = match org.map(|org| (org, org.find('@'))) {
        Some((org, Some(at))) => (Some(&org[..at]), Some(owner(&org[at..])?)),
        Some((org, None)) => (Some(org), None),
        None => (None, None),
    };
    let org = org.map(str::parse).transpose();
    Ok(Webhook {
        org: org.map_err(|_| "names an org that cannot exist")?,
        owner,
        kind,
        url: address(url.trim())
            .ok_or("needs an address that begins with https:// and has no user or password")?,
    })
}

/// The longest owner in the settings, in bytes.
const MAX_OWNER: usize = 255;

/// Reads the owner after an org: `@team`, or an e-mail address after another `@`.
fn owner(text: &str) -> Result<String, &'static str> {
    let name = text.strip_prefix('@').unwrap_or(text);
    let is_owner = (1..=MAX_OWNER).contains(&name.len()) && !name.contains(char::is_whitespace);
    if !is_owner {
        return Err("names an owner that cannot exist, as in acme@payments:slack=https://…");
    }
    // An `@` at the beginning is a role of GitLab: `@@maintainer`.
    let is_address = name.find('@').is_some_and(|at| at > 0);
    Ok(if is_address { name } else { text }.to_owned())
}

fn address(text: &str) -> Option<Url> {
    let url: Url = text.parse().ok()?;
    let is_web = ["https", "http"].contains(&url.scheme());
    (is_web && url.username().is_empty() && url.password().is_none()).then_some(url)
}

/// Leaves out the address, except its host.
impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// The key that signs notifications, in the form of Standard Webhooks (<https://www.standardwebhooks.com>).
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(Vec<u8>);

impl WebhookSecret {
    /// The bytes of the key.
    pub fn expose(&self) -> &[u8] {
        &self.0
    }
}

impl Setting for WebhookSecret {
    fn read(text: &str) -> Result<Self, String> {
        let key = text
            .strip_prefix("whsec_")
            .and_then(|key| STANDARD.decode(key).ok());
        key.filter(|key| (24..=64).contains(&key.len()))
            .map(Self)
            .ok_or_else(|| {
                "must be whsec_ and the Base64 of 24 to 64 bytes; create one with: echo \"whsec_$(openssl rand -base64 32)\"".to_owned()
            })
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_webhook_has_a_kind_an_address_and_possibly_an_org() {
        let hooks: Webhooks = "json=https://ci.example/hook?key=s3cret, acme/tools:slack=https://hooks.example/s3cret"
            .parse()
            .expect("webhooks");
        let names: Vec<_> = hooks.iter().map(Webhook::name).collect();
        assert_eq!(names, ["json (ci.example)", "slack (hooks.example)"]);
        let covers = |org: &str| -> Vec<bool> {
            let org = org.parse().expect("an org");
            hooks.iter().map(|hook| hook.covers(&org)).collect()
        };
        assert_eq!(covers("acme"), [true, false]);
        assert_eq!(covers("acme/tools/x"), [true, true]);
        let keys: Vec<_> = hooks.iter().map(Webhook::key).collect();
        assert!(keys[0] != keys[1] && keys[0].len() == 32, "{keys:?}");
        assert!(!format!("{hooks:?}").contains("s3cret"));
    }

    #[test]
    fn a_webhook_of_an_owner_gets_its_digest_alone() {
        let of = |scope: &str| {
            let hooks: Result<Webhooks, _> = format!("{scope}:slack=https://hooks.example").parse();
            let hook = hooks.map(|hooks| hooks[0].clone())?;
            assert!(!hook.covers(&"acme".parse().expect("an org")), "{scope}");
            assert_eq!(hook.org, "acme".parse().ok(), "{scope}");
            Ok::<_, String>(hook.owner.unwrap_or_default())
        };
        for (scope, owner) in [
            ("acme@acme/payments", "@acme/payments"),
            ("acme@jo@example.org", "jo@example.org"),
            ("acme@@maintainer", "@@maintainer"),
        ] {
            assert_eq!(of(scope).as_deref(), Ok(owner));
        }
        let long = format!("acme@{}", "o".repeat(256));
        for bad in ["@payments", "acme@", "acme@a b", &long] {
            assert!(of(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_error_does_not_quote_an_address() {
        for bad in [
            "https://hooks.example/s3cret",
            "irc=https://hooks.example/s3cret",
            "slack=ftp://hooks.example/s3cret",
            "slack=hooks.example/s3cret",
            "slack=https://user:s3cret@hooks.example",
            "a b:slack=https://hooks.example/s3cret",
        ] {
            let error = bad.parse::<Webhooks>().expect_err("refused");
            assert!(!error.contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn a_secret_is_long_enough_and_never_quoted() {
        let key = STANDARD.encode([7; 32]);
        let secret = WebhookSecret::read(&format!("whsec_{key}")).expect("a secret");
        assert_eq!(secret.expose(), [7; 32]);
        assert!(!format!("{secret:?}").contains('7'));
        let short = format!("whsec_{}", STANDARD.encode([7; 23]));
        for bad in [key.as_str(), &short, "whsec_", "whsec_!", "s3cret"] {
            let error = WebhookSecret::read(bad).expect_err("refused");
            assert!(!error.contains("s3cret"), "{error}");
        }
    }
}
