//! The table of routes. A handler extracts, calls and answers; the code that it calls does not depend on HTTP.

mod administration;
mod around;
mod assets;
mod badge;
mod base;
mod branches;
mod changes;
mod download;
mod entry;
mod etag;
mod explanation;
mod foreign;
mod form;
mod gates;
mod health;
mod heavy;
mod hosts;
mod image;
mod line_history;
mod line_tests;
mod lines;
mod listing;
mod llms;
mod mcp;
mod metrics;
mod navigation;
mod observe;
pub(crate) mod openapi;
mod org_csv;
mod parameters;
mod peer;
mod period_report;
mod plain_page;
mod preview;
mod readable;
mod reading;
mod record_id;
mod record_json;
mod record_parts;
mod records;
mod records_of;
mod reports;
mod repositories;
mod search;
mod source;
mod summary;
mod theme;
mod trend;
mod upload;
mod uploader;
mod views;

use crate::{
    fresh_cache::FreshCache,
    http::{
        error::{ApiError, Code},
        surround::surround,
    },
    pages,
    state::AppState,
};
use administration::{gate, record, tokens};
use around::Around;
use axum::{
    Router,
    extract::{DefaultBodyLimit, Request},
    http::{StatusCode, header},
    response::IntoResponse,
    routing::{any, delete, get, post},
};
use config::{Origin, access::AcceptedClients};
use entry::Entry;
use hosts::Hosts;
use listing::Listings;
use reading::Guard;
use reports::Reports;
use std::sync::Arc;
use tower::{ServiceExt, service_fn};

/// Memory for pages of the listing.
const LISTINGS_BYTES: usize = 32 << 20;

/// Returns the routes of the whole service, without `/metrics` if metrics have their own address.
pub(crate) fn router(state: AppState, has_own_address: bool) -> Around {
    let watched = if has_own_address {
        health::router()
    } else {
        health::router().merge(metrics::router())
    };
    let listings: Listings = Arc::new(FreshCache::new(state.store.watcher(), LISTINGS_BYTES));
    let api = Router::new()
        .route(
            "/coverages-api",
            get({
                let listings = listings.clone();
                async move |readable, query, request| {
                    listing::list(readable, listings, query, request).await
                }
            })
            .put(branches::retire)
            // The upload has its own limit, MAX_UPLOAD_BYTES.
            .merge(post(upload::upload).layer(DefaultBodyLimit::disable())),
        )
        .route("/coverages-api/assets/{*path}", get(assets::report))
        .route("/coverages-api/orgs/trend.csv", get(org_csv::trend))
        .route("/coverages-api/orgs/groups.csv", get(org_csv::groups))
        .route("/coverages-api/orgs/movements.csv", get(org_csv::movements))
        .route("/coverages-api/records", get(records_of::list))
        .route(
            "/coverages-api/records/{id}",
            get(summary::read).delete(records::delete),
        )
        .route(
            "/coverages-api/records/{id}/parts/{part}",
            delete(record_parts::delete),
        )
        .route("/records/{id}/parts", post(record_parts::delete_by_form))
        .route("/coverages-api/records/{id}/lines", get(lines::of_file))
        .route("/coverages-api/records/{id}/source", get(source::read))
        .route("/coverages-api/records/{id}/tests", get(line_tests::read))
        .route("/coverages-api/records/{id}/changes", get(changes::read))
        .route(
            "/coverages-api/records/{id}/new",
            get(line_history::new_code::read),
        )
        .route("/coverages-api/cold", get(line_history::cold::read))
        .route("/coverages-api/views", get(views::read))
        .route("/coverages-api/views.csv", get(views::csv::views))
        .route("/coverages-api/owners", get(views::owners::read))
        .route("/coverages-api/owners.csv", get(views::csv::owners))
        .route("/coverages-api/gates.csv", get(gates::csv_file))
        .route("/coverages-api/report", get(period_report::read))
        .route(
            "/coverages-api/records/{id}/explanation",
            get(explanation::read),
        )
        .route("/coverages-api/records/{id}/report.lcov", get(lines::lcov))
        .route(
            "/coverages-api/records/{id}/report.cobertura.xml",
            get(lines::cobertura),
        )
        .route("/coverages-ui/{*path}", get(assets::page))
        .route(base::PATH, get(base::read))
        .route(
            "/coverages-api/badge",
            get(badge::svg).layer(pages::compressed()),
        )
        .route("/coverages-api/badge.json", get(badge::json))
        .route(
            "/coverages-api/repositories",
            get(async move |readable, headers| {
                repositories::read(readable, listings, headers).await
            })
            .layer(pages::compressed()),
        )
        .route("/coverages-api/search", get(search::read))
        .route("/coverages-api/trend", get(trend::points::read))
        .route("/coverages-api/trend.svg", get(trend::svg))
        .route("/coverages-api/preview.png", get(preview::image))
        .route(openapi::PATH, get(openapi::document))
        .route(mcp::PATH, post(mcp::serve))
        .route(llms::PATH, get(llms::document))
        .route("/theme", post(theme::choose))
        .route("/admin/records/delete", post(record::delete))
        .route("/admin/tokens/create", post(tokens::create))
        .route("/admin/tokens/revoke", post(tokens::revoke))
        .route("/admin/gate/set", post(gate::set))
        .route("/admin/gate/clear", post(gate::clear))
        .route("/login", get(reading::login_page).post(reading::log_in))
        // `HEAD` would use up the code of a login.
        .route("/login/start", get(reading::start).head(only_get))
        .route("/login/callback", get(reading::complete).head(only_get))
        .route("/logout", post(reading::log_out))
        .route("/coverages-api/", any(no_such_route))
        .route("/coverages-api/{*path}", any(no_such_route))
        .merge(watched)
        .merge(uploader::router())
        .merge(download::router())
        .merge(foreign::router(&state))
        .method_not_allowed_fallback(method_not_allowed);
    let reports = Reports::new(&state);
    let pages = surround(pages::router(&state), state.clone(), reading::admit_admin);
    let all = Router::new()
        .merge(api)
        .merge(pages)
        .method_not_allowed_fallback(method_not_allowed);
    let (metrics, budget, hosts) = (&state.metrics, &state.budget, Hosts::allowed(&state));
    let accept = state.accept.clone();
    let of_dashboard = Entry::limited(metrics, budget, Guard::of(&state), Some(&state.store));
    let of_reports = Entry::limited(metrics, budget, None, None);
    let router = match state.reports_origin.clone() {
        None => {
            let all = all.merge(reports.router());
            of_dashboard.around(all.with_state(state))
        }
        Some(origin) => {
            let dashboard = all.merge(reports.elsewhere(origin.clone()));
            // Browsers request an icon automatically, and log an error for a 404.
            let no_icon = get(|| async { StatusCode::NO_CONTENT });
            let reports = reports
                .router()
                .route("/favicon.ico", no_icon)
                .fallback(async || {
                    ApiError::not_found(
                        "Only HTML reports are served from this address; use the dashboard's address for everything else.",
                    )
                });
            by_host(
                origin,
                of_reports.around(reports.with_state(state.clone())),
                of_dashboard.around(dashboard.with_state(state)),
            )
        }
    };
    Around::new(router, hosts, accept)
}

