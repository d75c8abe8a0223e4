//! What a folder holds, from the sorted paths below it.

use super::{FileCounts, FileRow, add, file};

/// Gathers files of one folder under the folders in it. One that holds nothing but another folder stands for both:
/// `src/main/java`.
pub(super) struct Folders<'a> {
    folder: &'a str,
    open: Option<Open>,
}

/// A folder of which more files may come.
struct Open {
    /// What all paths in it begin with.
    start: String,
    row: FileRow,
}

impl<'a> Folders<'a> {
    pub(super) fn new(folder: &'a str) -> Self {
        Self { folder, open: None }
    }

    /// Takes the next file, and hands on what is complete by then.
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
        // The `/` that a path begins with is of its first name.
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

    /// Gives what waits.
    pub(super) fn finish(&mut self) -> Option<FileRow> {
        self.open.take().map(|open| open.row)
    }
}

/// How much of `folder` contains `path` too.
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
