//! Which addresses webhooks may have: public ones, and private ones that the operator lists.

use crate::access::TrustedProxies;
use ipnet::IpNet;
use std::{net::IpAddr, str::FromStr};

/// Networks that are not public: the entries of the IANA special-purpose address registries (RFC 6890) that are not globally
/// reachable, multicast, and the prefixes that contain IPv4 addresses (RFC 6052, RFC 3056, RFC 7915).
const NOT_PUBLIC: [&str; 29] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    // Azure's platform address, which every machine there can reach.
    "168.63.129.16/32",
    "::/96",
    "::ffff:0:0:0/96",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "100:0:0:1::/64",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/9",
    "ff00::/8",
];

/// The private addresses and networks that webhooks may have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebhookNetworks(TrustedProxies);

impl WebhookNetworks {
    /// Whether a webhook may have this address.
    pub fn allow(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.contains(address) || is_public(address)
    }
}

fn is_public(address: IpAddr) -> bool {
    let networks = NOT_PUBLIC.iter().map(|network| network.parse::<IpNet>());
    !networks.flatten().any(|network| network.contains(&address))
}

impl FromStr for WebhookNetworks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_network_of_the_list_is_one() {
        assert!(
            NOT_PUBLIC
                .iter()
                .all(|network| network.parse::<IpNet>().is_ok())
        );
    }

    #[test]
    fn webhooks_have_public_addresses_and_listed_private_ones() {
        let allow = |networks: &str, address: &str| {
            let networks: WebhookNetworks = networks.parse().expect("networks");
            networks.allow(address.parse().expect("an address"))
        };
        for private in [
            "127.0.0.1",
            "10.1.2.3",
            "172.31.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "255.255.255.255",
            "224.0.0.1",
            "::1",
            "::",
            "fd00::1",
            "fe80::1",
            "ff02::1",
            "::ffff:10.0.0.1",
            "::10.0.0.1",
            "64:ff9b::a00:1",
            "2002:a00:1::1",
            "::ffff:0:a00:1",
            "168.63.129.16",
            "fec0::1",
        ] {
            assert!(!allow("", private), "{private}");
        }
        for public in [
            "1.1.1.1",
            "172.32.0.1",
            "2606:4700::1111",
            "::ffff:1.1.1.1",
            "192.0.1.1",
        ] {
            assert!(allow("", public), "{public}");
        }
        assert!(allow("10.0.0.0/8,fd00::/8", "10.1.2.3"));
        assert!(allow("10.0.0.0/8,fd00::/8", "::ffff:10.1.2.3"));
        assert!(allow("10.0.0.0/8,fd00::/8", "fd00::1"));
        assert!(!allow("10.0.0.0/8", "192.168.1.1"));
    }
}
