//! Reads the local header before an entry's content (PKWARE APPNOTE, section 4.3.7).

const SIGNATURE: [u8; 4] = *b"PK\x03\x04";

/// The offsets of two lengths in the header.
const NAME_LENGTH: usize = 26;
const EXTRA_LENGTH: usize = 28;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LocalHeader {
    /// The length of the name after the header.
    pub(super) name_length: u16,
    /// The length of the extra fields after the name. The content follows them.
    pub(super) extra_length: u16,
}

impl LocalHeader {
    /// The length of the header before the name.
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
