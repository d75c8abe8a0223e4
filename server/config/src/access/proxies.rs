//! The reverse proxies that are trusted to name the client.

use crate::items;
use http::HeaderMap;
use ipnet::IpNet;
use std::{
    net::{IpAddr, SocketAddr},
    str::{self, FromStr},
};

/// Addresses and networks of proxies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this address is one of them.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The address of the client: the last one in `X-Forwarded-For` that is not a trusted proxy. Addresses before it may be
    /// forged by the client.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = peer.to_canonical();
        let lists = headers.get_all("x-forwarded-for").iter().rev();
        // As bytes: a proxy appends to the client's text, which may not be UTF-8.
        let hops = lists.flat_map(|list| list.as_bytes().rsplit(|byte| *byte == b','));
        for hop in hops {
            if !self.contains(client) {
                break;
            }
            let Some(address) = address(hop.trim_ascii()) else {
                break;
            };
            client = address.to_canonical();
        }
        client
    }
}

/// Reads an address; some proxies add the port.
fn address(hop: &[u8]) -> Option<IpAddr> {
    let text = str::from_utf8(hop).ok()?;
    let with_port = || text.parse::<SocketAddr>().map(|address| address.ip());
    text.parse().or_else(|_| with_port()).ok()
}

impl FromStr for TrustedProxies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let networks = items(text).map(|item| {
            let address = || item.parse::<IpAddr>().map(|ip| ip.to_canonical().into());
            let network = item.parse().or_else(|_| address());
            network
                .map_err(|_| format!("{item} is no IP address, nor a network such as 10.0.0.0/8"))
        });
        networks.collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(proxies: &str, peer: &str, forwarded: &[&str]) -> String {
        let proxies: TrustedProxies = proxies.parse().expect("proxies");
        let headers = forwarded.iter().map(|list| {
            let value = list.parse().expect("a header");
            (http::HeaderName::from_static("x-forwarded-for"), value)
        });
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, value);
        }
        let peer = peer.parse().expect("an address");
        proxies.client(peer, &map).to_string()
    }

    #[test]
    fn only_a_trusted_proxy_may_state_a_forwarded_address() {
        assert_eq!(client("", "10.0.0.7", &["1.2.3.4"]), "10.0.0.7");
        assert_eq!(client("10.0.0.8", "10.0.0.7", &["1.2.3.4"]), "10.0.0.7");
        assert_eq!(client("10.0.0.0/24", "10.0.0.7", &["1.2.3.4"]), "1.2.3.4");
        assert_eq!(client("10.0.0.0/24", "10.0.0.7", &[]), "10.0.0.7");
        let with_port = ["1.2.3.4:5678"];
        assert_eq!(client("10.0.0.0/24", "10.0.0.7", &with_port), "1.2.3.4");
    }

    #[test]
    fn addresses_that_the_client_wrote_itself_do_not_count() {
        let proxies = "10.0.0.0/24,fd00::/8";
        assert_eq!(
            client(proxies, "10.0.0.7", &["6.6.6.6, 1.2.3.4"]),
            "1.2.3.4"
        );
        assert_eq!(
            client(proxies, "fd00::1", &["6.6.6.6", "1.2.3.4, 10.0.0.9"]),
            "1.2.3.4"
        );
        assert_eq!(client(proxies, "10.0.0.7", &["unknown"]), "10.0.0.7");
        assert_eq!(client(proxies, "::ffff:10.0.0.7", &["1.2.3.4"]), "1.2.3.4");
    }

    #[test]
    fn invalid_bytes_do_not_hide_the_address_that_a_proxy_adds() {
        let (proxies, proxy) = ("10.0.0.0/24", "10.0.0.7".parse().expect("an address"));
        let proxies: TrustedProxies = proxies.parse().expect("proxies");
        let value = http::HeaderValue::from_bytes(b"\xff, 1.2.3.4").expect("a header");
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", value);
        assert_eq!(proxies.client(proxy, &headers).to_string(), "1.2.3.4");
    }

    #[test]
    fn invalid_addresses_are_refused() {
        for bad in ["proxy.example.com", "10.0.0.0/33", "10.0.0"] {
            assert!(bad.parse::<TrustedProxies>().is_err(), "{bad}");
        }
    }
}
