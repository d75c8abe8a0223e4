//! Wraps every request: its id, its span and log line, the check of its host, and an answer even after a panic.
//!
//! It is one function around the whole router. Each layer of a router costs every request several allocations.

use super::{foreign, hosts::Hosts};
use crate::http::{
    error::ApiError,
    listen::Answer,
    request_log::{self, RequestId},
    security,
};
use axum::{
    Router,
    body::{Body, Bytes},
    extract::Request,
    http::{HeaderName, HeaderValue, header},
    response::{IntoResponse, Response},
};
use config::access::AcceptedClients;
use futures::FutureExt;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use std::{
    any::Any,
    io,
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Instant,
};
use tower::Service;
use tracing::{Instrument, Span};

/// Browsers must not guess another type than the service states.
const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");

static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

#[derive(Clone)]
pub(crate) struct Around(Arc<Surrounded>);

struct Surrounded {
    router: Router,
    hosts: Hosts,
    accept: AcceptedClients,
}

impl Around {
    pub(super) fn new(router: Router, hosts: Hosts, accept: AcceptedClients) -> Self {
        let surrounded = Surrounded {
            router,
            hosts,
            accept,
        };
        Self(Arc::new(surrounded))
    }
}

impl Answer for Around {
    async fn answer(self, mut request: Request) -> Response {
        let Surrounded {
            router,
            hosts,
            accept,
        } = &*self.0;
        let since = Instant::now();
        let id = id_of(&mut request);
        let span = request_log::request_span(&request, &id);
        let answering = async {
            match hosts.check(&mut request) {
                Ok(()) => {
                    if let Some(badge) = foreign::badge_address(accept, request.uri()) {
                        *request.uri_mut() = badge;
                    }
                    let Ok(response) = router.clone().call(request).await;
                    response
                }
                Err(refusal) => hosts.refused(&request, refusal),
            }
        };
        let answered = AssertUnwindSafe(answering).catch_unwind();
        let answered = answered.instrument(span.clone()).await;
        let mut response = span.in_scope(|| {
            let response = answered.unwrap_or_else(after_panic);
            request_log::answered(&response, since.elapsed());
            response
        });
        let headers = response.headers_mut();
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, NOSNIFF);
        headers.entry(&REQUEST_ID).or_insert(id);
        if response.body().size_hint().exact().is_some() {
            return response;
        }
        // Log lines of a stream belong to the span of its request.
        response.map(|body| Body::new(InSpan { body, span }))
    }
}

/// A body that is created while it is sent.
struct InSpan {
    body: Body,
    span: Span,
}

impl HttpBody for InSpan {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let span = self.span.clone();
        let _entered = span.enter();
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The id of a request: its own id, if that can be echoed and logged, else a new one.
fn id_of(request: &mut Request) -> HeaderValue {
    let brought = request.headers().get(&REQUEST_ID).cloned();
    let id = brought.filter(security::is_request_id).unwrap_or_else(|| {
        let new = format!("{:016x}", rand::random::<u64>());
        HeaderValue::try_from(new).unwrap_or(HeaderValue::from_static("none"))
    });
    request.extensions_mut().insert(RequestId(id.clone()));
    id
}

fn after_panic(_: Box<dyn Any + Send>) -> Response {
    // The panic hook has logged the panic's message.
    ApiError::unavailable(&io::Error::other("a request handler panicked")).into_response()
}
