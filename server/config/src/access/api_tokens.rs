//! The operator's own tokens for APIs of forges.

use super::VcsApi;
use crate::{Secret, access::forge_of, items};
use std::str::FromStr;

/// Tokens by the name of their forge. Errors never quote a token.
#[derive(Clone, Debug, Default)]
pub struct VcsApiTokens(Vec<(String, Secret)>);

impl VcsApiTokens {
    /// The token for an API.
    pub fn of(&self, api: &VcsApi) -> Option<&Secret> {
        let name = forge_of(&api.url);
        let own = self.0.iter().find(|(forge, _)| *forge == name);
        own.map(|(_, token)| token)
    }

    /// The forges that have a token.
    pub fn forges(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(forge, _)| forge.as_str())
    }
}

impl FromStr for VcsApiTokens {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let items = items(text).map(|item| {
            let (forge, token) = item
                .split_once('=')
                .ok_or("each token needs its forge, as in github.com=TOKEN")?;
            let (forge, token) = (forge.trim(), token.trim());
            if forge.is_empty() || forge.contains("://") {
                return Err("a forge is named by its host, as in github.com=TOKEN".to_owned());
            }
            if token.is_empty() {
                return Err(format!("{forge} has an empty token"));
            }
            Ok((forge.to_ascii_lowercase(), Secret::from(token)))
        });
        items.collect::<Result<_, String>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{ApiKind, ListedUrls};

    #[test]
    fn a_token_is_found_by_the_forge_of_an_api() {
        let tokens: VcsApiTokens = "github.com=secret-a, git.example:3000=b=c"
            .parse()
            .expect("tokens");
        let of = |api: &str| {
            let apis: ListedUrls<ApiKind> = api.parse().expect("an API");
            let api = apis.iter().next().expect("one").clone();
            tokens.of(&api).map(|token| token.expose().to_owned())
        };
        assert_eq!(
            of("github=https://api.github.com").as_deref(),
            Some("secret-a")
        );
        assert_eq!(
            of("gitea=http://git.example:3000/api/v1").as_deref(),
            Some("b=c")
        );
        assert_eq!(of("gitlab=https://gitlab.com/api/v4"), None);
        assert!(!format!("{tokens:?}").contains("secret"));
    }

    #[test]
    fn an_error_does_not_quote_a_token() {
        for bad in [
            "secret",
            "=secret",
            "https://api.github.com=secret",
            "github.com=",
        ] {
            let error = bad.parse::<VcsApiTokens>().expect_err("refused");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
