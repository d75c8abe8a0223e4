//! Names of files in the headers of `git diff`: with the prefixes `a/` and `b/`, and quoted if they have unusual bytes.

/// The longest path on Linux.
const MAX_PATH_BYTES: usize = 4096;

/// The prefixes that git writes: by default, and with `diff.mnemonicPrefix`.
const PREFIXES: [&[u8]; 8] = [b"a/", b"b/", b"c/", b"i/", b"w/", b"o/", b"1/", b"2/"];

/// Both names of a line `diff --git a/x b/y`, without their prefixes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) old: Vec<u8>,
    pub(super) new: Vec<u8>,
    pub(super) have_prefixes: bool,
}

impl Names {
    /// Reads the text after `diff --git `. `None` if the end of the first name is unclear: names may contain spaces.
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        let (old, new) = if line.starts_with(b"\"") {
            let (old, rest) = unquote(line)?;
            (old, whole(rest.strip_prefix(b" ")?)?)
        } else if line.ends_with(b"\"") {
            let start = memchr::memmem::find(line, b" \"")?;
            (line[..start].to_vec(), whole(&line[start + 1..])?)
        } else {
            let (old, new) = split(line)?;
            (old.to_vec(), new.to_vec())
        };
        let have_prefixes = old != new;
        Some(Self {
            old: stripped(old, have_prefixes)?,
            new: stripped(new, have_prefixes)?,
            have_prefixes,
        })
    }
}

/// Splits two names without quotes: in the middle if both are the same, or before ` b/` if that occurs once.
fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let middle = line.len() / 2;
    if line.len() % 2 == 1 && line[middle] == b' ' {
        let (old, new) = (&line[..middle], &line[middle + 1..]);
        let same = without_prefix(old).is_some_and(|old| Some(old) == without_prefix(new));
        if old == new || same {
            return Some((old, new));
        }
    }
    let mut places = memchr::memmem::find_iter(line, b" b/");
    let place = places.next()?;
    let is_clear = places.next().is_none();
    is_clear.then(|| (&line[..place], &line[place + 1..]))
}

/// Removes the prefix of a name that must have one.
fn stripped(name: Vec<u8>, has_prefix: bool) -> Option<Vec<u8>> {
    match has_prefix {
        true => without_prefix(&name).map(<[u8]>::to_vec),
        false => Some(name),
    }
}

fn without_prefix(name: &[u8]) -> Option<&[u8]> {
    PREFIXES
        .iter()
        .find_map(|prefix| name.strip_prefix(*prefix))
}

/// Reads the name after `--- ` or `+++ `. `None` for `/dev/null`; an error if a required prefix is missing.
pub(super) fn of_side(text: &[u8], has_prefix: bool) -> Result<Option<Vec<u8>>, &'static str> {
    // Git ends a name with spaces by a tab, and other programs add a time after it.
    let end = text.iter().position(|&byte| byte == b'\t');
    let text = &text[..end.unwrap_or(text.len())];
    if text == b"/dev/null" {
        return Ok(None);
    }
    let name = whole(text).ok_or(BAD_QUOTES)?;
    let name = stripped(name, has_prefix).ok_or("expected a name that begins with a/ or b/")?;
    Ok(Some(name))
}

pub(super) const BAD_QUOTES: &str = "expected a name, quoted as git does it";

/// Reads a name that may be quoted, to the end of the text.
pub(super) fn whole(text: &[u8]) -> Option<Vec<u8>> {
    if !text.starts_with(b"\"") {
        return Some(text.to_vec());
    }
    let (name, rest) = unquote(text)?;
    rest.is_empty().then_some(name)
}

/// Reads a quoted name as git writes it (like a string in C). Returns the name and the text after it.
fn unquote(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text.strip_prefix(b"\"")?;
    let mut name = Vec::new();
    loop {
        match *rest.split_off_first()? {
            b'"' => return Some((name, rest)),
            b'\\' => {
                let &escaped = rest.split_off_first()?;
                name.push(match escaped {
                    b'a' => 0x07,
                    b'b' => 0x08,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 0x0b,
                    b'f' => 0x0c,
                    b'r' => b'\r',
                    b'"' | b'\\' => escaped,
                    b'0'..=b'3' => octal(escaped, rest.split_off(..2)?)?,
                    _ => return None,
                });
            }
            byte => name.push(byte),
        }
    }
}

fn octal(first: u8, rest: &[u8]) -> Option<u8> {
    rest.iter().try_fold(first - b'0', |value, &digit| {
        (b'0'..=b'7')
            .contains(&digit)
            .then(|| value << 3 | (digit - b'0'))
    })
}

/// Converts a name to a path of the repository. Bytes that are not UTF-8 are replaced, as in other paths.
pub(super) fn path(name: &[u8]) -> Result<Box<str>, &'static str> {
    let path = String::from_utf8_lossy(name);
    let is_inside = path
        .split('/')
        .all(|component| !matches!(component, "" | "." | ".."));
    if is_inside && path.len() <= MAX_PATH_BYTES && !path.contains('\0') {
        Ok(path.into())
    } else {
        Err("expected a path inside the repository, of at most 4096 bytes")
    }
}