/// Returns the routes of the address for monitoring. They need no token here, also if reading is protected.
pub(crate) fn monitoring(state: AppState) -> Around {
    const ELSEWHERE: &str = "Only /metrics and the health checks are served from this address.";
    let routes = health::router().merge(metrics::router());
    unlimited(
        state,
        routes.fallback(async || ApiError::not_found(ELSEWHERE)),
    )
}

/// Returns the routes of reserved connections: health checks only.
pub(crate) fn reserve(state: AppState) -> Around {
    unlimited(state, health::router().fallback(busy))
}

fn unlimited(state: AppState, routes: Router<AppState>) -> Around {
    let entry = Entry::counted(&state.metrics);
    let routes = routes.method_not_allowed_fallback(method_not_allowed);
    let hosts = Hosts::any(&state);
    let router = entry.around(routes.with_state(state));
    Around::new(router, hosts, AcceptedClients::default())
}

/// Serves both on one port, by the host of the request.
fn by_host(origin: Arc<Origin>, reports: Router, dashboard: Router) -> Router {
    Router::new().fallback_service(service_fn(move |request: Request| {
        let router = if origin.is_host_of(request.uri(), request.headers()) {
            reports.clone()
        } else {
            dashboard.clone()
        };
        router.oneshot(request)
    }))
}

async fn busy() -> impl IntoResponse {
    let refusal = ApiError::busy(
        "Too many clients are connected (MAX_CONNECTIONS), or too many from your address (CONNECTIONS_PER_ADDRESS); try again in a few seconds.",
    );
    ([(header::CONNECTION, "close")], refusal)
}

async fn no_such_route(request: Request) -> ApiError {
    ApiError::not_found(format!(
        "There is no {} in this API; check the path.",
        request.uri().path()
    ))
}

async fn method_not_allowed(request: Request) -> ApiError {
    let detail = format!(
        "{} does not support {}.",
        request.uri().path(),
        request.method()
    );
    ApiError::new(Code::MethodNotAllowed, detail)
}

async fn only_get(request: Request) -> impl IntoResponse {
    ([(header::ALLOW, "GET")], method_not_allowed(request).await)
}
