//! `GET /llms.txt`: what the service is and which addresses matter, for language models (<https://llmstxt.org>).

use super::{
    etag::plain_text,
    openapi::refusals::{IfNoneMatch, PublicFile},
};
use crate::state::AppState;
use axum::{extract::State, http::HeaderMap, response::Response};

/// The path of the document. It contains no stored data.
pub(super) const PATH: &str = "/llms.txt";

const TEMPLATE: &str = include_str!("llms/llms.txt");

/// The service in a few lines, for language models
///
/// Markdown as <https://llmstxt.org> describes it. It contains no stored data, so it is public.
#[utoipa::path(
    get,
    path = "/llms.txt",
    operation_id = "llms",
    tag = "service",
    params(IfNoneMatch),
    responses((status = 200, description = "Markdown.", body = String, content_type = "text/plain"), PublicFile),
    security(())
)]
pub(super) async fn document(State(state): State<AppState>, headers: HeaderMap) -> Response {
    let text = TEMPLATE.replace("{url}", &state.public_url.0);
    plain_text(&headers, text)
}
