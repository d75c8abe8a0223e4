//! The variables of the user and of the CI job that a command runs in. They are no settings of the service.

use std::env;

/// Returns the value of a variable; none if it is not set or empty.
#[expect(
    clippy::disallowed_methods,
    reason = "CI systems and users set these for all programs"
)]
pub(crate) fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}
