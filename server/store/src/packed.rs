//! Values that are stored as compressed JSON.

use serde::{Serialize, de::DeserializeOwned};
use std::io::Read;

/// The compression level: fast.
const LEVEL: i32 = 1;

/// `None` if the JSON has more than `most` bytes: it could not be read again.
pub(crate) fn packed(value: &impl Serialize, most: u64) -> Option<Vec<u8>> {
    let json = serde_json::to_vec(value).ok()?;
    let fits = u64::try_from(json.len()).is_ok_and(|bytes| bytes <= most);
    fits.then(|| zstd::encode_all(&*json, LEVEL).ok()).flatten()
}

/// `None` if this release cannot read it, or if it unpacks to more than `most` bytes.
pub(crate) fn unpacked<T: DeserializeOwned>(packed: &[u8], most: u64) -> Option<T> {
    let decoder = zstd::Decoder::new(packed).ok()?;
    let mut json = Vec::new();
    decoder.take(most).read_to_end(&mut json).ok()?;
    serde_json::from_slice(&json).ok()
}
