//! Groups sorted paths into the contents of a folder.

use super::{FileCounts, FileRow, add, file};

/// Groups the files of one folder by its subfolders. A folder that contains only another folder is joined with that folder:
/// `src/main/java`.
pub(super) struct Folders<'a> {
    folder: &'a str,
    open: Option<Open>,
}

/// A folder to which more files may belong.
struct Open {
    /// The common start of all its paths.
    start: String,
    row: FileRow,
}

impl<'a> Folders<'a> {
    pub(super) fn new(folder: &'a str) -> Self {
        Self { folder, open: None }
    }

    /// Adds the next file, and passes completed rows to `done`.
    pub(super) fn add(&mut self, path: &str, counts: FileCounts, mut done: impl FnMut(FileRow)) {
        if let Some(Open { start, row }) = &mut self.open
            && path.starts_with(start.as_str())
        {
            let common = common_folder(&row.path, path);
            row.path.truncate(common.max(start.len() - 1));
            return add(row, counts);
        }
        if let Some(complete) = self.finish() {
            done(complete);
        }
        let below = match self.folder {
            "" => 0,
            folder => folder.len() + 1,
        };
        // A leading `/` belongs to the first name.
        let slash = path.bytes().skip(below + 1).position(|byte| byte == b'/');
        match (slash, path.rfind('/')) {
            (Some(end), Some(last)) => {
                let mut row = FileRow {
                    path: path[..last].to_owned(),
                    files: Some(0),
                    ..FileRow::default()
                };
                add(&mut row, counts);
                let start = path[..below + 1 + end + 1].to_owned();
                self.open = Some(Open { start, row });
            }
            _ => done(file(path, counts)),
        }
    }

    /// Returns the last folder, which is still open.
    pub(super) fn finish(&mut self) -> Option<FileRow> {
        self.open.take().map(|open| open.row)
    }
}

/// The length of the part of `folder` that also contains `path`.
fn common_folder(folder: &str, path: &str) -> usize {
    let mut common = 0;
    let marked = folder.bytes().chain([b'/']);
    for (index, (a, b)) in marked.zip(path.bytes()).enumerate() {
        if a != b {
            break;
        }
        if a == b'/' {
            common = index;
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::common_folder;

    #[test]
    fn folders_are_shared_by_whole_names() {
        assert_eq!(common_folder("src/main/java", "src/main/java/a/B.java"), 13);
        assert_eq!(
            common_folder("src/main/java", "src/main/javascript/b.js"),
            8
        );
        assert_eq!(common_folder("src/main", "srcs/x"), 0);
        assert_eq!(common_folder("/usr/lib", "/usr/x"), 4);
    }
}
