//! Signed addresses of reports, with which a report can load its own files if reading is protected.
//!
//! A report runs in a sandbox that sends no cookies. So a reader is redirected to a signed address for one version of one report,
//! with an expiry time. Anybody with the address can read that report until then.

use domain::text::hexadecimal;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt::{self, Display};
use store::now;

/// 128 of the 256 bits of an HMAC-SHA256 (RFC 2104, section 5): too many to guess, and addresses stay short.
const SIGNATURE_BYTES: usize = 16;

/// Addresses created within this many seconds are the same, so that browsers can use their cache.
const ROUNDED_TO_SECONDS: u64 = 3_600;

/// Signs addresses.
#[derive(Clone)]
pub struct LinkSigner {
    mac: Hmac<Sha256>,
    seconds: u64,
}

/// The expiry time and the signature in an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// In seconds since 1970.
    expires_at: u64,
    signature: [u8; SIGNATURE_BYTES],
}

impl LinkSigner {
    /// Creates a signer with a key of [`Writer::signing_key`](store::Writer::signing_key), for addresses that
    /// expire after `seconds`.
    pub(super) fn new(key: &str, seconds: u64) -> Self {
        // The length of a SHA-256 block. HMAC pads shorter keys with zeros anyway.
        let mut block = [0; 64];
        for (place, byte) in block.iter_mut().zip(key.bytes()) {
            *place = byte;
        }
        Self {
            mac: Hmac::new(&block.into()),
            seconds,
        }
    }

    /// Signs the address of a version of a record's report.
    pub fn sign(&self, id: i64, version: impl Display) -> Pass {
        self.sign_at(id, version, seconds_now())
    }

    /// Returns whether this signer created the pass for this address, and it has not expired.
    pub fn admits(&self, id: i64, version: impl Display, pass: Pass) -> bool {
        pass.seconds_left() > 0
            && self
                .mac_of(id, version, pass.expires_at)
                .verify_truncated_left(&pass.signature)
                .is_ok()
    }

    /// An address lasts at most `seconds`. Rounding shortens this by at most an hour or a twelfth of `seconds`, whichever is
    /// less.
    fn sign_at(&self, id: i64, version: impl Display, now: u64) -> Pass {
        let step = (self.seconds / 12).clamp(1, ROUNDED_TO_SECONDS);
        let expires_at = now.saturating_add(self.seconds) / step * step;
        let whole = self.mac_of(id, version, expires_at).finalize().into_bytes();
        let mut signature = [0; SIGNATURE_BYTES];
        for (place, byte) in signature.iter_mut().zip(whole) {
            *place = byte;
        }
        Pass {
            expires_at,
            signature,
        }
    }

    fn mac_of(&self, id: i64, version: impl Display, expires_at: u64) -> Hmac<Sha256> {
        self.mac
            .clone()
            .chain_update(format!("{id} {version} {expires_at}"))
    }
}

impl Pass {
    /// Parses the text in an address. The signature is not checked.
    pub fn of_text(text: &str) -> Option<Self> {
        let (expires_at, digits) = text.split_once('.')?;
        let is_number = expires_at.bytes().all(|byte| byte.is_ascii_digit());
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if !is_number || digits.len() != 2 * SIGNATURE_BYTES || !digits.bytes().all(is_digit) {
            return None;
        }
        Some(Self {
            expires_at: expires_at.parse().ok()?,
            signature: u128::from_str_radix(digits, 16).ok()?.to_be_bytes(),
        })
    }

    /// Returns the number of seconds until the pass expires.
    pub fn seconds_left(self) -> u64 {
        self.expires_at.saturating_sub(seconds_now())
    }
}

impl Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.expires_at, hexadecimal(&self.signature))
    }
}

/// Omits the key.
impl fmt::Debug for LinkSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkSigner")
            .field("seconds", &self.seconds)
            .finish_non_exhaustive()
    }
}

fn seconds_now() -> u64 {
    u64::try_from(now().0).unwrap_or_default() / 1_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    #[test]
    fn a_pass_is_valid_for_one_version_of_one_record() {
        let signer = LinkSigner::new(KEY, 43_200);
        let pass = signer.sign(7, "v");
        assert!(signer.admits(7, "v", pass));
        assert!(!signer.admits(8, "v", pass));
        assert!(!signer.admits(7, "w", pass));
        assert!(!LinkSigner::new("another", 43_200).admits(7, "v", pass));
        let later = Pass {
            expires_at: pass.expires_at + 1,
            ..pass
        };
        assert!(!signer.admits(7, "v", later));
    }

    #[test]
    fn an_expired_pass_is_invalid() {
        let signer = LinkSigner::new(KEY, 60);
        let (now, long_ago) = (seconds_now(), seconds_now() - 61);
        assert!(signer.admits(7, "v", signer.sign_at(7, "v", now)));
        let pass = signer.sign_at(7, "v", long_ago);
        assert!(!signer.admits(7, "v", pass) && pass.seconds_left() == 0);
    }

    #[test]
    fn signed_addresses_stay_the_same_for_a_while_and_expire_in_time() {
        for (seconds, step) in [(43_200, 3_600), (600, 50), (60, 5), (u64::MAX, 3_600)] {
            let signer = LinkSigner::new(KEY, seconds);
            for now in 1_700_000_000..1_700_003_700 {
                let expires_at = signer.sign_at(7, "v", now).expires_at;
                let most = now.saturating_add(seconds);
                assert!(expires_at <= most && expires_at > most - step, "{seconds}");
                assert_eq!(expires_at % step, 0);
            }
        }
    }

    #[test]
    fn only_a_well_formed_pass_is_parsed() {
        let pass = LinkSigner::new(KEY, 60).sign(7, "v");
        assert_eq!(Pass::of_text(&pass.to_string()), Some(pass));
        let digits = "0".repeat(32);
        assert!(Pass::of_text(&format!("17.{digits}")).is_some());
        for text in [
            "",
            "17",
            "17.",
            &format!(".{digits}"),
            &format!("-1.{digits}"),
            &format!("+1.{digits}"),
            &format!("99999999999999999999.{digits}"),
            &format!("17.{digits}0"),
            &format!("17.+{}", &digits[1..]),
            &format!("17.{}F", &digits[1..]),
        ] {
            assert_eq!(Pass::of_text(text), None, "{text}");
        }
    }
}
