//! Taking an upload in: one pass from the request's body to a stored report and a coverage record.
//!
//! The body is decompressed, unpacked, written to a report object and its coverage file parsed, all at once and in a
//! bounded number of blocking threads; memory does not grow with the upload. The report is published first and the
//! record last, so that a crash leaves at most a report that nothing points to.

mod archive;
mod body;
mod coverage_file;
mod details;
mod entry_path;
mod error;
pub(crate) mod fair_queue;
pub mod ledger;
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
        ForgeClaim, MainRight, NewRecord, Published, RecordDetails, RecordKey, Store, StoreError,
        StoredReport, actor::Actor,
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
    /// The coverage report within the archive.
    pub coverage_file: CoverageFileName,
    /// The forge that vouches for the repository, if one does.
    pub forge_claim: Option<ForgeClaim>,
    /// Whose upload it is, where uploads are shared out.
    pub sender: String,
    /// The hash of a token that may be for several repositories, where `sender` is by repository.
    pub credential: Option<String>,
    /// Whether it may change what the main branch shows.
    pub main_right: MainRight,
}

/// What became of an upload that was accepted.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// Its record.
    pub published: Published,
    /// The format of its coverage report, as a short lower-case name.
    pub report_format: &'static str,
    /// Files in its archive.
    pub files: u64,
}

/// What takes uploads in.
#[derive(Clone, Debug)]
pub struct Ingest {
    /// The records.
    pub store: Store,
    /// The stored HTML reports.
    pub reports: Reports,
    /// What an upload may cost.
    pub limits: Arc<Limits>,
    /// Uploads at once.
    pub queue: UploadQueue,
    /// How long replaced HTML reports stay.
    pub grace: ReportGrace,
}

impl Ingest {
    /// Checks whether there can be room for an upload whose body has not come yet.
    ///
    /// # Errors
    ///
    /// [`IngestError::Store`] where the quota of its organisation or its repository is used up, or when the database fails.
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

    /// Reads the archive in `body` and publishes its record. `by` is who uploads it.
    ///
    /// Must not be cancelled: that would leave a report that no record points to until the next start sweeps it.
    ///
    /// # Errors
    ///
    /// Every error leaves nothing behind: no record, no file, and the branch's previous report as it was.
    ///
    /// Where the storage is full, replaced reports are removed early, so that the next try finds room.
    pub async fn upload(
        &self,
        upload: Upload,
        by: Actor,
        body: impl Stream<Item = Result<Bytes, IngestError>> + Unpin,
    ) -> Result<Accepted, IngestError> {
        let accepted = self.read_and_publish(upload, by, body).await;
        let is_full = match &accepted {
            Err(IngestError::Reports(ReportsError::Full(_))) => true,
            // The disk of both, in all likelihood.
            Err(IngestError::Store(StoreError::Full(_))) => {
                !self.store.is_shared() && self.reports.are_files()
            }
            _ => false,
        };
        if is_full {
            let wanted = self.limits.max_upload_bytes;
            let made = sweeper::make_room(&self.store, &self.reports, wanted).await;
            if let Err(error) = made {
                tracing::warn!(cause = chain(&error), "no room can be made for reports");
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
        // A body that broke off is why the archive was cut short, and not the other way round.
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
        let new = new_record(upload, by, &report, details, object);
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
    details: RecordDetails,
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
        report: object,
        forge_claim: upload.forge_claim,
        main_right: upload.main_right,
        by,
    }
}

/// The lines behind the percentage. Instructions and other elements are none, although a percentage may rest on them.
fn lines_of(coverage: report::Coverage) -> Option<report::Count> {
    match coverage {
        report::Coverage::Counts(count, Counter::Line | Counter::Statement) => Some(count),
        _ => None,
    }
}
