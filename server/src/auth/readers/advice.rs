//! What an operator should hear at a start with protected reading: settings under which nobody could read.

use crate::{
    config::access::Access,
    store::{Purpose, Token, now},
};

const NOBODY: &str = "reading is protected and nobody can read yet: make a read token with \
    `coverage-dashboard token create --name … --for read`, or set USER_HEADER and TRUSTED_PROXIES";

const NO_PROXY: &str = "USER_HEADER is set without TRUSTED_PROXIES: it is believed from nobody; \
    list the addresses of the proxies that set it";

/// Each a sentence, given all tokens that there are.
pub(super) fn advice(access: &Access, tokens: &[Token]) -> Vec<&'static str> {
    let has_header = access.user_header.0.is_some();
    let has_proxies = access.trusted_proxies != Default::default();
    let reads = |token: &Token| {
        token.purpose == Purpose::Read
            && token.revoked_at.is_none()
            && token.expires_at.is_none_or(|at| at > now())
    };
    let mut advice = Vec::new();
    if has_header && !has_proxies {
        advice.push(NO_PROXY);
    }
    if !(has_header && has_proxies) && !tokens.iter().any(reads) {
        advice.push(NOBODY);
    }
    advice
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Scope;
    use app::domain::Timestamp;
    use clap::Parser;

    #[derive(Parser)]
    struct Settings {
        #[command(flatten)]
        access: Access,
    }

    fn advice_for(arguments: &[&str], tokens: &[Token]) -> Vec<&'static str> {
        let own = ["serve", "--protect-reading"];
        let Settings { access } = Settings::parse_from(own.iter().chain(arguments));
        advice(&access, tokens)
    }

    fn token(purpose: Purpose) -> Token {
        Token {
            id: 1,
            name: String::new(),
            hash: String::new(),
            purpose,
            scope: Scope::All,
            hint: String::new(),
            created_at: Timestamp(0),
            expires_at: None,
            last_used_at: None,
            revoked_at: None,
        }
    }

    #[test]
    fn an_operator_hears_of_settings_under_which_nobody_can_read() {
        let over = Token {
            expires_at: Some(Timestamp(1)),
            ..token(Purpose::Read)
        };
        let revoked = Token {
            revoked_at: Some(Timestamp(1)),
            ..token(Purpose::Read)
        };
        let (header, proxies) = (["--user-header", "x-user"], ["--trusted-proxies", "::1"]);
        assert_eq!(advice_for(&[], &[]), [NOBODY]);
        assert_eq!(
            advice_for(&[], &[token(Purpose::Upload), over, revoked]),
            [NOBODY]
        );
        assert_eq!(advice_for(&header, &[]), [NO_PROXY, NOBODY]);
        assert_eq!(advice_for(&proxies, &[]), [NOBODY]);
    }

    #[test]
    fn an_operator_hears_nothing_where_somebody_can_read() {
        let both = ["--user-header", "x-user", "--trusted-proxies", "::1"];
        assert!(advice_for(&both, &[]).is_empty());
        assert!(advice_for(&[], &[token(Purpose::Read)]).is_empty());
    }
}
