//! Reads the attributes of a tag with unusual syntax; see `tag`.

use crate::error::{ErrorKind, shown};

/// Calls `each` with name and raw value of every attribute in `text`, the part of a tag after its name.
#[inline]
pub(super) fn scan<'t>(
    text: &'t [u8],
    mut each: impl FnMut(&'t [u8], &'t [u8]),
) -> Result<(), ErrorKind> {
    let mut rest = without_space(text);
    while !rest.is_empty() {
        let is_name_end = |&byte: &u8| byte == b'=' || byte.is_ascii_whitespace();
        let name_end = rest.iter().position(is_name_end).unwrap_or(rest.len());
        let (name, after) = rest.split_at(name_end);
        let [b'=', quoted @ ..] = without_space(after) else {
            return Err(malformed(name, "no value"));
        };
        let [quote @ (b'"' | b'\''), value @ ..] = without_space(quoted) else {
            return Err(malformed(name, "a value without quotes"));
        };
        let Some(value_end) = value.iter().position(|byte| byte == quote) else {
            return Err(malformed(name, "a value without its closing quote"));
        };
        each(name, &value[..value_end]);
        rest = without_space(&value[value_end + 1..]);
    }
    Ok(())
}

#[inline]
fn without_space(text: &[u8]) -> &[u8] {
    match text.first() {
        Some(b' ' | b'\t' | b'\r' | b'\n') => text.trim_ascii_start(),
        _ => text,
    }
}

fn malformed(name: &[u8], found: &str) -> ErrorKind {
    ErrorKind::malformed(format!("{}=\"…\"", shown(name)), found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanned(text: &str) -> Result<Vec<(String, String)>, ErrorKind> {
        let owned = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut found = Vec::new();
        scan(text.as_bytes(), |name, value| {
            found.push((owned(name), owned(value)));
        })?;
        Ok(found)
    }

    #[test]
    fn any_quotes_and_any_white_space_are_read() {
        let found = scanned("  a=\"1\"\t b = 'x \"y\"'\n c=\"\"  ").expect("attributes");
        let expected = [("a", "1"), ("b", "x \"y\""), ("c", "")];
        assert_eq!(found, expected.map(|(n, v)| (n.to_owned(), v.to_owned())));
    }

    #[test]
    fn no_attributes_are_not_an_error() {
        assert_eq!(scanned(" \n").expect("none"), []);
    }

    #[test]
    fn an_attribute_without_a_quoted_value_is_refused() {
        for text in [
            " a",
            " a=",
            " a=1",
            " a=\"1",
            " =",
            " a=\"1\" b",
            " \"\"",
            "=\"\" =",
            " é",
        ] {
            assert!(scanned(text).is_err(), "{text}");
        }
    }
}
