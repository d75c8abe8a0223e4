//! The login of people at an OpenID Connect issuer: flags, variables and their values.

mod issuer;
mod read_orgs;

pub use issuer::LoginIssuer;
pub use read_orgs::ReadOrgs;

use crate::config::{Optional, Secret};
use clap::Args;

/// The login of people at an issuer.
#[derive(Clone, Debug, Args)]
pub struct Login {
    /// The OpenID Connect issuer at which people log in, such as https://sso.example.com/realms/acme. Further addresses, after commas, are other hosts that its discovery document may name [default: none].
    #[arg(
        long,
        env = "LOGIN_ISSUER",
        default_value = "",
        hide_default_value = true
    )]
    pub login_issuer: Optional<LoginIssuer>,

    /// The id that the issuer gave this service. Register PUBLIC_URL/login/callback there.
    #[arg(
        long,
        env = "LOGIN_CLIENT_ID",
        default_value = "",
        hide_default_value = true
    )]
    pub login_client_id: String,

    /// The secret that belongs to that id, unless the issuer knows this service as a public client [default: none].
    #[arg(long, env = "LOGIN_CLIENT_SECRET")]
    pub login_client_secret: Option<Secret>,

    /// What this service asks of the issuer. Some issuers need `groups` too.
    #[arg(long, env = "LOGIN_SCOPES", default_value = "openid profile email")]
    pub login_scopes: String,

    /// The claim that has the groups of a person, such as groups, or realm_access.roles for a member of a claim.
    #[arg(long, env = "LOGIN_GROUPS_CLAIM", default_value = "groups")]
    pub login_groups_claim: String,

    /// The orgs, with their nested groups, that the members of groups of the issuer may read, such as acme=payments-team,acme/tools=tools-team,*=admins; * is all orgs [default: everyone who logs in reads all].
    #[arg(long, env = "READ_ORGS", default_value = "", hide_default_value = true)]
    pub read_orgs: ReadOrgs,
}

impl Login {
    /// The secret. An empty one counts as none, since compose files set empty variables.
    pub fn client_secret(&self) -> Option<&Secret> {
        let secret = self.login_client_secret.as_ref();
        secret.filter(|secret| !secret.expose().is_empty())
    }

    /// The scopes as a request has them: always with `openid`.
    pub fn scopes(&self) -> String {
        let scopes = self.login_scopes.split([' ', ',']);
        let others = scopes.filter(|scope| !["", "openid"].contains(scope));
        ["openid"]
            .into_iter()
            .chain(others)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The reason why the service cannot start with these settings, if there is one.
    pub fn mistake(&self, protects_reading: bool, has_public_url: bool) -> Option<&'static str> {
        let is_on = self.login_issuer.0.is_some();
        let mistakes = [
            (
                is_on && self.login_client_id.trim().is_empty(),
                "LOGIN_ISSUER needs LOGIN_CLIENT_ID, the id that the issuer gave this service",
            ),
            (
                is_on && !has_public_url,
                "LOGIN_ISSUER needs PUBLIC_URL, to which the issuer sends people back",
            ),
            (
                is_on && !protects_reading,
                "LOGIN_ISSUER needs PROTECT_READING, since without it everybody reads everything",
            ),
            (
                !is_on && !self.read_orgs.is_every(),
                "READ_ORGS needs LOGIN_ISSUER, whose groups it names",
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
        login: Login,
    }

    fn login(arguments: &[&str]) -> Login {
        Settings::parse_from(["serve"].iter().chain(arguments)).login
    }

    #[test]
    fn settings_that_contradict_each_other_are_a_mistake() {
        let issuer = ["--login-issuer", "https://sso.example.com"];
        let whole = [&issuer[..], &["--login-client-id", "coverage"]].concat();
        assert_eq!(login(&[]).mistake(false, false), None);
        assert_eq!(login(&whole).mistake(true, true), None);
        let named = |login: Login, protects, has_url, name: &str| {
            let mistake = login.mistake(protects, has_url);
            assert!(mistake.is_some_and(|text| text.contains(name)), "{name}");
        };
        named(login(&issuer), true, true, "LOGIN_CLIENT_ID");
        named(login(&whole), true, false, "PUBLIC_URL");
        named(login(&whole), false, true, "PROTECT_READING");
        named(login(&["--read-orgs", "acme=dev"]), true, true, "READ_ORGS");
    }

    #[test]
    fn a_request_always_has_the_scope_openid_once() {
        let scopes = |text| login(&["--login-scopes", text]).scopes();
        assert_eq!(scopes("profile, groups"), "openid profile groups");
        assert_eq!(scopes("openid email openid"), "openid email");
        assert_eq!(login(&[]).scopes(), "openid profile email");
    }
}
