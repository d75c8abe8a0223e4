//! The accepted host names.

use crate::items;
use http::uri::Authority;
use std::{collections::BTreeSet, str::FromStr, sync::Arc};

/// Host names in lower case, without a port. An empty list accepts every host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedHosts(Arc<BTreeSet<String>>);

impl AllowedHosts {
    /// Whether every host is accepted.
    pub fn is_any(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a name is listed.
    pub fn contains(&self, host: &str) -> bool {
        self.0.contains(&host.to_ascii_lowercase())
    }
}

impl FromStr for AllowedHosts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = items(text).map(|name| {
            let host: Option<Authority> = name.parse().ok();
            // A name with a port, a user or a pattern would never match.
            match host.filter(|host| host.host() == name && !name.contains('*')) {
                Some(_) => Ok(name.to_ascii_lowercase()),
                None => Err(format!(
                    "{name} must be a host name without a port, such as coverage.example.com or [::1]"
                )),
            }
        });
        Ok(Self(Arc::new(names.collect::<Result<_, _>>()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_without_ports_and_compared_without_case() {
        let hosts: AllowedHosts = " Coverage.example.com,[::1], ".parse().expect("a list");
        assert!(hosts.contains("coverage.EXAMPLE.com") && hosts.contains("[::1]"));
        assert!(!hosts.contains("example.com") && !hosts.contains("") && !hosts.is_any());
        assert!("".parse::<AllowedHosts>().expect("no list").is_any());
        for wrong in [
            "a.example:80",
            "https://a.example",
            "kim@a.example",
            "a b",
            "*.a.example",
        ] {
            assert!(wrong.parse::<AllowedHosts>().is_err(), "{wrong}");
        }
    }
}
