//! Logs requests, without queries, headers and the signatures of addresses.

use axum::http::{HeaderValue, Request, Response};
use percent_encoding::percent_decode_str;
use std::{borrow::Cow, time::Duration};
use tracing::{Span, field::Empty};

/// Hexadecimal digits of the signature of an address.
const SIGNATURE_DIGITS: usize = 32;

/// The highest number of times that a path is decoded.
const MOST_ENCODINGS: usize = 4;

/// The id of a request, in its extensions.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(pub HeaderValue);

/// Returns the span of one request: its id, method, path, and later its route. The query, the headers and the signature
/// of a report's address are left out, since they may be secret.
pub(crate) fn request_span<B>(request: &Request<B>, id: &HeaderValue) -> Span {
    tracing::info_span!(
        "request",
        request_id = id.to_str().unwrap_or_default(),
        method = request.method().as_str(),
        path = &*unsigned(request.uri().path()),
        route = Empty
    )
}

/// Logs the start of a response. The span has the other fields.
pub(crate) fn answered<B>(response: &Response<B>, took: Duration) {
    let milliseconds = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    let status = response.status();
    if status.is_server_error() {
        tracing::error!(status = status.as_u16(), milliseconds, "answered");
    } else {
        tracing::info!(status = status.as_u16(), milliseconds, "answered");
    }
}

/// Returns a path without the signature of `/reports/{id}/@{version}.{expiry}.{signature}/…`, which gives access.
fn unsigned(path: &str) -> Cow<'_, str> {
    // Routes see the path decoded once. A path that is encoded more often finds no route, but a reader of the log could
    // decode it.
    let mut decoded: Cow<'_, str> = path.into();
    for _ in 0..MOST_ENCODINGS {
        let once_more = percent_decode_str(&decoded).decode_utf8_lossy();
        if once_more == decoded {
            break;
        }
        decoded = once_more.into_owned().into();
    }
    match without_signatures(&decoded) {
        Cow::Borrowed(_) => decoded,
        Cow::Owned(unsigned) => unsigned.into(),
    }
}

/// Returns a text without signatures of addresses. A signature is a dot followed by at least `SIGNATURE_DIGITS`
/// hexadecimal digits.
pub(crate) fn without_signatures(text: &str) -> Cow<'_, str> {
    let (mut kept, mut rest, mut found) = (String::new(), text, false);
    while let Some(dot) = rest.find('.') {
        let (before, behind) = rest.split_at(dot + 1);
        let digits = behind.bytes().take_while(u8::is_ascii_hexdigit).count();
        kept.push_str(before);
        if digits >= SIGNATURE_DIGITS {
            found = true;
            kept.push('…');
            rest = &behind[digits..];
        } else {
            rest = behind;
        }
    }
    if found {
        (kept + rest).into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::{unsigned, without_signatures};

    #[test]
    fn signatures_are_removed_from_log_texts() {
        let signature = "f4ec3749fe24838bc19c5ac1e2c8d1d0";
        let detail =
            format!("/reports/7/@v.17.{signature}/a.b does not support POST, nor ./x.{signature}.");
        assert_eq!(
            without_signatures(&detail),
            "/reports/7/@v.17.…/a.b does not support POST, nor ./x.…."
        );
        for text in ["", "a.b.c", &signature[..31], &format!("@{signature}/a.b")] {
            assert_eq!(without_signatures(text), text);
        }
    }

    #[test]
    fn the_signature_of_an_address_is_not_logged() {
        let pass = "1795316400.f4ec3749fe24838bc19c5ac1e2c8d1d0";
        let version = "/reports/7/@1560a7d8c3e4cd1a";
        assert_eq!(
            unsigned(&format!("{version}.{pass}/a.b/c")),
            format!("{version}.1795316400.…/a.b/c")
        );
        assert_eq!(
            unsigned(&format!("/reports/7/%401560a7d8c3e4cd1a%2E{pass}/a")),
            "/reports/7/@1560a7d8c3e4cd1a.1795316400.…/a"
        );
        let ticket = "5".repeat(64);
        let body = format!("//upload/bodies/at.{ticket}");
        assert_eq!(unsigned(&body), "//upload/bodies/at.…");
        let twice = format!("//reports/7/%2540v.{}/a", pass.replace('4', "%2534"));
        assert_eq!(unsigned(&twice), "//reports/7/@v.1795316400.…/a");
        for path in [
            "/",
            "/reports/7.zip",
            "/reports/7/a.b",
            "/reports/7/@1560a7d8c3e4cd1a/a.b",
            "/reports/7/@types./a",
        ] {
            assert_eq!(unsigned(path), path);
        }
    }
}
