//! Limits concurrent reads whose cost grows with the stored data; further reads wait for a short time.

use super::{entry::held, peer::peer};
use crate::{
    http::{budget::Budget, error::ApiError, surround::run},
    pages::Busy,
    state::ReadFrom,
};
use axum::{
    extract::{MatchedPath, Request},
    http::{HeaderMap, HeaderValue, Method, header},
    response::{IntoResponse, Response},
    routing::Route,
};
use hyper::body::Body as _;
use ingest::fair_queue::Permit;
use percent_encoding::percent_decode_str;
use std::net::IpAddr;
use store::Store;
use tracing::Instrument;

/// Heavy reads, by route template, except reads that call [`counted`] themselves.
const HEAVY: [Heavy; 41] = [
    // These read the files or the history of lines of records.
    Heavy::of("/repos/{*name}"),
    Heavy::of("/coverages-api/trend").with("metric"),
    Heavy::of("/views"),
    Heavy::of("/cold"),
    Heavy::of("/owners"),
    Heavy::of("/report"),
    Heavy::of("/gates"),
    Heavy::of("/admin/gate"),
    // These read all files of a record and of the record that it is compared with.
    Heavy::of("/records/{id}"),
    Heavy::of("/compare"),
    // These read the lines of all files of a record, or list those that flicker.
    Heavy::of("/records/{id}/source"),
    Heavy::of("/flicker"),
    Heavy::of("/coverages-api/records/{id}"),
    Heavy::of("/coverages-api/records/{id}/lines"),
    Heavy::of("/coverages-api/records/{id}/source"),
    Heavy::of("/records/{id}/tests"),
    Heavy::of("/coverages-api/records/{id}/tests"),
    Heavy::of("/coverages-api/records/{id}/changes"),
    Heavy::of("/coverages-api/records/{id}/new"),
    Heavy::of("/coverages-api/cold"),
    Heavy::of("/coverages-api/trend").with("view"),
    Heavy::of("/coverages-api/views"),
    Heavy::of("/coverages-api/views.csv"),
    Heavy::of("/coverages-api/owners"),
    Heavy::of("/coverages-api/owners.csv"),
    Heavy::of("/coverages-api/report"),
    Heavy::of("/coverages-api/gates.csv"),
    Heavy::of("/coverages-api/records/{id}/explanation"),
    Heavy::of("/coverages-api/records/{id}/report.lcov"),
    Heavy::of("/coverages-api/records/{id}/report.cobertura.xml"),
    // These read all repositories of an org, or of all orgs.
    Heavy::of("/orgs"),
    Heavy::of("/orgs/{*org}"),
    Heavy::of("/coverages-api/orgs/trend.csv"),
    Heavy::of("/coverages-api/orgs/groups.csv"),
    Heavy::of("/coverages-api/orgs/movements.csv"),
    Heavy::of("/coverages-api/trend.svg"),
    // This renders an image.
    Heavy::of("/coverages-api/preview.png"),
    // These may read thousands of an author's records.
    Heavy::of("/authors"),
    Heavy::of("/authors/{*author}"),
    // This sums up all HTML reports, once a minute.
    Heavy::of("/storage"),
    // This compares thousands of names.
    Heavy::of("/coverages-api/search"),
];

/// Seconds after which to try again.
const RETRY_SECONDS: HeaderValue = HeaderValue::from_static("5");

/// A body of at most this size does not hold the permit.
const SMALL_BYTES: u64 = 64 << 10;

struct Heavy {
    template: &'static str,
    /// Without this parameter, the read is not heavy.
    parameter: Option<&'static str>,
}

impl Heavy {
    const fn of(template: &'static str) -> Self {
        Self {
            template,
            parameter: None,
        }
    }

    const fn with(self, parameter: &'static str) -> Self {
        Self {
            parameter: Some(parameter),
            ..self
        }
    }

    fn is_page(&self) -> bool {
        !self.template.starts_with("/coverages-api/")
    }

    fn asked_by(request: &Request) -> Option<&'static Self> {
        if ![Method::GET, Method::HEAD].contains(request.method()) {
            return None;
        }
        let query = request.uri().query().unwrap_or_default();
        let path = percent_decode_str(request.uri().path()).decode_utf8_lossy();
        match request.extensions().get::<MatchedPath>() {
            Some(template) => HEAVY
                .iter()
                .find(|heavy| heavy.template == template.as_str() && heavy.is_asked_by(query)),
            None => Self::without_route(&path, query),
        }
    }

    fn is_asked_by(&self, query: &str) -> bool {
        let has =
            |parameter| form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == parameter);
        self.parameter.is_none_or(has)
    }

    /// The router of the pages accepts more addresses than axum: it ignores a final `/`, and removes `..` and a leading `//host`.
    /// So any path that contains the name of a heavy page is treated as heavy.
    fn without_route(path: &str, query: &str) -> Option<&'static Self> {
        let names = |heavy: &Self| {
            let name = heavy.template.split('/').nth(1);
            name.is_some_and(|name| path.contains(name))
        };
        HEAVY
            .iter()
            .find(|heavy| heavy.is_page() && names(heavy) && heavy.is_asked_by(query))
    }
}

