//! Coverage files without an archive, as clients of other services send them: one upload may have several, in several languages.

#[cfg(test)]
mod tests;
mod united;

use super::{
    Accepted, Ingest, IngestError, Intake,
    body::{self, BodyReader},
    foreign_files::ForeignFiles,
    meter::{Meter, Received},
    new_record,
    publish::{self, Naming},
    repository_paths::RepositoryPaths,
};
use bytes::Bytes;
use domain::Percentage;
use futures::Stream;
use std::sync::Arc;
use store::{NewRecord, actor::Actor};
use tokio::task;
use united::{Checked, united};

impl Ingest {
    /// Reads the coverage files of a body with `read`, in another thread. `read` gets the body and the meter of everything that it
    /// unpacks.
    ///
    /// # Errors
    ///
    /// If the body is interrupted, and the errors of `read`.
    pub async fn read_foreign(
        &self,
        body: impl Stream<Item = Result<Bytes, IngestError>> + Unpin,
        read: impl FnOnce(Received<BodyReader>, &Meter, &mut ForeignFiles) -> Result<(), IngestError>
        + Send
        + 'static,
    ) -> Result<ForeignFiles, IngestError> {
        let (sender, reader) = body::pipe();
        let limits = self.limits.clone();
        let reading = task::spawn_blocking(move || {
            let meter = Meter::new(&limits);
            let mut files = ForeignFiles::new(&limits);
            read(meter.receive(reader), &meter, &mut files)?;
            Ok(files)
        });
        let sent = body::forward(body, sender).await;
        let files = reading.await?;
        // Return the error of an interrupted body first: it is the cause of incomplete content.
        sent?;
        files
    }
}

impl Intake {
    /// Publishes the coverage files of [`Self::take_foreign`]: one record for each language. `by` is the uploader. If an earlier
    /// upload of the commit gave a part of the same name another result, this one becomes a further part.
    ///
    /// Must not be cancelled.
    ///
    /// # Errors
    ///
    /// If no coverage file can be read, or as of [`Intake::publish`]. Records of earlier languages stay then; a repetition replaces
    /// them.
    pub async fn publish_reports(
        self,
        ingest: &Ingest,
        by: &Actor,
    ) -> Result<Vec<Accepted>, IngestError> {
        let (upload, files, _permit) = self.into_foreign();
        let files = files.ok_or(IngestError::NoCoverageFile)?;
        let (groups, paths, of_all) = files.by_language()?;
        let listed = task::spawn_blocking(move || listed(paths));
        let (listed, of_paths) = listed.await?;
        let mut accepted = Vec::new();
        for (language, files) in groups {
            let mut upload = upload.clone();
            upload.stated.language = language;
            let rules = ingest.store.writer().ignore_rules(&upload.stated).await?;
            let checked = Checked {
                listed: listed.clone(),
                of_job: upload.of_job.clone(),
                repository: upload.stated.repository.repo.clone(),
                part: upload.part.clone(),
                rules: rules.clone(),
            };
            let count = files.len() as u64;
            let read = task::spawn_blocking(move || united(files, &checked));
            let read = read.await??;
            let mut notices = [of_all.clone(), of_paths.clone(), read.notices].concat();
            let mut new = new_record(upload, by.clone(), &read.report, read.taken, rules, None);
            if let Some(union) = read.union {
                new = NewRecord {
                    percentage: Percentage::from_basis_points(
                        union.lines.percentage().basis_points(),
                    ),
                    lines: Some(union.lines),
                    branches: union.branches,
                    functions: None,
                    line_states: Some(union.line_states),
                    details: union.details,
                    ..new
                };
            }
            new.details.warnings.extend_from_slice(&notices);
            let (paths, format) = (new.details.paths.clone(), new.report_format);
            let stored =
                publish::store_record(ingest, new, read.content, Naming::BesideOthers).await;
            let (published, of_parts) = ingest.with_room(stored).await?;
            notices.extend(of_parts);
            accepted.push(Accepted {
                published,
                report_format: Some(format),
                files: count,
                paths,
                notices,
            });
        }
        Ok(accepted)
    }
}

/// Reads a list of the repository's paths. One that cannot be used is ignored, with a notice.
fn listed(paths: Option<Vec<u8>>) -> (Option<Arc<RepositoryPaths>>, Vec<String>) {
    match paths.map(RepositoryPaths::read).transpose() {
        Ok(listed) => (listed.map(Arc::new), Vec::new()),
        Err(error) => (None, vec![error.to_string()]),
    }
}
