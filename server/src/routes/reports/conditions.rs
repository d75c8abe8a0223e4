//! Conditional requests and ranges (RFC 9110, sections 13 and 14), in the order of its section 13.2.2.

use super::{file_request::FileRequest, representation::Representation};
use axum::http::header;
use headers::{
    ETag, HeaderMapExt, IfMatch, IfModifiedSince, IfNoneMatch, IfRange, IfUnmodifiedSince,
};
use std::time::SystemTime;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// The client already has the file.
    NotModified,
    /// The file is not the expected one.
    Failed,
    /// The range is outside of the file.
    Unsatisfiable,
    /// Also if several parts are requested, or the header is invalid.
    Whole,
    /// From the first byte to the last, inclusive.
    Part(u64, u64),
}

impl Plan {
    pub(super) fn of(file: &Representation, request: &FileRequest) -> Self {
        if let Some(decided) = verdict(request, &file.etag, file.modified) {
            return decided;
        }
        // Parts are for GET only (RFC 9110, section 14.2).
        if request.is_head || !file.takes_parts || !takes_parts(request, &file.etag) {
            return Self::Whole;
        }
        range(request, file.length)
    }

    /// Whether the file's bytes are needed.
    pub(super) fn sends(self) -> bool {
        matches!(self, Self::Whole | Self::Part(..))
    }
}

/// Compares the conditions with the file. `None`: it is sent. A date counts only without a tag, since dates have a precision of seconds.
fn verdict(request: &FileRequest, etag: &ETag, modified: SystemTime) -> Option<Plan> {
    let headers = &request.headers;
    let holds = if headers.contains_key(header::IF_MATCH) {
        // An unreadable tag does not match.
        headers
            .typed_get::<IfMatch>()
            .is_some_and(|wanted| wanted.precondition_passes(etag))
    } else {
        headers
            .typed_get::<IfUnmodifiedSince>()
            .is_none_or(|since| since.precondition_passes(modified))
    };
    if !holds {
        return Some(Plan::Failed);
    }
    let is_new = if headers.contains_key(header::IF_NONE_MATCH) {
        headers
            .typed_get::<IfNoneMatch>()
            .is_none_or(|had| had.precondition_passes(etag))
    } else {
        headers
            .typed_get::<IfModifiedSince>()
            .is_none_or(|since| since.is_modified(modified))
    };
    (!is_new).then_some(Plan::NotModified)
}

/// Whether a part may be sent to complete the parts that the client has. Dates are not exact enough for that.
fn takes_parts(request: &FileRequest, etag: &ETag) -> bool {
    if !request.headers.contains_key(header::IF_RANGE) {
        return true;
    }
    request
        .headers
        .typed_get::<IfRange>()
        .is_some_and(|had| !had.is_modified(Some(etag), None))
}

/// Returns the requested part of a file of `length` bytes.
fn range(request: &FileRequest, length: u64) -> Plan {
    let Some(value) = request.headers.get(header::RANGE) else {
        return Plan::Whole;
    };
    value
        .to_str()
        .ok()
        .and_then(|value| single(value, length))
        .unwrap_or(Plan::Whole)
}

fn single(value: &str, length: u64) -> Option<Plan> {
    let (unit, range) = value.split_once('=')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") || range.contains(',') {
        return None;
    }
    let (first, last) = range.trim().split_once('-')?;
    let last_byte = length.checked_sub(1);
    if first.is_empty() {
        let wanted = number(last)?;
        return Some(match last_byte {
            Some(last_byte) if wanted > 0 => Plan::Part(length.saturating_sub(wanted), last_byte),
            _ => Plan::Unsatisfiable,
        });
    }
    let first = number(first)?;
    let last = match last {
        "" => u64::MAX,
        last => number(last)?,
    };
    if last < first {
        return None;
    }
    Some(match last_byte {
        Some(last_byte) if first <= last_byte => Plan::Part(first, last.min(last_byte)),
        _ => Plan::Unsatisfiable,
    })
}

