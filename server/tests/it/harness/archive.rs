//! Archives as CI jobs send them, and as attackers do.

mod compress;
mod zip;

pub use self::compress::{bzip2, gzip, xz, zstd};
pub use self::zip::{Zip, ZipEntry};

use tar::{EntryType, Header};

/// A tar archive under construction.
#[derive(Clone)]
pub struct Archive(Vec<u8>);

impl Archive {
    pub fn new() -> Self {
        Self(Vec::new())
    }

    /// An archive with an HTML page and a Cobertura file in its top folder.
    pub fn report(html: &str, xml: &str) -> Self {
        Self::new()
            .file("index.html", html)
            .file("coverage.xml", xml)
    }

    pub fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        self.entry(EntryType::Regular, path.as_bytes(), content.as_ref())
    }

    pub fn folder(self, path: &str) -> Self {
        self.entry(EntryType::Directory, path.as_bytes(), b"")
    }

    /// Adds a ustar entry with exactly these bytes as its name, valid or not.
    pub fn entry(self, kind: EntryType, path: &[u8], content: &[u8]) -> Self {
        self.headed(Header::new_ustar(), kind, path, content)
    }

    /// Adds an entry with another header than ustar.
    pub fn headed(self, mut header: Header, kind: EntryType, path: &[u8], content: &[u8]) -> Self {
        header.as_mut_bytes()[..path.len()].copy_from_slice(path);
        header.set_entry_type(kind);
        header.set_mode(0o644);
        header.set_size(content.len() as u64);
        self.block(header, content)
    }

    /// Adds a header unchanged except for its checksum, and content that may contradict it.
    pub fn block(mut self, mut header: Header, content: &[u8]) -> Self {
        header.set_cksum();
        self.0.extend_from_slice(header.as_bytes());
        self.0.extend_from_slice(content);
        self.0.resize(self.0.len().next_multiple_of(512), 0);
        self
    }

    /// Adds the header that precedes an entry with a long name.
    pub fn long_name(self, name: &[u8]) -> Self {
        let name = [name, b"\0"].concat();
        self.headed(
            Header::new_gnu(),
            EntryType::GNULongName,
            b"././@LongLink",
            &name,
        )
    }

    /// Adds a pax header for the next entry.
    pub fn pax(self, records: &[(&str, &[u8])]) -> Self {
        self.entry(EntryType::XHeader, b"PaxHeaders/x", &pax_records(records))
    }

    /// Adds a pax header for all following entries.
    pub fn global_pax(self, records: &[(&str, &[u8])]) -> Self {
        self.entry(
            EntryType::XGlobalHeader,
            b"pax_global_header",
            &pax_records(records),
        )
    }

    pub fn hard_link(self, path: &str, target: &str) -> Self {
        let mut header = Header::new_ustar();
        header.set_entry_type(EntryType::Link);
        header.set_size(0);
        header.set_path(path).unwrap();
        header.set_link_name(target).unwrap();
        self.block(header, b"")
    }

    /// The entries without the zeros that end an archive.
    pub fn unfinished(self) -> Vec<u8> {
        self.0
    }

    pub fn tar(self) -> Vec<u8> {
        [self.0.as_slice(), &[0; 1_024]].concat()
    }

    pub fn tar_gz(self) -> Vec<u8> {
        gzip(&self.tar())
    }
}

fn pax_records(records: &[(&str, &[u8])]) -> Vec<u8> {
    let record = |(key, value): &(&str, &[u8])| {
        let bare = key.len() + value.len() + " =\n".len();
        // The length includes its own digits.
        let length = (bare..).find(|length| length.to_string().len() + bare == *length);
        [
            format!("{} {key}=", length.unwrap()).as_bytes(),
            value,
            b"\n",
        ]
        .concat()
    };
    records.iter().flat_map(record).collect()
}

/// Bytes that do not compress.
pub fn noise(bytes: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u8
    };
    (0..bytes).map(|_| next()).collect()
}
