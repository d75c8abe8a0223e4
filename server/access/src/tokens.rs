//! The tokens of this service: `UPLOAD_TOKEN`, and the tokens of `token create`.

use super::own_token;
use crate::error::AccessError;
use config::Secret;
use domain::{Repository, Timestamp};
use store::{NewToken, Purpose, Scope, Store, StoreError, Token, actor::Actor, now};
use subtle::ConstantTimeEq;

const NAME_OF_CONFIGURED: &str = "UPLOAD_TOKEN";

/// The tokens of this service.
#[derive(Clone, Debug)]
pub struct Tokens {
    configured: Option<String>,
    store: Store,
}

/// A valid token of this service with the needed permission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The name of the token.
    pub name: String,
    /// The id of the token. `None` for `UPLOAD_TOKEN`.
    pub id: Option<i64>,
}

/// A new token.
pub struct MadeToken {
    /// The id of the token.
    pub id: i64,
    /// The token itself, which is not stored.
    pub token: String,
}

impl Tokens {
    /// Gives access to the tokens in `store`, and to the `configured` token (`UPLOAD_TOKEN`), of which only the hash is kept.
    pub fn new(configured: Option<&Secret>, store: Store) -> Self {
        Self {
            configured: configured.map(|token| own_token::hash(token.expose())),
            store,
        }
    }