/// Parses digits only. A number that does not fit is larger than any file.
fn number(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::{Plan::*, *};
    use axum::extract::Request;
    use std::time::{Duration, UNIX_EPOCH};

    const BEFORE: &str = "Sun, 06 Nov 1994 08:49:36 GMT";
    const SAME: &str = "Sun, 06 Nov 1994 08:49:37 GMT";

    fn request(headers: &[(&str, &str)]) -> FileRequest {
        let request = headers
            .iter()
            .fold(Request::get("/"), |request, (name, value)| {
                request.header(*name, *value)
            });
        FileRequest::of(request.body(Default::default()).expect("a request"), false)
    }

    fn etag() -> ETag {
        "\"a\"".parse().expect("a tag")
    }

    #[test]
    fn etags_precede_dates_and_failures_precede_not_modified() {
        // With a fraction of a second, which dates do not have.
        let modified = UNIX_EPOCH + Duration::from_millis(784_111_777_500);
        for (headers, expected) in [
            (&[][..], None),
            (&[("if-none-match", "\"a\"")], Some(NotModified)),
            (&[("if-none-match", "W/\"a\"")], Some(NotModified)),
            (&[("if-none-match", "\"b\", \"a\"")], Some(NotModified)),
            (&[("if-none-match", "*")], Some(NotModified)),
            (&[("if-none-match", "\"b\"")], None),
            (
                &[("if-none-match", "\"b\""), ("if-modified-since", SAME)],
                None,
            ),
            (&[("if-modified-since", SAME)], Some(NotModified)),
            (&[("if-modified-since", BEFORE)], None),
            (&[("if-modified-since", "yesterday")], None),
            (&[("if-match", "\"b\", \"a\"")], None),
            (&[("if-match", "*")], None),
            (&[("if-match", "W/\"a\"")], Some(Failed)),
            (&[("if-match", "\"b\"")], Some(Failed)),
            (
                &[("if-match", "\"a\""), ("if-unmodified-since", BEFORE)],
                None,
            ),
            (
                &[("if-match", "\"b\""), ("if-none-match", "\"a\"")],
                Some(Failed),
            ),
            (&[("if-unmodified-since", SAME)], None),
            (&[("if-unmodified-since", BEFORE)], Some(Failed)),
            (&[("if-unmodified-since", "yesterday")], None),
        ] {
            assert_eq!(
                verdict(&request(headers), &etag(), modified),
                expected,
                "{headers:?}"
            );
        }
    }

    #[test]
    fn ranges_are_sent_only_of_exactly_the_same_file() {
        for (had, takes) in [
            ("\"a\"", true),
            ("W/\"a\"", false),
            ("\"b\"", false),
            (SAME, false),
            ("nonsense", false),
        ] {
            assert_eq!(
                takes_parts(&request(&[("if-range", had)]), &etag()),
                takes,
                "{had}"
            );
        }
        assert!(takes_parts(&request(&[]), &etag()));
    }

    #[test]
    fn one_range_is_parsed_and_anything_else_means_the_whole_file() {
        let of = |value: &str, length| range(&request(&[("range", value)]), length);
        for (value, expected) in [
            ("bytes=0-0", Part(0, 0)),
            ("bytes=2-5", Part(2, 5)),
            ("Bytes=2-", Part(2, 9)),
            ("bytes=9-999", Part(9, 9)),
            ("bytes=0-99999999999999999999999", Part(0, 9)),
            ("bytes=-3", Part(7, 9)),
            ("bytes=-99", Part(0, 9)),
            ("bytes=10-", Unsatisfiable),
            ("bytes=99999999999999999999999-", Unsatisfiable),
            ("bytes=-0", Unsatisfiable),
            ("bytes=0-1,3-4", Whole),
            ("bytes=5-2", Whole),
            ("bytes=+1-2", Whole),
            ("bytes=-", Whole),
            ("bytes=", Whole),
            ("lines=1-2", Whole),
            ("nonsense", Whole),
        ] {
            assert_eq!(of(value, 10), expected, "{value}");
        }
        assert_eq!([of("bytes=0-", 0), of("bytes=-1", 0)], [Unsatisfiable; 2]);
    }
}
