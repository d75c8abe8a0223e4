//! The name and version of a client, for the ledger.

use axum::http::{HeaderMap, header};

/// The longest name that is kept, in bytes.
const LONGEST: usize = 60;

/// Returns the client by the first product of its `User-Agent`: `codecov-cli 11.3.1`.
pub(super) fn of_user_agent(headers: &HeaderMap) -> Option<String> {
    let agent = headers.get(header::USER_AGENT)?.to_str().ok()?;
    of_product(agent.split_whitespace().next()?)
}

/// Returns the client of a text such as `codecov-cli/11.3.1`.
pub(super) fn of_product(product: &str) -> Option<String> {
    let name = product.replacen('/', " ", 1);
    let is_name = (1..=LONGEST).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_graphic() || byte == b' ');
    is_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_named_with_its_version() {
        let named = |product| of_product(product);
        assert_eq!(
            named("codecov-cli/11.3.1").as_deref(),
            Some("codecov-cli 11.3.1")
        );
        assert_eq!(named("py2.1.13").as_deref(), Some("py2.1.13"));
        for bad in ["", "a\nb", "ü", &"x".repeat(61)] {
            assert_eq!(named(bad), None, "{bad}");
        }
    }
}
