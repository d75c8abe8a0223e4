//! Reads the source text of a record.

use crate::history::{SOURCES, Source};
use base64::{Engine, prelude::BASE64_STANDARD as STANDARD};
use serde::Deserialize;
use serde_json::Value;
use store::NewSource;

pub(super) fn of_json(value: &Value) -> Result<Vec<NewSource>, String> {
    let sources =
        Vec::<Source>::deserialize(value).map_err(|error| format!("{SOURCES}: {error}"))?;
    let source = |source: Source| {
        let wrong = |problem: &str| format!("{SOURCES}: the text of {} {problem}", source.path);
        let digest =
            digest(&source.digest).ok_or_else(|| wrong("needs a SHA-256 in hexadecimal"))?;
        let Some(text) = &source.text else {
            return Ok(NewSource {
                path: source.path,
                digest,
                text: None,
            });
        };
        let text = STANDARD.decode(text).map_err(|_| wrong("must be base64"))?;
        NewSource::moved(source.path.clone(), digest, text).map_err(wrong)
    };
    sources.into_iter().map(source).collect()
}

fn digest(text: &str) -> Option<[u8; 32]> {
    let digits = text.as_bytes();
    if digits.len() != 64 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let mut digest = [0; 32];
    for (place, byte) in digest.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * place..2 * place + 2)?, 16).ok()?;
    }
    Some(digest)
}
