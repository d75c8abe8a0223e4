//! The keys of reports, and where a report with a key is stored.

/// A new random key.
pub(super) fn new() -> String {
    let random: u128 = rand::random();
    format!("{random:032x}")
}

/// Whether a text has the form of a key.
pub(super) fn is_key(text: &str) -> bool {
    text.len() == 32
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The path of a report below the folder or prefix. It is the same in both, so that an operator can copy one to the other.
pub(super) fn path_of(key: &str) -> String {
    let shard = key.get(..2).unwrap_or("00");
    format!("{shard}/{key}.zip")
}
