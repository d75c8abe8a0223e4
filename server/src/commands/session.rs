//! `coverage-dashboard session`: lists and ends the sessions of people who have logged in at the issuer.

use crate::commands::{CommandError, database::DatabaseArguments, refuse, terminal::table};
use clap::{Args, Subcommand};
use domain::{
    Timestamp,
    text::{counted, printed},
};
use std::io::Write;
use store::{Store, StoredSession, now};

/// What to do, and in which database.
#[derive(Clone, Debug, Args)]
pub struct SessionArguments {
    #[command(flatten)]
    pub database: DatabaseArguments,

    #[command(subcommand)]
    pub action: SessionAction,
}

/// What can be done with sessions. Changes take effect on the next request.
#[derive(Clone, Debug, Subcommand)]
pub enum SessionAction {
    /// List who is logged in.
    List,
    /// End the sessions of a person, or of everybody.
    End(EndSessions),
}

/// Whose sessions end.
#[derive(Clone, Debug, Args)]
#[group(required = true, multiple = false)]
pub struct EndSessions {
    /// The name or the identifier of the person, as `session list` prints them.
    #[arg(long)]
    pub person: Option<String>,

    /// Everybody.
    #[arg(long)]
    pub all: bool,
}

pub(crate) async fn run(
    arguments: SessionArguments,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
    let act = async |store: &Store, notes: &mut _| match arguments.action {
        SessionAction::List => list(store, out).await,
        SessionAction::End(whose) => end(store, whose, notes).await,
    };
    arguments.database.with(notes, act).await
}

async fn list(store: &Store, out: &mut impl Write) -> Result<(), CommandError> {
    let sessions = store.operator().sessions().await?;
    if sessions.is_empty() {
        writeln!(out, "Nobody is logged in at an issuer.")?;
        return Ok(());
    }
    let now = now();
    let rows: Vec<_> = sessions.iter().map(|session| row(session, now)).collect();
    let titles = ["PERSON", "IDENTIFIER", "GROUPS", "LOGGED IN", "UNTIL"];
    table(out, titles, &rows)?;
    Ok(())
}

fn row(session: &StoredSession, now: Timestamp) -> [String; 5] {
    [
        printed(&session.person),
        printed(&session.subject),
        printed(session.groups.join(", ")),
        session.created_at.age(now),
        session.expires_at.long(),
    ]
}

async fn end(
    store: &Store,
    whose: EndSessions,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
    let ended = store
        .operator()
        .end_sessions(whose.person.as_deref())
        .await?;
    if let Some(person) = whose.person.filter(|_| ended == 0) {
        return refuse(format!(
            "{person} is not logged in; `coverage-dashboard session list` shows who is"
        ));
    }
    writeln!(notes, "{} ended.", counted(ended, "session"))?;
    Ok(())
}
