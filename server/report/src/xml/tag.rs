//! Reads tags with the usual syntax in one pass over their bytes.
//!
//! Start tags with attributes are nearly all of a coverage file. quick-xml reads their bytes twice: for the end of the tag and
//! for the attributes. One pass for both makes reading 1.5 times as fast. Any other syntax, and anything malformed, is left to
//! quick-xml.

use std::ops::Range;

/// A start tag, with the offsets of its parts from its `<`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tag {
    /// Bytes of the name.
    pub(super) name: usize,
    /// Bytes of the tag.
    pub(super) len: usize,
    /// Whether it is `<empty/>`.
    pub(super) is_empty: bool,
}

/// The ranges of name and value of an attribute, from the tag's `<`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Attribute {
    pub(super) name: Range<usize>,
    pub(super) value: Range<usize>,
}

/// More attributes than this are left to quick-xml: the ranges for the longest tag could use eight times its length.
const MOST: usize = 64;

/// Reads the start tag at the start of `text` and puts its attributes into `attributes`.
///
/// Returns `None` for anything else, if `text` ends inside the tag, or if its syntax is unusual.
#[inline]
pub(super) fn scan(text: &[u8], attributes: &mut Vec<Attribute>) -> Option<Tag> {
    attributes.clear();
    let name_end = 1 + text.get(1..)?.iter().position(|&byte| !is_name(byte))?;
    let name = name_end - 1;
    let mut at = name_end;
    loop {
        at = space_end(text, at);
        match text.get(at)? {
            _ if name == 0 => return None,
            b'>' => {
                let (len, is_empty) = (at + 1, false);
                return Some(Tag {
                    name,
                    len,
                    is_empty,
                });
            }
            b'/' if text.get(at + 1) == Some(&b'>') => {
                let (len, is_empty) = (at + 2, true);
                return Some(Tag {
                    name,
                    len,
                    is_empty,
                });
            }
            _ => {}
        }
        if attributes.len() == MOST {
            return None;
        }
        let attribute = at..at + text[at..].iter().position(|&byte| !is_name(byte))?;
        let quote = match text.get(attribute.end..attribute.end + 2)? {
            [b'=', quote @ (b'"' | b'\'')] if !attribute.is_empty() => *quote,
            _ => return None,
        };
        let start = attribute.end + 2;
        let end = start + find(quote, &text[start..])?;
        attributes.push(Attribute {
            name: attribute,
            value: start..end,
        });
        at = end + 1;
    }
}

/// Most values are a few digits, for which a call of `memchr` does not pay off; paths are long.
#[inline]
fn find(quote: u8, text: &[u8]) -> Option<usize> {
    const SHORT: usize = 12;
    let (short, long) = text.split_at(text.len().min(SHORT));
    match short.iter().position(|&byte| byte == quote) {
        None => Some(SHORT + memchr::memchr(quote, long)?),
        found => found,
    }
}

/// Whether a byte may be in a name. All bytes of non-ASCII characters are accepted.
const NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte >= 0x80
            || (byte as u8).is_ascii_alphanumeric()
            || matches!(byte as u8, b'-' | b'_' | b'.' | b':');
        byte += 1;
    }
    table
};

#[inline]
fn is_name(byte: u8) -> bool {
    NAME[usize::from(byte)]
}

#[inline]
fn space_end(text: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\t' | b'\r') = text.get(at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanned(text: &str) -> Option<(Tag, Vec<(&str, &str)>)> {
        let mut attributes = Vec::new();
        let tag = scan(text.as_bytes(), &mut attributes)?;
        let texts = attributes
            .into_iter()
            .map(|at| (&text[at.name], &text[at.value]));
        Some((tag, texts.collect()))
    }

    #[test]
    fn a_start_tag_gives_its_name_its_length_and_its_attributes() {
        let (tag, attributes) = scanned("<line nr=\"1\"\n ns:b='x > \"y\"' >text").expect("a tag");
        let (name, len, is_empty) = (4, 30, false);
        assert_eq!(
            tag,
            Tag {
                name,
                len,
                is_empty
            }
        );
        assert_eq!(attributes, [("nr", "1"), ("ns:b", "x > \"y\"")]);
    }

    #[test]
    fn an_empty_tag_differs_from_a_value_that_ends_in_a_slash() {
        for (text, is_empty) in [("<a/>", true), ("<a b=''/>", true), ("<a b='/'>", false)] {
            let (tag, _) = scanned(text).expect(text);
            assert_eq!((tag.len, tag.is_empty), (text.len(), is_empty), "{text}");
        }
    }

    #[test]
    fn a_truncated_tag_is_not_parsed() {
        let text = "<line nr=\"1\" b='2' />";
        for end in 0..text.len() {
            assert_eq!(scanned(&text[..end]), None, "{}", &text[..end]);
        }
        assert!(scanned(text).is_some());
    }

    #[test]
    fn a_tag_of_more_attributes_than_are_usual_is_left_to_quick_xml() {
        let with = |count| format!("<a{}/>", " b='1'".repeat(count));
        assert_eq!(scanned(&with(64)).map(|(_, found)| found.len()), Some(64));
        assert_eq!(scanned(&with(65)), None);
    }

    #[test]
    fn everything_unusual_is_left_to_quick_xml() {
        for text in [
            "</a>",
            "<!-- -->",
            "<?a?>",
            "<>",
            "< a>",
            "<a b>",
            "<a b = '1'>",
            "<a b=1>",
            "<a =''>",
            "<a / >",
            "<a <b>",
            "<![CDATA[]]>",
            "",
        ] {
            assert_eq!(scanned(text), None, "{text}");
        }
    }
}
