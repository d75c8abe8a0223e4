//! `coverage-dashboard token`: creates, lists and revokes tokens in a database whose service may be running.

use crate::commands::{CommandError, database::DatabaseArguments, refuse, terminal::table};
use access::Tokens;
use clap::{
    Args, Subcommand,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use domain::{OrgName, RepoName, Timestamp};
use std::{io::Write, time::Duration};
use store::{Purpose, Scope, Store, StoreError, Token, actor::Actor, now};

/// The longest lifetime of a token, in years.
const MAX_YEARS: u64 = 100;

/// What to do, and in which database.
#[derive(Clone, Debug, Args)]
pub struct TokenArguments {
    #[command(flatten)]
    pub database: DatabaseArguments,

    #[command(subcommand)]
    pub action: TokenAction,
}

/// What can be done with tokens. Changes take effect on the next request.
#[derive(Clone, Debug, Subcommand)]
pub enum TokenAction {
    /// Create a token and print it once. Only its hash is stored.
    Create(CreateToken),
    /// List the names, scopes and last uses of the tokens.
    List {
        /// Include revoked tokens.
        #[arg(long)]
        all: bool,
    },
    /// Revoke a token.
    Revoke {
        /// Its name or its id, as `token list` prints them.
        token: String,
    },
}

/// A new token.
#[derive(Clone, Debug, Args)]
pub struct CreateToken {
    /// Its name, such as the place where it will be used. Two valid tokens cannot have the same name.
    #[arg(long, value_parser = token_name)]
    pub name: String,

    /// Only for repositories of this org and its groups.
    #[arg(long)]
    pub org: Option<OrgName>,

    /// Only for this repository of the org.
    #[arg(long, requires = "org")]
    pub repo: Option<RepoName>,

    /// How long it is valid, such as 90d, 12h or 1y [default: until it is revoked].
    #[arg(long, value_parser = lifetime)]
    pub expires: Option<Duration>,

    /// What it is for: upload; read, where reading is protected; or admin, which may also delete uploads, and read the
    /// audit log and the settings.
    #[arg(long = "for", value_parser = purpose(), default_value = Purpose::Upload.word())]
    pub purpose: Purpose,
}

fn purpose() -> impl TypedValueParser<Value = Purpose> {
    let values = Purpose::ALL.iter().map(|purpose| match purpose {
        Purpose::Upload => PossibleValue::new(purpose.word()).help("To upload"),
        Purpose::Read => PossibleValue::new(purpose.word()).help("To read, if reading is protected"),
        Purpose::Admin => PossibleValue::new(purpose.word()).help(
            "To delete uploaded data and to read the audit log; also to read, if reading is protected",
        ),
    });
    let names = PossibleValuesParser::new(values);
    names.map(|name| name.parse().unwrap_or(Purpose::Upload))
}

fn token_name(text: &str) -> Result<String, &'static str> {
    let text = text.trim();
    // Bidirectional control characters make a list show text that differs from the stored text.
    let is_hidden = |char: char| {
        char.is_control() || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let is_name = (1..=100).contains(&text.len()) && !text.chars().any(is_hidden);
    // A token is revoked by its name or its number.
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    if is_name && !is_number {
        Ok(text.to_owned())
    } else {
        Err("must be 1 to 100 bytes without control characters, and not a number")
    }
}

fn lifetime(text: &str) -> Result<Duration, String> {
    let lifetime = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    let longest = Duration::from_secs(MAX_YEARS * 366 * 86_400);
    if lifetime.is_zero() || lifetime > longest {
        Err(format!("must be more than 0 and at most {MAX_YEARS} years"))
    } else {
        Ok(lifetime)
    }
}

pub(crate) async fn run(
    arguments: TokenArguments,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
    // A token in a new database would have no effect.
    let act = async |store: &Store, notes: &mut _| match arguments.action {
        TokenAction::Create(new) => create(store, new, out, notes).await,
        TokenAction::List { all } => list(store, all, out).await,
        TokenAction::Revoke { token } => revoke(store, &token, notes).await,
    };
    arguments.database.with(notes, act).await
}

async fn create(
    store: &Store,
    new: CreateToken,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
    let (name, purpose, scope) = (new.name, new.purpose, Scope::new(new.org, new.repo));
    let expires_at = new.expires.map(|lifetime| {
        let microseconds = i64::try_from(lifetime.as_micros()).unwrap_or(i64::MAX);
        Timestamp(now().0.saturating_add(microseconds))
    });
    let by = Actor::command();
    let made = Tokens::new(None, store.clone())
        .make(&name, purpose, &scope, expires_at, &by)
        .await;
    let made = match made {
        Err(StoreError::NameTaken) => {
            return refuse(format!(
                "there is a token called {name} already; revoke it first, or choose another name"
            ));
        }
        made => made?,
    };
    let end = expires_at.map_or("until it is revoked".to_owned(), |at| {
        format!("until {}", at.long())
    });
    let permission = match purpose {
        Purpose::Upload => format!("upload to {scope}"),
        Purpose::Read => format!("read {scope}"),
        Purpose::Admin => {
            format!("delete from {scope}, and read its records, its audit log and settings")
        }
    };
    let printed = writeln!(
        notes,
        "{name} may {permission}, {end}. The token is shown only once:"
    )
    .and_then(|()| writeln!(out, "{}", made.token))
    .and_then(|()| out.flush());
    if printed.is_err() {
        // The token could not be printed, so nobody can use it.
        store.operator().revoke_token(made.id, &by).await?;
    }
    Ok(printed?)
}

async fn list(store: &Store, all: bool, out: &mut impl Write) -> Result<(), CommandError> {
    let tokens = store.operator().tokens().await?;
    let now = now();
    let shown: Vec<_> = tokens
        .iter()
        .filter(|token| all || token.revoked_at.is_none())
        .map(|token| row(token, now))
        .collect();
    if shown.is_empty() {
        writeln!(
            out,
            "There is no valid token. To create one: coverage-dashboard token create --name ci"
        )?;
        return Ok(());
    }
    let titles = [
        "ID",
        "NAME",
        "FOR",
        "SCOPE",
        "TOKEN",
        "CREATED",
        "LAST USED",
        "EXPIRES",
    ];
    table(out, titles, &shown)?;
    Ok(())
}

fn row(token: &Token, now: Timestamp) -> [String; 8] {
    let or_never = |at: Option<String>| at.unwrap_or_else(|| "never".to_owned());
    let expires = match (token.revoked_at, token.expires_at) {
        (Some(at), _) => format!("revoked {}", at.day()),
        (None, Some(at)) if at <= now => format!("expired {}", at.day()),
        (None, at) => or_never(at.map(Timestamp::day)),
    };
    [
        token.id.to_string(),
        token.name.clone(),
        token.purpose.word().to_owned(),
        token.scope.to_string(),
        format!("…{}", token.hint),
        token.created_at.day(),
        or_never(token.last_used_at.map(|at| at.age(now))),
        expires,
    ]
}

async fn revoke(store: &Store, text: &str, notes: &mut impl Write) -> Result<(), CommandError> {
    let tokens = store.operator().tokens().await?;
    let is_meant = |token: &&Token| {
        token.revoked_at.is_none() && (token.name == text || token.id.to_string() == text)
    };
    let meant: Vec<_> = tokens.iter().filter(is_meant).collect();
    let token = match meant[..] {
        [] => {
            return refuse(format!(
                "there is no valid token with the name or id {text}; `coverage-dashboard token list` shows all"
            ));
        }
        [token] => token,
        _ => {
            return refuse(format!(
                "{text} is the name of one token and the id of another; use the other identifier of the token that you mean"
            ));
        }
    };
    store
        .operator()
        .revoke_token(token.id, &Actor::command())
        .await?;
    writeln!(notes, "{} was revoked.", token.name)?;
    Ok(())
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
