//! What a start says of names that differ by case only: they stand for the same everywhere else, but nothing unites them by
//! itself.

use crate::{
    store::{Collision, Store},
    text::chain,
};

/// Collisions that are named, of each kind.
const NAMED: usize = 20;

/// Writes into the log which names collide, and what unites them.
pub(crate) async fn warn(store: &Store) {
    let collisions = match store.name_collisions().await {
        Ok(collisions) => collisions,
        Err(error) => {
            tracing::warn!(cause = chain(&error), "names were not compared");
            return;
        }
    };
    for (kind, option, all) in [
        ("organisations", " --org", &collisions.orgs),
        ("repositories", "", &collisions.repositories),
    ] {
        for collision in all.iter().take(NAMED) {
            tracing::warn!("{}", sentence(kind, option, collision));
        }
        let further = all.len().saturating_sub(NAMED);
        if further > 0 {
            tracing::warn!("{further} more {kind} have names that differ by case only");
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
        "there are {kind} whose names differ by case only, each with records of its own: {}; {} would unite them",
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
        let told = sentence("organisations", " --org", &names);
        assert!(told.contains("acme, ACME, Acme;"), "{told}");
        assert!(
            told.contains("`coverage-dashboard merge --org ACME acme` and `coverage-dashboard merge --org Acme acme`"),
            "{told}"
        );
    }
}
