//! A page of a record's files, or of one folder's contents. Reads file by file and keeps only the shown rows.

mod best;
mod folders;
mod shown;

use super::{DecodeError, StoredFiles, encoding::FileCounts};
use best::Best;
use domain::{FILES_ON_A_PAGE, FileListing, FileRow, FileSort, FileView, Files, FilesQuery};
use folders::Folders;
use shown::Shown;
use std::collections::HashMap;

const ON_THE_MAP: usize = 120;

/// Returns the files that `query` selects, on the requested page or on the last page. Reads all files once for the first page and
/// twice for another page.
///
/// Skips a folder that contains only another folder: it offers no choice.
pub(crate) fn list(stored: &StoredFiles, query: &FilesQuery) -> Result<Files, DecodeError> {
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
    let requested = query.page.max(1);
    let mut shown = Shown::new(query.sort, requested, FILES_ON_A_PAGE, is_flat(query));
    let mut largest = Best::new(FileSort::Lines, ON_THE_MAP);
    let folder = walk(stored, query, |place, row| match place {
        View::Both => {
            largest.push(row.clone());
            shown.push(row);
        }
        View::Map => largest.push(row),
        View::List => shown.push(row),
    })?;
    let Some(folder) = folder else {
        return Ok(Files::NotListed);
    };
    let matching = shown.seen();
    let pages = matching.div_ceil(FILES_ON_A_PAGE).max(1);
    let page = requested.min(pages);
    let rows = match shown {
        Shown::First(best) => best.finish().rows,
        Shown::Later(ranking) => {
            let first = (page - 1) as usize * FILES_ON_A_PAGE as usize;
            let wanted = ranking.rows(first, FILES_ON_A_PAGE as usize);
            read_rows(stored, query, &wanted)?
        }
    };
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
        rows,
        largest: largest.finish(),
    })))
}

/// Whether all files are in one list, as for search results.
fn is_flat(query: &FilesQuery) -> bool {
    query.view == FileView::Flat || !query.keyword.is_empty()
}

/// Where a row appears.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    List,
    Map,
    Both,
}

/// Passes every row of a query to `see`, and returns the sums of its folder; `None` if no files are stored.
fn walk(
    stored: &StoredFiles,
    query: &FilesQuery,
    mut see: impl FnMut(View, FileRow),
) -> Result<Option<FileRow>, DecodeError> {
    let Some(mut files) = stored.read("")? else {
        return Ok(None);
    };
    let keyword = query.keyword.to_lowercase();
    // A map cannot show thousands of files, so it shows folders.
    let of_folders = if is_flat(query) {
        View::Map
    } else {
        View::Both
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
        if keyword.is_empty() {
            folders.add(path, counts, |row| see(of_folders, row));
            if of_folders == View::Map {
                see(View::List, file(path, counts));
            }
        } else if path.to_lowercase().contains(&keyword) {
            see(View::Both, file(path, counts));
        }
    }
    if let Some(row) = folders.finish() {
        see(of_folders, row);
    }
    Ok(Some(folder))
}

/// Returns the rows with these numbers, in the order of `wanted`.
fn read_rows(
    stored: &StoredFiles,
    query: &FilesQuery,
    wanted: &[u32],
) -> Result<Vec<FileRow>, DecodeError> {
    let places: HashMap<u32, usize> = wanted.iter().copied().zip(0..).collect();
    let mut rows = vec![FileRow::default(); wanted.len()];
    let mut number = 0;
    walk(stored, query, |place, row| {
        if place == View::Map {
            return;
        }
        if let Some(at) = places.get(&number) {
            rows[*at] = row;
        }
        number += 1;
    })?;
    Ok(rows)
}

/// Whether a path is below a folder. All paths are below the empty folder.
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
        before: None,
    }
}

fn add(folder: &mut FileRow, counts: FileCounts) {
    folder.files = folder.files.map(|files| files + 1);
    folder.add(counts.lines, counts.branches, counts.functions);
}
