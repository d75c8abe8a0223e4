//! The list of a repository's files, as `git ls-files -z` writes it.

use super::{index::Index, name::MAX_BYTES};
use flate2::bufread::MultiGzDecoder;
use std::{cmp::Ordering, io::Read, ops::Range, str::from_utf8};
use thiserror::Error;

/// The most bytes of a list, after decompression.
pub(crate) const MAX_PATHS_BYTES: usize = 16 << 20;

/// The most paths. Chromium has about half as many.
const MAX_PATHS: usize = 1_000_000;

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Why a list of paths is not used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ListingError {
    /// The list has another form: the number of the entry, and what is wrong with it.
    #[error("Path {0} {1}; send what `git ls-files -z` prints.")]
    Malformed(usize, &'static str),
    /// The list cannot be decompressed.
    #[error(
        "The gzip stream cannot be read; send what `git ls-files -z` prints, plain or compressed with gzip."
    )]
    Damaged,
    /// The list has no paths.
    #[error(
        "The list of the repository's paths is empty, so paths are stored as in the coverage file."
    )]
    Empty,
    /// The list exceeds a limit.
    #[error(
        "The list of the repository's paths has more than {MAX_PATHS} paths or 16 MiB, so paths are stored as in the coverage file."
    )]
    TooLarge,
}

impl ListingError {
    /// Returns whether the upload is refused. Otherwise it is accepted, with this error as a notice.
    pub fn is_refused(&self) -> bool {
        matches!(self, Self::Malformed(..) | Self::Damaged)
    }
}

/// Paths in one text, sorted by their components, from the last component to the first.
pub(crate) struct RepositoryPaths {
    text: Vec<u8>,
    paths: Vec<Range<u32>>,
    index: Index,
}

/// The paths of a sorted list with the same last components.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending {
    /// The first of these paths. If a path consists of only these components, it is the first.
    pub(super) first: u32,
    /// The position after the last path.
    pub(super) end: u32,
    /// The length of these components in bytes.
    bytes: u32,
}

impl Ending {
    pub(super) fn count(self) -> usize {
        (self.end - self.first) as usize
    }
}

impl RepositoryPaths {
    /// Reads the output of `git ls-files -z`, plain or compressed with gzip.
    ///
    /// # Errors
    ///
    /// If the bytes are something else, or exceed a limit.
    pub(crate) fn read(sent: Vec<u8>) -> Result<Self, ListingError> {
        let text = unpacked(sent)?;
        let mut paths = Vec::new();
        let mut start = 0;
        for (index, path) in text.split(|&byte| byte == 0).enumerate() {
            let end = start + path.len();
            let is_last = end == text.len();
            if path.is_empty() && is_last {
                break;
            }
            check(path).map_err(|reason| ListingError::Malformed(index + 1, reason))?;
            if paths.len() == MAX_PATHS {
                return Err(ListingError::TooLarge);
            }
            // A coverage file is text, so it cannot contain other paths.
            if path.len() <= MAX_BYTES && from_utf8(path).is_ok() {
                paths.push(at(start)?..at(end)?);
            }
            start = end + 1;
        }
        if paths.is_empty() {
            return Err(ListingError::Empty);
        }
        if paths.len() == 1 && !text.contains(&0) && text.contains(&b'\n') {
            return Err(ListingError::Malformed(
                1,
                "contains a line feed and ends without a NUL",
            ));
        }
        let of = |path: &Range<u32>| bytes(&text, path);
        paths.sort_unstable_by(|one, other| order(of(one), of(other)));
        // A path with conflicts is repeated.
        paths.dedup_by(|one, other| of(one) == of(other));
        Ok(Self::indexed(text, paths))
    }

    fn indexed(text: Vec<u8>, paths: Vec<Range<u32>>) -> Self {
        let index = Index::of(paths.len(), |number| bytes(&text, &paths[number as usize]));
        Self { text, paths, index }
    }

