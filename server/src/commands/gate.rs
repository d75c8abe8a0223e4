//! `coverage-dashboard gate`: sets, shows and removes the gates of an operator in a database whose service may be running.

mod arguments;
mod show;

pub use arguments::GateArguments;

use super::{CommandError, refuse};
use arguments::{GateAction, GateOf};
use std::io::Write;
use store::{Named, Store, actor::Actor};

pub async fn run(
    arguments: GateArguments,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
    if let GateAction::Set(set) = &arguments.action
        && set.rules().is_empty()
    {
        return refuse("nothing was changed: name at least one rule, such as --changed 80");
    }
    let by = &Actor::command();
    let GateArguments { database, action } = arguments;
    database
        .with(notes, async |store, notes| {
            match action {
                GateAction::Set(set) => {
                    let of = named(store, &set.of, notes).await?;
                    let rules = store.operator().set_gate(&of, &set.rules(), by).await?;
                    writeln!(notes, "The gate of {of} is: {rules}.")?;
                }
                GateAction::Show(of) => {
                    let of = named(store, &of, notes).await?;
                    if !show::show(&store.operator().gate_sources(&of).await?, out)? {
                        writeln!(notes, "No rule is set for {of}.")?;
                    }
                }
                GateAction::Clear(of) => {
                    let of = named(store, &of, notes).await?;
                    match store.operator().clear_gate(&of, by).await? {
                        Some(rules) => {
                            writeln!(notes, "The gate of {of} is removed. It was: {rules}.")?
                        }
                        None => writeln!(notes, "{of} has no gate of its own.")?,
                    }
                }
            }
            Ok(())
        })
        .await
}

/// Returns the name in its first spelling. A name without uploads may be misspelt.
async fn named(store: &Store, of: &GateOf, notes: &mut impl Write) -> Result<Named, CommandError> {
    let of = of.named();
    match store.operator().stored_name(&of).await? {
        Some(stored) => Ok(stored),
        None => {
            writeln!(
                notes,
                "Nothing was ever uploaded to {of}; a gate counts from the first upload on."
            )?;
            Ok(of)
        }
    }
}
