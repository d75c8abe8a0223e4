//! An entry of an archive of any kind, as it describes itself before its content comes.

/// What an entry says about itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntryHead<'a> {
    /// Its path, as it stands in the archive.
    pub(super) path: &'a [u8],
    /// Bytes of its content.
    pub(super) size: u64,
    /// What it is.
    pub(super) kind: EntryKind<'a>,
}

/// What an entry may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind<'a> {
    File,
    Folder,
    /// The same file under another name; tar writes one for a file that it is told to pack a second time.
    HardLink {
        target: &'a [u8],
    },
    /// What no report needs, and why it is refused.
    Other(&'static str),
}
