//! Surrounds routes with a function.

use axum::{Router, extract::Request, response::Response, routing::Route};
use std::convert::Infallible;
use tower::{Service, layer::layer_fn, service_fn};

/// Answers requests of these routes with `answer`, which gets `state`, the request and its route.
///
/// axum's `from_fn` does the same; for each request it also takes the request apart, and boxes the route once more.
pub(crate) fn surround<S, T, F>(
    routes: Router<S>,
    state: T,
    answer: fn(T, Request, Route) -> F,
) -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    T: Clone + Send + Sync + 'static,
    F: Future<Output = Response> + Send + 'static,
{
    routes.layer(layer_fn(move |route: Route| {
        let state = state.clone();
        service_fn(move |request| {
            let answering = answer(state.clone(), request, route.clone());
            async { Ok::<_, Infallible>(answering.await) }
        })
    }))
}

pub(crate) async fn run(mut route: Route, request: Request) -> Response {
    let Ok(response) = route.call(request).await;
    response
}
