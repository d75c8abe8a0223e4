//! The warning at startup if reading is protected and nobody can read.

use config::access::Access;
use store::{Purpose, Token, now};

pub(super) fn advice(access: &Access, tokens: &[Token]) -> Option<&'static str> {
    let has_proxy = access.user_header.0.is_some() && !access.trusted_proxies.is_empty();
    let reads = |token: &Token| {
        token.purpose != Purpose::Upload
            && token.revoked_at.is_none()
            && token.expires_at.is_none_or(|at| at > now())
    };
    let has_login = access.login.login_issuer.0.is_some();
    (!has_proxy && !has_login && !tokens.iter().any(reads)).then_some(
        "reading is protected and nobody can read yet: create a read token with \
         `coverage-dashboard token create --name … --for read`, set LOGIN_ISSUER, or set USER_HEADER and TRUSTED_PROXIES",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use domain::Timestamp;
    use store::Scope;

    #[derive(Parser)]
    struct Settings {
        #[command(flatten)]
        access: Access,
    }

    fn advice_for(arguments: &[&str], tokens: &[Token]) -> bool {
        let own = ["serve", "--protect-reading"];
        let Settings { access } = Settings::parse_from(own.iter().chain(arguments));
        advice(&access, tokens).is_some()
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
    fn the_operator_is_warned_of_settings_under_which_no_one_can_read() {
        let over = Token {
            expires_at: Some(Timestamp(1)),
            ..token(Purpose::Read)
        };
        let revoked = Token {
            revoked_at: Some(Timestamp(1)),
            ..token(Purpose::Read)
        };
        let (header, proxies) = (["--user-header", "x-user"], ["--trusted-proxies", "::1"]);
        assert!(advice_for(&[], &[]));
        assert!(advice_for(&[], &[token(Purpose::Upload), over, revoked]));
        assert!(advice_for(&header, &[]) && advice_for(&proxies, &[]));
    }

    #[test]
    fn the_operator_is_not_warned_if_someone_can_read() {
        let both = ["--user-header", "x-user", "--trusted-proxies", "::1"];
        assert!(!advice_for(&both, &[]));
        assert!(!advice_for(&[], &[token(Purpose::Read)]));
        assert!(!advice_for(&[], &[token(Purpose::Admin)]));
    }
}
