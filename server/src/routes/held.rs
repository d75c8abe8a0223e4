//! Bodies that keep a permit until the client has the last byte.

use axum::{
    body::{Body, Bytes},
    response::Response,
};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

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
