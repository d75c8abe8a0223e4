//! Addresses of reports: `/reports/{id}/{path}` is the last upload, `/reports/{id}/@{version}/{path}` never changes. If
//! reading is protected, `/reports/{id}/@{version}.{expiry}.{signature}/{path}` is the latter, without a token.

use access::Pass;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use sha2::{Digest, Sha256};
use std::fmt::{self, Display};

/// The characters that must be encoded in a path segment (RFC 3986, section 3.3).
const NOT_IN_PATHS: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b']')
    .add(b'`')
    .add(b'{')
    .add(b'}')
    .add(b'\\')
    .add(b'^')
    .add(b'|');

const VERSION_DIGITS: usize = 32;

/// Digits of the versions of earlier releases. None of these is current, so such an address redirects.
const EARLIER_VERSION_DIGITS: usize = 16;

/// Identifies a report object and the form in which this release serves it. Browsers may cache it for a year, but fetch
/// it again when its protection changes. Written as 32 digits.
///
/// It cannot be guessed: it is the first half of a SHA-256 over the object's key, which has 128 random bits and is
/// secret. Any page that knows a version can load the files of its report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::routes) struct Version(u128);

impl Version {
    pub(super) fn new(key: &str, form: &[u8]) -> Self {
        let digest = Sha256::new()
            .chain_update(key)
            .chain_update(form)
            .finalize();
        let half = digest.first_chunk().copied();
        Self(half.map_or(0, u128::from_be_bytes))
    }

    fn of_digits(digits: &str) -> Option<Self> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_version = [VERSION_DIGITS, EARLIER_VERSION_DIGITS].contains(&digits.len());
        (is_version && digits.bytes().all(is_digit))
            .then(|| u128::from_str_radix(digits, 16).ok().map(Self))?
    }
}

impl Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The segment after a record's id: a version and, for a signed address, a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::routes) struct Segment {
    pub(super) version: Version,
    pub(super) pass: Option<Pass>,
}

impl Segment {
    /// Parses a segment. Only a well-formed version counts, since names of folders may begin with `@`.
    fn of(segment: &str) -> Option<Self> {
        let text = segment.strip_prefix('@')?;
        let (version, pass) = match text.split_once('.') {
            Some((version, pass)) => (version, Some(Pass::of_text(pass)?)),
            None => (text, None),
        };
        let version = Version::of_digits(version)?;
        Some(Self { version, pass })
    }
}

impl From<Version> for Segment {
    fn from(version: Version) -> Self {
        Self {
            version,
            pass: None,
        }
    }
}

impl Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.version)?;
        match self.pass {
            Some(pass) => write!(f, ".{pass}"),
            None => Ok(()),
        }
    }
}

/// The part of an address after a record's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target<'a> {
    pub(super) segment: Option<Segment>,
    /// The path in the report; `None` if the address ends after the version, without a `/`.
    pub(super) path: Option<&'a str>,
}

impl<'a> Target<'a> {
    pub(super) fn of(path: &'a str) -> Self {
        let (first, rest) = path
            .split_once('/')
            .map_or((path, None), |(first, rest)| (first, Some(rest)));
        let segment = Segment::of(first);
        Self {
            segment,
            path: if segment.is_some() { rest } else { Some(path) },
        }
    }
}

pub(in crate::routes) fn report_path(
    id: impl Display,
    segment: Option<Segment>,
    path: &str,
) -> String {
    let id = id.to_string();
    let (id, path) = (encoded(&id), encoded(path));
    match segment {
        Some(segment) => format!("/reports/{id}/{segment}/{path}"),
        None => format!("/reports/{id}/{path}"),
    }
}

pub(super) fn encoded(path: &str) -> impl Display {
    utf8_percent_encode(path, NOT_IN_PATHS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_well_formed_version_is_parsed() {
        let version = Version::new("key", b"form");
        let earlier = Target::of("@0123456789abcdef/a");
        assert!(
            earlier
                .segment
                .is_some_and(|segment| segment != version.into())
        );
        let folder = format!("@{version}/");
        let file = format!("{folder}a/b.html");
        let target = Target::of(&file);
        assert_eq!(target.segment, Some(version.into()));
        assert_eq!(target.path, Some("a/b.html"));
        assert_eq!(Target::of(&format!("@{version}")).path, None);
        assert_eq!(Target::of(&folder).path, Some(""));
        for path in [
            "@types/index.html",
            "@0123456789abcdeF/x",
            "@0123456789abcde/x",
            "@+123456789abcdef/x",
            "@0123456789abcdef0123456789abcde/x",
            "@0123456789abcdef0123456789abcdef0/x",
            "@0123456789abcdef0123456789abcdeF/x",
            "@0123456789abcdef./x",
            "@0123456789abcdef.min/x",
            "@0123456789abcdef.17.0123/x",
            "a/@0123456789abcdef/x",
            "",
        ] {
            let target = Target::of(path);
            assert_eq!((target.segment, target.path), (None, Some(path)));
        }
    }

    #[test]
    fn a_signed_segment_is_a_version_with_a_pass() {
        let version = Version::new("key", b"form");
        let pass = Pass::of_text("17.00112233445566778899aabbccddeeff");
        let segment = Segment { version, pass };
        let address = report_path(7, Some(segment), "a/b.html");
        assert_eq!(
            address,
            format!("/reports/7/@{version}.17.00112233445566778899aabbccddeeff/a/b.html")
        );
        let target = Target::of(address.trim_start_matches("/reports/7/"));
        assert_eq!(target.segment, Some(segment));
        assert_eq!(target.path, Some("a/b.html"));
    }

    #[test]
    fn a_version_has_128_bits_and_differs_by_object_and_by_form() {
        let version = Version::new("a", b"1");
        assert_ne!(version, Version::new("b", b"1"));
        assert_ne!(version, Version::new("a", b"2"));
        assert_eq!(version.to_string().len(), VERSION_DIGITS);
    }

    #[test]
    fn an_address_contains_a_path_of_any_characters() {
        assert_eq!(
            report_path(7, None, "ü?/#%.html"),
            "/reports/7/%C3%BC%3F/%23%25.html"
        );
    }
}
