//! Tickets: random texts in addresses. A request with a ticket continues an earlier request. The service stores only a hash of the ticket,
//! and encrypts the token of the earlier request with a key from the ticket, so that a copy of the database reveals no token.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::text::hexadecimal;
use sha2::{Digest, Sha256};
use std::fmt;

/// Every ticket seals one text, so its key is used once.
const NONCE: [u8; 12] = [0; 12];

/// A random text that only its holder knows.
pub struct Ticket(String);

impl Ticket {
    /// The number of characters.
    const LENGTH: usize = 64;

    /// Creates a ticket with 256 random bits.
    #[must_use]
    pub fn random() -> Self {
        Self(hexadecimal(&rand::random::<[u8; 32]>()))
    }

    /// Creates the ticket that stands for some texts. No address has its form, so nobody can send it.
    #[must_use]
    pub fn derived(texts: &[&str]) -> Self {
        let mut hasher = Sha256::new();
        for text in texts {
            hasher.update(text.len().to_le_bytes());
            hasher.update(text);
        }
        Self(format!("derived {}", hexadecimal(&hasher.finalize())))
    }

    /// Reads a ticket; `None` if the text does not have its form.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let is_one = text.len() == Self::LENGTH && text.bytes().all(|it| it.is_ascii_hexdigit());
        is_one.then(|| Self(text.to_ascii_lowercase()))
    }

    /// The ticket as text, for an address. It is never logged.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The hash under which the service stores the request.
    #[must_use]
    pub fn hash(&self) -> String {
        hexadecimal(&self.key_for(b"stored"))
    }

    /// Encrypts a text. `None` never happens with texts that fit in memory.
    #[must_use]
    pub fn seal(&self, text: &str) -> Option<String> {
        let mut bytes = text.as_bytes().to_vec();
        let nonce = Nonce::assume_unique_for_key(NONCE);
        let sealed = self.key()?;
        sealed
            .seal_in_place_append_tag(nonce, Aad::empty(), &mut bytes)
            .ok()?;
        Some(BASE64_STANDARD.encode(bytes))
    }

    /// Decrypts a text that this ticket sealed.
    #[must_use]
    pub fn open(&self, sealed: &str) -> Option<String> {
        let mut bytes = BASE64_STANDARD.decode(sealed).ok()?;
        let nonce = Nonce::assume_unique_for_key(NONCE);
        let opened = self.key()?;
        let plain = opened.open_in_place(nonce, Aad::empty(), &mut bytes).ok()?;
        String::from_utf8(plain.to_vec()).ok()
    }

    fn key(&self) -> Option<LessSafeKey> {
        let key = UnboundKey::new(&AES_256_GCM, &self.key_for(b"sealed")).ok()?;
        Some(LessSafeKey::new(key))
    }

    fn key_for(&self, purpose: &[u8]) -> [u8; 32] {
        let text = [purpose, b" ", self.0.as_bytes()].concat();
        Sha256::digest(text).into()
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ticket(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_ticket_opens_what_it_sealed() {
        let (ticket, other) = (Ticket::random(), Ticket::random());
        let sealed = ticket.seal("t0ken").expect("sealed");
        assert!(!sealed.contains("t0ken"));
        assert_eq!(ticket.open(&sealed).as_deref(), Some("t0ken"));
        assert_eq!(other.open(&sealed), None);
        assert_eq!(ticket.open("no base64!"), None);
    }

    #[test]
    fn a_ticket_is_read_as_it_was_written() {
        let ticket = Ticket::random();
        let read = Ticket::read(ticket.text()).expect("a ticket");
        assert_eq!(read.hash(), ticket.hash());
        assert!(!ticket.hash().contains(ticket.text()));
        let derived = Ticket::derived(&["base", "acme/app", "7"]);
        for text in ["", &ticket.text()[1..], &"g".repeat(64), derived.text()] {
            assert!(Ticket::read(text).is_none(), "{text}");
        }
    }
}
