//! The key that signs notifications, in the form of Standard Webhooks (<https://www.standardwebhooks.com>).

use crate::optional::Setting;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use std::fmt;

/// The key itself.
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
