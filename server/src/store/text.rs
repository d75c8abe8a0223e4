//! Texts as both engines keep them.

/// A text that may have come from anywhere. PostgreSQL keeps no NUL, whatever the encoding.
pub(super) fn storable(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// Whether a text can be a name: none has a control character, and PostgreSQL refuses a question with a NUL in it.
pub(super) fn can_be_name(text: &str) -> bool {
    !text.contains(char::is_control)
}

/// No `org/repo` is longer.
const LONGEST_NAME: usize = 511;

/// A `like` pattern, with `!` for its escape, that finds `part` anywhere. Names are ASCII, so lower case is enough. What no
/// name can hold gives a pattern that finds nothing.
pub(super) fn containing(part: &str) -> String {
    containing_as_written(&part.to_lowercase())
}

/// The same for names that may have other letters: how engines fold those differs.
pub(super) fn containing_as_written(part: &str) -> String {
    if part.len() > LONGEST_NAME || !can_be_name(part) {
        return String::new();
    }
    let escaped = part
        .replace('!', "!!")
        .replace('%', "!%")
        .replace('_', "!_");
    format!("%{escaped}%")
}
