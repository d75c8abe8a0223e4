//! Calls to the few services that an operator lists: bounded in time, bytes and number, and never led elsewhere.

use crate::config::access::Access;
use axum::{
    body::Bytes,
    http::{HeaderMap, StatusCode},
};
use reqwest::{Client, Method, Proxy, RequestBuilder, Url, redirect};
use std::{sync::Arc, time::Duration};
use thiserror::Error;
use tokio::{sync::Semaphore, time::timeout};

/// What other services see of us in their logs.
const USER_AGENT: &str = concat!("coverage-dashboard/", env!("CARGO_PKG_VERSION"));

/// Idle connections that are kept for each service: calls come in bursts.
const IDLE_CONNECTIONS: usize = 8;

/// Makes calls. Clones share their connections and their places.
#[derive(Clone, Debug)]
pub(crate) struct Outbound {
    client: Client,
    at_once: usize,
    calls: Arc<Semaphore>,
    timeout: Duration,
    max_bytes: usize,
}

/// The answer to a call.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Why a call had no answer that counts.
#[derive(Debug, Error)]
pub(crate) enum OutboundError {
    #[error("it did not answer in time")]
    Slow,
    #[error("too many calls to it are under way")]
    Crowded,
    #[error("its answer was larger than {0} bytes")]
    TooLarge(usize),
    #[error(
        "it answered {0} and leads elsewhere, which is not followed: perhaps the repository was renamed"
    )]
    Redirected(StatusCode),
    // Its text names the address that was called, which has no secrets in it.
    #[error("it could not be reached")]
    Failed(#[from] reqwest::Error),
}

impl Outbound {
    pub(crate) fn new(access: &Access) -> Result<Self, reqwest::Error> {
        let limits = &access.limits;
        // What the environment says of proxies is seldom meant for this service.
        #[expect(
            clippy::disallowed_methods,
            reason = "this is the client of all such requests"
        )]
        let mut builder = Client::builder().no_proxy();
        if !access.calls_others() {
            // The certificates of a bare system cannot be loaded: it has none. Nobody needs them here.
            builder = builder.tls_certs_only([]);
        }
        if let Some(proxy) = &access.outbound_proxy.0 {
            builder = builder.proxy(Proxy::all(proxy.clone())?);
        }
        let client = builder
            .user_agent(USER_AGENT)
            .redirect(redirect::Policy::none())
            .connect_timeout(limits.vcs_connect())
            .pool_max_idle_per_host(IDLE_CONNECTIONS)
            .tcp_nodelay(true)
            .build()?;
        Ok(Self {
            client,
            at_once: limits.concurrent_vcs_calls.into(),
            calls: Arc::new(Semaphore::new(limits.concurrent_vcs_calls.into())),
            timeout: limits.vcs_call(),
            max_bytes: limits.max_vcs_answer_bytes,
        })
    }

    /// The same with places of its own, so that one service that is slow does not hold up calls to another.
    pub(crate) fn with_own_permits(&self) -> Self {
        Self {
            calls: Arc::new(Semaphore::new(self.at_once)),
            ..self.clone()
        }
    }

    /// A call to be described further.
    pub(crate) fn request(&self, method: Method, url: Url) -> RequestBuilder {
        self.client.request(method, url)
    }

    /// Makes the call, once there is a place for it: waiting for that has as much time as the call.
    pub(crate) async fn call(&self, request: RequestBuilder) -> Result<Answer, OutboundError> {
        let Ok(_place) = timeout(self.timeout, self.calls.acquire()).await else {
            return Err(OutboundError::Crowded);
        };
        let answered = async {
            let response = request.send().await?;
            if response.status().is_redirection() {
                return Err(OutboundError::Redirected(response.status()));
            }
            self.read(response).await
        };
        match timeout(self.timeout, answered).await {
            Ok(answer) => answer,
            Err(_) => Err(OutboundError::Slow),
        }
    }

    async fn read(&self, mut response: reqwest::Response) -> Result<Answer, OutboundError> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if body.len() + chunk.len() > self.max_bytes {
                return Err(OutboundError::TooLarge(self.max_bytes));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Answer {
            status: response.status(),
            headers: response.headers().clone(),
            body: body.into(),
        })
    }
}
