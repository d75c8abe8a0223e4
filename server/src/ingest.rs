//! Accepts an upload: one pass from the request's body to a stored HTML report and a coverage record.
//!
//! One pass decompresses and unpacks the body, writes it to a report object and parses its coverage file. It runs in a
//! bounded number of blocking threads, and its memory does not grow with the upload. The report is published first and
//! the record last, so a crash leaves at most an orphaned report.

mod archive;
mod body;
mod coverage_file;
mod details;
mod entry_path;
mod error;
pub(crate) mod fair_queue;
pub mod ledger;
mod lines;
mod meter;
mod publish;
mod queue;
mod tee;
mod unpack;

pub use coverage_file::CoverageFileName;
pub use error::{IngestError, Limit, Slowness};
pub use queue::UploadQueue;

use crate::{
    config::{Limits, ReportGrace},
    reports::{Reports, ReportsError, sweeper},
    store::{
        ForgeClaim, MainRight, NewLines, NewRecord, Published, RecordDetails, RecordKey, Store,
        StoreError, StoredReport, actor::Actor,
    },
    text::chain,
};
use bytes::Bytes;
use domain::{BranchName, CommitAuthor, CommitHash, Count, Language, Percentage, Repository};
use futures::Stream;
use report::Counter;
use std::sync::Arc;
use tokio::task;
use unpack::Unpacked;

/// What the client says about its upload.
#[derive(Clone, Debug)]
pub struct Upload {
    /// The repository.
    pub repository: Repository,
    /// The branch.
    pub branch: BranchName,
    /// The commit that was measured.
    pub commit: CommitHash,
    /// Who made the commit.
    pub author: CommitAuthor,
    /// The language.
    pub language: Language,
    /// The name or path of the coverage file in the archive.
    pub coverage_file: CoverageFileName,
    /// The forge that confirmed the repository, if any.
    pub forge_claim: Option<ForgeClaim>,
    /// The sender to which the upload counts when permits are shared.
    pub sender: String,
    /// The hash of a token that may serve several repositories, if `sender` depends on the repository.
    pub credential: Option<String>,
    /// Whether it may change what the main branch shows.
    pub main_right: MainRight,
}

/// The result of an accepted upload.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// Its record.
    pub published: Published,
    /// The format of its coverage file, as a short lower-case name.
    pub report_format: &'static str,
    /// Files in its archive.
    pub files: u64,
}

/// Accepts uploads.
#[derive(Clone, Debug)]
pub struct Ingest {
    /// The records.
    pub store: Store,
    /// The stored HTML reports.
    pub reports: Reports,
    /// The limits of an upload.
    pub limits: Arc<Limits>,
    /// The queue for permits to upload.
    pub queue: UploadQueue,
    /// The grace period of replaced HTML reports.
    pub grace: ReportGrace,
}

impl Ingest {
    /// Checks the quotas before the body arrives.
    ///
    /// # Errors
    ///
    /// [`IngestError::Store`] if the quota of its org or its repository is used up, or if the database fails.
    pub async fn check_quotas(&self, upload: &Upload) -> Result<(), IngestError> {
        let record = RecordKey {
            repository: &upload.repository,
            branch: &upload.branch,
            language: &upload.language,
            commit: &upload.commit,
        };
        Ok(self
            .store
            .check_quotas(&self.limits.quotas(), record)
            .await?)
    }

    /// Reads the archive in `body` and publishes its record. `by` is the uploader.
    ///
    /// Must not be cancelled: cancelling leaves an orphaned report until the sweep at the next start.
    ///
    /// # Errors
    ///
    /// An error leaves no record and no file, and the branch's previous report unchanged.
    ///
    /// If the storage is full, replaced reports are removed early, so that the next attempt finds room.
    pub async fn upload(
        &self,
        upload: Upload,
        by: Actor,
        body: impl Stream<Item = Result<Bytes, IngestError>> + Unpin,
    ) -> Result<Accepted, IngestError> {
        let accepted = self.read_and_publish(upload, by, body).await;
        let is_full = match &accepted {
            Err(IngestError::Reports(ReportsError::Full(_))) => true,
            // Database and reports are probably on the same disk.
            Err(IngestError::Store(StoreError::Full(_))) => {
                !self.store.is_shared() && self.reports.are_files()
            }
            _ => false,
        };
        if is_full {
            let wanted = self.limits.max_upload_bytes;
            let freed = sweeper::make_room(&self.store, &self.reports, wanted).await;
            if let Err(error) = freed {
                tracing::warn!(cause = chain(&error), "cannot make room for reports");
            }
        }
        accepted
    }

    async fn read_and_publish(
        &self,
        upload: Upload,
        by: Actor,
        body: impl Stream<Item = Result<Bytes, IngestError>> + Unpin,
    ) -> Result<Accepted, IngestError> {
        let _permit = self
            .queue
            .enter(
                &upload.sender,
                &upload.repository,
                upload.credential.as_deref(),
            )
            .await?;
        let (sender, reader) = body::pipe();
        let unpacking = task::spawn_blocking({
            let (reports, limits, wanted) = (
                self.reports.clone(),
                self.limits.clone(),
                upload.coverage_file.clone(),
            );
            move || {
                unpack::unpack(
                    reader,
                    &wanted,
                    &limits,
                    reports.stage(&Reports::new_key())?,
                )
            }
        });
        let sent = body::forward(body, sender).await;
        let unpacked = unpacking.await.map_err(IngestError::Panicked)?;
        // Report an interrupted body first: it is the cause of an incomplete archive.
        sent?;
        self.publish(upload, by, unpacked?).await
    }

    async fn publish(
        &self,
        upload: Upload,
        by: Actor,
        unpacked: Unpacked,
    ) -> Result<Accepted, IngestError> {
        let Unpacked {
            report,
            details,
            lines,
            staged,
            start_page,
            files,
        } = unpacked;
        let report_format = report.format.name();
        let object = if start_page.has_pages() {
            let (key, bytes) = publish::store_report(self, staged).await?;
            Some(StoredReport {
                key,
                start_page: start_page.path(),
                bytes,
            })
        } else {
            None
        };
        let new = new_record(upload, by, &report, (details, lines), object);
        let published = publish::store_record(self, &new).await?;
        Ok(Accepted {
            published,
            report_format,
            files,
        })
    }
}

fn new_record(
    upload: Upload,
    by: Actor,
    report: &report::Report,
    (details, line_states): (RecordDetails, Option<NewLines>),
    object: Option<StoredReport>,
) -> NewRecord {
    for warning in &report.warnings {
        tracing::warn!(repository = %upload.repository, format = %report.format, "{warning}");
    }
    let count = |count: report::Count| Count {
        covered: count.covered(),
        total: count.total(),
    };
    NewRecord {
        repository: upload.repository,
        branch: upload.branch,
        commit: upload.commit,
        author: upload.author,
        language: upload.language,
        percentage: Percentage::from_basis_points(report.total.basis_points()),
        lines: lines_of(report.total).map(count),
        branches: report.counters.get(Counter::Branch).map(count),
        functions: report.counters.get(Counter::Function).map(count),
        report_format: report.format.name(),
        details,
        line_states,
        report: object,
        forge_claim: upload.forge_claim,
        main_right: upload.main_right,
        by,
    }
}

/// Returns the line counts behind the percentage: `None` if the percentage counts instructions or other elements.
fn lines_of(coverage: report::Coverage) -> Option<report::Count> {
    match coverage {
        report::Coverage::Counts(count, Counter::Line | Counter::Statement) => Some(count),
        _ => None,
    }
}
