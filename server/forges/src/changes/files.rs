//! The changed files of a pull request: from its whole diff, or row by row.

use super::{calls::Calls, why::Why};
use crate::forge::{Ends, FEW_ROWS, Pull, Row, RowLines};
use lines::{ChangedFile, Changes, ChangesError, ChangesParser};
use reqwest::Url;
use std::ops::ControlFlow;

/// One call is reserved to check that the pull request has not changed since.
pub(super) const LAST: u8 = 1;

/// The changed files, and the number of files whose lines are unknown.
#[derive(Default)]
pub(super) struct Files {
    known: Vec<ChangedFile>,
    unknown: u64,
    why: Option<Why>,
}

impl Files {
    /// Returns the changes, and the number of missing files with the reason.
    pub(super) fn finish(self) -> Result<(Changes, Option<(u64, Why)>), Why> {
        let twice = |path| ChangesError {
            line: 1,
            problem: format!("expected each file once, and {path:?} is there twice"),
        };
        let changes = Changes::of(self.known);
        let changes = changes.map_err(|path| Why::Unreadable(twice(path)))?;
        let unknown = (self.unknown > 0).then(|| (self.unknown, self.why.unwrap_or(Why::LeftOut)));
        Ok((changes, unknown))
    }

    fn add(&mut self, row: Row) {
        let (old_path, path) = (row.old_path.as_deref(), row.path.as_deref());
        let read = match row.lines {
            RowLines::Submodule => return,
            RowLines::LeftOut => None,
            RowLines::None => ChangedFile::read(old_path, path, b"").ok(),
            RowLines::Hunks(hunks, counts) => {
                let file = ChangedFile::read(old_path, path, hunks.as_bytes()).ok();
                file.filter(|file| counts.is_none_or(|counts| counts == lines_of(file)))
            }
        };
        match read {
            Some(file) => self.known.push(file),
            None => self.unknown += 1,
        }
    }
}

/// Returns the numbers of added and removed lines.
fn lines_of(file: &ChangedFile) -> (u64, u64) {
    let (added, removed) = file
        .hunks
        .iter()
        .map(|hunk| (hunk.new.lines, hunk.old.lines))
        .unzip();
    let sum = |lines: Vec<u32>| lines.into_iter().map(u64::from).sum();
    (sum(added), sum(removed))
}

/// Fetches the changed files: the whole diff if the forge has it, else pages of files.
pub(super) async fn ask(calls: &mut Calls<'_>, pull: Pull<'_>, ends: &Ends) -> Result<Files, Why> {
    let (forge, api) = (calls.api.forge, &calls.api.listed.url);
    let has_pages = forge.files_url(api, pull, FEW_ROWS, 1).is_some();
    if let Some((url, media_type)) = forge.diff_url(api, pull)
        && !(has_pages && forge.refuses_diff(ends))
    {
        match whole(calls, url, media_type).await {
            Err(Why::Large) if has_pages => {}
            files => return files,
        }
    }
    paged(calls, pull, ends).await
}

async fn whole(calls: &mut Calls<'_>, url: Url, media_type: &'static str) -> Result<Files, Why> {
    let (mut parser, mut problem) = (ChangesParser::whole(), None);
    let feed = |bytes: &[u8]| match parser.feed(bytes) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            problem = Some(error);
            ControlFlow::Break(())
        }
    };
    calls.read(url, Some(media_type), feed).await?;
    if let Some(error) = problem {
        return Err(Why::Unreadable(error));
    }
    let changes = parser.finish().map_err(Why::Unreadable)?;
    Ok(Files {
        known: changes.into_files(),
        ..Files::default()
    })
}

/// Reads all pages of files. If a call fails, the pages before it remain.
async fn paged(calls: &mut Calls<'_>, pull: Pull<'_>, ends: &Ends) -> Result<Files, Why> {
    let forge = calls.api.forge;
    let most = u64::from(calls.left(LAST)).max(1);
    // Small pages, so that the forge omits few lines; larger ones only if there are too many files.
    let wanted = ends.files.unwrap_or_default().div_ceil(most);
    let rows = wanted.clamp(FEW_ROWS, forge.most_rows());
    let (mut files, mut seen) = (Files::default(), 0);
    for page in 1.. {
        let read = match calls.left(LAST) {
            0 => Err(Why::Many),
            _ => read_page(calls, pull, (rows, page)).await,
        };
        match read {
            Ok(read) => {
                let number = read.len() as u64;
                seen += number;
                read.into_iter().for_each(|row| files.add(row));
                if number < rows {
                    files.unknown += ends.files.unwrap_or_default().saturating_sub(seen);
                    break;
                }
                if ends.files == Some(seen) {
                    break;
                }
            }
            Err(why) if seen == 0 => return Err(why),
            Err(why) => {
                files.unknown += ends.files.unwrap_or_default().saturating_sub(seen).max(1);
                files.why = Some(why);
                break;
            }
        }
    }
    Ok(files)
}

async fn read_page(
    calls: &mut Calls<'_>,
    pull: Pull<'_>,
    (rows, page): (u64, u32),
) -> Result<Vec<Row>, Why> {
    let (forge, api) = (calls.api.forge, &calls.api.listed.url);
    let url = forge.files_url(api, pull, rows, page).ok_or(Why::Large)?;
    let body = calls.body(url).await?;
    forge.rows(&body).ok_or(Why::Strange)
}
