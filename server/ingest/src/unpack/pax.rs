//! Reads the records of a pax header: a sequence of `LENGTH KEY=VALUE\n` (POSIX.1-2017, pax, "pax Extended Header").
//!
//! The tar crate splits the header at newlines, which values may contain, and skips what it cannot read. The service would
//! then see another name or size than a person who inspects the archive with tar.

/// Returns the key and the value of each record. `None` if the header does not consist of such records.
pub(super) fn records(mut header: &[u8]) -> Option<Vec<(&[u8], &[u8])>> {
    let mut records = Vec::new();
    while !header.is_empty() {
        let space = header.iter().position(|&byte| byte == b' ')?;
        let length = usize::try_from(number(&header[..space])?).ok()?;
        let record = header.get(space + 1..length)?.strip_suffix(b"\n")?;
        let equals = record.iter().position(|&byte| byte == b'=')?;
        records.push((&record[..equals], &record[equals + 1..]));
        header = &header[length..];
    }
    Some(records)
}

/// Parses a decimal number that consists of digits only.
pub(super) fn number(digits: &[u8]) -> Option<u64> {
    let digits = std::str::from_utf8(digits).ok()?;
    // `parse` would accept a sign.
    digits
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then_some(())?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pax_value_may_contain_any_bytes() {
        assert_eq!(
            records(b"12 path=a=b\n12 x=9 y=\n\n\n5 k=\n"),
            Some(vec![
                (&b"path"[..], &b"a=b"[..]),
                (b"x", b"9 y=\n\n"),
                (b"k", b"")
            ])
        );
    }

    #[test]
    fn an_invalid_pax_record_is_an_error() {
        for bad in [
            "\n",
            "path",
            "9 path=a",
            "99 path=a\n",
            "0 a=b\n",
            "3 a=b\n",
            "+7 a=b\n",
            " a=b\n",
            "5 ab\n",
            "-1 a=b\n",
            "99999999999999999999 a=b\n",
            "7 a=b\nx\n",
        ] {
            assert_eq!(records(bad.as_bytes()), None, "{bad:?}");
        }
    }
}
