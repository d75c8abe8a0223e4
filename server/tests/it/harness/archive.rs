//! Archives as CI jobs send them, and as nobody honest does.

use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use tar::{Builder, EntryType, Header};

/// A tar archive in the making.
pub struct Archive(Builder<Vec<u8>>);

impl Archive {
    pub fn new() -> Self {
        Self(Builder::new(Vec::new()))
    }

    /// One with an HTML page and a Cobertura report at its top.
    pub fn report(html: &str, xml: &str) -> Self {
        Self::new()
            .file("index.html", html)
            .file("coverage.xml", xml)
    }

    pub fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        self.entry(EntryType::Regular, path.as_bytes(), content.as_ref())
    }

    /// An entry whose header holds just these bytes, whatever a well-behaved writer would say of them.
    pub fn entry(mut self, kind: EntryType, path: &[u8], content: &[u8]) -> Self {
        let mut header = Header::new_ustar();
        header.as_mut_bytes()[..path.len()].copy_from_slice(path);
        header.set_entry_type(kind);
        header.set_mode(0o644);
        header.set_size(content.len() as u64);
        header.set_cksum();
        self.0.append(&header, content).unwrap();
        self
    }

    pub fn hard_link(mut self, path: &str, target: &str) -> Self {
        let mut header = Header::new_ustar();
        header.set_entry_type(EntryType::Link);
        header.set_size(0);
        self.0.append_link(&mut header, path, target).unwrap();
        self
    }

    pub fn tar(self) -> Vec<u8> {
        self.0.into_inner().unwrap()
    }

    pub fn tar_gz(self) -> Vec<u8> {
        gzip(&self.tar())
    }
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