/// Answers a request as a heavy read. Handlers call this after they have read the body or found no cached answer. So a slow
/// client holds no permit while it sends its body.
pub(super) async fn counted(
    budget: &Budget,
    peer: IpAddr,
    headers: &HeaderMap,
    answering: impl Future<Output = Response> + Send + 'static,
) -> Response {
    match budget.heavy_read(peer, headers).await {
        Some(permit) => holding(permit, answering).await,
        None => busy().into_response(),
    }
}

/// Answers a request, with a permit if it is a heavy read, which then may read from the replica of `store`.
pub(super) async fn limited(
    budget: &Budget,
    store: Option<&Store>,
    mut request: Request,
    route: Route,
) -> Response {
    let Some(heavy) = Heavy::asked_by(&request) else {
        return run(route, request).await;
    };
    let Some(permit) = budget.heavy_read(peer(&request), request.headers()).await else {
        if !heavy.is_page() {
            return busy().into_response();
        }
        // A page shows its own message.
        request.extensions_mut().insert(Busy);
        let mut page = run(route, request).await;
        page.headers_mut()
            .insert(header::RETRY_AFTER, RETRY_SECONDS);
        return page;
    };
    let replica = match store {
        Some(store) => store.on_replica().await,
        None => None,
    };
    if let Some(replica) = replica {
        request.extensions_mut().insert(ReadFrom(replica));
    }
    holding(permit, async move { run(route, request).await }).await
}

/// Answers in a separate task: if the client disconnects, the read continues in the database and in threads, so the task keeps
/// the permit until the answer is ready. A large answer then keeps the permit until its body is sent.
async fn holding(
    permit: Permit,
    answering: impl Future<Output = Response> + Send + 'static,
) -> Response {
    let answering = async move {
        let answer = answering.await;
        let size = answer.body().size_hint().exact();
        match size.is_some_and(|bytes| bytes <= SMALL_BYTES) {
            true => answer,
            // The unsent rest of a large body uses memory.
            false => held(permit, answer),
        }
    };
    let answer = tokio::spawn(answering.in_current_span()).await;
    answer.unwrap_or_else(|error| ApiError::unavailable(&error).into_response())
}

