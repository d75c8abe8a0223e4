//! The command line of `coverage-dashboard token`.

use crate::store::Purpose;
use clap::{Args, Subcommand};
use domain::{OrgName, RepoName};
use std::time::Duration;

/// The longest life of a token, in years: far enough to be no limit, near enough for every calendar.
const MOST_YEARS: u64 = 100;

/// Tokens: what to do, and in which database.
#[derive(Clone, Debug, Args)]
pub struct TokenArguments {
    /// The database of the service; it may be running.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/coverage.db",
        global = true
    )]
    pub database_url: String,

    /// What to do.
    #[command(subcommand)]
    pub action: TokenAction,
}

/// What can be done with tokens. A running service minds it at once.
#[derive(Clone, Debug, Subcommand)]
pub enum TokenAction {
    /// Make a token and print it: this once, as only its hash is kept.
    Create(CreateToken),
    /// List the tokens, without the tokens themselves.
    List {
        /// Those that were revoked too.
        #[arg(long)]
        all: bool,
    },
    /// Revoke a token, so that it is good for nothing any more.
    Revoke {
        /// Its name or its id, as the list has them.
        token: String,
    },
}

/// A token to be made.
#[derive(Clone, Debug, Args)]
pub struct CreateToken {
    /// What to call it, such as the place where it will be used; no two tokens in force have the same name.
    #[arg(long, value_parser = token_name)]
    pub name: String,

    /// Only for repositories of this org, and of the groups below it.
    #[arg(long)]
    pub org: Option<OrgName>,

    /// Only for this repository of the org.
    #[arg(long, requires = "org")]
    pub repo: Option<RepoName>,

    /// How long it is good, such as 90d, 12h or 1y [default: until it is revoked].
    #[arg(long, value_parser = lifetime)]
    pub expires: Option<Duration>,

    /// What it is for: uploading; reading, where reading is protected; or administration, which deletes what was uploaded,
    /// reads the audit log, and may read too.
    #[arg(long = "for", value_enum, default_value_t = Purpose::Upload)]
    pub purpose: Purpose,
}

fn token_name(text: &str) -> Result<String, &'static str> {
    let text = text.trim();
    // Marks that turn the direction of writing make a list show something else than is there.
    let is_hidden = |char: char| {
        char.is_control() || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let is_name = (1..=100).contains(&text.len()) && !text.chars().any(is_hidden);
    // A token is revoked by its name or its number.
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    match is_name && !is_number {
        true => Ok(text.to_owned()),
        false => Err("must be 1 to 100 bytes without control characters, and no number"),
    }
}

fn lifetime(text: &str) -> Result<Duration, String> {
    let lifetime = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    let most = Duration::from_secs(MOST_YEARS * 366 * 86_400);
    match lifetime.is_zero() || lifetime > most {
        false => Ok(lifetime),
        true => Err(format!(
            "must be more than nothing and at most {MOST_YEARS} years"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lifetime_is_written_with_units() {
        assert_eq!(lifetime("90d"), Ok(Duration::from_secs(90 * 86_400)));
        assert_eq!(lifetime("1h 30min"), Ok(Duration::from_secs(5_400)));
        assert!(lifetime("100y").is_ok());
        for bad in ["", "0s", "90", "-1d", "1000y", "soon"] {
            assert!(lifetime(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_name_fits_on_one_line() {
        assert_eq!(token_name(" ci "), Ok("ci".to_owned()));
        for bad in ["", "12", "  ", "a\nb", "a\u{202e}b", &"x".repeat(101)] {
            assert!(token_name(bad).is_err(), "{bad:?}");
        }
    }
}
