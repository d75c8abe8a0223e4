//! Range requests (RFC 9110, section 14).

use super::file_request::FileRequest;
use axum::http::header;

/// The requested part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Range {
    /// The whole file; also if several parts are requested, or the header is invalid.
    Whole,
    /// From the first byte to the last, inclusive.
    Part(u64, u64),
    /// Bytes outside of the file.
    Unsatisfiable,
}

/// Returns the requested part of a file of `length` bytes.
pub(super) fn range(request: &FileRequest, length: u64) -> Range {
    let Some(value) = request.headers.get(header::RANGE) else {
        return Range::Whole;
    };
    value
        .to_str()
        .ok()
        .and_then(|value| single(value, length))
        .unwrap_or(Range::Whole)
}

fn single(value: &str, length: u64) -> Option<Range> {
    let (unit, range) = value.split_once('=')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") || range.contains(',') {
        return None;
    }
    let (first, last) = range.trim().split_once('-')?;
    let last_byte = length.checked_sub(1);
    if first.is_empty() {
        let wanted = number(last)?;
        return Some(match last_byte {
            Some(last_byte) if wanted > 0 => Range::Part(length.saturating_sub(wanted), last_byte),
            _ => Range::Unsatisfiable,
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
        Some(last_byte) if first <= last_byte => Range::Part(first, last.min(last_byte)),
        _ => Range::Unsatisfiable,
    })
}

/// Parses digits only. A number that does not fit is larger than any file.
fn number(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::{Range::*, *};
    use axum::extract::Request;

    #[test]
    fn one_range_is_parsed_and_anything_else_means_the_whole_file() {
        let of = |value: &str, length| {
            let request = Request::get("/").header("range", value);
            let request =
                FileRequest::of(request.body(Default::default()).expect("a request"), false);
            range(&request, length)
        };
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
