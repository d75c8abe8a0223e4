//! Reads the local header before an entry's content (PKWARE APPNOTE, section 4.3.7), as far as readers need it.

const SIGNATURE: [u8; 4] = *b"PK\x03\x04";

/// The offsets of two lengths in the header.
const NAME_LENGTH: usize = 26;
const EXTRA_LENGTH: usize = 28;

/// The local header of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LocalHeader {
    /// Bytes of the name, which follows the header.
    pub(super) name_length: u16,
    /// Bytes of the extra fields, which follow the name. The content follows them.
    pub(super) extra_length: u16,
}

impl LocalHeader {
    /// Bytes before the name.
    pub(super) const BYTES: usize = 30;

    /// Reads the header at the start of `bytes`, if there is one.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let header = bytes.get(..Self::BYTES)?;
        let length_at = |at: usize| {
            let bytes = header.get(at..at + 2)?.try_into().ok()?;
            Some(u16::from_le_bytes(bytes))
        };
        header.starts_with(&SIGNATURE).then_some(Self {
            name_length: length_at(NAME_LENGTH)?,
            extra_length: length_at(EXTRA_LENGTH)?,
        })
    }
}
