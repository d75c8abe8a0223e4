//! Warns at the start about names that differ only by case. Other code treats such names as equal, and only a command
//! merges them.

use domain::text::chain;
use store::{Collision, Store};

/// The most collisions logged of each kind.
const MAX_LOGGED: usize = 20;

/// Logs which names collide, and the commands that merge them.
pub(crate) async fn warn(store: &Store) {
    let collisions = match store.operator().name_collisions().await {
        Ok(collisions) => collisions,
        Err(error) => {
            tracing::warn!(
                cause = chain(&error),
                "cannot check for names that differ only by case"
            );
            return;
        }
    };
    for (kind, option, all) in [
        ("orgs", " --org", &collisions.orgs),
        ("repositories", "", &collisions.repositories),
    ] {
        for collision in all.iter().take(MAX_LOGGED) {
            tracing::warn!("{}", sentence(kind, option, collision));
        }
        let others = all.len().saturating_sub(MAX_LOGGED);
        if others > 0 {
            tracing::warn!("{others} more {kind} have names that differ only by case");
        }
    }
}

fn sentence(kind: &str, option: &str, collision: &Collision) -> String {
    let (first, others) = match collision.as_slice() {
        [first, others @ ..] => (first.as_str(), others),
        [] => ("", &[][..]),
    };
    let commands: Vec<_> = others
        .iter()
        .map(|other| format!("`coverage-dashboard merge{option} {other} {first}`"))
        .collect();
    format!(
        "there are {kind} whose names differ only by case, each with its own records: {}; run {} to merge them",
        collision.join(", "),
        commands.join(" and ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collision_is_logged_with_the_commands_that_resolve_it() {
        let names = ["acme", "ACME", "Acme"].map(str::to_owned).to_vec();
        let text = sentence("orgs", " --org", &names);
        assert!(text.contains("acme, ACME, Acme;"), "{text}");
        assert!(
            text.contains("`coverage-dashboard merge --org ACME acme` and `coverage-dashboard merge --org Acme acme`"),
            "{text}"
        );
    }
}
