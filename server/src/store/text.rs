//! Texts as both engines keep them.

/// A text that may have come from anywhere. PostgreSQL keeps no NUL, whatever the encoding.
pub(super) fn storable(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// Whether a text can be a name: none has a control character, and PostgreSQL refuses a question with a NUL in it.
pub(super) fn can_be_name(text: &str) -> bool {
    !text.contains(char::is_control)
}
