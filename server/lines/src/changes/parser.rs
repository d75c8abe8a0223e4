//! Reads `git diff`, whole or only its header lines, as it arrives.
//!
//! The format is described in git-diff(1), "Generating patch text with -p".

use super::{
    ChangedFile, Changes, Hunk,
    hunk::Body,
    name::{self, Names},
};
use std::mem;
use thiserror::Error;

/// The most bytes kept of a line. Two quoted paths and a header have fewer; what is cut off is text.
const MAX_HEADER_BYTES: usize = 64 << 10;

/// The header line before the text of a binary patch.
const BINARY_PATCH: &[u8] = b"GIT binary patch";

const EXPECTED_FILE: &str = "expected `diff --git a/… b/…`";
const EXPECTED_HEADER: &str =
    "expected a header line of `git diff`, such as `--- a/…` or `@@ -41,2 +41,3 @@`";
const COMBINED: &str =
    "a combined diff (`diff --cc`) has several bases; send `git diff -U0 -M BASE`";
const BACKWARDS: &str = "expected a hunk after the one before it, without an overlap";
const ENDS_EARLY: &str = "expected as many lines as the hunk's header states";
const UNCLEAR: &str = "it is not clear where the first name ends; send the lines `---` and `+++`, or `rename from` and `rename to`, too";

/// Why a diff cannot be read: the line, and the expected text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct ChangesError {
    /// The line of the diff, from 1.
    pub line: u64,
    /// The expected text.
    pub problem: String,
}

/// Reads a diff in pieces of any size.
#[derive(Default)]
pub struct ChangesParser {
    /// The unfinished line, up to [`MAX_HEADER_BYTES`].
    line: Vec<u8>,
    is_cut: bool,
    /// The number of the last finished line.
    number: u64,
    files: Vec<ChangedFile>,
    file: Option<File>,
    section: Section,
    /// Whether every hunk must have its lines.
    has_text: bool,
}

/// The part of the diff that the last line belongs to.
#[derive(Default)]
enum Section {
    /// Lines before the first file, or after the name of a submodule.
    #[default]
    Outside,
    /// The header lines of a file.
    Header,
    /// A hunk of a file, and the line of its header.
    Hunk(Body, u64),
    /// A binary patch, which ends with the next file.
    Binary,
}

#[derive(Default)]
struct File {
    /// The line of the `diff --git`.
    line: u64,
    /// The names on that line, if it is clear where they end.
    names: Option<Names>,
    /// The names of `rename from` and `rename to`, or of a copy.
    moved_from: Option<Vec<u8>>,
    moved_to: Option<Vec<u8>>,
    /// The names of `---` and `+++`. An inner `None` means `/dev/null`.
    old: Option<Option<Vec<u8>>>,
    new: Option<Option<Vec<u8>>>,
    is_added: bool,
    is_deleted: bool,
    is_submodule: bool,
    is_binary: bool,
    hunks: Vec<Hunk>,
}

impl ChangesParser {
    /// Creates a parser of a whole diff. A hunk without its lines is an error: only the lines show which of them are context.
    pub fn whole() -> Self {
        Self {
            has_text: true,
            ..Self::default()
        }
    }

