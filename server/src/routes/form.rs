//! Reads small bodies, and the forms of the dashboard's own pages. The redirect after a form is always to a path of this host.

use super::parameters::Parameters;
use crate::{
    http::error::{ApiError, Code},
    state::AppState,
};
use axum::{
    body::{Body, Bytes, to_bytes},
    http::{HeaderMap, Uri, header},
};
use config::Origin;
use http_body_util::LengthLimitError;
use std::{str, time::Duration};
use tokio::time::timeout;

/// Bytes of the longest form. A form has a token or a choice, and a path.
const FORM_BYTES: usize = 16 << 10;

/// Bytes of the longest path of a redirect, longer than any address in a page.
const LONGEST_PATH: usize = 4_096;

/// Reads a body of at most `limit` bytes; 408 if it does not arrive within `seconds`. `what` names it in the refusal.
pub(super) async fn read_within(
    seconds: u64,
    what: &str,
    body: Body,
    limit: usize,
) -> Result<Result<Bytes, axum::Error>, ApiError> {
    let read = timeout(Duration::from_secs(seconds), to_bytes(body, limit)).await;
    read.map_err(|_| {
        let detail = format!("The {what} did not arrive within {seconds} seconds; send it again.");
        ApiError::new(Code::UploadTooSlow, detail)
    })
}

/// The refusal of a body that cannot be read: 413 with the sentence `too_large`, or 400.
pub(super) fn unread(error: axum::Error, too_large: String) -> ApiError {
    match error.into_inner().is::<LengthLimitError>() {
        true => ApiError::new(Code::UploadTooLarge, too_large),
        false => ApiError::malformed("The request is incomplete; send it again."),
    }
}

/// Whether the content type is JSON, if there is one. A form of another site cannot send this type.
pub(super) fn is_json(headers: &HeaderMap) -> Option<bool> {
    let value = headers.get(header::CONTENT_TYPE)?;
    let media_type = value.to_str().unwrap_or_default().split(';').next();
    Some(media_type.is_some_and(|text| text.trim().eq_ignore_ascii_case("application/json")))
}

pub(super) async fn form_of(state: &AppState, body: Body) -> Result<Parameters, ApiError> {
    let malformed = || {
        ApiError::malformed(format!(
            "Send the fields as a form does, in at most {FORM_BYTES} bytes."
        ))
    };
    let seconds = state.limits.request_head_seconds;
    let read = read_within(seconds, "form", body, FORM_BYTES).await?;
    let bytes = read.map_err(|_| malformed())?;
    Parameters::of(Some(str::from_utf8(&bytes).map_err(|_| malformed())?))
}

/// Refuses a form that no page of the dashboard sent. Browsers send the origin of a form in Fetch Metadata; older ones,
/// and all over plain HTTP, send only `Origin`. A request with neither header is refused too.
pub(super) fn must_be_ours(headers: &HeaderMap, dashboard: &str) -> Result<(), ApiError> {
    let mut sites = headers.get_all("sec-fetch-site").iter();
    let is_ours = match (sites.next(), sites.next()) {
        (Some(site), None) => site == "same-origin",
        (None, _) => is_from_ours(headers, dashboard),
        (Some(_), Some(_)) => false,
    };
    if is_ours {
        Ok(())
    } else {
        Err(ApiError::new(
            Code::FormOfAnotherSite,
            "This form was not sent by a page of this dashboard; use the dashboard's form in a browser that sends Sec-Fetch-Site or Origin.",
        ))
    }
}

/// Whether `Origin` is the origin of the dashboard's address or of the request's host, since people may use other host names.
fn is_from_ours(headers: &HeaderMap, dashboard: &str) -> bool {
    let origin_of = |url: &str| Origin::of(&url.parse().ok()?);
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let origin = match (origins.next(), origins.next()) {
        (Some(origin), None) => origin.to_str().ok().and_then(origin_of),
        _ => None,
    };
    origin.is_some_and(|origin| {
        // A request target without a host means the host in `Host`.
        origin_of(dashboard).as_ref() == Some(&origin)
            || origin.is_host_of(&Uri::from_static("/"), headers)
    })
}

/// Returns the path, or the overview if it is not local. Browsers take `//` and `/\` for the start of another host, and
/// first remove line breaks and tabs.
pub(super) fn local(path: &str) -> &str {
    let is_plain = path.bytes().all(|byte| byte.is_ascii_graphic()) && !path.contains('\\');
    let is_local = path.starts_with('/') && !path.starts_with("//");
    if is_plain && is_local && path.len() <= LONGEST_PATH {
        path
    } else {
        "/"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    fn is_ours(sent: &[(&'static str, &'static str)]) -> bool {
        let sent = [&[("host", "10.0.0.7:3000")], sent].concat();
        let headers = sent.into_iter().map(|(name, value)| {
            (
                name.parse().expect("a name"),
                HeaderValue::from_static(value),
            )
        });
        let mut all = HeaderMap::new();
        for (name, value) in headers {
            let name: HeaderName = name;
            all.append(name, value);
        }
        must_be_ours(&all, "https://coverage.example.com/base").is_ok()
    }

    #[test]
    fn only_forms_of_this_origin_are_accepted() {
        for sent in [
            &[("sec-fetch-site", "same-origin")][..],
            &[("sec-fetch-site", "same-origin"), ("origin", "null")],
            &[("origin", "https://coverage.example.com")],
            &[("origin", "https://coverage.example.com:443")],
            &[("origin", "http://10.0.0.7:3000")],
        ] {
            assert!(is_ours(sent), "{sent:?}");
        }
        for sent in [
            &[][..],
            &[("sec-fetch-site", "same-site")],
            &[("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "none")],
            &[
                ("sec-fetch-site", "cross-site"),
                ("origin", "https://coverage.example.com"),
            ],
            &[
                ("sec-fetch-site", "same-origin"),
                ("sec-fetch-site", "cross-site"),
            ],
            &[("origin", "null")],
            &[("origin", "")],
            &[("origin", "http://coverage.example.com")],
            &[("origin", "https://reports.example.com")],
            &[("origin", "https://coverage.example.com.evil.example")],
            &[("origin", "http://10.0.0.7:3001")],
            &[
                ("origin", "http://10.0.0.7:3000"),
                ("origin", "https://evil.example"),
            ],
        ] {
            assert!(!is_ours(sent), "{sent:?}");
        }
    }

    #[test]
    fn a_login_redirects_only_to_a_path_of_this_host() {
        for path in [
            "/",
            "/repos/acme/payments?branch=fix%2Fx&p=2",
            "/reports/7/",
            "/x//y",
        ] {
            assert_eq!(local(path), path);
        }
        let long = format!("/{}", "x".repeat(LONGEST_PATH));
        for path in [
            "",
            "//evil.example",
            "///evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "/x\\y",
            "/\t/evil.example",
            "/\n/evil.example",
            "/x\r\nset-cookie: a=b",
            " //evil.example",
            "https://evil.example",
            "https:evil.example",
            "javascript:alert(1)",
            "evil.example",
            "/ü",
            "/a b",
            &long,
        ] {
            assert_eq!(local(path), "/", "{path:?}");
        }
    }
}
