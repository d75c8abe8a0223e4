//! `POST /theme`: the switch of the theme if scripts are off.

use super::form::{form_of, local, must_be_ours};
use crate::{http::error::ApiError, pages::theme_cookie, state::AppState};
use app::Theme;
use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, Uri, header},
    response::{IntoResponse, Redirect, Response},
};

pub(super) async fn choose(
    State(state): State<AppState>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    must_be_ours(&headers, &state.public_url.0)?;
    let form = form_of(&state, body).await?;
    let theme: Theme = form
        .text("theme")
        .unwrap_or_default()
        .parse()
        .unwrap_or_default();
    let cookie = [(header::SET_COOKIE, theme_cookie::cookie(theme))];
    Ok((cookie, Redirect::to(&page_before(&headers))).into_response())
}

fn page_before(headers: &HeaderMap) -> String {
    let page = headers
        .get(header::REFERER)
        .and_then(|page| page.to_str().ok()?.parse::<Uri>().ok());
    let path = page.as_ref().and_then(Uri::path_and_query);
    local(path.map_or("/", |path| path.as_str())).to_owned()
}