fn busy() -> ApiError {
    ApiError::busy("Too many such requests are under way; try again in a few seconds.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::surround::surround;
    use app::App;
    use axum::{
        Router,
        body::{Body, HttpBody},
        http::StatusCode,
        routing::get,
    };
    use config::{Limits, access::TrustedProxies};
    use http_body_util::BodyExt;
    use std::{sync::Arc, time::Duration};
    use tokio::{sync::Semaphore, time::timeout};
    use tower::ServiceExt;

    /// Heavy and light routes. A heavy one answers after a permit is added. The counter holds how many are being
    /// answered.
    fn routes() -> (Router, Arc<Semaphore>, Budget) {
        let limits = Limits {
            heavy_reads: Some(1),
            heavy_read_wait_seconds: 0,
            ..Limits::default()
        };
        let budget = Budget::new(&limits, &TrustedProxies::default(), 16);
        let may_answer = Arc::new(Semaphore::new(0));
        let semaphore = may_answer.clone();
        let heavy = move || {
            let may_answer = semaphore.clone();
            async move {
                may_answer.acquire().await.expect("open").forget();
                "read"
            }
        };
        let routes = Router::new()
            .route(
                "/coverages-api/search",
                get(heavy).post(|| async { "written" }),
            )
            .route("/coverages-api/badge", get(|| async { "light" }))
            .fallback(|| async { "a page" });
        let routes = surround(
            routes,
            budget.clone(),
            |budget, request, route| async move { limited(&budget, None, request, route).await },
        );
        (routes, may_answer, budget)
    }

    /// Waits until this many heavy reads run.
    async fn running(budget: &Budget, count: usize) {
        let waited = timeout(Duration::from_secs(60), async {
            while budget.heavy_reads.running() != count {
                tokio::task::yield_now().await;
            }
        });
        waited.await.expect("the number is reached within a minute");
    }

    async fn ask(routes: &Router, method: Method, path: &str) -> Response {
        let request = Request::builder().method(method).uri(path);
        let request = request.body(Body::empty()).expect("a request");
        let answer = routes.clone().oneshot(request).await;
        answer.expect("an answer")
    }

    #[tokio::test]
    async fn at_the_limit_of_heavy_reads_only_heavy_reads_are_refused() {
        let (routes, may_answer, budget) = routes();
        let asked = routes.clone();
        let first =
            tokio::spawn(async move { ask(&asked, Method::GET, "/coverages-api/search").await });
        running(&budget, 1).await;
        let refused = ask(&routes, Method::GET, "/coverages-api/search").await;
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(refused.headers().contains_key("retry-after"));
        for (method, path) in [
            (Method::GET, "/coverages-api/badge"),
            (Method::POST, "/coverages-api/search"),
        ] {
            let answer = ask(&routes, method, path).await;
            assert_eq!(answer.status(), StatusCode::OK, "{path}");
        }
        may_answer.add_permits(1);
        assert_eq!(first.await.expect("an answer").status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn a_heavy_read_keeps_its_permit_after_its_client_hangs_up() {
        let (routes, may_answer, budget) = routes();
        let asked = routes.clone();
        let gone =
            tokio::spawn(async move { ask(&asked, Method::GET, "/coverages-api/search").await });
        running(&budget, 1).await;
        gone.abort();
        gone.await.expect_err("it has hung up");
        let answer = ask(&routes, Method::GET, "/coverages-api/search").await;
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        may_answer.add_permits(1);
        running(&budget, 0).await;
    }

    #[tokio::test]
    async fn a_large_answer_keeps_its_permit_until_its_last_byte() {
        let (_, _, budget) = routes();
        let (peer, headers) = (IpAddr::from([127, 0, 0, 1]), HeaderMap::new());
        let pieces = ["first ", "last"].map(Ok::<_, std::io::Error>);
        let streamed = Response::new(Body::from_stream(futures::stream::iter(pieces)));
        let large = "a".repeat(100_000).into_response();
        for answer in [streamed, large] {
            let length = answer.body().size_hint().exact();
            let answer = counted(&budget, peer, &headers, async move { answer }).await;
            let mut body = answer.into_body();
            assert_eq!(body.size_hint().exact(), length);
            assert_eq!(budget.heavy_reads.running(), 1);
            body.frame().await.expect("a piece").expect("it is sent");
            if length.is_none() {
                assert_eq!(budget.heavy_reads.running(), 1);
            }
            while body.frame().await.is_some() {}
            assert_eq!(budget.heavy_reads.running(), 0);
        }
        let unread = async { "a".repeat(100_000).into_response() };
        drop(counted(&budget, peer, &headers, unread).await);
        assert_eq!(budget.heavy_reads.running(), 0);
    }

    #[tokio::test]
    async fn every_spelling_of_a_heavy_address_is_heavy() {
        let (routes, may_answer, budget) = routes();
        let asked = routes.clone();
        let first =
            tokio::spawn(async move { ask(&asked, Method::GET, "/coverages-api/search").await });
        running(&budget, 1).await;
        for path in [
            "/records/1/?view=flat",
            "/compare/",
            "/authors/",
            "//host/records/1",
            "/x/../orgs/a",
            "/x/%2e%2e/%72ecords/1",
            "/x/../repos/a/b?h%69story=coverage",
        ] {
            let answer = ask(&routes, Method::GET, path).await;
            assert!(answer.headers().contains_key("retry-after"), "{path}");
        }
        for path in ["/pkg/style.css", "/setup?repo_name=records"] {
            let light = ask(&routes, Method::GET, path).await;
            assert!(!light.headers().contains_key("retry-after"), "{path}");
        }
        may_answer.add_permits(1);
        assert_eq!(first.await.expect("an answer").status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn a_read_that_counts_itself_is_refused_at_the_limit_too() {
        let (_, _, budget) = routes();
        let (peer, headers) = (IpAddr::from([127, 0, 0, 1]), HeaderMap::new());
        let read = || async { "read".into_response() };
        let permit = budget.heavy_read(peer, &headers).await;
        let refused = counted(&budget, peer, &headers, read()).await;
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        drop(permit);
        let answer = counted(&budget, peer, &headers, read()).await;
        assert_eq!(answer.status(), StatusCode::OK);
        running(&budget, 0).await;
    }

    #[test]
    fn every_heavy_read_is_an_existing_route() {
        let pages = leptos_axum::generate_route_list(App);
        let document = crate::openapi().expect("the document");
        for heavy in HEAVY {
            let template = heavy.template;
            let is_route = if heavy.is_page() {
                pages.iter().any(|page| page.path() == template)
            } else {
                document.contains(&format!("\"{template}\""))
            };
            assert!(is_route, "{template}");
        }
    }
}
