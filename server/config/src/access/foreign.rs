//! The other services whose clients may upload.

use crate::items;
use std::str::FromStr;

/// A service whose clients may upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignService {
    /// Codecov.
    Codecov,
    /// Coveralls.
    Coveralls,
}

/// The services whose clients may upload, such as `codecov,coveralls`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AcceptedClients(Vec<ForeignService>);

impl AcceptedClients {
    /// Whether the clients of this service may upload.
    #[must_use]
    pub fn has(&self, service: ForeignService) -> bool {
        self.0.contains(&service)
    }
}

impl FromStr for AcceptedClients {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let services = items(text).map(|name| match name.to_ascii_lowercase().as_str() {
            "codecov" => Ok(ForeignService::Codecov),
            "coveralls" => Ok(ForeignService::Coveralls),
            _ => Err(format!("{name} is neither codecov nor coveralls")),
        });
        services.collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_named_services_are_accepted() {
        let accepted = |text: &str| text.parse::<AcceptedClients>();
        let none = accepted("").expect("a list");
        assert!(!none.has(ForeignService::Codecov) && !none.has(ForeignService::Coveralls));
        let both = accepted("codecov, Coveralls").expect("a list");
        assert!(both.has(ForeignService::Codecov) && both.has(ForeignService::Coveralls));
        assert!(accepted("codecov,codacy").is_err());
    }
}
