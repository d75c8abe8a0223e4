//! `coverage-dashboard token`: makes, lists and revokes tokens in a database whose service may be running.

use crate::{
    auth::Tokens,
    commands::database,
    config::{CreateToken, TokenAction, TokenArguments},
    store::{Purpose, Scope, Store, StoreError, Token, actor::Actor, now},
};
use domain::Timestamp;
use std::io::{self, Write};
use thiserror::Error;

/// Why the command did not do what it was asked for.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TokenCommandError {
    /// The database failed.
    #[error("cannot use the database")]
    Store(#[from] StoreError),
    /// A token in force has that name.
    #[error("there is a token called {0} already; revoke it first, or choose another name")]
    NameTaken(String),
    /// No token in force is meant.
    #[error(
        "there is no token in force with the name or id {0}; `coverage-dashboard token list` shows all"
    )]
    Unknown(String),
    /// One token has the text for its name, another one for its id.
    #[error(
        "{0} is the name of one token and the id of another; name the one by its id, the other by its name"
    )]
    Ambiguous(String),
    /// The output was closed.
    #[error("cannot print")]
    Output(#[from] io::Error),
}

/// Does what the command line says. What is to be used goes to `out`, what is for people to `notes`.
///
/// # Errors
///
/// When it cannot be done; nothing has changed then.
pub async fn run(
    arguments: TokenArguments,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), TokenCommandError> {
    // Also to make a token: one in a database that no service uses would be good for nothing.
    let store = database::open(&arguments.database_url, notes).await?;
    let done = match arguments.action {
        TokenAction::Create(create) => make(&store, create, out, notes).await,
        TokenAction::List { all } => list(&store, all, out).await,
        TokenAction::Revoke { token } => revoke(&store, &token, notes).await,
    };
    store.close().await;
    done
}

async fn make(
    store: &Store,
    create: CreateToken,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), TokenCommandError> {
    let CreateToken {
        name,
        org,
        repo,
        expires,
        purpose,
    } = create;
    if purpose == Purpose::Read && org.is_some() {
        writeln!(
            notes,
            "Whoever may read, reads everything: --org does not restrict reading."
        )?;
    }
    let scope = match purpose {
        Purpose::Upload | Purpose::Admin => Scope::new(org, repo),
        Purpose::Read => Scope::All,
    };
    let expires_at = expires.map(|lifetime| {
        let microseconds = i64::try_from(lifetime.as_micros()).unwrap_or(i64::MAX);
        Timestamp(now().0.saturating_add(microseconds))
    });
    let by = Actor::command();
    let made = Tokens::new(None, store.clone())
        .make(&name, purpose, &scope, expires_at, &by)
        .await;
    let made = match made {
        Err(StoreError::NameTaken) => return Err(TokenCommandError::NameTaken(name)),
        made => made?,
    };
    let end = expires_at.map_or("until it is revoked".to_owned(), |at| {
        format!("until {}", at.long())
    });
    let use_of_it = match purpose {
        Purpose::Upload => format!("upload to {scope}"),
        Purpose::Read => "read everything".to_owned(),
        Purpose::Admin => format!("delete from {scope}, read its audit log, and read everything"),
    };
    let printed = writeln!(
        notes,
        "{name} may {use_of_it}, {end}. It is shown this once:"
    )
    .and_then(|()| writeln!(out, "{}", made.token))
    .and_then(|()| out.flush());
    if printed.is_err() {
        // Nobody has seen it, and nobody ever will.
        store.revoke_token(made.id, &by).await?;
    }
    Ok(printed?)
}

async fn list(store: &Store, all: bool, out: &mut impl Write) -> Result<(), TokenCommandError> {
    let tokens = store.tokens().await?;
    let now = now();
    let shown: Vec<_> = tokens
        .iter()
        .filter(|token| all || token.revoked_at.is_none())
        .map(|token| row(token, now))
        .collect();
    if shown.is_empty() {
        writeln!(
            out,
            "There is no token in force. Make one: coverage-dashboard token create --name ci"
        )?;
        return Ok(());
    }
    let titles = [
        "ID",
        "NAME",
        "FOR",
        "SCOPE",
        "TOKEN",
        "MADE",
        "LAST USED",
        "EXPIRES",
    ];
    table(out, &titles.map(str::to_owned), &shown)?;
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
        token.purpose.name().to_owned(),
        token.scope.to_string(),
        format!("…{}", token.hint),
        token.created_at.day(),
        or_never(token.last_used_at.map(|at| at.age(now))),
        expires,
    ]
}

fn table<const N: usize>(
    out: &mut impl Write,
    titles: &[String; N],
    rows: &[[String; N]],
) -> io::Result<()> {
    let all = || std::iter::once(titles).chain(rows);
    let widths: [usize; N] = std::array::from_fn(|column| {
        let widths = all().map(|row| row[column].chars().count());
        widths.max().unwrap_or(0)
    });
    for row in all() {
        let cells = row.iter().zip(widths);
        let line: String = cells
            .map(|(cell, width)| format!("{cell:width$}  "))
            .collect();
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

async fn revoke(
    store: &Store,
    text: &str,
    notes: &mut impl Write,
) -> Result<(), TokenCommandError> {
    let tokens = store.tokens().await?;
    let is_meant = |token: &&Token| {
        token.revoked_at.is_none() && (token.name == text || token.id.to_string() == text)
    };
    let meant: Vec<_> = tokens.iter().filter(is_meant).collect();
    let token = match meant[..] {
        [] => return Err(TokenCommandError::Unknown(text.to_owned())),
        [token] => token,
        _ => return Err(TokenCommandError::Ambiguous(text.to_owned())),
    };
    store.revoke_token(token.id, &Actor::command()).await?;
    writeln!(
        notes,
        "{} is revoked: it is good for nothing any more.",
        token.name
    )?;
    Ok(())
}
