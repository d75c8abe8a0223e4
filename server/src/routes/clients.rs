//! Limits the concurrent requests of a client behind a trusted proxy, like the
//! connections of other clients.

use super::{health, peer::peer};
use crate::http::{budget::Budget, error::ApiError, per_client::HeldByClient};
use axum::{
    body::{Body, Bytes},
    extract::Request,
    response::Response,
};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use std::{
    pin::Pin,
    task::{Context, Poll},
};

/// A permit for a request of a client behind a proxy; `None` for other clients.
pub(super) fn permit(budget: &Budget, request: &Request) -> Result<Option<HeldByClient>, ApiError> {
    // A proxy's own health check names no client.
    if !budget.has_proxies() || health::is_path(request.uri().path()) {
        return Ok(None);
    }
    let permit = budget.request(peer(request), request.headers());
    permit.map_err(|_| {
        ApiError::busy(
            "Your address has too many requests under way (CONNECTIONS_PER_ADDRESS); try again in a few seconds.",
        )
    })
}

/// The answer, which keeps the permit until its body is sent.
pub(super) fn held_by(held: Option<HeldByClient>, answer: Response) -> Response {
    let Some(held) = held else { return answer };
    answer.map(|body| Body::new(HeldBody { body, _held: held }))
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
