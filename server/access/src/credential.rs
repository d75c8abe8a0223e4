//! Reads the `Authorization` header.

use crate::error::{AccessError, Kind};
use headers::{Authorization, HeaderMapExt, authorization::Basic};
use http::{HeaderMap, HeaderName, header};

/// The longest token that is read, in bytes.
const LONGEST: usize = 64 << 10;

/// Returns the token of an `Authorization` header: `<token>`, `Bearer <token>` or `token <token>`.
///
/// # Errors
///
/// 401 `missing_token`, also if nothing follows the scheme; 401 `invalid_token` if it is too long.
pub(super) fn token_of(headers: &HeaderMap) -> Result<&str, AccessError> {
    let value = text_of(headers, &header::AUTHORIZATION);
    if value.len() > LONGEST {
        return Err(AccessError::invalid_token(format!(
            "The Authorization header is longer than {LONGEST} bytes, which is longer than any token; send only the token."
        )));
    }
    let token = without_scheme(value);
    if token.is_empty() {
        let detail =
            "Send an upload token in the Authorization header: `Authorization: Bearer <token>`.";
        return Err(AccessError::new(Kind::MissingToken, detail));
    }
    Ok(token)
}

/// The header for the job's forge token if another token authorizes the upload.
pub(super) const FORGE_AUTHORIZATION: HeaderName = HeaderName::from_static("forge-authorization");

/// Returns the token of the header `Forge-Authorization`, which has the same forms. `None` if there is no token.
pub(super) fn forge_token_of(headers: &HeaderMap) -> Option<&str> {
    let token = without_scheme(text_of(headers, &FORGE_AUTHORIZATION));
    (!token.is_empty()).then_some(token)
}

fn text_of<'a>(headers: &'a HeaderMap, name: &HeaderName) -> &'a str {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.unwrap_or_default().trim()
}

fn without_scheme(value: &str) -> &str {
    let (scheme, rest) = value.split_once([' ', '\t']).unwrap_or((value, ""));
    let has_scheme = ["bearer", "token"].contains(&scheme.to_ascii_lowercase().as_str());
    // A job without its secret sends only the scheme.
    if has_scheme { rest.trim_start() } else { value }
}

/// Returns the token of a reader, if any: the token of [`token_of`], or the password of `Basic` with any user. `Basic` is for
/// programs that accept only a URL.
pub(super) fn reader_token_of(headers: &HeaderMap) -> Option<String> {
    match headers.typed_get::<Authorization<Basic>>() {
        Some(basic) => Some(basic.password().to_owned()),
        None => token_of(headers).ok().map(str::to_owned),
    }
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
                token_of(&headers).map_err(|error| error.kind),
                Err(Kind::MissingToken)
            );
        }
    }
}
