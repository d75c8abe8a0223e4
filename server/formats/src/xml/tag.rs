//! Reads tags with the usual syntax in one pass over their bytes.
//!
//! Start tags with attributes are nearly all of a coverage file. quick-xml reads their bytes twice: for the end of the tag and
//! for the attributes. One pass for both makes reading 1.5 times as fast. quick-xml still reads any other syntax, and anything
//! malformed.

use std::ops::Range;

use super::words::{Short, find, letters};

/// A start tag, with the offsets of its parts from its `<`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tag {
    /// The length of the name in bytes.
    pub(super) name: usize,
    /// The length of the tag in bytes.
    pub(super) len: usize,
    /// Whether the tag is `<empty/>`.
    pub(super) is_empty: bool,
}

/// The attributes of a tag, in order.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    /// The attributes of the tag, then leftovers of earlier tags.
    found: Vec<Attribute>,
    len: usize,
}

/// The ranges of name and value of an attribute, from the tag's `<`.
#[derive(Debug)]
struct Attribute {
    name: Range<usize>,
    value: Range<usize>,
    /// The name and the `=`, if they are short.
    start: Option<Short>,
}

impl Attributes {
    /// With more attributes, quick-xml reads the tag: the ranges for the longest tag could use eight times its length.
    const MOST: usize = 64;

    /// The names and raw values. `tag` must be the text that was read.
    #[inline]
    pub(super) fn of<'t>(&self, tag: &'t [u8]) -> impl Iterator<Item = (&'t [u8], &'t [u8])> {
        let found = self.found[..self.len].iter();
        found.map(|found| (&tag[found.name.clone()], &tag[found.value.clone()]))
    }

    /// The end of the name that starts at `at`, if the previous tag has the same name at this position.
    ///
    /// Tags mostly repeat the names of the previous tag. The length is then known and only has to be confirmed, so that the
    /// processor can read on before it has compared the names.
    #[inline]
    fn repeated_name_end(&self, text: &[u8], at: usize) -> Option<usize> {
        let before = self.found.get(self.len)?;
        let is_repeated = before.start.is_some_and(|start| start.starts(&text[at..]));
        is_repeated.then(|| at + before.name.len())
    }

    #[inline]
    fn add(&mut self, text: &[u8], name: Range<usize>, value: Range<usize>, is_repeated: bool) {
        match self.found.get_mut(self.len) {
            Some(before) if is_repeated => {
                before.name = name;
                before.value = value;
            }
            before => {
                let start = Short::new(&text[name.start..], name.len() + 1);
                let attribute = Attribute { name, value, start };
                match before {
                    Some(before) => *before = attribute,
                    None => self.found.push(attribute),
                }
            }
        }
        self.len += 1;
    }
}

/// Reads the start tag at the start of `text` and puts its attributes into `attributes`.
///
/// Returns `None` for anything else, if `text` ends inside the tag, or if its syntax is unusual.
#[inline]
pub(super) fn scan(text: &[u8], attributes: &mut Attributes) -> Option<Tag> {
    attributes.len = 0;
    let mut at = name_end(text, 1)?;
    let name = at - 1;
    if name == 0 {
        return None;
    }
    loop {
        at = space_end(text, at);
        match text.get(at)? {
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
        if attributes.len == Attributes::MOST {
            return None;
        }
        let repeated = attributes.repeated_name_end(text, at);
        let name = at..match repeated {
            Some(end) => end,
            None => name_end(text, at)?,
        };
        let quote = match text.get(name.end..name.end + 2)? {
            [b'=', quote @ (b'"' | b'\'')] if !name.is_empty() => *quote,
            _ => return None,
        };
        let start = name.end + 2;
        let value = start..start + find(quote, &text[start..])?;
        at = value.end + 1;
        attributes.add(text, name, value, repeated.is_some());
    }
}

/// The end of the name at `at`. Most names are letters.
#[inline]
fn name_end(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += letters(text.get(at..)?);
        if !is_name(*text.get(at)?) {
            return Some(at);
        }
        at += 1;
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
        let mut attributes = Attributes::default();
        let tag = scan(text.as_bytes(), &mut attributes)?;
        let attributes = attributes.of(text.as_bytes());
        let plain = |bytes| str::from_utf8(bytes).expect("text");
        let texts = attributes.map(|(name, value)| (plain(name), plain(value)));
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
    fn a_tag_is_read_the_same_after_any_other() {
        let name = "a_name_of_more_than_two_words";
        let texts = [
            "<a nr='1' mi='2' ci=\"3\"/>             ".to_owned(),
            "<a nr='1' m='2' ci='3'>               ".to_owned(),
            "<a nrs='1' mi-='2' ci='3' d='4'>      ".to_owned(),
            "<a nr ='1' mi='2'>                    ".to_owned(),
            "<a nr=1 mi='2'>                       ".to_owned(),
            "<a n/='1' mi='2'>                     ".to_owned(),
            format!("<a {name}='1' mi='2'>         "),
            format!("<a {name}s='1' mi='2'>        "),
            "<a/>".to_owned(),
        ];
        for before in &texts {
            for text in &texts {
                let mut attributes = Attributes::default();
                scan(before.as_bytes(), &mut attributes);
                let tag = scan(text.as_bytes(), &mut attributes);
                let found: Vec<_> = attributes.of(text.as_bytes()).collect();
                let mut new = Attributes::default();
                assert_eq!(
                    tag,
                    scan(text.as_bytes(), &mut new),
                    "{text} after {before}"
                );
                let expected: Vec<_> = new.of(text.as_bytes()).collect();
                assert_eq!(found, expected, "{text} after {before}");
            }
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
