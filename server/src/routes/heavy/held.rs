//! The body of a heavy read: it keeps the permit until the client has the last byte.

use axum::{
    body::{Body, Bytes},
    response::Response,
};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use ingest::fair_queue::Permit;
use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

/// A body of at most this size does not hold the permit.
const SMALL_BYTES: u64 = 64 << 10;

/// Moves the permit into the body of an answer: what the body still has to send is in memory.
pub(super) fn held(permit: Permit, answer: Response) -> Response {
    let size = answer.body().size_hint().exact();
    if size.is_some_and(|bytes| bytes <= SMALL_BYTES) {
        return answer;
    }
    answer.map(|body| {
        let permit = Some(permit);
        Body::new(HeldBody { body, permit })
    })
}

struct HeldBody {
    body: Body,
    /// `None` after the last byte.
    permit: Option<Permit>,
}

impl HttpBody for HeldBody {
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
