//! What a client shows of itself: the `Authorization` header.

use crate::http::error::{ApiError, Code};
use axum::http::{HeaderMap, header};
use headers::{Authorization, HeaderMapExt, authorization::Basic};

/// Bytes of the longest token that is looked at.
const LONGEST: usize = 64 << 10;

/// The token of an `Authorization` header: `<token>`, `Bearer <token>` or `token <token>`.
///
/// # Errors
///
/// 401 `missing_token`, also where there is nothing behind the scheme; 401 `invalid_token` for one of absurd length.
pub(super) fn token_of(headers: &HeaderMap) -> Result<&str, ApiError> {
    let value = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .trim();
    if value.len() > LONGEST {
        return Err(ApiError::invalid_token(format!(
            "What stands in the Authorization header is longer than any token, {LONGEST} bytes; send the token alone."
        )));
    }
    let (scheme, rest) = value.split_once([' ', '\t']).unwrap_or((value, ""));
    let has_scheme = ["bearer", "token"].contains(&scheme.to_ascii_lowercase().as_str());
    // A scheme alone is what a job sends whose secret is not set.
    let token = if has_scheme { rest.trim_start() } else { value };
    if token.is_empty() {
        let detail =
            "Send an upload token in the Authorization header: `Authorization: Bearer <token>`.";
        return Err(ApiError::new(Code::MissingToken, detail));
    }
    Ok(token)
}

/// The token with which somebody wants to read, if any: as [`token_of`] has it, or the password of `Basic`, whoever the
/// user, since that is what programs can send that know addresses only.
pub(super) fn reader_token_of(headers: &HeaderMap) -> Option<String> {
    match headers.typed_get::<Authorization<Basic>>() {
        Some(basic) => Some(basic.password().to_owned()),
        None => token_of(headers).ok().map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;

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
            "Bearer\tt0ken",
            " t0ken ",
        ] {
            assert_eq!(token_of(&headers(value)).ok(), Some("t0ken"), "{value:?}");
        }
    }

    #[test]
    fn a_reader_may_send_a_token_as_the_password_of_any_user() {
        for value in ["Basic bWU6dDBrZW4=", "basic OnQwa2Vu", "Bearer t0ken"] {
            let token = reader_token_of(&headers(value));
            assert_eq!(token.as_deref(), Some("t0ken"), "{value:?}");
        }
        assert_eq!(reader_token_of(&HeaderMap::new()), None);
        assert!(token_of(&headers("Basic OnQwa2Vu")).is_ok_and(|token| token != "t0ken"));
    }

    #[test]
    fn no_header_an_empty_one_or_only_a_scheme_is_a_missing_token() {
        for headers in [
            HeaderMap::new(),
            headers(""),
            headers("  "),
            headers("Bearer "),
            headers("token"),
        ] {
            assert_eq!(
                token_of(&headers).map_err(|error| error.status()),
                Err(StatusCode::UNAUTHORIZED)
            );
        }
    }
}
