//! Builds addresses below the API of a forge, and checks identifiers in them.

use reqwest::Url;

/// Returns an address below the address of an API. Each segment is encoded separately.
pub(super) fn below(api: &Url, segments: &[&str]) -> Url {
    let mut url = api.clone();
    // This only fails for a URL without a path, and http(s) URLs always have one.
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    url
}

pub(super) fn is_full_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
