//! Marks missed changed lines in the diff of a pull request, on CI systems that read annotations from the log.
//!
//! GitHub, Gitea and Forgejo: workflow commands, <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>.

use super::Checked;
use crate::environment::variable;
use domain::text::printed;
use std::io::{self, Write};

/// GitHub shows at most ten annotations of one step.
const MOST: usize = 10;

pub(super) fn print(out: &mut impl Write, checked: &Checked) -> io::Result<()> {
    let runs_in_actions = ["GITHUB_ACTIONS", "GITEA_ACTIONS", "FORGEJO_ACTIONS"]
        .iter()
        .any(|name| variable(name).is_some());
    if !runs_in_actions {
        return Ok(());
    }
    let languages = checked.languages.iter();
    let changed = languages.flat_map(|judged| &judged.changed);
    let files = changed.flat_map(|changed| &changed.files);
    let missed = files.flat_map(|file| file.missed.iter().map(move |range| (&file.path, range)));
    for (path, &(first, last)) in missed.take(MOST) {
        let lines = if first == last {
            format!("Changed line {first} did not run")
        } else {
            format!("Changed lines {first} to {last} did not run")
        };
        let place = format!("file={},line={first},endLine={last}", property(path));
        writeln!(out, "::warning {place},title=Coverage::{lines}")?;
    }
    Ok(())
}

/// Escapes a property, so that a path cannot end it or start another command.
fn property(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in printed(text).chars() {
        match char {
            '%' => escaped.push_str("%25"),
            ':' => escaped.push_str("%3A"),
            ',' => escaped.push_str("%2C"),
            char => escaped.push(char),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_path_stays_one_property() {
        assert_eq!(
            super::property("a,line=1::b\n%"),
            "a%2Cline=1%3A%3Ab\u{fffd}%25"
        );
    }
}
