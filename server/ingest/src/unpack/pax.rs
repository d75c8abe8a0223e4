//! Reads the records of a pax header: a sequence of `LENGTH KEY=VALUE\n` (POSIX.1-2017, pax, "pax Extended Header").
//!
//! The tar crate splits the header at newlines, which values may contain, and skips what it cannot read. The service would
//! then see another name or size than a person who inspects the archive with tar.

/// The header does not consist of such records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// The key and the value of each record.
pub(super) struct Records<'a> {
    rest: &'a [u8],
}

impl<'a> Records<'a> {
    pub(super) fn new(header: &'a [u8]) -> Self {
        Self { rest: header }
    }

    fn read(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        let space = self.rest.iter().position(|&byte| byte == b' ')?;
        let length = usize::try_from(number(&self.rest[..space])?).ok()?;
        let record = self.rest.get(space + 1..length)?;
        let [record @ .., b'\n'] = record else {
            return None;
        };
        let equals = record.iter().position(|&byte| byte == b'=')?;
        self.rest = &self.rest[length..];
        Some((&record[..equals], &record[equals + 1..]))
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<(&'a [u8], &'a [u8]), Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let read = self.read().ok_or(Malformed);
        if read.is_err() {
            self.rest = &[];
        }
        Some(read)
    }
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

    fn records(header: &str) -> Vec<Result<(&str, &str), Malformed>> {
        let text = |bytes| std::str::from_utf8(bytes).expect("text");
        Records::new(header.as_bytes())
            .map(|record| record.map(|(key, value)| (text(key), text(value))))
            .collect()
    }

    #[test]
    fn a_pax_value_may_contain_any_bytes() {
        assert_eq!(
            records("12 path=a=b\n12 x=9 y=\n\n\n5 k=\n"),
            [Ok(("path", "a=b")), Ok(("x", "9 y=\n\n")), Ok(("k", ""))]
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
            assert!(records(bad).contains(&Err(Malformed)), "{bad:?}");
        }
    }
}
