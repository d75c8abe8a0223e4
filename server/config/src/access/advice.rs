//! Warnings about settings that are allowed but rarely intended.

use super::Access;
use reqwest::Url;
use std::net::IpAddr;

/// Forges where anybody can create an account.
const PUBLIC: [&str; 5] = [
    "api.github.com",
    "token.actions.githubusercontent.com",
    "gitlab.com",
    "codeberg.org",
    "gitea.com",
];

/// The length below which a token can be guessed.
const SHORT: usize = 20;

impl Access {
    /// The warnings, as sentences for the log.
    pub fn advice(&self) -> Vec<String> {
        let apis = self.vcs_api_urls.iter().map(|api| &api.url);
        let issuers = self.oidc_issuers.iter().map(|issuer| &issuer.url);
        let hosts = apis.chain(issuers);
        let login = self.login.login_issuer.0.iter();
        let login = login.flat_map(|login| [&login.url].into_iter().chain(&login.others));
        let (names_people, has_proxies) = (
            self.user_header.0.is_some(),
            !self.trusted_proxies.is_empty(),
        );
        let restricts = !self.login.read_orgs.is_every() && self.groups_header.0.is_none();
        let has_namesakes = self.identity_providers().len() > 1 && !self.upload_orgs.are_bound();
        let settings = [
            (
                names_people && !has_proxies,
                "USER_HEADER has no effect without TRUSTED_PROXIES; list the addresses of the proxies that set the header there",
            ),
            (
                names_people && has_proxies && restricts,
                "READ_ORGS has no effect on people whom a proxy names; set GROUPS_HEADER, or they read every org",
            ),
            (
                has_namesakes,
                "several forges may upload for orgs of the same name; bind each org to its forge in UPLOAD_ORGS, as in github.com:acme",
            ),
        ];
        let settings = settings.map(|(is_odd, advice)| is_odd.then(|| advice.to_owned()));
        hosts
            .flat_map(|url| [self.on_strangers(url), on_eavesdroppers(url)])
            .chain(login.map(on_eavesdroppers))
            .chain(settings)
            .chain([self.on_unknown(), self.on_guessing()])
            .flatten()
            .collect()
    }

    fn on_unknown(&self) -> Option<String> {
        let identity_providers = self.identity_providers();
        let mut forges = self.upload_orgs.forges();
        let unknown = forges.find(|forge| !identity_providers.contains(*forge))?;
        let listed: Vec<_> = identity_providers.iter().map(String::as_str).collect();
        Some(format!(
            "UPLOAD_ORGS binds orgs to {unknown}, which is not one of the listed forges: {}",
            listed.join(", ")
        ))
    }

    fn on_guessing(&self) -> Option<String> {
        let length = self.upload_token.0.as_ref()?.expose().len();
        (length < SHORT).then(|| {
            format!("UPLOAD_TOKEN has only {length} characters and can be guessed; use a token of `token create`")
        })
    }

    fn on_strangers(&self, url: &Url) -> Option<String> {
        let is_public = url.host_str().is_some_and(|host| PUBLIC.contains(&host));
        (is_public && self.upload_orgs.is_every()).then(|| {
            format!("anybody with an account at {url} can upload to their own org; list your orgs in UPLOAD_ORGS")
        })
    }
}

fn on_eavesdroppers(url: &Url) -> Option<String> {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    let is_here = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
    (url.scheme() == "http" && !is_here)
        .then(|| format!("tokens and keys are sent to {url} without encryption; use https"))
}

#[cfg(test)]
mod tests {
    use crate::access::testing::parsed;

    fn advice(arguments: &[&str]) -> usize {
        parsed(arguments).advice().len()
    }

    #[test]
    fn a_public_service_without_a_list_of_orgs_is_advised_against() {
        let github = ["--vcs-api-urls", "github=https://api.github.com"];
        assert_eq!(advice(&github), 1);
        assert_eq!(
            advice(&[&github[..], &["--upload-orgs", "acme"]].concat()),
            0
        );
        assert_eq!(advice(&["--oidc-issuers", "gitlab=https://gitlab.com"]), 1);
        assert_eq!(
            advice(&["--oidc-issuers", "gitlab=https://gitlab.example.com"]),
            0
        );
    }

    #[test]
    fn a_header_for_users_without_a_trusted_proxy_is_advised_against() {
        let header = ["--user-header", "x-user"];
        assert_eq!(advice(&header), 1);
        assert_eq!(
            advice(&[&header[..], &["--trusted-proxies", "::1"]].concat()),
            0
        );
        assert_eq!(advice(&["--trusted-proxies", "::1"]), 0);
    }

    #[test]
    fn orgs_that_two_forges_could_claim_should_be_bound() {
        let two = [
            "--vcs-api-urls",
            "gitlab=https://a.example/api/v4,gitea=https://b.example/api/v1",
        ];
        let with = |orgs| advice(&[&two[..], &["--upload-orgs", orgs]].concat());
        assert_eq!(
            (advice(&two), with("acme"), with("a.example:acme")),
            (1, 1, 0)
        );
        let twice = with("a.example:x,b.example:x");
        assert_eq!((twice, with("https://a.example:acme")), (1, 1));
        let one = [
            "--vcs-api-urls",
            "gitlab=https://a.example/api/v4",
            "--oidc-issuers",
            "gitlab=https://a.example",
        ];
        assert_eq!(advice(&one), 0);
    }

    #[test]
    fn a_token_that_can_be_guessed_is_advised_against() {
        assert_eq!(advice(&["--upload-token", "1234"]), 1);
        assert_eq!(advice(&["--upload-token", "0123456789abcdef0123"]), 0);
    }

    #[test]
    fn unencrypted_tokens_are_advised_against() {
        assert_eq!(
            advice(&["--vcs-api-urls", "gitea=http://git.example.com/api/v1"]),
            1
        );
        assert_eq!(
            advice(&["--vcs-api-urls", "gitea=http://127.0.0.1:3000/api/v1"]),
            0
        );
        assert_eq!(
            advice(&["--vcs-api-urls", "gitea=http://[::1]:3000/api/v1"]),
            0
        );
    }
}
