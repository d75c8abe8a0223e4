//! The files on a record's page: the listed ones, the ones that changed, and the sums of a view.

use crate::{
    FileCounts,
    record_details::{self, DecodeError, StoredFiles},
    views::{ViewFiles, is_in},
};
use domain::{Change, Files, FilesQuery, Metric, Moved, Percentage, RecordQuery};
use tokio::task;

/// The maximum number of named files: the ones that changed the percentage most.
const NAMED_FILES: usize = 10;

/// What was read from the files of a record and of its base.
pub(super) struct ReadFiles {
    pub(super) files: Files,
    pub(super) moved: Option<Moved>,
    /// The sums over the files of the view and over all files; `None` without a view, or if they are not listed.
    pub(super) sums: Option<(FileCounts, FileCounts)>,
    /// The percentages of the base and of the record: of the view, if there is one.
    pub(super) percentages: Option<(Percentage, Percentage)>,
}

/// Reads stored files on a blocking thread: with a view, only the files of the view. Unreadable files count as absent.
pub(super) async fn read_files(
    query: &RecordQuery,
    view: Option<ViewFiles>,
    (files, base): (Option<StoredFiles>, Option<StoredFiles>),
    percentages: Option<(Percentage, Percentage)>,
) -> ReadFiles {
    let absent = |files| ReadFiles {
        files,
        moved: None,
        sums: None,
        percentages: percentages.filter(|_| query.view.is_none()),
    };
    let Some(files) = files else {
        return absent(Files::NotKept);
    };
    let (id, of_query) = (query.id, query.files.clone());
    let read = task::spawn_blocking(move || {
        let Some(view) = view else {
            return of_all(files, base, &of_query, percentages);
        };
        let all = files.sum()?;
        let of_view =
            |files: StoredFiles| files.selected(Metric::Lines, |path| is_in(Some(&view), path));
        let files = of_view(files)?;
        let base = base.map(of_view).transpose()?;
        let own = files.sum()?;
        let of_base = base.as_ref().map(StoredFiles::sum).transpose()?.flatten();
        let percentage = |sum: Option<FileCounts>| sum.and_then(|sum| Percentage::of(sum.lines));
        let percentages = percentage(of_base).zip(percentage(own));
        Ok(ReadFiles {
            sums: own.zip(all),
            ..of_all(files, base, &of_query, percentages)?
        })
    });
    let reason = match read.await {
        Ok(Ok(read)) => return read,
        Ok(Err(error)) => error.to_string(),
        Err(error) => error.to_string(),
    };
    tracing::error!(record = id, reason, "the files of a record cannot be read");
    absent(Files::NotListed)
}

/// Lists the files that `query` selects, and compares all of them with the files of the base.
fn of_all(
    files: StoredFiles,
    base: Option<StoredFiles>,
    query: &FilesQuery,
    percentages: Option<(Percentage, Percentage)>,
) -> Result<ReadFiles, DecodeError> {
    let listed = record_details::list(&files, query)?;
    let moved = match base.zip(percentages) {
        Some((base, (before, after))) => {
            let change = Change::between(before, after);
            record_details::moved(&base, &files, change, NAMED_FILES)?
        }
        None => None,
    };
    Ok(ReadFiles {
        files: listed,
        moved,
        sums: None,
        percentages,
    })
}
