//! `coverage-dashboard gate`: sets, shows and removes the gates of an operator in a database whose service may be running.

mod arguments;

pub(crate) use arguments::GateArguments;

use super::{CommandError, refuse};
use arguments::{GateAction, GateOf};
use domain::{GateRules, text::printed};
use std::{
    collections::BTreeSet,
    io::{self, Write},
};
use store::{GateSource, Named, Store, actor::Actor};

pub(crate) async fn run(
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
                    if !show(&store.operator().gate_sources(&of).await?, out)? {
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

/// Prints a line for each rule. Returns false if there is no rule.
fn show(sources: &[(GateSource, GateRules)], out: &mut impl Write) -> io::Result<bool> {
    let (mut lines, mut named) = (Vec::new(), BTreeSet::new());
    for (source, rules) in sources {
        for (name, value) in rules.list() {
            if named.insert(name.clone()) {
                lines.push((printed(name), value, source.to_string()));
            }
        }
    }
    let longest = |of: fn(&(String, String, String)) -> usize| lines.iter().map(of).max();
    let names = longest(|(name, ..)| name.chars().count()).unwrap_or_default();
    let values = longest(|(_, value, _)| value.len()).unwrap_or_default();
    for (name, value, source) in &lines {
        writeln!(out, "{name:<names$}  {value:>values$}  {source}")?;
    }
    out.flush()?;
    Ok(!lines.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Limits;

    #[test]
    fn each_rule_is_shown_once_with_the_source_that_wins() {
        let rules = |changed, floor| GateRules {
            all: Limits {
                changed,
                lost: None,
                floor,
            },
            evaluate: Some(true),
            ..GateRules::default()
        };
        let org = Named::read("acme", true).expect("an org");
        let sources = [
            (GateSource::Set(org), rules(Some(80), None)),
            (GateSource::Settings, rules(Some(9), Some(7))),
        ];
        let mut hostile = rules(None, None);
        hostile.paths.insert(
            "::error::\u{202e}###vso[x".parse().expect("a pattern"),
            Limits {
                lost: Some(0),
                ..Limits::default()
            },
        );
        let mut out = Vec::new();
        assert!(show(&[(GateSource::Settings, hostile)], &mut out).expect("shown"));
        let text = String::from_utf8_lossy(&out).into_owned();
        assert!(text.contains(":error::\u{fffd}#vso[x: lost"), "{text}");
        assert!(!text.starts_with("::"), "{text}");
        let mut out = Vec::new();
        assert!(show(&sources, &mut out).expect("shown"));
        let expected = "changed     80  org acme\n\
                        evaluate  true  org acme\n\
                        floor        7  coverage-dashboard.toml of the main branch\n";
        assert_eq!(String::from_utf8_lossy(&out), expected);
        assert!(!show(&[], &mut Vec::new()).expect("shown"));
    }
}