    /// Reads the next bytes.
    ///
    /// # Errors
    ///
    /// If a line does not belong to a diff. After an error, nothing more can be read.
    pub fn feed(&mut self, mut bytes: &[u8]) -> Result<(), ChangesError> {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.keep(&bytes[..end]);
            self.end_line()?;
            bytes = &bytes[end + 1..];
        }
        self.keep(bytes);
        Ok(())
    }

    /// Ends the diff. An empty diff has no changes.
    ///
    /// # Errors
    ///
    /// If the diff ends early, or names a file twice.
    pub fn finish(mut self) -> Result<Changes, ChangesError> {
        if !self.line.is_empty() {
            self.end_line()?;
        }
        self.end_file()?;
        let line = self.number;
        Changes::of(self.files).map_err(|path| ChangesError {
            line,
            problem: format!("expected each file once, and {path:?} is there twice"),
        })
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = MAX_HEADER_BYTES - self.line.len();
        self.is_cut |= bytes.len() > room;
        self.line.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn end_line(&mut self) -> Result<(), ChangesError> {
        self.number += 1;
        let mut line = mem::take(&mut self.line);
        let is_cut = mem::take(&mut self.is_cut);
        let read = self.read(line.strip_suffix(b"\r").unwrap_or(&line), is_cut);
        line.clear();
        self.line = line;
        read
    }

    fn read(&mut self, line: &[u8], is_cut: bool) -> Result<(), ChangesError> {
        let number = self.number;
        if let Section::Hunk(body, _) = &mut self.section {
            if body.takes(line) {
                return Ok(());
            }
            self.end_hunk()?;
        }
        if line.starts_with(b"diff --cc ") || line.starts_with(b"diff --combined ") {
            return Err(error(number, COMBINED));
        }
        if let Some(names) = line.strip_prefix(b"diff --git ") {
            self.end_file()?;
            if is_cut {
                return Err(error(number, EXPECTED_FILE));
            }
            self.file = Some(File {
                line: number,
                names: Names::read(names),
                ..File::default()
            });
            self.section = Section::Header;
            return Ok(());
        }
        if line.is_empty() || matches!(self.section, Section::Binary) {
            return Ok(());
        }
        if line.starts_with(b"Submodule ") {
            self.end_file()?;
            self.section = Section::Outside;
            return Ok(());
        }
        let Some(file) = &mut self.file else {
            // The commits of a submodule.
            let is_commit = line.starts_with(b"  > ") || line.starts_with(b"  < ");
            return match is_commit && number > 1 {
                true => Ok(()),
                false => Err(error(number, EXPECTED_FILE)),
            };
        };
        if line.starts_with(b"@@") {
            let header = Hunk::read(line).map_err(|problem| error(number, problem))?;
            self.section = Section::Hunk(Body::new(header), number);
            return Ok(());
        }
        let read = match is_cut {
            true => Err(EXPECTED_HEADER),
            false => file.read_header(line),
        };
        if line.starts_with(BINARY_PATCH) {
            self.section = Section::Binary;
        }
        read.map_err(|problem| error(number, problem))
    }

    fn end_hunk(&mut self) -> Result<(), ChangesError> {
        let Section::Hunk(body, line) = mem::replace(&mut self.section, Section::Header) else {
            return Ok(());
        };
        let changed = body
            .finish(self.has_text)
            .ok_or_else(|| error(line, ENDS_EARLY))?;
        for hunk in changed {
            let hunks = self.file.as_mut().map(|file| &mut file.hunks);
            let Some(hunks) = hunks else { continue };
            if hunks.last().is_some_and(|&before| !hunk.follows(before)) {
                return Err(error(line, BACKWARDS));
            }
            hunks.push(hunk);
        }
        Ok(())
    }

    fn end_file(&mut self) -> Result<(), ChangesError> {
        self.end_hunk()?;
        let Some(file) = self.file.take() else {
            return Ok(());
        };
        let line = file.line;
        let file = file.finish().map_err(|problem| error(line, problem))?;
        self.files.extend(file);
        Ok(())
    }
}

fn error(line: u64, problem: &str) -> ChangesError {
    ChangesError {
        line,
        problem: problem.to_owned(),
    }
}