    /// Returns the same paths in lower case, sorted, with their numbers in this list.
    pub(super) fn lower_case(&self) -> (Self, Vec<u32>) {
        let mut text = Vec::with_capacity(self.text.len());
        let mut paths = Vec::with_capacity(self.paths.len());
        for number in (0..).take(self.paths.len()) {
            let start = text.len();
            text.extend_from_slice(self.get(number).to_lowercase().as_bytes());
            // Lower case has up to three times as many bytes, and a list has at most 16 MiB.
            let range = at(start).and_then(|start| Ok(start..at(text.len())?));
            paths.push((range.unwrap_or_default(), number));
        }
        paths
            .sort_unstable_by(|(one, _), (other, _)| order(bytes(&text, one), bytes(&text, other)));
        let (paths, numbers) = paths.into_iter().unzip();
        (Self::indexed(text, paths), numbers)
    }

    /// Returns the path with this number. Empty if there is none.
    pub(crate) fn get(&self, number: u32) -> &str {
        from_utf8(self.bytes(number)).unwrap_or_default()
    }

    pub(crate) fn contains(&self, path: &str) -> bool {
        self.find(path).is_some()
    }

    fn bytes(&self, number: u32) -> &[u8] {
        let path = self.paths.get(number as usize);
        path.map_or(&[], |path| bytes(&self.text, path))
    }

    /// Returns the paths that end with `component`, or with `component` before `ending`.
    pub(super) fn with(&self, ending: Option<Ending>, component: &str) -> Option<Ending> {
        let bytes_of = u32::try_from(component.len()).ok()?;
        let Some(ending) = ending else {
            let found = self
                .index
                .last(component.as_bytes(), |path| self.bytes(path));
            let Range { start: first, end } = found?;
            let bytes = bytes_of;
            return Some(Ending { first, end, bytes });
        };
        let wanted = Some(component.as_bytes());
        let among = self.paths.get(ending.first as usize..ending.end as usize)?;
        let in_front = |path: &Range<u32>| in_front(bytes(&self.text, path), ending.bytes as usize);
        let first = among.partition_point(|path| in_front(path) < wanted);
        let count = among[first..].partition_point(|path| in_front(path) == wanted);
        let first = ending.first + u32::try_from(first).ok()?;
        (count > 0).then_some(Ending {
            first,
            end: first + u32::try_from(count).ok()?,
            bytes: ending.bytes + 1 + bytes_of,
        })
    }

    /// Returns whether a path consists only of this ending.
    pub(super) fn is_whole(&self, number: u32, ending: Ending) -> bool {
        self.bytes(number).len() == ending.bytes as usize
    }

    pub(super) fn find(&self, path: &str) -> Option<u32> {
        self.index
            .whole(path.as_bytes(), |number| self.bytes(number))
    }
}

/// Returns the component before the last `bytes` bytes of a path.
fn in_front(path: &[u8], bytes: usize) -> Option<&[u8]> {
    let rest = path.get(..path.len().checked_sub(bytes + 1)?)?;
    rest.rsplit(|&byte| byte == b'/').next()
}

fn order(one: &[u8], other: &[u8]) -> Ordering {
    let components = |path| <[u8]>::rsplit(path, |&byte| byte == b'/');
    components(one).cmp(components(other))
}

fn bytes<'a>(text: &'a [u8], path: &Range<u32>) -> &'a [u8] {
    text.get(path.start as usize..path.end as usize)
        .unwrap_or_default()
}

fn at(place: usize) -> Result<u32, ListingError> {
    u32::try_from(place).map_err(|_| ListingError::TooLarge)
}

