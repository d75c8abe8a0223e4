//! Authentication in front of the pages for admins: only admin tokens, also if reading is not protected.

use super::{login, private};
use crate::{
    http::{
        error::ApiError,
        surround::{run, surround},
    },
    pages::theme_cookie,
    routes::peer::peer,
    state::AppState,
};
use app::{LoginFor, links};
use axum::{
    Router,
    extract::Request,
    response::{IntoResponse, Response},
    routing::Route,
};

/// Adds the admin to requests for these pages. Without an admin the pages show nothing, in any spelling of their address.
pub(in crate::routes) fn with_admins(
    routes: Router<AppState>,
    state: &AppState,
) -> Router<AppState> {
    surround(routes, state.clone(), admit)
}

async fn admit(state: AppState, mut request: Request, route: Route) -> Response {
    let path = request.uri().path().trim_end_matches('/');
    if !links::ADMIN_PAGES.contains(&path) {
        return run(route, request).await;
    }
    let (headers, peer) = (request.headers(), peer(&request));
    let admitted = state.admins.admit_reader(headers, peer).await;
    match admitted.map_err(ApiError::from) {
        Ok(admin) => {
            request.extensions_mut().insert(admin);
            private::private(run(route, request).await)
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
