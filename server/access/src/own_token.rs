//! The format of this service's tokens: `cov_`, 30 random letters and digits, and a checksum of 6 characters.
//!
//! The prefix lets secret scanners find published tokens (`cov_[0-9A-Za-z]{36}`). The checksum distinguishes a damaged
//! token from an unknown one without a database query.

use domain::text::hexadecimal;
use rand::distr::{Alphanumeric, SampleString};
use sha2::{Digest, Sha256};

const PREFIX: &str = "cov_";
const RANDOM: usize = 30;
const CHECKSUM: usize = 6;
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The number of characters by which people can identify a token.
const HINT: usize = 4;

/// Creates a token with 178 random bits.
pub(super) fn make() -> String {
    let random = Alphanumeric.sample_string(&mut rand::rng(), RANDOM);
    format!("{PREFIX}{random}{}", checksum(&random))
}

/// Creates a token in the form of a UUID, with 122 random bits, for clients that take no other form.
pub(super) fn make_uuid() -> String {
    // The fixed bits name the version 4, random, and the variant.
    let bits = rand::random::<u128>() & !(0xf << 76 | 0b11 << 62) | 4 << 76 | 0b10 << 62;
    let digits = format!("{bits:032x}");
    let ends = [0, 8, 12, 16, 20, 32];
    let groups: Vec<_> = ends
        .array_windows()
        .map(|&[from, to]| &digits[from..to])
        .collect();
    groups.join("-")
}

/// Returns the stored hash of a token. A plain hash is enough: unlike passwords, tokens are too long to guess.
pub(super) fn hash(token: &str) -> String {
    hexadecimal(&Sha256::digest(token.as_bytes()))
}

/// Returns the end of a token, by which people can identify it.
pub(super) fn hint(token: &str) -> &str {
    &token[token.floor_char_boundary(token.len().saturating_sub(HINT))..]
}

/// Returns whether a text has the form of this service's tokens. Such a text is never sent to a forge.
pub(super) fn is_ours(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// Returns whether a token of this service was cut or mistyped. The first tokens had 40 hexadecimal digits and no checksum.
pub(super) fn is_damaged(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(PREFIX) else {
        return false;
    };
    let is_old = rest.len() == 40 && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
    let fits = rest.is_ascii()
        && rest.len() == RANDOM + CHECKSUM
        && checksum(&rest[..RANDOM]) == rest[RANDOM..];
    !is_old && !fits
}

/// Returns the CRC-32 in base 62, in the same characters as the rest of the token.
fn checksum(random: &str) -> String {
    let mut rest = crc32fast::hash(random.as_bytes());
    let mut digits = [b'0'; CHECKSUM];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(rest % 62) as usize];
        rest /= 62;
    }
    digits.map(char::from).iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_has_a_prefix_and_a_checksum_that_scanners_can_rely_on() {
        let token = make();
        assert!(token.starts_with("cov_") && token.len() == 40, "{token}");
        assert!(token[4..].bytes().all(|byte| byte.is_ascii_alphanumeric()));
        assert!(is_ours(&token) && !is_damaged(&token));
        assert_ne!(make(), token);
        assert_eq!(hint(&token), &token[36..]);
    }

    #[test]
    fn a_uuid_is_random_and_has_its_form() {
        let token = make_uuid();
        let groups: Vec<_> = token.split('-').map(str::len).collect();
        assert_eq!(groups, [8, 4, 4, 4, 12], "{token}");
        assert!(
            token
                .bytes()
                .all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
        );
        assert_eq!(&token[14..15], "4", "{token}");
        assert!("89ab".contains(&token[19..20]), "{token}");
        assert_ne!(make_uuid(), token);
    }

    #[test]
    fn a_truncated_or_mistyped_token_is_damaged() {
        let token = make();
        assert!(is_damaged(&token[..39]));
        assert!(is_damaged(&format!("{token}0")));
        let last = if token.ends_with('a') { 'b' } else { 'a' };
        assert!(is_damaged(&format!("{}{last}", &token[..39])));
        assert!(is_damaged("cov_"));
        assert!(is_damaged("cov_ü"));
    }

    #[test]
    fn tokens_of_the_first_form_and_of_others_are_not_damaged() {
        assert!(!is_damaged("cov_00112233445566778899aabbccddeeff00112233"));
        assert!(!is_damaged("ghp_whatever"));
    }
}
