//! The files of a branch's current record: the content of a folder, or all files below it in an order, each with its lines in the
//! record before.

use super::trend::LAST;
use crate::{Store, StoreError, blocking::blocking, record_details, run::Run};
use domain::{FileSort, FileView, Files, FilesQuery, ListedRecord, RepositoryQuery, text::chain};

impl Store {
    /// Returns the first files that `query` selects from a record of the branch. Unreadable files count as not listed.
    pub(super) async fn files_of_record(
        &self,
        branch_id: i64,
        record: &ListedRecord,
        query: &RepositoryQuery,
    ) -> Result<Files, StoreError> {
        let Some(files) = self.stored_files(record.record_id).await? else {
            return Ok(Files::NotKept);
        };
        let values = (branch_id, &record.language, record.updated_at.0);
        let before: Option<(i64, i64)> = self.first(LAST, values).await?;
        let before = match before {
            Some((before, _)) => self.stored_files(before).await?,
            None => None,
        };
        let listed = FilesQuery {
            view: match query.files {
                None => FileView::Folders,
                Some(_) => FileView::Flat,
            },
            folder: query.folder.clone(),
            sort: query.files.unwrap_or(FileSort::Name),
            ..FilesQuery::default()
        };
        let read = blocking(move || {
            let mut listed = record_details::list(&files, &listed)?;
            if let Files::Listed(listing) = &mut listed {
                listing.rows.truncate(RepositoryQuery::FILES);
                if let Some(before) = before {
                    record_details::add_before(&mut listing.rows, &files, &before)?;
                }
            }
            Ok::<_, record_details::DecodeError>(listed)
        });
        let id = record.record_id;
        Ok(read.await?.unwrap_or_else(|error| {
            let cause = chain(&error);
            tracing::error!(record = id, cause, "the files of a record cannot be read");
            Files::NotListed
        }))
    }
}
