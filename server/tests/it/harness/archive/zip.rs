//! Zip archives, byte by byte. The two descriptions of an entry can be made to differ.

use flate2::{Compression, write::DeflateEncoder};
use std::io::Write;

/// A zip archive under construction.
#[derive(Default)]
pub struct Zip {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    entries: u64,
    is_zip64: bool,
}

/// One entry, valid unless a test changes it.
#[derive(Clone)]
pub struct ZipEntry {
    pub name: Vec<u8>,
    pub local_name: Vec<u8>,
    /// As they are stored.
    pub stored: Vec<u8>,
    pub size: u64,
    pub crc32: u32,
    pub method: u16,
    pub local_method: u16,
    pub flags: u16,
    /// The system that wrote it: 3 is Unix, 0 and 10 are Windows.
    pub host: u8,
    pub attributes: u32,
    pub extra: Vec<u8>,
    /// The offset of the directory that the end states, if it is not the true one.
    pub offset: Option<u64>,
    pub is_zip64: bool,
}

/// The flag of an entry with a data descriptor after its content.
pub const DESCRIPTOR: u16 = 1 << 3;

impl ZipEntry {
    pub fn stored(name: &str, content: impl AsRef<[u8]>) -> Self {
        let content = content.as_ref();
        Self {
            name: name.into(),
            local_name: name.into(),
            stored: content.into(),
            size: content.len() as u64,
            crc32: crc32fast::hash(content),
            method: 0,
            local_method: 0,
            flags: 0,
            host: 3,
            attributes: 0o100_644 << 16,
            extra: Vec::new(),
            offset: None,
            is_zip64: false,
        }
    }

    pub fn deflated(name: &str, content: impl AsRef<[u8]>) -> Self {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(content.as_ref()).unwrap();
        Self {
            stored: encoder.finish().unwrap(),
            ..Self::stored(name, content)
        }
        .of_method(8)
    }

    pub fn of_method(self, method: u16) -> Self {
        Self {
            method,
            local_method: method,
            ..self
        }
    }

    pub fn with_attributes(self, attributes: u32) -> Self {
        Self { attributes, ..self }
    }

    pub fn of_host(self, host: u8) -> Self {
        Self { host, ..self }
    }

    pub fn described_later(self) -> Self {
        Self {
            flags: self.flags | DESCRIPTOR,
            ..self
        }
    }

    fn sizes(&self) -> (Vec<u8>, Vec<u8>) {
        let (stored, size) = (self.stored.len() as u64, self.size);
        if self.is_zip64 {
            let field = [
                &[1, 0, 16, 0],
                &size.to_le_bytes()[..],
                &stored.to_le_bytes(),
            ];
            (vec![0xff; 8], field.concat())
        } else {
            let sizes = [(stored as u32).to_le_bytes(), (size as u32).to_le_bytes()];
            (sizes.concat(), Vec::new())
        }
    }

    fn local_header(&self) -> Vec<u8> {
        let (sizes, zip64) = self.sizes();
        let extra = [zip64.as_slice(), &self.extra].concat();
        let described = [&self.crc32.to_le_bytes()[..], &sizes].concat();
        let described = match self.flags & DESCRIPTOR {
            0 => described,
            _ => vec![0; described.len()],
        };
        [
            b"PK\x03\x04\x14\0",
            &self.flags.to_le_bytes()[..],
            &self.local_method.to_le_bytes(),
            &[0; 4],
            &described,
            &(self.local_name.len() as u16).to_le_bytes(),
            &(extra.len() as u16).to_le_bytes(),
            &self.local_name,
            &extra,
        ]
        .concat()
    }

    fn descriptor(&self) -> Vec<u8> {
        if self.flags & DESCRIPTOR == 0 {
            return Vec::new();
        }
        let (sizes, _) = self.sizes();
        [b"PK\x07\x08", &self.crc32.to_le_bytes()[..], &sizes].concat()
    }

    fn record(&self, offset: u64) -> Vec<u8> {
        let (sizes, zip64) = self.sizes();
        let extra = [zip64.as_slice(), &self.extra].concat();
        [
            &[b'P', b'K', 1, 2, 30, self.host, 20, 0],
            &self.flags.to_le_bytes()[..],
            &self.method.to_le_bytes(),
            &[0; 4],
            &self.crc32.to_le_bytes(),
            &sizes,
            &(self.name.len() as u16).to_le_bytes(),
            &(extra.len() as u16).to_le_bytes(),
            &[0; 6],
            &self.attributes.to_le_bytes(),
            &(offset as u32).to_le_bytes(),
            &self.name,
            &extra,
        ]
        .concat()
    }
}

impl Zip {
    pub fn new() -> Self {
        Self::default()
    }

    /// An archive with an HTML page and a Cobertura file in its top folder.
    pub fn report(html: &str, xml: &str) -> Self {
        Self::new()
            .entry(ZipEntry::deflated("index.html", html))
            .entry(ZipEntry::deflated("coverage.xml", xml))
    }

    pub fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        self.entry(ZipEntry::deflated(path, content))
    }

    pub fn entry(mut self, entry: ZipEntry) -> Self {
        let offset = entry.offset.unwrap_or(self.bytes.len() as u64);
        self.entries += 1;
        self.is_zip64 |= entry.is_zip64;
        self.directory.extend(entry.record(offset));
        if entry.offset.is_none() {
            self.bytes.extend(entry.local_header());
            self.bytes.extend(&entry.stored);
            self.bytes.extend(entry.descriptor());
        }
        self
    }

    pub fn bytes(self) -> Vec<u8> {
        let entries = self.entries;
        self.claiming(entries, b"")
    }

    /// The archive with a comment, and an end that claims a number of entries.
    pub fn claiming(self, entries: u64, comment: &[u8]) -> Vec<u8> {
        let (start, length) = (self.bytes.len() as u64, self.directory.len() as u64);
        let mut bytes = [self.bytes, self.directory].concat();
        if self.is_zip64 || entries >= u64::from(u16::MAX) {
            let end = bytes.len() as u64;
            bytes.extend(b"PK\x06\x06\x2c\0\0\0\0\0\0\0\x2d\x03\x2d\0\0\0\0\0\0\0\0\0");
            for number in [entries, entries, length, start] {
                bytes.extend(number.to_le_bytes());
            }
            bytes.extend(b"PK\x06\x07\0\0\0\0");
            bytes.extend(end.to_le_bytes());
            bytes.extend(1_u32.to_le_bytes());
        }
        bytes.extend(b"PK\x05\x06\0\0\0\0");
        let entries = entries.min(u16::MAX.into()) as u16;
        bytes.extend([entries.to_le_bytes(), entries.to_le_bytes()].concat());
        bytes.extend((length as u32).to_le_bytes());
        bytes.extend((start as u32).to_le_bytes());
        bytes.extend((comment.len() as u16).to_le_bytes());
        bytes.extend(comment);
        bytes
    }
}
