//! The layer between routes and handlers: counts requests, limits clients behind a proxy, checks readers, and limits heavy reads.
//!
//! It is one layer around all routes, because each further layer costs every request a copy of the route within it.

use super::{
    health, heavy, observe,
    peer::peer,
    reading::{self, Guard},
};
use crate::{
    http::{
        budget::Budget,
        error::ApiError,
        per_client::HeldByClient,
        surround::{run, surround},
    },
    operations::metrics::{Metrics, Requests},
};
use axum::{
    Router,
    body::{Body, Bytes},
    extract::Request,
    response::{IntoResponse, Response},
    routing::Route,
};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};
use store::Store;

/// Without `limits`, requests are only counted: health checks and metrics at other addresses.
pub(super) struct Entry {
    requests: Requests,
    limits: Option<Limits>,
}

struct Limits {
    budget: Budget,
    /// Only if reading is protected.
    guard: Option<Arc<Guard>>,
    /// `None` if there are no heavy reads among the routes.
    store: Option<Store>,
}

impl Entry {
    /// Requests are only counted.
    pub(super) fn counted(metrics: &Metrics) -> Self {
        Self {
            requests: metrics.requests.clone(),
            limits: None,
        }
    }

    /// Requests are counted and limited. `guard` checks their readers; the addresses of HTML reports need none, since they are
    /// signed if reading is protected.
    pub(super) fn limited(
        metrics: &Metrics,
        budget: &Budget,
        guard: Option<Arc<Guard>>,
        store: Option<&Store>,
    ) -> Self {
        let limits = Limits {
            budget: budget.clone(),
            guard,
            store: store.cloned(),
        };
        Self {
            limits: Some(limits),
            ..Self::counted(metrics)
        }
    }

    pub(super) fn around(self, routes: Router) -> Router {
        surround(routes, Arc::new(self), enter)
    }
}

async fn enter(entry: Arc<Entry>, request: Request, route: Route) -> Response {
    let under_way = observe::begin(&entry.requests, &request);
    let response = match &entry.limits {
        Some(limits) => limited(limits, request, route).await,
        None => run(route, request).await,
    };
    under_way.answered(response.status().as_u16());
    response
}

async fn limited(limits: &Limits, mut request: Request, route: Route) -> Response {
    let permit = match permit(&limits.budget, &request) {
        Ok(permit) => permit,
        Err(refusal) => return refusal.into_response(),
    };
    let admitted = match &limits.guard {
        Some(guard) => guard.admit(&mut request).await,
        None => Ok(false),
    };
    let response = match admitted {
        Ok(is_private) => {
            let response = match &limits.store {
                Some(store) => heavy::limited(&limits.budget, Some(store), request, route).await,
                None => run(route, request).await,
            };
            match is_private {
                true => reading::private(response),
                false => response,
            }
        }
        Err(refusal) => *refusal,
    };
    match permit {
        // A request is under way until its body is sent.
        Some(permit) => held(permit, response),
        None => response,
    }
}

/// A permit for a request of a client behind a trusted proxy, whose concurrent requests are limited like the connections of other
/// clients; `None` for other clients.
fn permit(budget: &Budget, request: &Request) -> Result<Option<HeldByClient>, ApiError> {
    // A proxy's own health check names no client.
    if health::is_path(request.uri().path()) {
        return Ok(None);
    }
    budget.request(peer(request), request.headers())
}

/// Moves the permit into the body of an answer.
pub(super) fn held<Permit: Send + Unpin + 'static>(permit: Permit, answer: Response) -> Response {
    answer.map(|body| {
        let permit = Some(permit);
        Body::new(HeldBody { body, permit })
    })
}

struct HeldBody<Permit> {
    body: Body,
    /// `None` after the last byte.
    permit: Option<Permit>,
}

impl<Permit: Unpin> HttpBody for HeldBody<Permit> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() || self.body.is_end_stream() {
            self.permit = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
