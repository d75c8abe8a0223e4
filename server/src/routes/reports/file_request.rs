//! The parts of a request that affect how a file is sent.

use crate::routes::navigation::Purpose;
use access::{Reader, read_scope_of};
use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, Method, Uri, header},
};
use config::Origin;
use store::ReadScope;

/// A request without its body.
#[derive(Clone, Debug)]
pub(super) struct FileRequest {
    pub(super) headers: HeaderMap,
    pub(super) is_head: bool,
    /// Whether a reader sent it, if reading is protected.
    pub(super) is_reader: bool,
    pub(super) scope: ReadScope,
    pub(super) uri: Uri,
}

impl FileRequest {
    pub(super) fn of(request: Request, is_protected: bool) -> Self {
        let (parts, _) = request.into_parts();
        Self {
            headers: parts.headers,
            is_head: parts.method == Method::HEAD,
            scope: read_scope_of(&parts.extensions, is_protected),
            is_reader: parts.extensions.get::<Reader>().is_some(),
            uri: parts.uri,
        }
    }

    /// Returns another address with the query of this one.
    pub(super) fn with_query(&self, address: String) -> String {
        match self.uri.query() {
            Some(query) => format!("{address}?{query}"),
            None => address,
        }
    }

    /// Returns its address on another host, which has no `/` at its end.
    pub(super) fn on_host(&self, host: &str) -> String {
        let path = self.uri.path_and_query().map_or("/", |path| path.as_str());
        format!("{host}{path}")
    }

    /// Whether a browser will show the answer. Other clients get a file exactly as it was uploaded.
    pub(super) fn is_navigation(&self) -> bool {
        self.text(header::ACCEPT).contains("text/html")
    }

    pub(super) fn purpose(&self) -> Purpose {
        Purpose::of(&self.headers)
    }

    /// Whether it was sent to the host of this origin.
    pub(super) fn is_to(&self, origin: &Origin) -> bool {
        origin.is_host_of(&self.uri, &self.headers)
    }

    /// Whether the answer will be shown in a frame (Fetch Metadata).
    pub(super) fn is_for_frame(&self) -> bool {
        let destination = HeaderName::from_static("sec-fetch-dest");
        matches!(self.text(destination), "iframe" | "frame")
    }

    /// Whether it requests only a part.
    pub(super) fn has_range(&self) -> bool {
        !self.is_head && self.headers.contains_key(header::RANGE)
    }

    /// Whether it accepts gzip. The weight of `gzip` takes precedence over the weight of `*` (RFC 9110, section 12.5.3).
    pub(super) fn accepts_gzip(&self) -> bool {
        let accepted = self.text(header::ACCEPT_ENCODING);
        let weight_of = |wanted: &str| {
            accepted.split(',').find_map(|coding| {
                let (name, parameters) = coding.split_once(';').unwrap_or((coding, "q=1"));
                let weight = parameters.trim().strip_prefix(['q', 'Q'])?;
                let weight = weight.strip_prefix('=')?.parse::<f32>().ok()?;
                name.trim().eq_ignore_ascii_case(wanted).then_some(weight)
            })
        };
        weight_of("gzip")
            .or_else(|| weight_of("*"))
            .is_some_and(|weight| weight > 0.0)
    }

    fn text(&self, name: HeaderName) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts_gzip(coding: &'static str) -> bool {
        let request = Request::get("/").header("accept-encoding", coding);
        let request = request.body(Default::default()).expect("a request");
        FileRequest::of(request, false).accepts_gzip()
    }

    #[test]
    fn gzip_is_sent_to_clients_that_accept_it() {
        for coding in ["gzip", "GZIP", "br, gzip;q=0.8", "*", "gzip, *;q=0"] {
            assert!(accepts_gzip(coding), "{coding}");
        }
        for coding in ["", "br", "identity", "gzip;q=0", "gzip;Q=0, *", "*;q=0"] {
            assert!(!accepts_gzip(coding), "{coding}");
        }
    }
}