    /// Creates a token at the first start if there is none, so that uploads work at once. Only its hash is stored.
    pub async fn make_first(&self) -> Result<Option<String>, StoreError> {
        if self.configured.is_some() || self.store.writer().has_any_token().await? {
            return Ok(None);
        }
        let name = "made at the first start";
        let by = Actor::service();
        let made = self.make(name, Purpose::Upload, &Scope::All, None, &by);
        match made.await {
            Ok(made) => Ok(Some(made.token)),
            // Another process also starts for the first time, and prints its own token.
            Err(StoreError::NameTaken) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Creates a token, stores its hash, and returns the token, which cannot be shown again.
    ///
    /// # Errors
    ///
    /// [`StoreError::NameTaken`], or an error of the database.
    pub async fn make(
        &self,
        name: &str,
        purpose: Purpose,
        scope: &Scope,
        expires_at: Option<Timestamp>,
        by: &Actor,
    ) -> Result<MadeToken, StoreError> {
        let token = own_token::make();
        let of = (purpose, scope, expires_at);
        self.keep(token, name, of, by).await
    }

    /// Like [`Self::make`], for a read token in the form of a UUID.
    ///
    /// # Errors
    ///
    /// [`StoreError::NameTaken`], or an error of the database.
    pub async fn make_read_uuid(
        &self,
        name: &str,
        scope: &Scope,
        expires_at: Option<Timestamp>,
        by: &Actor,
    ) -> Result<MadeToken, StoreError> {
        let token = own_token::make_uuid();
        let of = (Purpose::Read, scope, expires_at);
        self.keep(token, name, of, by).await
    }

    async fn keep(
        &self,
        token: String,
        name: &str,
        (purpose, scope, expires_at): (Purpose, &Scope, Option<Timestamp>),
        by: &Actor,
    ) -> Result<MadeToken, StoreError> {
        let kept = NewToken {
            name,
            hash: &own_token::hash(&token),
            purpose,
            scope,
            hint: own_token::hint(&token),
            expires_at,
        };
        let id = self.store.operator().add_token(kept, by).await?;
        Ok(MadeToken { id, token })
    }

    /// Returns the holder of an upload token for `repository`. `None` if the text is not a token of this service.
    ///
    /// # Errors
    ///
    /// 401 `invalid_token` for an unknown, damaged, expired or revoked token of this service; 403
    /// `token_not_for_repository`.
    pub async fn uploader(
        &self,
        token: &str,
        repository: &Repository,
    ) -> Result<Option<Holder>, AccessError> {
        let hash = own_token::hash(token);
        if self.is_configured(&hash) {
            let name = NAME_OF_CONFIGURED.to_owned();
            return Ok(Some(Holder { name, id: None }));
        }
        let Some(token) = self.in_force(token, &hash).await? else {
            return Ok(None);
        };
        let other_purpose = match token.purpose {
            Purpose::Upload => None,
            Purpose::Read => Some("reading"),
            Purpose::Admin => Some("administration"),
        };
        if let Some(purpose) = other_purpose {
            return Err(AccessError::not_for_repository(format!(
                "This token is for {purpose}; create an upload token with `coverage-dashboard token create`."
            )));
        }
        if !token.scope.covers(repository) {
            let detail = format!(
                "This token is for {}, not for {repository}; use a token that covers the repository.",
                token.scope
            );
            return Err(AccessError::not_for_repository(detail));
        }
        Ok(Some(Holder {
            name: token.name,
            id: Some(token.id),
        }))
    }

    /// Returns the repository of an upload token that is for one repository alone. `None` for all other texts.
    pub async fn only_repository(&self, token: &str) -> Result<Option<Repository>, AccessError> {
        match self.in_force(token, &own_token::hash(token)).await {
            Ok(Some(Token {
                purpose: Purpose::Upload,
                scope: Scope::Repository(repository),
                ..
            })) => Ok(Some(repository)),
            Err(error) if error.cause.is_some() => Err(error),
            Ok(_) | Err(_) => Ok(None),
        }
    }

    /// Returns a valid read token or admin token. `None` if the text is neither.
    ///
    /// # Errors
    ///
    /// 401 `invalid_token` for an unknown, damaged, expired or revoked token of this service; 503 when the database
    /// fails.
    pub async fn reader(&self, token: &str) -> Result<Option<Token>, AccessError> {
        let found = self.in_force(token, &own_token::hash(token)).await?;
        Ok(found.filter(|token| token.purpose != Purpose::Upload))
    }

    /// Returns a valid admin token.
    ///
    /// # Errors
    ///
    /// 401 `invalid_token` for an unknown, damaged, expired or revoked token; 403 `admin_token_required` for a token
    /// with another purpose; 503 when the database fails.
    pub async fn admin(&self, token: &str) -> Result<Token, AccessError> {
        let hash = own_token::hash(token);
        if self.is_configured(&hash) {
            return Err(AccessError::admin_token_required());
        }
        let token = self.in_force(token, &hash).await?.ok_or_else(unknown)?;
        if token.purpose != Purpose::Admin {
            return Err(AccessError::admin_token_required());
        }
        Ok(token)
    }

    fn is_configured(&self, hash: &str) -> bool {
        let configured = self.configured.as_deref();
        configured.is_some_and(|configured| is_same(configured, hash))
    }

    /// Returns the valid token with this hash. The lookup compares hashes, not tokens: its duration does not help an attacker,
    /// who cannot make a token with a chosen hash. The found hash is compared again in constant time, so that the decision does
    /// not depend on how the database compares texts.
    async fn in_force(&self, text: &str, hash: &str) -> Result<Option<Token>, AccessError> {
        if own_token::is_damaged(text) {
            return Err(AccessError::invalid_token(
                "This token is damaged, because it was cut or mistyped; copy the complete token that was printed when it was created.",
            ));
        }
        let found = self.store.writer().token(hash).await?;
        let Some(token) = found.filter(|token| is_same(&token.hash, hash)) else {
            return if own_token::is_ours(text) {
                Err(unknown())
            } else {
                Ok(None)
            };
        };
        if token.revoked_at.is_some() {
            return Err(AccessError::invalid_token(format!(
                "This token, called {}, was revoked; ask the operator for a new one.",
                token.name
            )));
        }
        match token.expires_at {
            Some(at) if at <= now() => Err(AccessError::invalid_token(format!(
                "This token, called {}, expired on {}; ask the operator for a new one.",
                token.name,
                at.long()
            ))),
            _ => Ok(Some(token)),
        }
    }
}

fn is_same(hash: &str, other: &str) -> bool {
    hash.as_bytes().ct_eq(other.as_bytes()).into()
}

/// 401: the service does not know this token.
pub(super) fn unknown() -> AccessError {
    AccessError::invalid_token(
        "This token is unknown here; check that it was copied completely and created for this service.",
    )
}
