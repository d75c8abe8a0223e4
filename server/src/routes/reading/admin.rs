//! Authentication in front of the pages for admins: only admin tokens, also if reading is not protected.

use super::{login, private};
use crate::{http::error::ApiError, pages::theme_cookie, routes::peer::peer, state::AppState};
use app::{LoginFor, links};
use axum::{
    Router,
    extract::{Request, State},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
};

/// Adds the admin to requests for these pages. Without one, they show nothing, in any spelling of their address.
pub(in crate::routes) fn with_admins(
    routes: Router<AppState>,
    state: &AppState,
) -> Router<AppState> {
    routes.layer(from_fn_with_state(state.clone(), admit))
}

async fn admit(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path().trim_end_matches('/');
    if !links::ADMIN_PAGES.contains(&path) {
        return next.run(request).await;
    }
    let (headers, peer) = (request.headers(), peer(&request));
    let admitted = state.admins.admit_reader(headers, peer).await;
    match admitted.map_err(ApiError::from) {
        Ok(admin) => {
            request.extensions_mut().insert(admin);
            private::private(next.run(request).await)
        }
        Err(refusal) => {
            let mut response = match login::next_after(&request) {
                Some(next) => {
                    let theme = theme_cookie::of(headers);
                    login::page(&state, theme, LoginFor::Admins, &next, Some(refusal))
                }
                None => refusal.into_response(),
            };
            private::never_kept(&mut response);
            response
        }
    }
}
