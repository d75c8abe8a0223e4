//! Conditional requests (RFC 9110, section 13), in the order of its section 13.2.2.

use super::file_request::FileRequest;
use axum::http::header;
use headers::{
    ETag, HeaderMapExt, IfMatch, IfModifiedSince, IfNoneMatch, IfRange, IfUnmodifiedSince,
};
use std::time::SystemTime;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The file is sent.
    Send,
    /// The client already has the file.
    NotModified,
    /// The file is not the expected one.
    Failed,
}

/// Compares the conditions with the file. A date counts only without a tag, since dates have a precision of seconds.
pub(super) fn verdict(request: &FileRequest, etag: &ETag, modified: SystemTime) -> Verdict {
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
        return Verdict::Failed;
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
    if is_new {
        Verdict::Send
    } else {
        Verdict::NotModified
    }
}

/// Whether a part may be sent to complete the parts that the client has. Dates are not exact enough for that.
pub(super) fn takes_parts(request: &FileRequest, etag: &ETag) -> bool {
    if !request.headers.contains_key(header::IF_RANGE) {
        return true;
    }
    request
        .headers
        .typed_get::<IfRange>()
        .is_some_and(|had| !had.is_modified(Some(etag), None))
}

#[cfg(test)]
mod tests {
    use super::*;
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
            (&[][..], Verdict::Send),
            (&[("if-none-match", "\"a\"")], Verdict::NotModified),
            (&[("if-none-match", "W/\"a\"")], Verdict::NotModified),
            (&[("if-none-match", "\"b\", \"a\"")], Verdict::NotModified),
            (&[("if-none-match", "*")], Verdict::NotModified),
            (&[("if-none-match", "\"b\"")], Verdict::Send),
            (
                &[("if-none-match", "\"b\""), ("if-modified-since", SAME)],
                Verdict::Send,
            ),
            (&[("if-modified-since", SAME)], Verdict::NotModified),
            (&[("if-modified-since", BEFORE)], Verdict::Send),
            (&[("if-modified-since", "yesterday")], Verdict::Send),
            (&[("if-match", "\"b\", \"a\"")], Verdict::Send),
            (&[("if-match", "*")], Verdict::Send),
            (&[("if-match", "W/\"a\"")], Verdict::Failed),
            (&[("if-match", "\"b\"")], Verdict::Failed),
            (
                &[("if-match", "\"a\""), ("if-unmodified-since", BEFORE)],
                Verdict::Send,
            ),
            (
                &[("if-match", "\"b\""), ("if-none-match", "\"a\"")],
                Verdict::Failed,
            ),
            (&[("if-unmodified-since", SAME)], Verdict::Send),
            (&[("if-unmodified-since", BEFORE)], Verdict::Failed),
            (&[("if-unmodified-since", "yesterday")], Verdict::Send),
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
}
