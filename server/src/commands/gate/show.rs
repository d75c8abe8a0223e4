//! Prints the rules in force, and where each comes from.

use domain::{GateRules, text::printed};
use std::{
    collections::BTreeSet,
    io::{self, Write},
};
use store::{GateSource, Named};

/// Prints a line for each rule. Returns false if there is no rule.
pub(super) fn show(sources: &[(GateSource, GateRules)], out: &mut impl Write) -> io::Result<bool> {
    let (mut lines, mut named) = (Vec::new(), BTreeSet::new());
    for (source, rules) in sources {
        for (name, value) in rules.list() {
            if named.insert(name.clone()) {
                lines.push((printed(name), value, from(source)));
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

fn from(source: &GateSource) -> String {
    match source {
        GateSource::Set(Named::Repository(repository)) => format!("repository {repository}"),
        GateSource::Set(Named::Org(org)) => format!("org {org}"),
        GateSource::Settings => "coverage-dashboard.toml of the main branch".to_owned(),
    }
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
