//! What each schema adds to the data of the one before it.

use super::older::execute;
use crate::harness::is_postgres;
use domain::DAY;
use sha2::{Digest, Sha256};
use sqlx::AnyConnection;
use std::time::{SystemTime, UNIX_EPOCH};

/// The first schema whose databases have the rows of a file, and its text: a migration that adds columns or tables adds a file.
const SEEDS: [(i64, &str); 6] = [
    (1, include_str!("seed/0.1.sql")),
    (4, include_str!("seed/main_records.sql")),
    (9, include_str!("seed/foreign_clients.sql")),
    (11, include_str!("seed/org_days.sql")),
    (12, include_str!("seed/parts_of_uploads.sql")),
    (13, include_str!("seed/main_repositories.sql")),
];

/// Tables whose ids PostgreSQL counts.
const COUNTED: [&str; 6] = [
    "repositories",
    "branches",
    "records",
    "tokens",
    "uploads",
    "audit",
];

/// The token that was seeded with this name, in the format of the first tokens.
pub fn token(name: &str) -> String {
    format!("cov_{}", &hash(name)[..40])
}

/// SHA-256 in hexadecimal.
fn hash(text: &str) -> String {
    let bytes = Sha256::digest(text);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes the rows of a schema. `report` is the size of the report in bytes.
pub async fn fill(database: &mut AnyConnection, schema: i64, report: usize) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let now = now.as_micros().to_string();
    for (_, text) in SEEDS.iter().filter(|(first, _)| *first <= schema) {
        let mut text = text
            .replace("{now}", &now)
            .replace("{day}", &DAY.to_string())
            .replace("{size of the report}", &report.to_string());
        for name in ["ci", "acme", "left", "root"] {
            text = text.replace(&format!("{{hash of {name}}}"), &hash(&token(name)));
        }
        execute(database, &with_bytes(&text)).await;
    }
    if is_postgres() {
        for table in COUNTED {
            let counted = format!(
                "select setval(pg_get_serial_sequence('{table}', 'id'), (select max(id) from {table}))"
            );
            execute(database, &counted).await;
        }
    }
}

/// Writes `{bytes 00ff}` as the engine does.
fn with_bytes(text: &str) -> String {
    let mut parts = text.split("{bytes ");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| {
        let (bytes, rest) = part.split_once('}').unwrap();
        if is_postgres() {
            format!("{text}decode('{bytes}', 'hex'){rest}")
        } else {
            format!("{text}x'{bytes}'{rest}")
        }
    })
}