fn unpacked(sent: Vec<u8>) -> Result<Vec<u8>, ListingError> {
    if sent.len() > MAX_PATHS_BYTES {
        return Err(ListingError::TooLarge);
    }
    if !sent.starts_with(&GZIP) {
        return Ok(sent);
    }
    let mut text = Vec::new();
    let mut limited = MultiGzDecoder::new(sent.as_slice()).take(MAX_PATHS_BYTES as u64 + 1);
    limited
        .read_to_end(&mut text)
        .map_err(|_| ListingError::Damaged)?;
    if text.len() > MAX_PATHS_BYTES {
        return Err(ListingError::TooLarge);
    }
    Ok(text)
}

fn check(path: &[u8]) -> Result<(), &'static str> {
    if path.is_empty() {
        return Err("is empty");
    }
    if path.starts_with(b"/") {
        return Err("is absolute");
    }
    if path
        .split(|&byte| byte == b'/')
        .any(|component| component == b"..")
    {
        return Err("leaves the repository with `..`");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn paths(sent: &[u8]) -> Result<Vec<String>, ListingError> {
        let listing = RepositoryPaths::read(sent.to_vec())?;
        let paths = (0..)
            .take(listing.paths.len())
            .map(|index| listing.get(index).to_owned());
        Ok(paths.collect())
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).expect("memory");
        encoder.finish().expect("memory")
    }

    #[test]
    fn a_list_may_be_plain_or_compressed_and_end_with_nul_or_not() {
        let expected = Ok(vec!["a.c".to_owned(), "b\nc.c".to_owned()]);
        for text in [&b"a.c\0b\nc.c\0"[..], b"a.c\0b\nc.c"] {
            assert_eq!(paths(text), expected);
            assert_eq!(paths(&gzip(text)), expected);
        }
        assert_eq!(paths(b"a.c"), Ok(vec!["a.c".to_owned()]));
    }

    #[test]
    fn paths_that_are_not_utf_8_are_left_out() {
        assert_eq!(paths(b"\xff.c\0a.c\0"), Ok(vec!["a.c".to_owned()]));
    }

    #[test]
    fn paths_that_no_system_can_open_are_left_out() {
        let of = |bytes: usize| "a/".repeat(bytes / 2 - 1) + "b.c";
        assert_eq!(of(4_097).len(), 4_097);
        let list = [of(4_097), of(4_095)].join("\0");
        assert_eq!(paths(list.as_bytes()), Ok(vec![of(4_095)]));
    }

    #[test]
    fn what_git_does_not_print_is_malformed_with_its_place() {
        for (text, place) in [
            (&b"a.c\nb.c\n"[..], 1),
            (b"a.c\0\0b.c\0", 2),
            (b"a.c\0/b.c\0", 2),
            (b"a.c\0b.c\0c/../../d\0", 3),
        ] {
            let refused = paths(text);
            assert!(
                matches!(refused, Err(ListingError::Malformed(at, _)) if at == place),
                "{refused:?}"
            );
        }
        let whole = gzip(b"a.c\0");
        let damaged = &whole[..whole.len() - 6];
        assert_eq!(paths(damaged), Err(ListingError::Damaged));
    }

    #[test]
    fn an_empty_list_and_one_above_a_limit_are_not_used() {
        assert_eq!(paths(b""), Err(ListingError::Empty));
        assert_eq!(paths(b"\0"), Err(ListingError::Malformed(1, "is empty")));
        let limit = ("a".repeat(1_023) + "\0")
            .into_bytes()
            .repeat(MAX_PATHS_BYTES / 1_024);
        assert!(paths(&limit).is_ok());
        let above = [limit, vec![b'a']].concat();
        assert_eq!(paths(&above), Err(ListingError::TooLarge));
        assert_eq!(paths(&gzip(&above)), Err(ListingError::TooLarge));
        let many = |paths| "a\0".repeat(paths);
        assert!(paths(many(MAX_PATHS).as_bytes()).is_ok());
        assert_eq!(
            paths(many(MAX_PATHS + 1).as_bytes()),
            Err(ListingError::TooLarge)
        );
    }
}
