//! A file in the form that a client gets: its headers and the source of its bytes.

use super::{address::Version, body::Source, file_request::FileRequest, storage_shim::StorageShim};
use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, header},
};
use flate2::read::DeflateDecoder;
use headers::{ETag, HeaderMapExt, LastModified};
use objects::{Entry, ReportObject, ReportsError, media_type};
use std::{io, time::SystemTime};

/// Bytes that are fetched from a bucket at once if the beginning of a file is needed before the rest.
const RECEIVED_BYTES: u64 = 256 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    /// As gzip, if it is stored deflated.
    as_gzip: bool,
    /// HTML as a page in a browser, with the [shim](StorageShim) for the storage that a sandbox lacks.
    as_page: bool,
    /// Whether only a framed page needs the shim.
    only_framed: bool,
}

impl Form {
    pub(super) fn of(request: &FileRequest, needs_shim: bool) -> Self {
        // A browser may deny storage to a frame of another site than the page around it.
        let is_needed = needs_shim || request.is_for_frame();
        Self {
            // Ranges are ranges of the uploaded file.
            as_gzip: request.accepts_gzip() && !request.has_range(),
            as_page: is_needed && request.is_navigation(),
            only_framed: !needs_shim,
        }
    }
}

/// Whether gzip is smaller. A gzip member has 18 bytes more than its deflated data (RFC 1952, section 2.3), which is
/// too much for tiny files.
fn is_smaller_as_gzip(entry: Entry) -> bool {
    entry.deflated && entry.stored_size + 18 < entry.size
}

/// A file of a report, or the whole report as one file, in one form.
#[derive(Debug)]
pub(super) struct Representation {
    pub(super) etag: ETag,
    pub(super) modified: SystemTime,
    /// The headers that do not depend on the request.
    pub(super) headers: HeaderMap,
    pub(super) takes_parts: bool,
    pub(super) length: u64,
    pub(super) content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    Read(Bytes),
    Stored(Source),
}

/// The values of headers that depend on the form.
struct Kind {
    tag: String,
    content_type: String,
    is_gzip: bool,
    takes_parts: bool,
    vary: &'static str,
}

impl Representation {
    /// Returns the entry at `path`. Reads only the beginning of a page, and nothing of other files. Blocks.
    pub(super) fn of_entry(
        object: &ReportObject,
        version: Version,
        path: &str,
        entry: Entry,
        form: Form,
    ) -> Result<Self, ReportsError> {
        let media_type = media_type(path);
        let is_html = media_type == "text/html";
        let as_page = form.as_page && is_html;
        let stored = if as_page {
            object.stored(entry).received(RECEIVED_BYTES)?
        } else {
            object.stored(entry)
        };
        let front = if !as_page {
            StorageShim::default()
        } else if entry.deflated {
            StorageShim::of(DeflateDecoder::new(stored.clone()))?
        } else {
            StorageShim::of(stored.clone())?
        };
        let is_gzip = form.as_gzip && is_smaller_as_gzip(entry) && !front.replaces_bom;
        let source = if is_gzip {
            Source::gzip(stored, entry, &front)
        } else {
            Source::uploaded(stored, entry, &front)
        };
        let ending = match (as_page, is_gzip) {
            (true, true) => "pz",
            (true, false) => "p",
            (false, true) => "z",
            (false, false) => "",
        };
        let kind = Kind {
            tag: format!("\"{version}-{:08x}{ending}\"", entry.crc32),
            vary: if !is_html {
                "accept-encoding"
            } else if form.only_framed {
                "accept, accept-encoding, sec-fetch-dest"
            } else {
                "accept, accept-encoding"
            },
            content_type: match front.charset {
                Some(charset) => format!("{media_type}; charset={charset}"),
                None => media_type,
            },
            is_gzip,
            takes_parts: !as_page && !is_gzip,
        };
        Self::new(&kind, object.modified, source)
    }

    pub(super) fn of_object(object: &ReportObject, version: Version) -> Result<Self, ReportsError> {
        let kind = Kind {
            tag: format!("\"{version}-zip\""),
            content_type: "application/zip".to_owned(),
            is_gzip: false,
            takes_parts: true,
            vary: "",
        };
        let source = Source::plain(object.whole(), object.size());
        Self::new(&kind, object.modified, source)
    }

    fn new(kind: &Kind, modified: SystemTime, source: Source) -> Result<Self, ReportsError> {
        let etag: ETag = kind.tag.parse().map_err(io::Error::other)?;
        let mut headers = HeaderMap::with_capacity(16);
        headers.typed_insert(etag.clone());
        headers.typed_insert(LastModified::from(modified));
        let content_type = HeaderValue::try_from(kind.content_type.as_str());
        headers.insert(
            header::CONTENT_TYPE,
            content_type.map_err(io::Error::other)?,
        );
        if !kind.vary.is_empty() {
            headers.insert(header::VARY, HeaderValue::from_static(kind.vary));
        }
        if kind.is_gzip {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        if kind.takes_parts {
            headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        }
        Ok(Self {
            etag,
            modified,
            headers,
            takes_parts: kind.takes_parts,
            length: source.length,
            content: Content::Stored(source),
        })
    }

    /// Reads its bytes into memory. Blocks.
    pub(super) fn read(self) -> Result<Self, ReportsError> {
        let content = match self.content {
            Content::Stored(source) => Content::Read(source.read()?),
            read => read,
        };
        Ok(Self { content, ..self })
    }

    /// Returns `length` bytes from `first` on. Blocks, unless they are in memory.
    pub(super) fn body(&self, first: u64, length: u64) -> io::Result<Body> {
        match &self.content {
            Content::Stored(source) => source.stream(first, length),
            // Bytes in memory fit into `usize`.
            Content::Read(bytes) => Ok(bytes
                .slice(first as usize..(first + length) as usize)
                .into()),
        }
    }

    pub(super) fn memory(&self) -> usize {
        const HEADERS: usize = 2 << 10;
        HEADERS
            + match &self.content {
                Content::Read(bytes) => bytes.len(),
                Content::Stored(_) => 0,
            }
    }
}
