//! What a client shows of itself: the `Authorization` header.

use crate::error::ApiError;
use axum::http::{HeaderMap, StatusCode, header};

/// The token of an `Authorization` header: `<token>`, `Bearer <token>` or `token <token>`.
///
/// # Errors
///
/// 401 `missing_token`.
pub(super) fn token_of(headers: &HeaderMap) -> Result<&str, ApiError> {
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
