//! A page of a record's files, or of what one of its folders holds: read file by file, of which only what is shown is kept.

mod best;
mod folders;

use super::{DecodeError, StoredFiles, encoding::FileCounts};
use app::domain::{FILES_ON_A_PAGE, FileListing, FileRow, FileSort, FileView, Files, FilesQuery};
use best::Best;
use folders::Folders;

/// Rows that a map of the files has tiles for.
const ON_THE_MAP: usize = 120;

/// The files that `query` asks for, on the page that it asks for or the last. Takes as long as all files take to be read.
///
/// A folder that holds nothing but another folder is passed through: there is nothing to choose in it.
pub(in crate::store) fn list(
    stored: &StoredFiles,
    query: &FilesQuery,
) -> Result<Files, DecodeError> {
    let mut listed = list_folder(stored, query)?;
    if let Files::Listed(listing) = &listed
        && let [row] = listing.rows.as_slice()
        && row.files.is_some()
    {
        let folder = row.path.clone();
        listed = list_folder(
            stored,
            &FilesQuery {
                folder,
                ..query.clone()
            },
        )?;
    }
    Ok(listed)
}

fn list_folder(stored: &StoredFiles, query: &FilesQuery) -> Result<Files, DecodeError> {
    let Some(mut files) = stored.read("")? else {
        return Ok(Files::NotListed);
    };
    let keyword = query.keyword.to_lowercase();
    let is_flat = query.view == FileView::Flat || !keyword.is_empty();
    let page = query.page.clamp(1, stored.count / FILES_ON_A_PAGE + 1);
    let mut rows = Rows {
        shown: Best::new(query.sort, (page * FILES_ON_A_PAGE) as usize),
        largest: Best::new(FileSort::Lines, ON_THE_MAP),
    };
    let mut folder = FileRow {
        path: query.folder.clone(),
        files: Some(0),
        ..FileRow::default()
    };
    let mut folders = Folders::new(&query.folder);
    while files.advance()? {
        let (path, counts) = (files.path(), files.counts());
        if !is_in(path, &query.folder) {
            continue;
        }
        add(&mut folder, counts);
        match (is_flat, keyword.as_str()) {
            (false, _) => folders.add(path, counts, |row| rows.push(row)),
            // A map of thousands of files would show none of them.
            (true, "") => {
                folders.add(path, counts, |row| rows.largest.push(row));
                rows.shown.push(file(path, counts));
            }
            (true, keyword) if path.to_lowercase().contains(keyword) => {
                rows.push(file(path, counts));
            }
            (true, _) => {}
        }
    }
    match (folders.finish(), is_flat) {
        (Some(row), true) => rows.largest.push(row),
        (Some(row), false) => rows.push(row),
        (None, _) => {}
    }
    let matching = rows.shown.seen();
    let pages = matching.div_ceil(FILES_ON_A_PAGE).max(1);
    let page = page.min(pages);
    let first = (page - 1) * FILES_ON_A_PAGE;
    let shown = rows.shown.finish().rows.into_iter();
    Ok(Files::Listed(Box::new(FileListing {
        query: FilesQuery {
            page,
            ..query.clone()
        },
        counter: stored.counter.clone(),
        root: stored.root.clone(),
        file_count: stored.count,
        folder,
        matching,
        pages,
        rows: shown
            .skip(first as usize)
            .take(FILES_ON_A_PAGE as usize)
            .collect(),
        largest: rows.largest.finish(),
    })))
}

struct Rows {
    shown: Best,
    largest: Best,
}

impl Rows {
    fn push(&mut self, row: FileRow) {
        self.largest.push(row.clone());
        self.shown.push(row);
    }
}

/// Whether a path is below a folder; all are below the topmost.
fn is_in(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
}

fn file(path: &str, counts: FileCounts) -> FileRow {
    FileRow {
        path: path.to_owned(),
        files: None,
        lines: counts.lines,
        branches: counts.branches,
        functions: counts.functions,
    }
}

fn add(folder: &mut FileRow, counts: FileCounts) {
    folder.files = folder.files.map(|files| files + 1);
    folder.add(counts.lines, counts.branches, counts.functions);
}
