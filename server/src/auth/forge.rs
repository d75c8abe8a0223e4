//! What a source-hosting service is called, whichever of its addresses vouches for somebody.

use reqwest::Url;

/// The host of a source-hosting service, with its port where that is not the usual one.
///
/// A token that its API was asked about and an identity of its CI are then of one service, although the two have hosts of
/// their own at GitHub.
pub(super) fn forge_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    let host = match host.as_str() {
        "api.github.com" | "token.actions.githubusercontent.com" => "github.com".to_owned(),
        _ => of_enterprise_cloud(&host).unwrap_or(&host).to_owned(),
    };
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host,
    }
}

/// `octo.ghe.com` for the hosts of GitHub Enterprise Cloud with data residency.
fn of_enterprise_cloud(host: &str) -> Option<&str> {
    let own = host
        .strip_prefix("token.actions.")
        .or_else(|| host.strip_prefix("api."))?;
    let name = own.strip_suffix(".ghe.com")?;
    let is_one_label = !name.is_empty() && !name.contains('.');
    is_one_label.then_some(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_has_one_name_whichever_of_its_hosts_vouches() {
        let names = [
            ("https://api.github.com", "github.com"),
            ("https://token.actions.githubusercontent.com", "github.com"),
            (
                "https://token.actions.githubusercontent.com/octo",
                "github.com",
            ),
            ("https://api.octo.ghe.com", "octo.ghe.com"),
            ("https://token.actions.octo.ghe.com", "octo.ghe.com"),
            ("https://github.example.com/api/v3", "github.example.com"),
            (
                "https://github.example.com/_services/token",
                "github.example.com",
            ),
            ("https://GitLab.com/api/v4", "gitlab.com"),
            ("https://gitlab.com:443", "gitlab.com"),
            ("http://git.example.com:3000/api/v1", "git.example.com:3000"),
            ("http://[::1]:3000", "[::1]:3000"),
        ];
        for (url, name) in names {
            assert_eq!(forge_of(&url.parse().expect("a URL")), name, "{url}");
        }
    }

    #[test]
    fn a_host_that_only_looks_like_one_of_github_keeps_its_own_name() {
        for host in [
            "api.github.com.example.com",
            "api.ghe.com",
            "api.ghe.com.example.com",
            "api.a.b.ghe.com",
            "api.gitlab.example.com",
            "ghe.com",
        ] {
            let url = format!("https://{host}/api").parse().expect("a URL");
            assert_eq!(forge_of(&url), host);
        }
    }
}
