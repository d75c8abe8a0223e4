//! Front-coded texts: of each text, only the difference from the previous text is stored.

use super::number;

/// Appends `text`: the number of bytes shared with `before`, the number of other bytes, and these bytes.
pub(crate) fn write(bytes: &mut Vec<u8>, before: &[u8], text: &[u8]) {
    let shared = text.iter().zip(before).take_while(|(a, b)| a == b).count();
    // Texts are parts of encodings of at most 64 MiB.
    let length = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
    number::write(bytes, length(shared));
    number::write(bytes, length(text.len() - shared));
    bytes.extend_from_slice(&text[shared..]);
}

/// Reads a text. `text` holds the previous text before, and this text after.
pub(crate) fn read(bytes: &mut &[u8], text: &mut Vec<u8>) -> Option<()> {
    let shared = number::read(bytes)? as usize;
    let added = number::read(bytes)? as usize;
    let (added, after) = bytes.split_at_checked(added)?;
    *bytes = after;
    if text.len() < shared {
        return None;
    }
    text.truncate(shared);
    text.extend_from_slice(added);
    Some(())
}
