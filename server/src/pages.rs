//! The dashboard's pages: rendered by leptos here, hydrated in the browser.

use crate::{security, state::AppState};
use app::{App, SharedReadModel, shell};
use axum::{
    Router,
    http::{HeaderValue, header},
    response::Redirect,
    routing::get,
};
use leptos::{nonce::use_nonce, prelude::*};
use leptos_axum::{LeptosRoutes, ResponseOptions, generate_route_list};
use std::sync::Arc;
use tower::{
    ServiceBuilder,
    layer::util::{Identity, Stack},
};
use tower_http::{services::ServeDir, set_header::SetResponseHeaderLayer};

/// Files under `/pkg` carry a hash of their content in their names.
const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const AN_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// Pages, the server functions behind them, and the files of the built site.
pub(crate) fn router(state: &AppState) -> Router<AppState> {
    let provide = {
        let model: SharedReadModel = Arc::new(state.store.clone());
        let (assets, public_url) = (state.site.assets.clone(), state.public_url.clone());
        move || {
            provide_context(model.clone());
            provide_context(assets.clone());
            provide_context(public_url.clone());
            set_page_headers();
        }
    };
    let not_found = get(leptos_axum::render_app_async_with_context(
        provide.clone(),
        shell,
    ));
    let folder = |path: &str| {
        ServeDir::new(state.site.root.join(path)).append_index_html_on_directories(false)
    };
    let pkg = folder("pkg").precompressed_br().precompressed_gzip();
    let files = folder("").fallback(not_found);
    Router::<AppState>::new()
        .leptos_routes_with_context(state, generate_route_list(App), provide, shell)
        // Browsers ask for it on pages that are not ours: uploaded reports.
        .route(
            "/favicon.ico",
            get(|| async { Redirect::permanent("/favicon.svg") }),
        )
        .nest_service("/pkg", cached(FOREVER).service(pkg))
        .fallback_service(cached(AN_HOUR).service(files))
}

type FileHeaders = Stack<
    SetResponseHeaderLayer<HeaderValue>,
    Stack<SetResponseHeaderLayer<HeaderValue>, Identity>,
>;

/// Headers of files, which what is rendered in place of a missing one overrides.
fn cached(cache: HeaderValue) -> ServiceBuilder<FileHeaders> {
    ServiceBuilder::new()
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CACHE_CONTROL,
            cache,
        ))
        .layer(SetResponseHeaderLayer::overriding(
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ))
}

/// The headers of a rendered page. A server function has no nonce, and answers with JSON that needs none.
fn set_page_headers() {
    let (Some(nonce), Some(response)) = (use_nonce(), use_context::<ResponseOptions>()) else {
        return;
    };
    if let Ok(policy) = HeaderValue::from_str(&security::page_policy(&nonce.to_string())) {
        response.insert_header(header::CONTENT_SECURITY_POLICY, policy);
    }
    response.insert_header(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    response.insert_header(
        header::REFERRER_POLICY,
        HeaderValue::from_static("same-origin"),
    );
    response.insert_header(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
}
