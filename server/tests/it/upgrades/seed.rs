//! What each schema adds to the data of the one before it.

use super::older::execute;
use crate::harness::is_postgres;
use domain::DAY;
use sha2::{Digest, Sha256};
use sqlx::AnyConnection;
use std::{
    ops::RangeInclusive,
    time::{SystemTime, UNIX_EPOCH},
};

/// The schemas whose databases have the rows of a file, and its text.
type Seed = (RangeInclusive<i64>, &'static str);

macro_rules! seeds {
    ($($first:literal ..= $last:expr, $name:literal;)+) => {
        &[$(($first..=$last, include_str!(concat!("seed/", $name, ".sql")))),+]
    };
}

/// In the order in which they are written. Most rows are valid in all later schemas too.
const SEEDS: &[Seed] = seeds! {
    1..=i64::MAX, "0001_records";
    2..=i64::MAX, "0002_tokens";
    3..=19, "0003_loose_reports";
    4..=i64::MAX, "0004_uploads";
    5..=i64::MAX, "0005_access";
    6..=i64::MAX, "0006_main_records";
    7..=i64::MAX, "0007_record_details";
    12..=i64::MAX, "0012_listing";
    13..=i64::MAX, "0013_retention";
    14..=i64::MAX, "0014_names";
    15..=i64::MAX, "0015_confirmed";
    15..=19, "0015_once_confirmed";
    16..=i64::MAX, "0016_administration";
    18..=i64::MAX, "0018_report_bytes";
    20..=i64::MAX, "0020_orphaned_reports";
    22..=i64::MAX, "0022_week_ago";
    24..=i64::MAX, "0024_lines";
    25..=i64::MAX, "0025_paths";
    26..=i64::MAX, "0026_parts";
    27..=i64::MAX, "0027_changes";
    29..=i64::MAX, "0029_gates";
    30..=i64::MAX, "0030_unknown_changes";
    31..=i64::MAX, "0031_carried";
    33..=i64::MAX, "0033_comments";
    34..=i64::MAX, "0034_measured_commits";
    35..=i64::MAX, "0035_forges";
};

/// Tables whose ids PostgreSQL counts, with their first schema.
const COUNTED: [(i64, &str); 6] = [
    (1, "repositories"),
    (1, "branches"),
    (1, "records"),
    (2, "tokens"),
    (4, "uploads"),
    (16, "audit"),
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
    for (schemas, text) in SEEDS {
        if !schemas.contains(&schema) {
            continue;
        }
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
        for (_, table) in COUNTED.iter().filter(|(first, _)| *first <= schema) {
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
