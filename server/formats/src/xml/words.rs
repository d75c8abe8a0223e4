//! Searches short texts eight bytes at a time: a loop over single bytes would mostly wait for its own end.

/// The lowest and the highest bit of each byte of a word.
const LOW: u64 = u64::MAX / 255;
const HIGH: u64 = LOW << 7;

/// Most values are a few digits, for which a call of `memchr` does not pay off; paths are long.
const SHORT_WORDS: usize = 2;

/// The index of the first `wanted` byte in `text`.
#[inline]
pub(super) fn find(wanted: u8, text: &[u8]) -> Option<usize> {
    let mut rest = text;
    for _ in 0..SHORT_WORDS {
        let Some((word, after)) = rest.split_first_chunk() else {
            break;
        };
        // Wanted bytes are zero here. Bits above the first set bit may be wrong.
        let word = u64::from_le_bytes(*word) ^ (LOW * u64::from(wanted));
        let found = word.wrapping_sub(LOW) & !word & HIGH;
        if found != 0 {
            return Some(text.len() - rest.len() + first(found));
        }
        rest = after;
    }
    Some(text.len() - rest.len() + memchr::memchr(wanted, rest)?)
}

/// The number of ASCII letters at the start of `text`, up to eight. 0 if `text` is shorter than eight bytes.
#[inline]
pub(super) fn letters(text: &[u8]) -> usize {
    let Some(word) = text.first_chunk() else {
        return 0;
    };
    let word = u64::from_le_bytes(*word);
    // Sets the highest bit of bytes from `first` on; no byte carries into the next.
    let from = |first: u8| ((word | (LOW * 0x20)) & !HIGH) + LOW * u64::from(0x80 - first);
    let letters = from(b'a') & !from(b'z' + 1) & !word;
    match !letters & HIGH {
        0 => 8,
        others => first(others),
    }
}

/// A text of up to 16 bytes that is compared in one step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Short {
    words: [u64; 2],
    masks: [u64; 2],
}

impl Short {
    /// The first `len` bytes of `text`. `None` if `len` is over 16, or if `text` has fewer than 16 bytes.
    #[inline]
    pub(super) fn new(text: &[u8], len: usize) -> Option<Self> {
        let words = two_words(text).filter(|_| len <= 16)?;
        let mask = |len: usize| u64::MAX.checked_shr(64 - 8 * len as u32).unwrap_or(0);
        let masks = [mask(len.min(8)), mask(len.saturating_sub(8))];
        let words = [words[0] & masks[0], words[1] & masks[1]];
        Some(Self { words, masks })
    }

    /// Whether `text` starts with this text. `false` if `text` has fewer than 16 bytes.
    #[inline]
    pub(super) fn starts(&self, text: &[u8]) -> bool {
        two_words(text).is_some_and(|words| {
            words[0] & self.masks[0] == self.words[0] && words[1] & self.masks[1] == self.words[1]
        })
    }
}

#[inline]
fn two_words(text: &[u8]) -> Option<[u64; 2]> {
    let (first, after) = text.split_first_chunk()?;
    let second = after.first_chunk()?;
    Some([u64::from_le_bytes(*first), u64::from_le_bytes(*second)])
}

/// The index of the first byte of a word whose highest bit is set.
#[inline]
fn first(bits: u64) -> usize {
    bits.trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_found_at_every_place() {
        for wanted in 0..=255 {
            for len in 0..40 {
                let mut text = vec![wanted ^ 1; len];
                assert_eq!(find(wanted, &text), None);
                for at in (0..len).rev() {
                    text[at] = wanted;
                    assert_eq!(find(wanted, &text), Some(at), "{wanted} in {text:?}");
                }
            }
        }
    }

    #[test]
    fn a_short_text_is_recognised_only_where_it_is() {
        let text: Vec<u8> = (0..32).collect();
        for len in 0..=16 {
            let short = Short::new(&text, len).expect("a short text");
            assert!(short.starts(&text));
            assert!(!short.starts(&text[..15]), "too little to compare");
            for at in 0..16 {
                let mut other = text.clone();
                other[at] ^= 0x80;
                assert_eq!(
                    short.starts(&other),
                    at >= len,
                    "{len} bytes, changed at {at}"
                );
            }
        }
        assert!(Short::new(&text, 17).is_none());
        assert!(Short::new(&text[..15], 3).is_none());
    }

    #[test]
    fn letters_are_counted_up_to_any_other_byte() {
        for other in (0..=255_u8).filter(|byte| !byte.is_ascii_alphabetic()) {
            for letter in [b'a', b'z', b'A', b'Z', b'm'] {
                for at in 0..8 {
                    let mut text = [letter; 9];
                    text[at] = other;
                    assert_eq!(letters(&text), at, "{text:?}");
                }
                assert_eq!(letters(&[letter; 8]), 8);
                assert_eq!(letters(&[letter; 7]), 0);
            }
        }
    }
}
