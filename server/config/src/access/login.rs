//! The login of people at an OpenID Connect issuer: flags, variables and their values.

mod admin_groups;
mod read_orgs;

pub use admin_groups::AdminGroups;
pub use read_orgs::ReadOrgs;

use super::{Access, Issuer};
use crate::{Optional, Secret};
use clap::Args;

/// The login of people at an issuer.
#[derive(Clone, Debug, Args)]
pub struct Login {
    /// The OpenID Connect issuer at which people log in, such as https://sso.example.com/realms/acme. Further addresses, after commas, are other hosts that its discovery document may name [default: none].
    #[arg(long, env = "LOGIN_ISSUER", default_value = "")]
    pub login_issuer: Optional<Issuer>,

    /// The id that the issuer gave this service. Register PUBLIC_URL/login/callback there.
    #[arg(long, env = "LOGIN_CLIENT_ID", default_value = "")]
    pub login_client_id: String,

    /// The secret of LOGIN_CLIENT_ID; a public client has none [default: none].
    #[arg(long, env = "LOGIN_CLIENT_SECRET", default_value = "")]
    pub login_client_secret: Optional<Secret>,

    /// The scopes that the login requests. Some issuers need `groups` too.
    #[arg(long, env = "LOGIN_SCOPES", default_value = "openid profile email")]
    pub login_scopes: String,

    /// The claim that contains the groups of a person, such as groups, or realm_access.roles for a member of a claim.
    #[arg(long, env = "LOGIN_GROUPS_CLAIM", default_value = "groups")]
    pub login_groups_claim: String,

    /// The orgs, with their nested groups, that the members of a group may read, such as acme=payments-team,acme/tools=tools-team,*=admins; * is all orgs [default: everyone who logs in reads all].
    #[arg(long, env = "READ_ORGS", default_value = "")]
    pub read_orgs: ReadOrgs,

    /// The orgs, with their nested groups, that the members of a group may administer in the browser, such as acme=acme-leads,*=coverage-admins; * is all orgs [default: nobody].
    #[arg(long, env = "ADMIN_GROUPS", default_value = "")]
    pub admin_groups: AdminGroups,
}

impl Login {
    /// The scopes of a login request, always with `openid`.
    pub fn scopes(&self) -> String {
        let scopes = self.login_scopes.split([' ', ',']);
        let others = scopes.filter(|scope| !["", "openid"].contains(scope));
        let all: Vec<_> = ["openid"].into_iter().chain(others).collect();
        all.join(" ")
    }
}

impl Access {
    /// Returns why the service cannot start with these settings, if it cannot. `public_url` is `None` if PUBLIC_URL is
    /// not set.
    pub fn mistake(&self, public_url: Option<&str>) -> Option<&'static str> {
        let login = &self.login;
        let client = login.login_client_id.trim().trim_end_matches('/');
        let is_audience = public_url.is_some_and(|url| url.trim_end_matches('/') == client);
        let is_of_jobs = login.login_issuer.0.as_ref().is_some_and(|issuer| {
            let mut of_jobs = self.oidc_issuers.iter();
            of_jobs.any(|of_jobs| of_jobs.text == issuer.text)
        });
        let is_on = login.login_issuer.0.is_some();
        let has_groups = self.groups_header.0.is_some();
        let mistakes = [
            // An identity that was issued for another service must not be accepted.
            (
                !self.oidc_issuers.is_empty() && public_url.is_none(),
                "OIDC_ISSUERS needs PUBLIC_URL, the audience of identities: set it to the address that people and CI jobs use",
            ),
            (
                is_on && login.login_client_id.trim().is_empty(),
                "LOGIN_ISSUER needs LOGIN_CLIENT_ID, the id that the issuer gave this service",
            ),
            (
                is_on && public_url.is_none(),
                "LOGIN_ISSUER needs PUBLIC_URL: the login redirects to it",
            ),
            (
                is_audience && is_of_jobs,
                "LOGIN_CLIENT_ID must not be PUBLIC_URL, since OIDC_ISSUERS has the same issuer: the identity of a person could upload",
            ),
            (
                is_on && !self.protect_reading,
                "LOGIN_ISSUER needs PROTECT_READING, since without it everybody reads everything",
            ),
            (
                has_groups && self.user_header.0.is_none(),
                "GROUPS_HEADER needs USER_HEADER, in which the proxy names the person",
            ),
            (
                !is_on && !has_groups && !login.read_orgs.is_every(),
                "READ_ORGS needs LOGIN_ISSUER or GROUPS_HEADER: they supply the groups of a person",
            ),
            (
                !login.admin_groups.is_empty() && !(self.protect_reading && (is_on || has_groups)),
                "ADMIN_GROUPS needs PROTECT_READING, and LOGIN_ISSUER or GROUPS_HEADER: they supply the groups of a person",
            ),
        ];
        let mut mistakes = mistakes.into_iter();
        mistakes.find_map(|(is_made, mistake)| is_made.then_some(mistake))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Settings {
        #[command(flatten)]
        access: Access,
    }

    fn access(arguments: &[&str]) -> Access {
        Settings::parse_from(["serve"].iter().chain(arguments)).access
    }

    #[test]
    fn settings_that_contradict_each_other_are_a_mistake() {
        let issuer = ["--login-issuer", "https://sso.example.com"];
        let unprotected = [&issuer[..], &["--login-client-id", "coverage"]].concat();
        let whole = [&unprotected[..], &["--protect-reading"]].concat();
        let public_url = Some("https://coverage.example.com");
        assert_eq!(access(&[]).mistake(None), None);
        assert_eq!(access(&whole).mistake(public_url), None);
        let of_proxy = [
            "--user-header",
            "u",
            "--groups-header",
            "g",
            "--read-orgs",
            "acme=dev",
        ];
        assert_eq!(access(&of_proxy).mistake(public_url), None);
        let as_audience = [
            &issuer[..],
            &["--login-client-id", "https://coverage.example.com/"],
            &["--protect-reading"],
        ];
        let as_audience = as_audience.concat();
        assert_eq!(access(&as_audience).mistake(public_url), None);
        let with_jobs = |issuers| [&as_audience[..], &["--oidc-issuers", issuers]].concat();
        let of_another = with_jobs("github=https://ci.example.com");
        assert_eq!(access(&of_another).mistake(public_url), None);
        let with_jobs = with_jobs("gitlab=https://sso.example.com");
        for (arguments, public_url, name) in [
            (&issuer[..], public_url, "LOGIN_CLIENT_ID"),
            (&whole, None, "PUBLIC_URL"),
            (&unprotected, public_url, "PROTECT_READING"),
            (&with_jobs, public_url, "OIDC_ISSUERS"),
            (&["--read-orgs", "acme=dev"], public_url, "READ_ORGS"),
            (&["--groups-header", "g"], public_url, "GROUPS_HEADER"),
            (&["--admin-groups", "*=ops"], public_url, "ADMIN_GROUPS"),
        ] {
            let mistake = access(arguments).mistake(public_url);
            assert!(mistake.is_some_and(|text| text.contains(name)), "{name}");
        }
    }

    #[test]
    fn a_request_always_has_the_scope_openid_once() {
        let scopes = |text| access(&["--login-scopes", text]).login.scopes();
        assert_eq!(scopes("profile, groups"), "openid profile groups");
        assert_eq!(scopes("openid email openid"), "openid email");
        assert_eq!(access(&[]).login.scopes(), "openid profile email");
    }
}
