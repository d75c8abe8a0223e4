//! Cache headers of answers to readers: a cache must not give one reader's answer to another.

use axum::{
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};

/// The request headers with credentials.
const CREDENTIALS: HeaderValue = HeaderValue::from_static("authorization, cookie");

const ASK_AGAIN: HeaderValue = HeaderValue::from_static("private, no-cache");
const NEVER: HeaderValue = HeaderValue::from_static("no-store");

/// Allows only the requesting browser to cache the answer.
pub(in crate::routes) fn private(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let cache = cache_control(headers);
    if cache != NEVER {
        headers.append(header::VARY, CREDENTIALS);
    }
    headers.insert(header::CACHE_CONTROL, cache);
    response
}

/// Returns the answer's own directives without directives for shared caches.
fn cache_control(headers: &HeaderMap) -> HeaderValue {
    let directives: Vec<String> = headers
        .get_all(header::CACHE_CONTROL)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|directive| directive.trim().to_ascii_lowercase())
        .collect();
    if directives.iter().any(|directive| directive == "no-store") {
        return NEVER;
    }
    let kept = directives.iter().map(String::as_str).filter(|directive| {
        !["", "public", "private"].contains(directive) && !directive.starts_with("s-maxage")
    });
    let kept: Vec<_> = ["private"].into_iter().chain(kept).collect();
    match kept.len() {
        1 => ASK_AGAIN,
        _ => HeaderValue::try_from(kept.join(", ")).unwrap_or(NEVER),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[&'static str]) -> String {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::CACHE_CONTROL, HeaderValue::from_static(value));
        }
        let cache = cache_control(&headers);
        cache.to_str().expect("a text").to_owned()
    }

    #[test]
    fn no_shared_cache_may_store_what_a_reader_got() {
        for (said, cache) in [
            (&[][..], "private, no-cache"),
            (&["no-cache"], "private, no-cache"),
            (&["private, no-cache"], "private, no-cache"),
            (
                &["Public, max-age=3600, s-maxage=9"],
                "private, max-age=3600",
            ),
            (&["public", "immutable"], "private, immutable"),
            (&["public"], "private, no-cache"),
            (&["no-store"], "no-store"),
            (&["public, no-store"], "no-store"),
        ] {
            assert_eq!(of(said), cache, "{said:?}");
        }
    }
}
