//! `coverage-dashboard token`: creates, lists and revokes tokens in a database whose service may be running.

use crate::commands::{CommandError, database::DatabaseArguments, refuse, terminal::table};
use crate::operations::new_token::{NewToken, lifetime, token_name};
use clap::{
    Args, Subcommand,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use domain::{OrgName, RepoName, Timestamp};
use std::{io::Write, time::Duration};
use store::{Purpose, Scope, Store, StoreError, Token, actor::Actor, now};

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

    /// With --for read: in the form of a UUID, which Codecov's browser extension requires.
    #[arg(long)]
    pub uuid: bool,
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
    if new.uuid && new.purpose != Purpose::Read {
        // A mistyped one would be taken for the token of a forge, and sent there.
        return refuse("only a read token can be a UUID; add --for read");
    }
    let (by, is_uuid) = (Actor::command(), new.uuid);
    let new = NewToken::new(
        new.name,
        new.purpose,
        Scope::new(new.org, new.repo),
        new.expires,
    );
    let new = if is_uuid { new.into_uuid() } else { new };
    let made = match new.make(store, &by).await {
        Err(StoreError::NameTaken) => {
            return refuse(format!(
                "there is a token called {} already; revoke it first, or choose another name",
                new.name
            ));
        }
        made => made?,
    };
    let printed = writeln!(notes, "{} The token is shown only once:", new.sentence())
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
