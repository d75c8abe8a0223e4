//! The tests that ran each line, in the XML files that PHPUnit writes beside `index.xml`, one for each source file.
//!
//! `phpunit > file[name, path] > coverage > line[nr] > covered[by]`. Paths start at the folder that `index.xml` states:
//! `phpunit > project[source]`. No file names missed lines. php-code-coverage before 5.1 states no paths, so its files are not read.

use std::collections::HashMap;
use std::io::Read;

use crate::error::ReportError;
use crate::files::Files;
use crate::input::Input;
use crate::limits::Limits;
use crate::number::integer;
use crate::report::TestedLine;
use crate::xml::{Xml, plain};

/// The bytes at the start of a file by which it is recognised: the XML declaration, and the tag of the root.
const START_BYTES: u64 = 256;

/// The longest path on Linux (`PATH_MAX`).
const PATH_BYTES: usize = 4096;

/// The bytes of an index besides its paths, including free slots of the map.
const INDEX_BYTES: usize = 112;

/// Separates the folder of the XML files from the path of a source file. XML and names of files cannot contain it.
const SEPARATOR: char = '\0';

/// Collects the tests of lines from the entries of an archive, in any order, within a memory limit. Above it, all are dropped.
#[derive(Debug)]
pub struct PhpunitTests {
    limits: Limits,
    /// By the folder of the XML files and the path of the source file.
    files: Files,
    /// The folder of the source files, by the folder of the XML files.
    sources: HashMap<String, String>,
    unreadable: usize,
}

/// The tests in the XML files of PHPUnit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestedFiles {
    /// The names of the tests, like [`Report::tests`](crate::Report::tests).
    pub names: Vec<String>,
    /// The source files with lines that a test ran.
    pub files: Vec<TestedFile>,
    /// The number of XML files whose tests are left out because they cannot be read.
    pub unreadable: usize,
    /// Whether all tests are left out because they exceed the memory limit, or are more than 50,000.
    pub are_too_many: bool,
}

/// The tests of a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestedFile {
    /// The absolute path, if the `index.xml` was read.
    pub path: Option<String>,
    /// The path in the common folder of all source files.
    pub inner_path: String,
    /// Which tests ran which lines.
    pub tests: Vec<TestedLine>,
}

impl PhpunitTests {
    /// Creates an empty collection.
    pub fn new(limits: &Limits) -> Self {
        Self {
            limits: limits.clone(),
            files: Files::new(limits, true),
            sources: HashMap::new(),
            unreadable: 0,
        }
    }

    /// Reads the entry at a path of the archive, as far as needed: only the start of entries that PHPUnit did not write.
    pub fn read(&mut self, entry: &str, mut input: impl Read) {
        if !self.files.with_tests() {
            return;
        }
        let mut start = Vec::new();
        let read = input.by_ref().take(START_BYTES).read_to_end(&mut start);
        if read.is_err() || !is_phpunits(&start) {
            return;
        }
        // Nothing belongs to the file of the entry before.
        self.files.enter("");
        let read = self.read_recognised(entry, &mut start.chain(input));
        self.files.finish_tests(read.is_ok());
        self.unreadable += usize::from(read.is_err());
    }

    /// All tests that were read.
    pub fn finish(mut self) -> TestedFiles {
        let are_too_many = !self.files.with_tests();
        let names = self.files.take_test_names();
        let files = self.files.into_vec().into_iter();
        let files = files.filter(|file| !file.tests.is_empty());
        let files = files.filter_map(|file| {
            let (folder, inner_path) = file.path.split_once(SEPARATOR)?;
            let source = self.sources.get(folder);
            Some(TestedFile {
                path: source.map(|source| format!("{source}/{inner_path}")),
                inner_path: inner_path.to_owned(),
                tests: file.tests,
            })
        });
        TestedFiles {
            names,
            files: files.collect(),
            unreadable: self.unreadable,
            are_too_many,
        }
    }

    fn read_recognised(&mut self, entry: &str, input: &mut dyn Read) -> Result<(), ReportError> {
        let input = Input::open(input, &self.limits);
        let input = input.map_err(|kind| ReportError::at_start(None, kind))?;
        let mut xml = Xml::open(input, &self.limits)?;
        while xml.root_name() == b"phpunit" && xml.child()? {
            match xml.name() {
                b"project" => return self.index(entry, &xml),
                b"file" => return self.source_file(entry, &mut xml),
                _ => xml.skip()?,
            }
        }
        Ok(())
    }

    /// Reads the folder of the source files. It is empty if that is the root of the file system.
    fn index(&mut self, entry: &str, xml: &Xml<'_>) -> Result<(), ReportError> {
        let Some(source) = xml.attribute(b"source")? else {
            return Ok(());
        };
        let source = plain(source);
        let (folder, source) = (parent(entry), source.trim_end_matches(['/', '\\']));
        let bytes = INDEX_BYTES + folder.len() + source.len();
        if source.len() <= PATH_BYTES && self.files.take_memory(bytes) {
            self.sources.insert(folder.to_owned(), source.to_owned());
        }
        Ok(())
    }

    /// Reads the tests of a source file. The rest, its text, is left.
    fn source_file(&mut self, entry: &str, xml: &mut Xml<'_>) -> Result<(), ReportError> {
        let [name, path] = xml.values([b"name", b"path"])?;
        let Some(key) = name
            .zip(path)
            .and_then(|(name, path)| key(entry, name, path))
        else {
            self.unreadable += 1;
            return Ok(());
        };
        while xml.child()? {
            if xml.name() != b"coverage" {
                xml.skip()?;
                continue;
            }
            while self.files.with_tests() && xml.child()? {
                self.line(&key, xml)?;
            }
            break;
        }
        Ok(())
    }

    fn line(&mut self, key: &str, xml: &mut Xml<'_>) -> Result<(), ReportError> {
        let number = xml.attribute(b"nr")?.and_then(integer);
        let Some(number) = number.filter(|_| xml.name() == b"line") else {
            return xml.skip();
        };
        self.files.enter(key);
        xml.children(b"covered", |xml| {
            let by = xml.attribute(b"by")?.unwrap_or_default();
            if let Some(test) = self.files.test(&plain(by)) {
                self.files.tested(number, test);
            }
            xml.skip()
        })
    }
}

/// Whether the start of a file is the start of one of PHPUnit's. The root of its configuration has another namespace.
fn is_phpunits(start: &[u8]) -> bool {
    let root = memchr::memmem::find(start, b"<phpunit");
    let root = root.map(|at| &start[at..]);
    root.is_some_and(|root| memchr::memmem::find(root, b"phpunit.de/coverage").is_some())
}

/// The folder of all XML files, which has the same folders as the source file's path, and that path. `None` if it is too long.
fn key(entry: &str, name: &[u8], path: &[u8]) -> Option<String> {
    let (name, path) = (plain(name), plain(path));
    if name.len() + path.len() > PATH_BYTES {
        return None;
    }
    let folder = folders(&path).fold(parent(entry), |folder, _| parent(folder));
    let mut key = format!("{folder}{SEPARATOR}");
    folders(&path).for_each(|folder| key.extend([folder, "/"]));
    key.push_str(&name);
    Some(key)
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folders of a path. PHPUnit writes it with the separator of the system.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.split(['/', '\\'])
        .filter(|folder| !matches!(*folder, "" | "."))
}

#[cfg(test)]
mod tests;
