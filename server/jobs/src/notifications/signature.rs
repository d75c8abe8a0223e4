//! Signs notifications according to Standard Webhooks 1.0 (<https://www.standardwebhooks.com>).

use base64::{Engine as _, engine::general_purpose::STANDARD};
use config::notifications::WebhookSecret;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Returns the value of `webhook-signature`: the HMAC-SHA256 of the id, the time and the body, joined with dots. `None` if the
/// key is not usable, which [`WebhookSecret`] prevents.
pub(super) fn signature(
    secret: &WebhookSecret,
    id: &str,
    seconds: i64,
    body: &str,
) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose()).ok()?;
    mac.update(format!("{id}.{seconds}.{body}").as_bytes());
    Some(format!(
        "v1,{}",
        STANDARD.encode(mac.finalize().into_bytes())
    ))
}
