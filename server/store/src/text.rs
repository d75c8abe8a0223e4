//! Texts that both engines can store.

/// Replaces NUL in a text of any origin: PostgreSQL cannot store NUL in any encoding.
pub(super) fn storable(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// Whether a text can be a name: names have no control characters, and PostgreSQL rejects a query with a NUL in it.
pub(super) fn can_be_name(text: &str) -> bool {
    !text.contains(char::is_control)
}

const LONGEST_NAME: usize = 511;

/// Returns a `like` pattern, with `!` as its escape character, that finds `part` anywhere. Names are ASCII, so lower case is
/// enough. If `part` cannot be in a name, the pattern finds nothing.
pub(super) fn containing(part: &str) -> String {
    containing_as_written(&part.to_lowercase())
}

/// Like `containing`, for names that may have non-ASCII letters: engines fold their case differently.
pub(super) fn containing_as_written(part: &str) -> String {
    if part.len() > LONGEST_NAME || !can_be_name(part) {
        return String::new();
    }
    format!("%{}%", escaped(part))
}

/// Returns a `like` pattern for texts that start with `part`.
pub(super) fn starting_with(part: &str) -> String {
    format!("{}%", escaped(part))
}

fn escaped(part: &str) -> String {
    part.replace('!', "!!")
        .replace('%', "!%")
        .replace('_', "!_")
}

/// A column with a list of texts as JSON. An unreadable list is empty: it must not fail a page, and it gives no rights.
#[derive(sqlx::Type)]
#[sqlx(transparent)]
pub(super) struct Texts(String);

impl From<Texts> for Vec<String> {
    fn from(stored: Texts) -> Self {
        serde_json::from_str(&stored.0).unwrap_or_default()
    }
}

/// Texts and numbers can always be written as JSON.
pub(super) fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "[]".to_owned())
}
