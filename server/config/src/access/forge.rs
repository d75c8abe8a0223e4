//! The name of a forge, independent of which of its addresses is used.

use reqwest::Url;

/// The host of a forge, with its port unless that is the default, and with its path if it has one.
///
/// So the API and the issuer of a forge have the same name, although GitHub has different hosts for them.
pub fn forge_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    if let Some(github) = of_github(&host) {
        return github.to_owned();
    }
    let path = url.path().trim_end_matches('/');
    let mut begins = path.match_indices('/').filter(|(at, _)| {
        let segment = path[at + 1..].split('/').next();
        segment.is_some_and(|segment| BELOW.contains(&segment))
    });
    let path = begins.next_back().map_or(path, |(at, _)| &path[..at]);
    match url.port() {
        Some(port) => format!("{host}:{port}{path}"),
        None => format!("{host}{path}"),
    }
}

/// The paths of APIs and issuers below the address of a forge.
const BELOW: [&str; 2] = ["api", "_services"];

fn of_github(host: &str) -> Option<&str> {
    match host {
        "api.github.com" | "token.actions.githubusercontent.com" => Some("github.com"),
        _ => of_enterprise_cloud(host),
    }
}

/// `octo.ghe.com` for hosts of GitHub Enterprise Cloud with data residency.
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
    fn a_forge_has_one_name_for_all_its_hosts() {
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
            ("https://example.com/gitlab/api/v4", "example.com/gitlab"),
            ("https://example.com/gitlab", "example.com/gitlab"),
            ("https://example.com/apis-a/api/v1", "example.com/apis-a"),
            ("https://example.com/gitea/api/v1/", "example.com/gitea"),
        ];
        for (url, name) in names {
            assert_eq!(forge_of(&url.parse().expect("a URL")), name, "{url}");
        }
    }

    #[test]
    fn a_host_that_resembles_github_keeps_its_own_name() {
        for host in [
            "api.github.com.example.com",
            "api.ghe.com",
            "api.ghe.com.example.com",
            "api.a.b.ghe.com",
            "api.gitlab.example.com",
            "ghe.com",
        ] {
            let url = format!("https://{host}/api/v4").parse().expect("a URL");
            assert_eq!(forge_of(&url), host);
        }
    }
}