impl File {
    fn read_header(&mut self, line: &[u8]) -> Result<(), &'static str> {
        let has_prefix = self.names.as_ref().is_none_or(|names| names.have_prefixes);
        let has_hunks = !self.hunks.is_empty();
        let after = |prefix: &str| line.strip_prefix(prefix.as_bytes());
        let named = |text| name::whole(text).ok_or(name::BAD_QUOTES).map(Some);
        if let Some(text) = after("--- ").filter(|_| !has_hunks) {
            // The names of a moved file come before, without prefixes.
            if self.moved_from.is_none() {
                self.old = Some(name::of_side(text, has_prefix)?);
            }
        } else if let Some(text) = after("+++ ").filter(|_| !has_hunks) {
            if self.moved_to.is_none() {
                self.new = Some(name::of_side(text, has_prefix)?);
            }
        } else if let Some(text) = after("rename from ").or_else(|| after("copy from ")) {
            self.moved_from = named(text)?;
        } else if let Some(text) = after("rename to ").or_else(|| after("copy to ")) {
            self.moved_to = named(text)?;
        } else if let Some(mode) = after("new file mode ") {
            self.is_added = true;
            self.is_submodule |= mode == b"160000";
        } else if let Some(mode) = after("deleted file mode ") {
            self.is_deleted = true;
            self.is_submodule |= mode == b"160000";
        } else if let Some(index) = after("index ") {
            self.is_submodule |= index.ends_with(b" 160000");
        } else if line.starts_with(BINARY_PATCH) || after("Binary files ").is_some() {
            self.is_binary = true;
        } else if [
            "old mode ",
            "new mode ",
            "similarity index ",
            "dissimilarity index ",
        ]
        .iter()
        .all(|prefix| after(prefix).is_none())
        {
            return Err(EXPECTED_HEADER);
        }
        Ok(())
    }

    /// Returns the file. `None` for a submodule.
    fn finish(self) -> Result<Option<ChangedFile>, &'static str> {
        if self.is_submodule {
            return Ok(None);
        }
        let (old, new) = match (self.moved_from, self.moved_to, self.old, self.new) {
            (Some(old), Some(new), ..) => (Some(old), Some(new)),
            (_, _, Some(old), Some(new)) => (old, new),
            _ => {
                let names = self.names.ok_or(UNCLEAR)?;
                (Some(names.old), Some(names.new))
            }
        };
        let path = |name: Option<Vec<u8>>, is_there: bool| {
            let name = name.filter(|_| is_there);
            name.map(|name| name::path(&name)).transpose()
        };
        let file = ChangedFile {
            old_path: path(old, !self.is_added)?,
            path: path(new, !self.is_deleted)?,
            hunks: self.hunks,
            is_binary: self.is_binary,
        };
        match file.path.is_some() || file.old_path.is_some() {
            true => Ok(Some(file)),
            false => Err(EXPECTED_FILE),
        }
    }
}

impl ChangedFile {
    /// Reads the hunks of one file whose paths are known, with their lines: a forge can return the files of a diff one by one.
    /// Leading lines `---` and `+++` are skipped. The paths become [`Self::old_path`] and [`Self::path`].
    ///
    /// # Errors
    ///
    /// If a line does not belong to a hunk, if a hunk ends early, or if a path is not inside the repository.
    pub fn read(
        old_path: Option<&str>,
        path: Option<&str>,
        hunks: &[u8],
    ) -> Result<Self, ChangesError> {
        let side = |path: Option<&str>| Some(path.map(|path| path.as_bytes().to_vec()));
        let mut parser = ChangesParser {
            file: Some(File {
                line: 1,
                old: side(old_path),
                new: side(path),
                ..File::default()
            }),
            section: Section::Header,
            ..ChangesParser::whole()
        };
        parser.feed(without_names(hunks))?;
        let mut files = parser.finish()?.files;
        let expected =
            |file: &Self| file.old_path.as_deref() == old_path && file.path.as_deref() == path;
        match files.pop() {
            Some(file) if files.is_empty() && expected(&file) => Ok(file),
            _ => Err(error(1, "expected the hunks of one file")),
        }
    }
}

/// Returns the text after leading lines `---` and `+++`.
fn without_names(mut hunks: &[u8]) -> &[u8] {
    for name in [b"--- ", b"+++ "] {
        if hunks.starts_with(name) {
            let end = memchr::memchr(b'\n', hunks);
            hunks = end.map_or(&[], |end| &hunks[end + 1..]);
        }
    }
    hunks
}
