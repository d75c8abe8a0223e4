//! This service as a client of the issuer: the address of the login page, and the exchange of a code.

use super::{super::oidc::shown, attempt::Attempt, provider::Provider, refused};
use crate::error::AccessError;
use config::{Secret, access::Login};
use form_urlencoded::{Serializer, byte_serialize};
use http::{HeaderValue, StatusCode, header};
use reqwest::{Method, RequestBuilder, Url};
use serde::Deserialize;

/// This service, as registered at the issuer.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) id: String,
    secret: Option<Secret>,
    scopes: String,
    redirect_uri: String,
}

/// The answer to an exchanged code.
#[derive(Deserialize)]
pub(super) struct Tokens {
    pub(super) id_token: Option<String>,
    /// The token for the userinfo endpoint.
    pub(super) access_token: Option<String>,
}

/// The error of a refused exchange (RFC 6749, section 5.2).
#[derive(Default, Deserialize)]
struct Problem {
    #[serde(default)]
    error: String,
}

impl Client {
    pub(super) fn new(settings: &Login, redirect_uri: String) -> Self {
        Self {
            id: settings.login_client_id.trim().to_owned(),
            secret: settings.login_client_secret.0.clone(),
            scopes: settings.scopes(),
            redirect_uri,
        }
    }

    /// Returns the address at which a person logs in.
    pub(super) fn authorization(&self, mut endpoint: Url, attempt: &Attempt) -> String {
        endpoint.query_pairs_mut().extend_pairs([
            ("response_type", "code"),
            ("client_id", &self.id),
            ("redirect_uri", &self.redirect_uri),
            ("scope", &self.scopes),
            ("state", &attempt.state),
            ("nonce", &attempt.nonce()),
            ("code_challenge", &attempt.challenge()),
            ("code_challenge_method", "S256"),
        ]);
        endpoint.into()
    }

    /// Exchanges a code.
    pub(super) async fn exchange(
        &self,
        provider: &Provider,
        code: &str,
        attempt: &Attempt,
    ) -> Result<Tokens, AccessError> {
        let request = self.request(provider, code, attempt).await?;
        let answer = provider.call(request).await?;
        if answer.status != StatusCode::OK {
            return Err(refusal(provider, answer.status, &answer.body));
        }
        serde_json::from_slice(&answer.body).map_err(|error| provider.unreachable(&error))
    }

    async fn request(
        &self,
        provider: &Provider,
        code: &str,
        attempt: &Attempt,
    ) -> Result<RequestBuilder, AccessError> {
        let (endpoint, is_in_body) = provider.token_endpoint().await?;
        let mut form = Serializer::new(String::new());
        form.extend_pairs([
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", &self.redirect_uri),
            ("code_verifier", &attempt.verifier),
        ]);
        let request = provider.outbound.request(Method::POST, endpoint);
        let request = match &self.secret {
            // RFC 6749, section 2.3.1: each part is form-encoded first.
            Some(secret) if !is_in_body => {
                let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
                request.basic_auth(encoded(&self.id), Some(encoded(secret.expose())))
            }
            secret => {
                form.append_pair("client_id", &self.id);
                if let Some(secret) = secret {
                    form.append_pair("client_secret", secret.expose());
                }
                request
            }
        };
        let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
        Ok(request
            .header(header::CONTENT_TYPE, kind)
            .header(header::ACCEPT, "application/json")
            .body(form.finish()))
    }
}

/// Returns the refusal of a failed exchange. A 4xx status counts as a failed attempt, except for a refused client or an
/// overloaded issuer: a stranger chooses the code, and must not be able to choose an error that does not count.
fn refusal(provider: &Provider, status: StatusCode, body: &[u8]) -> AccessError {
    let problem: Problem = serde_json::from_slice(body).unwrap_or_default();
    let error = shown(&problem.error);
    if ["invalid_client", "unauthorized_client"].contains(&problem.error.as_str()) {
        let why = "it does not accept LOGIN_CLIENT_ID and LOGIN_CLIENT_SECRET";
        return provider.misconfigured(why);
    }
    if [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_MANY_REQUESTS].contains(&status) {
        return provider.busy(status);
    }
    let status = status.as_u16();
    if !(400..500).contains(&status) {
        return provider.misconfigured(&format!("it answered {status}"));
    }
    let issuer = &provider.issuer.text;
    match problem.error.as_str() {
        "invalid_grant" => tracing::info!(issuer, "an issuer has refused a code"),
        _ => tracing::error!(issuer, status, error, "people cannot log in"),
    }
    match error.as_str() {
        "" => refused(&format!("it answered {status}")),
        error => refused(error),
    }
}
