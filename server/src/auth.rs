//! Who may upload.

use crate::{
    config::Secret,
    error::ApiError,
    hexadecimal::hexadecimal,
    store::{Store, StoreError},
};
use axum::http::{HeaderMap, StatusCode, header};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// What the token of the configuration is called.
const NAME_OF_CONFIGURED: &str = "UPLOAD_TOKEN";

/// The upload tokens: the one of the configuration, and those whose hashes are in the database.
#[derive(Clone, Debug)]
pub struct Tokens {
    configured: Option<String>,
    store: Store,
}

impl Tokens {
    /// All tokens of `store`, and `configured` beside them.
    pub fn new(configured: Option<&Secret>, store: Store) -> Self {
        Self {
            configured: configured.map(|token| hash(token.expose())),
            store,
        }
    }

    /// Makes a token on the first start of a service that has none, so that it can be used at once. Only its hash is kept.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn make_first(&self) -> Result<Option<String>, StoreError> {
        if self.configured.is_some() || self.store.has_any_token().await? {
            return Ok(None);
        }
        let token = format!("cov_{}", hexadecimal(&rand::random::<[u8; 20]>()));
        self.store
            .add_token("made at the first start", &hash(&token))
            .await?;
        Ok(Some(token))
    }

    /// Checks the `Authorization` header (`<token>`, `Bearer <token>` or `token <token>`), and returns the token's name.
    ///
    /// # Errors
    ///
    /// 401 `missing_token` or `invalid_token`; 403 `vcs_api_url_not_allowed` where the client asks for its token to be
    /// checked by a source-hosting service that the operator did not list.
    pub async fn check(
        &self,
        headers: &HeaderMap,
        vcs_api_url: Option<&str>,
    ) -> Result<String, ApiError> {
        let hash = hash(token_of(headers)?);
        let is_configured = self
            .configured
            .as_ref()
            .is_some_and(|configured| configured.as_bytes().ct_eq(hash.as_bytes()).into());
        if is_configured {
            return Ok(NAME_OF_CONFIGURED.to_owned());
        }
        if let Some(name) = self.store.token_name(&hash).await? {
            return Ok(name);
        }
        match vcs_api_url {
            Some(_) => Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "vcs_api_url_not_allowed",
                "This is no token of this service, and the operator has not allowed that vcs_api_url for checking others.",
            )),
            None => Err(ApiError::new(
                StatusCode::UNAUTHORIZED,
                "invalid_token",
                "This token is not known here; check that the CI job sends the upload token whole, and that it was made for this service.",
            )),
        }
    }
}

fn token_of(headers: &HeaderMap) -> Result<&str, ApiError> {
    let value = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .trim();
    let token = match value.split_once(' ') {
        Some((scheme, token))
            if ["bearer", "token"].contains(&scheme.to_ascii_lowercase().as_str()) =>
        {
            token.trim_start()
        }
        _ => value,
    };
    if token.is_empty() {
        let detail =
            "Send an upload token in the Authorization header: `Authorization: Bearer <token>`.";
        return Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "missing_token",
            detail,
        ));
    }
    Ok(token)
}

fn hash(token: &str) -> String {
    hexadecimal(&Sha256::digest(token.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::AUTHORIZATION, value.parse().expect("a header"))])
    }

    #[test]
    fn a_token_may_stand_alone_or_after_a_scheme() {
        for value in [
            "t0ken",
            "Bearer t0ken",
            "bearer t0ken",
            "token t0ken",
            "Token  t0ken",
            " t0ken ",
        ] {
            assert_eq!(token_of(&headers(value)).ok(), Some("t0ken"), "{value:?}");
        }
    }

    #[test]
    fn no_header_and_an_empty_one_are_both_a_missing_token() {
        for headers in [HeaderMap::new(), headers(""), headers("  ")] {
            assert_eq!(
                token_of(&headers).map_err(|error| error.status()),
                Err(StatusCode::UNAUTHORIZED)
            );
        }
    }
}
