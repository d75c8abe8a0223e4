//! An archive entry without its content, for all kinds of archives.

/// The metadata of an entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntryHead<'a> {
    /// The path, as in the archive.
    pub(super) path: &'a [u8],
    /// The size of the content in bytes.
    pub(super) size: u64,
    pub(super) kind: EntryKind<'a>,
}

/// The kinds of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind<'a> {
    File,
    Folder,
    /// The same file under another name. tar also writes one for a file that is listed twice.
    HardLink {
        target: &'a [u8],
    },
    /// Any other kind, with the reason for refusing it.
    Other(&'static str),
}
