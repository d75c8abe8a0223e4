//! Variables of the user and of the CI job. They are no settings of the service.

use std::env;

/// `None` if it is not set or empty.
#[expect(
    clippy::disallowed_methods,
    reason = "CI systems and users set these for all programs"
)]
pub(crate) fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}
