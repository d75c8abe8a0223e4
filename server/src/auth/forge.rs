//! Which source-hosting service an address belongs to.

use reqwest::Url;

/// The host of the service, with its port where that is not its scheme's own.
pub(super) fn forge_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host,
    }
}
