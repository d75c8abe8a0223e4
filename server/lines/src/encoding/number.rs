//! Numbers of variable length (unsigned LEB128), and texts.

pub(crate) fn write(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

/// Returns the encoded length of a number in bytes.
pub(crate) fn len(number: u32) -> usize {
    match number {
        0..0x80 => 1,
        0x80..0x4000 => 2,
        0x4000..0x20_0000 => 3,
        0x20_0000..0x1000_0000 => 4,
        _ => 5,
    }
}

/// Reads a number. `None` unless it has the shortest form.
pub(crate) fn read(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0_u64;
    for shift in (0..35).step_by(7) {
        let &byte = bytes.split_off_first()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            let is_shortest = byte > 0 || shift == 0;
            return u32::try_from(number).ok().filter(|_| is_shortest);
        }
    }
    None
}

/// Reads the number of the following items, each of at least `item` bytes. `None` if the bytes are too few.
pub(crate) fn read_length(bytes: &mut &[u8], item: usize) -> Option<usize> {
    let length = usize::try_from(read(bytes)?).ok()?;
    (length <= bytes.len() / item).then_some(length)
}

/// Appends a front-coded text: the number of bytes shared with the previous text, the number of other bytes, and these bytes.
pub(crate) fn write_text(bytes: &mut Vec<u8>, before: &[u8], text: &[u8]) {
    let shared = text.iter().zip(before).take_while(|(a, b)| a == b).count();
    // Texts are parts of encodings of at most 64 MiB.
    let length = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
    write(bytes, length(shared));
    write(bytes, length(text.len() - shared));
    bytes.extend_from_slice(&text[shared..]);
}

/// Reads a text. `text` holds the previous text before, and this text after.
pub(crate) fn read_text(bytes: &mut &[u8], text: &mut Vec<u8>) -> Option<()> {
    let shared = read(bytes)? as usize;
    let added = read(bytes)? as usize;
    let added = bytes.split_off(..added)?;
    if text.len() < shared {
        return None;
    }
    text.truncate(shared);
    text.extend_from_slice(added);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_written() {
        for number in [
            0,
            1,
            127,
            128,
            16_383,
            16_384,
            2_097_151,
            2_097_152,
            268_435_455,
            268_435_456,
            u32::MAX,
        ] {
            let mut bytes = Vec::new();
            write(&mut bytes, number);
            assert_eq!(bytes.len(), len(number), "{number}");
            bytes.push(7);
            let mut rest = bytes.as_slice();
            assert_eq!(read(&mut rest), Some(number));
            assert_eq!(rest, [7]);
        }
    }

    #[test]
    fn cut_long_and_large_numbers_are_refused() {
        for bytes in [
            &[][..],
            &[0x80],
            &[0x80, 0],
            &[0xff, 0xff, 0xff, 0xff, 0x10],
            &[0x80; 6],
        ] {
            assert_eq!(read(&mut &*bytes), None, "{bytes:?}");
        }
    }
}
