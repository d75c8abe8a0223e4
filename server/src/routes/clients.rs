//! Middleware around all routes: limits the concurrent requests of a client behind a trusted proxy, like the
//! connections of other clients.

use super::{health, peer::peer};
use crate::http::{budget::Budget, error::ApiError, per_client::HeldByClient};
use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use std::{
    pin::Pin,
    task::{Context, Poll},
};

/// Adds that limit to the routes, if there may be such clients.
pub(super) fn limited(routes: Router, budget: &Budget) -> Router {
    if !budget.has_proxies() {
        return routes;
    }
    routes.layer(from_fn_with_state(budget.clone(), limit))
}

async fn limit(State(budget): State<Budget>, request: Request, next: Next) -> Response {
    // A proxy's own health check names no client.
    if health::is_path(request.uri().path()) {
        return next.run(request).await;
    }
    match budget.request(peer(&request), request.headers()) {
        Ok(None) => next.run(request).await,
        Ok(Some(held)) => next.run(request).await.map(|body| {
            Body::new(HeldBody {
                body,
                _held: held,
            })
        }),
        Err(_) => ApiError::busy(
            "Your address has too many requests under way (CONNECTIONS_PER_ADDRESS); try again in a few seconds.",
        )
        .into_response(),
    }
}

/// The body of an answer. A request is under way until its body is sent.
struct HeldBody {
    body: Body,
    _held: HeldByClient,
}

impl HttpBody for HeldBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
