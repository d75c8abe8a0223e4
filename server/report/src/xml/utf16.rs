//! UTF-16 made into UTF-8, chunk by chunk.

/// A decoder that takes bytes as they come, also half characters.
#[derive(Debug)]
pub(super) struct Utf16 {
    big_endian: bool,
    /// The first byte of a unit whose second has not come yet.
    half: Option<u8>,
    /// The first unit of a pair whose second has not come yet.
    lead: Option<u16>,
}

impl Utf16 {
    pub(super) fn new(big_endian: bool) -> Self {
        Self {
            big_endian,
            half: None,
            lead: None,
        }
    }

    /// Appends to `text` what `bytes` complete; what is not UTF-16 becomes U+FFFD.
    pub(super) fn feed(&mut self, bytes: &[u8], text: &mut Vec<u8>) {
        for &byte in bytes {
            match self.half.take() {
                None => self.half = Some(byte),
                Some(first) if self.big_endian => {
                    self.unit(u16::from_be_bytes([first, byte]), text);
                }
                Some(first) => self.unit(u16::from_le_bytes([first, byte]), text),
            }
        }
    }

    fn unit(&mut self, unit: u16, text: &mut Vec<u8>) {
        let is_lead = (0xD800..0xDC00).contains(&unit);
        let is_trail = (0xDC00..0xE000).contains(&unit);
        match self.lead.take() {
            Some(lead) if is_trail => return push([lead, unit], text),
            Some(lead) => push([lead], text),
            None => {}
        }
        if is_lead {
            self.lead = Some(unit);
        } else {
            push([unit], text);
        }
    }
}

fn push<const N: usize>(units: [u16; N], text: &mut Vec<u8>) {
    for unit in char::decode_utf16(units) {
        let character = unit.unwrap_or(char::REPLACEMENT_CHARACTER);
        text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(units: &[u16], chunk: usize, big_endian: bool) -> String {
        let bytes: Vec<u8> = units
            .iter()
            .flat_map(|unit| {
                if big_endian {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                }
            })
            .collect();
        let mut decoder = Utf16::new(big_endian);
        let mut text = Vec::new();
        for chunk in bytes.chunks(chunk) {
            decoder.feed(chunk, &mut text);
        }
        String::from_utf8(text).expect("UTF-8")
    }

    #[test]
    fn characters_of_every_width_survive_chunks_of_every_size() {
        let text = "aé€𝄞z";
        let units: Vec<u16> = text.encode_utf16().collect();
        for chunk in 1..8 {
            assert_eq!(decoded(&units, chunk, false), text);
            assert_eq!(decoded(&units, chunk, true), text);
        }
    }

    #[test]
    fn surrogates_without_partner_become_replacement_characters() {
        let a = u16::from(b'a');
        assert_eq!(
            decoded(&[0xDC00, a, 0xD800, a], 3, false),
            "\u{FFFD}a\u{FFFD}a"
        );
        assert_eq!(
            decoded(&[0xD800, 0xD800, 0xDC00], 1, true),
            "\u{FFFD}\u{10000}"
        );
    }
}
