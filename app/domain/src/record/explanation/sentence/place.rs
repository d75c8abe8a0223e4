//! Names the files of a reason in a few words.

use crate::record::explanation::ChangeGroup;

/// The most characters of a path.
const LONGEST_PATH: usize = 40;

/// The files of some groups.
#[derive(Default)]
pub(super) struct Location<'a> {
    files: u64,
    paths: Vec<&'a str>,
}

impl<'a> Location<'a> {
    pub(super) fn add(&mut self, group: &'a ChangeGroup) {
        self.files += group.files;
        self.paths.extend(group.path.as_deref());
    }

    /// The only file.
    pub(super) fn file(&self) -> Option<String> {
        match self.paths.as_slice() {
            [path] if self.files == 1 => Some(short(path)),
            _ => None,
        }
    }

    /// Where lines are: ` of src/tax.rs`, or ` in 3 files`.
    pub(super) fn of_lines(&self) -> String {
        match self.file() {
            Some(file) => format!(" of {file}"),
            None => format!(" in {} files", self.files),
        }
    }

    /// The files with a verb: `src/tax.rs is`, `3 files of src/ are`, or `3 files are`.
    pub(super) fn with(&self, one: &str, many: &str) -> String {
        if let Some(file) = self.file() {
            return format!("{file} {one}");
        }
        let are_all_known = self.paths.len() as u64 == self.files;
        match common_folder(&self.paths).filter(|_| are_all_known) {
            Some(folder) => format!("{} files of {} {many}", self.files, short(folder)),
            None => format!("{} files {many}", self.files),
        }
    }
}

/// A path, or the end of a long one.
fn short(path: &str) -> String {
    let length = path.chars().count();
    if length <= LONGEST_PATH {
        return path.to_owned();
    }
    let end: String = path.chars().skip(length + 1 - LONGEST_PATH).collect();
    format!("\u{2026}{end}")
}

/// The folder that contains all files, with a `/` at its end; `None` if it is the root.
fn common_folder<'a>(paths: &[&'a str]) -> Option<&'a str> {
    let (first, others) = paths.split_first()?;
    let mut folder = &first[..=first.rfind('/')?];
    while !others.iter().all(|path| path.starts_with(folder)) {
        folder = &folder[..=folder.strip_suffix('/')?.rfind('/')?];
    }
    Some(folder)
}
