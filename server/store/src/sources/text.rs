//! The text of a source file and its stored form: zstd, known by the SHA-256 of the text.

use crate::run::Parameter;
use sha2::{Digest as _, Sha256};
use sqlx::any::AnyArguments;
use std::io::{self, Read};

/// SHA-256 of a text.
pub(crate) type Digest = [u8; 32];

/// Texts in one query.
pub(super) const AT_ONCE: usize = 16;

/// The compression level. Higher ones take twice the time to save a twentieth.
const LEVEL: i32 = 3;

/// A source file of an upload or of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSource {
    /// The path, as in the coverage file's list of files.
    pub path: String,
    /// SHA-256 of the text.
    pub digest: Digest,
    /// The packed text; `None` if the repository has it already.
    pub text: Option<Vec<u8>>,
}

impl NewSource {
    /// The most bytes of a text.
    pub const MAX_BYTES: usize = 1 << 20;

    /// Packs a text.
    ///
    /// # Errors
    ///
    /// If memory is short.
    pub fn of(path: String, text: &str) -> io::Result<Self> {
        Ok(Self {
            path,
            digest: Sha256::digest(text).into(),
            text: Some(zstd::encode_all(text.as_bytes(), LEVEL)?),
        })
    }

    /// A packed text from another database.
    ///
    /// # Errors
    ///
    /// If it is not the text of this digest.
    pub fn moved(path: String, digest: Digest, text: Vec<u8>) -> Result<Self, &'static str> {
        unpacked(&text, &digest)?;
        Ok(Self {
            path,
            digest,
            text: Some(text),
        })
    }
}

/// Returns a packed text, or what is wrong with it.
pub(crate) fn unpacked(packed: &[u8], digest: &[u8]) -> Result<String, &'static str> {
    let mut bytes = Vec::new();
    zstd::Decoder::new(packed)
        .and_then(|decoder| {
            let most = NewSource::MAX_BYTES as u64 + 1;
            decoder.take(most).read_to_end(&mut bytes)
        })
        .map_err(|_| "cannot be unpacked")?;
    if Sha256::digest(&bytes).as_slice() != digest {
        return Err("is not the text that was stored");
    }
    String::from_utf8(bytes).map_err(|_| "is not UTF-8")
}

/// The digests of up to [`AT_ONCE`] sources, as that many parameters: the last one is repeated.
pub(super) struct Digests<'a>(pub(super) &'a [NewSource]);

impl Parameter for Digests<'_> {
    fn add_to(self, arguments: &mut AnyArguments) -> Result<(), sqlx::Error> {
        for place in 0..AT_ONCE {
            let source = self.0.get(place).or(self.0.last());
            source
                .map(|source| source.digest.as_slice())
                .add_to(arguments)?;
        }
        Ok(())
    }
}
