//! Calls the listed forges, issuers and webhooks, with limits on time, bytes and number, without redirects.

use bytes::Bytes;
use config::access::Access;
use http::{HeaderMap, StatusCode, header};
use reqwest::{
    Client, ClientBuilder, Method, Proxy, RequestBuilder, Response, Url, dns::Resolve, redirect,
};
use std::{ops::ControlFlow, sync::Arc, time::Duration};
use thiserror::Error;
use tokio::{
    sync::Semaphore,
    time::{Instant, timeout, timeout_at},
};

/// The user agent, which appears in the logs of other services.
const USER_AGENT: &str = concat!("coverage-dashboard/", env!("CARGO_PKG_VERSION"));

/// The number of idle connections per host, because calls come in bursts.
const IDLE_CONNECTIONS: usize = 8;

/// Makes calls. Clones share connections and permits.
#[derive(Clone, Debug)]
pub struct Outbound {
    client: Client,
    at_once: usize,
    calls: Arc<Semaphore>,
    timeout: Duration,
    max_bytes: usize,
}

/// Takes the next bytes of an answer.
pub type Take<'a> = dyn FnMut(&[u8]) -> ControlFlow<()> + Send + 'a;

/// The answer to a call.
#[derive(Debug)]
pub struct Answer {
    /// The status of the answer.
    pub status: StatusCode,
    /// The headers of the answer.
    pub headers: HeaderMap,
    /// The body of the answer.
    pub body: Bytes,
}

/// Why a call failed.
#[derive(Debug, Error)]
pub enum OutboundError {
    /// The call exceeded its time limit.
    #[error("it did not answer in time")]
    Slow,
    /// No permit became free in time.
    #[error("too many calls to it are under way")]
    Crowded,
    /// The answer exceeds this number of bytes.
    #[error("its answer was larger than {0} bytes")]
    TooLarge(usize),
    /// A redirect, which is never followed.
    #[error(
        "it answered with the redirect {status}, which is not followed (the repository may have been renamed)"
    )]
    Redirected {
        /// The status of the redirect.
        status: StatusCode,
        /// The address to which it redirects, if the answer contains it.
        location: Option<String>,
    },
    /// The host refused the token.
    #[error("it does not accept the token")]
    Refused,
    /// The rate limit is exceeded for this time.
    #[error("its rate limit is exceeded for {} more seconds", .0.as_secs().max(1))]
    Limited(Duration),
    /// The call itself failed.
    // The text of the source names the called address, except the address of a webhook: other addresses contain no secrets.
    #[error("it could not be reached")]
    Failed(#[from] reqwest::Error),
}

impl Outbound {
    /// Creates the calls to forges and issuers.
    pub fn new(access: &Access) -> Result<Self, reqwest::Error> {
        Self::build(access, access.calls_others(), |builder| builder)
    }

    /// Creates calls to other listed hosts. `resolver` resolves their names, if given.
    pub fn to_others<R: Resolve + 'static>(
        access: &Access,
        resolver: Option<Arc<R>>,
    ) -> Result<Self, reqwest::Error> {
        Self::build(access, true, |builder| match resolver {
            Some(resolver) => builder.dns_resolver(resolver),
            None => builder,
        })
    }

    fn build(
        access: &Access,
        needs_certificates: bool,
        complete: impl FnOnce(ClientBuilder) -> ClientBuilder,
    ) -> Result<Self, reqwest::Error> {
        let limits = &access.limits;
        // Proxy settings in the environment are rarely meant for this service.
        #[expect(
            clippy::disallowed_methods,
            reason = "this is the client for all such requests"
        )]
        let mut builder = Client::builder().no_proxy();
        if !needs_certificates {
            // A minimal system has no certificates to load, and they are not needed without calls.
            builder = builder.tls_certs_only([]);
        }
        if let Some(proxy) = &access.outbound_proxy.0 {
            builder = builder.proxy(Proxy::all(proxy.clone())?);
        }
        let client = complete(builder)
            .user_agent(USER_AGENT)
            .redirect(redirect::Policy::none())
            .connect_timeout(Duration::from_secs(limits.vcs_connect_seconds))
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

    /// Returns a copy with separate permits, so that a slow host does not delay calls to other hosts.
    pub fn with_own_permits(&self) -> Self {
        Self {
            calls: Arc::new(Semaphore::new(self.at_once)),
            ..self.clone()
        }
    }

    /// Starts a request.
    pub fn request(&self, method: Method, url: Url) -> RequestBuilder {
        self.client.request(method, url)
    }

    /// Waits for a permit, then makes the call. Each of the two steps has the same time limit.
    pub async fn call(&self, request: RequestBuilder) -> Result<Answer, OutboundError> {
        let answered = async { self.read(send(request).await?).await };
        self.within_limits(answered).await
    }

    /// Like `call`, but reads only the status of the answer. Errors do not name the address, which may be a secret.
    pub async fn tell(&self, request: RequestBuilder) -> Result<StatusCode, OutboundError> {
        let status = self.within_limits(async { Ok(send(request).await?.status()) });
        status.await.map_err(|error| match error {
            OutboundError::Failed(error) => error.without_url().into(),
            error => error,
        })
    }

    /// Waits for a permit, then for a call.
    async fn within_limits<T>(
        &self,
        called: impl Future<Output = Result<T, OutboundError>>,
    ) -> Result<T, OutboundError> {
        let Ok(_permit) = timeout(self.timeout, self.calls.acquire()).await else {
            return Err(OutboundError::Crowded);
        };
        let called = timeout(self.timeout, called).await;
        called.unwrap_or(Err(OutboundError::Slow))
    }

    /// Like `call`, but for a longer answer, until a moment. If the status is 200, the body is passed in pieces to `take` until
    /// `take` breaks, and the body of the result is empty.
    pub async fn call_until(
        &self,
        request: RequestBuilder,
        until: Instant,
        take: &mut Take<'_>,
    ) -> Result<Answer, OutboundError> {
        let answered = async {
            let _permit = self.calls.acquire().await;
            let mut response = send(request).await?;
            if response.status() != StatusCode::OK {
                return self.read(response).await;
            }
            while let Some(chunk) = response.chunk().await? {
                if take(&chunk).is_break() {
                    break;
                }
            }
            Ok(answer(&response, Bytes::new()))
        };
        let answered = timeout_at(until, answered).await;
        answered.unwrap_or(Err(OutboundError::Slow))
    }

    async fn read(&self, mut response: Response) -> Result<Answer, OutboundError> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if body.len() + chunk.len() > self.max_bytes {
                return Err(OutboundError::TooLarge(self.max_bytes));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(answer(&response, body.into()))
    }
}

fn answer(response: &Response, body: Bytes) -> Answer {
    Answer {
        status: response.status(),
        headers: response.headers().clone(),
        body,
    }
}

/// Sends a request. A redirect is an error.
async fn send(request: RequestBuilder) -> Result<Response, OutboundError> {
    let response = request.send().await?;
    if !response.status().is_redirection() {
        return Ok(response);
    }
    let location = response.headers().get(header::LOCATION);
    let location = location.and_then(|location| location.to_str().ok());
    Err(OutboundError::Redirected {
        status: response.status(),
        location: location.map(ToOwned::to_owned),
    })
}
