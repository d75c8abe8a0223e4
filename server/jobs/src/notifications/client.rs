//! Calls webhooks: only at addresses that the operator allows, without redirects, and with a time limit.

use super::{Event, formats};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use config::{
    Serve,
    notifications::{Webhook, WebhookKind, WebhookNetworks, WebhookSecret},
};
use forges::outbound::{Outbound, OutboundError};
use hmac::{Hmac, KeyInit, Mac};
use http::{Method, StatusCode, header::CONTENT_TYPE};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use sha2::Sha256;
use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};
use thiserror::Error;
use tokio::net::lookup_host;

/// Sends notifications to webhooks.
#[derive(Clone, Debug)]
pub struct WebhookClient {
    outbound: Outbound,
    networks: WebhookNetworks,
    secret: Option<WebhookSecret>,
}

#[derive(Debug, Error)]
pub enum WebhookError {
    #[error("{0} is a private address, which WEBHOOK_NETWORKS does not list")]
    Private(IpAddr),
    #[error("the webhook answered with status {}", .0.as_u16())]
    Refused(StatusCode),
    #[error(transparent)]
    Call(#[from] OutboundError),
}

/// A notification as it is sent.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// The id by which receivers recognise repetitions.
    pub id: &'a str,
    /// The time of sending, in seconds since 1970.
    pub seconds: i64,
    /// The event.
    pub event: &'a Event,
    /// The event as JSON.
    pub stored: &'a str,
}

/// Creates a client with the settings. Fails if no calls to other services can be made.
pub fn webhook_client(config: &Serve) -> Result<WebhookClient, reqwest::Error> {
    let networks = config.notifications.webhook_networks.clone();
    // A proxy resolves the names of webhooks itself, and its own name may lead to a private address.
    let has_proxy = config.access.outbound_proxy.0.is_some();
    let names = (!has_proxy).then(|| Arc::new(PublicNames(networks.clone())));
    Ok(WebhookClient {
        outbound: Outbound::to_others(&config.access, names)?,
        networks,
        secret: config.notifications.webhook_secret.0.clone(),
    })
}

impl WebhookClient {
    /// Returns a copy with separate permits, so that a slow webhook does not delay the others.
    pub(super) fn with_own_permits(&self) -> Self {
        Self {
            outbound: self.outbound.with_own_permits(),
            ..self.clone()
        }
    }

    /// Sends a notification. The error is the reason why it was not delivered.
    pub async fn send(&self, hook: &Webhook, message: Message<'_>) -> Result<(), WebhookError> {
        // Names are checked when they are resolved, but addresses are not resolved.
        if let Some(address) = address_of(hook)
            && !self.networks.allow(address)
        {
            return Err(WebhookError::Private(address));
        }
        let body = formats::body(hook.kind, message.event, message.stored);
        let mut request = self
            .outbound
            .request(Method::POST, hook.url.clone())
            .header(CONTENT_TYPE, "application/json");
        if let (WebhookKind::Json, Some(secret)) = (hook.kind, &self.secret)
            && let Some(signature) = signature(secret, message, &body)
        {
            request = request
                .header("webhook-id", message.id)
                .header("webhook-timestamp", message.seconds)
                .header("webhook-signature", signature);
        }
        let status = self.outbound.tell(request.body(body)).await?;
        if status.is_success() {
            Ok(())
        } else {
            Err(WebhookError::Refused(status))
        }
    }
}

/// Returns the value of `webhook-signature` according to Standard Webhooks 1.0 (<https://www.standardwebhooks.com>): the
/// HMAC-SHA256 of the id, the time and the body, joined with dots. `None` if the key is not usable, which [`WebhookSecret`]
/// prevents.
fn signature(secret: &WebhookSecret, message: Message<'_>, body: &str) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose()).ok()?;
    mac.update(format!("{}.{}.{body}", message.id, message.seconds).as_bytes());
    let signature = STANDARD.encode(mac.finalize().into_bytes());
    Some(format!("v1,{signature}"))
}

fn address_of(hook: &Webhook) -> Option<IpAddr> {
    let host = hook.url.host_str()?;
    host.trim_matches(['[', ']']).parse().ok()
}

/// Resolves names only to addresses that webhooks may have.
#[derive(Debug)]
struct PublicNames(WebhookNetworks);

impl Resolve for PublicNames {
    fn resolve(&self, name: Name) -> Resolving {
        let networks = self.0.clone();
        Box::pin(async move {
            let found: Vec<SocketAddr> = lookup_host((name.as_str(), 0)).await?.collect();
            let mut allowed = found.clone();
            allowed.retain(|address| networks.allow(address.ip()));
            match (allowed.is_empty(), found.first()) {
                (true, Some(address)) => Err(Box::new(WebhookError::Private(address.ip())).into()),
                _ => Ok(Box::new(allowed.into_iter()) as Addrs),
            }
        })
    }
}
