//! Finds keys of `coverage-dashboard.toml` that this release does not know.

/// The keys that a table may have.
const KEYS: [&str; 4] = ["parts", "carry", "partial", "gate"];
const GATE_KEYS: [&str; 8] = [
    "changed",
    "changed_min",
    "lost",
    "floor",
    "evaluate",
    "main",
    "paths",
    "parts",
];
const SCOPE_KEYS: [&str; 3] = ["changed", "lost", "floor"];

const NAMED_KEYS: usize = 5;

/// The most characters of a listed key.
const KEY_CHARACTERS: usize = 80;

/// Returns one sentence for each unknown key.
pub(super) fn notices(table: &toml::Table) -> Vec<String> {
    let unknown = unknown_keys(table);
    let more = unknown.len().saturating_sub(NAMED_KEYS);
    let mut notices: Vec<_> = unknown
        .iter()
        .take(NAMED_KEYS)
        .map(|key| format!("The settings have the unknown key {key}, which is ignored."))
        .collect();
    if more > 0 {
        notices.push(format!("The settings have {more} more unknown keys."));
    }
    notices
}

fn unknown_keys(table: &toml::Table) -> Vec<String> {
    let mut unknown = keys_beside(table, &KEYS, "");
    let Some(toml::Value::Table(gate)) = table.get("gate") else {
        return unknown;
    };
    unknown.extend(keys_beside(gate, &GATE_KEYS, "gate."));
    for kind in ["paths", "parts"] {
        let Some(toml::Value::Table(scopes)) = gate.get(kind) else {
            continue;
        };
        for (scope, limits) in scopes {
            if let toml::Value::Table(limits) = limits {
                let prefix = format!("gate.{kind}.{scope:?}.");
                unknown.extend(keys_beside(limits, &SCOPE_KEYS, &prefix));
            }
        }
    }
    unknown
}

fn keys_beside(table: &toml::Table, known: &[&str], prefix: &str) -> Vec<String> {
    let unknown = table.keys().filter(|key| !known.contains(&key.as_str()));
    unknown
        .map(|key| {
            let name = format!("{prefix}{}", key.escape_debug());
            name.chars().take(KEY_CHARACTERS).collect()
        })
        .collect()
}
