//! Our own pages among reports: HTML without scripts and without other files.

use crate::http::security::OWN_PAGE_POLICY;
use axum::{
    http::header,
    response::{Html, IntoResponse, Response},
};

/// The dashboard's colours, since its style sheet cannot be loaded from a sandbox.
const STYLE: &str = include_str!("document.css");

/// Returns a whole page; `title` is text, `body` is HTML.
pub(super) fn document(title: &str, body: &str) -> Response {
    let title = escaped(title);
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n<main>\n<h1>{title}</h1>\n{body}</main>\n</html>\n"
    );
    let headers = [(header::CONTENT_SECURITY_POLICY, OWN_PAGE_POLICY)];
    (headers, Html(html)).into_response()
}

/// Escapes text for HTML, also within quotes.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
