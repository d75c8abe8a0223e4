//! Counts what was left out of the form field `sources`, and says it in one sentence.

/// What was left out.
#[derive(Debug, Default)]
pub(crate) struct Skipped {
    /// Files of more than 1 MiB.
    pub(super) large: u64,
    /// Files after the first 64 MiB.
    pub(super) beyond: u64,
    /// Files that are not UTF-8, or contain NUL.
    pub(super) binary: u64,
    /// Links, devices, paths that are not paths of a repository, and paths that occur twice.
    pub(super) unusable: u64,
    /// Why the rest could not be read.
    pub(super) unread: Option<String>,
    /// Whether the coverage file names none of the files.
    pub(super) is_foreign: bool,
    /// Whether the coverage file has lines.
    pub(super) has_lines: bool,
}

impl Skipped {
    /// Returns the sentence; `None` if nothing unexpected was left out.
    pub(super) fn notice(self) -> Option<String> {
        let counted = |number, one: &str, more: &str| match number {
            0 => None,
            1 => Some(format!("1 {one}")),
            number => Some(format!("{number} {more}")),
        };
        let mut left_out: Vec<_> = [
            counted(
                self.large,
                "file of more than 1 MiB",
                "files of more than 1 MiB each",
            ),
            counted(
                self.beyond,
                "file beyond the limit of 64 MiB or of 16 MiB of paths",
                "files beyond the limit of 64 MiB or of 16 MiB of paths",
            ),
            counted(
                self.binary,
                "file that is not UTF-8 text",
                "files that are not UTF-8 text",
            ),
            counted(
                self.unusable,
                "entry that is no file with its own path in the repository",
                "entries that are no files with their own paths in the repository",
            ),
        ]
        .into_iter()
        .flatten()
        .collect();
        left_out.extend(
            self.unread
                .map(|reason| format!("what follows in the tar ({reason})")),
        );
        if !self.has_lines {
            left_out.push("all files, because the coverage file has no lines".to_owned());
        } else if self.is_foreign {
            left_out.push("all files, because the coverage file names none of them".to_owned());
        }
        if left_out.is_empty() {
            return None;
        }
        Some(format!(
            "Left out of the source text: {}.",
            left_out.join("; ")
        ))
    }
}
