//! The files of a branch's current record: the content of a folder, or all files below it in an order, each with its lines in the
//! record before.

use crate::{
    Store, StoreError, blocking::blocking, record_details, record_page::BEFORE, run::Run,
    standing::Series,
};
use domain::{
    FileSort, FileView, Files, FilesQuery, ListedRecord, RecordBeside, RepositoryQuery, text::chain,
};

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
        let series = Series {
            branch_id,
            language: record.language.as_str(),
        };
        let before: Option<RecordBeside> = self.first(BEFORE, (series, record.updated_at)).await?;
        let before = match before {
            Some(before) => self.stored_files(before.id).await?,
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
