//! Accepts an upload: one pass from the request's body to a stored HTML report and a coverage record.
//!
//! The parts of an upload's form arrive in any order. The archive is read as it arrives; the other parts are kept until the end.
//! One pass decompresses and unpacks the archive, writes it to a report object and parses its coverage file. It runs in a bounded
//! number of blocking threads, and its memory does not grow with the upload. The report is published first and the record last,
//! so a crash leaves at most an orphaned report.

mod archive;
mod body;
mod coverage_file;
mod details;
mod entry_path;
mod error;
pub mod fair_queue;
mod foreign;
mod foreign_files;
mod intake;
pub mod ledger;
mod lines;
mod local;
mod meter;
mod part_names;
mod publish;
mod queue;
pub mod removal;
mod repository_paths;
mod settings;
mod source_file;
mod sources;
mod tests_beside;
mod tests_of_lines;
mod turns;
mod union;
mod unpack;

pub use local::{LocalError, LocalReader, Measured};
pub use source_file::source_lines;

pub use body::BodyReader;
pub use coverage_file::CoverageFileName;
pub use error::{IngestError, Limit, MAX_CHANGES_BYTES, Slowness};
pub use foreign_files::{ForeignFiles, MAX_FOREIGN_FILES};
pub use intake::{FormField, Intake};
pub use meter::{Meter, Received, Unpacking};
pub use queue::upload_queue;
pub use repository_paths::ListingError;
pub use settings::{MAX_SETTINGS_BYTES, Settings, SettingsError};
pub use turns::Turns;

use config::{Limits, ReportGrace};
use domain::{CommitAuthor, GlobList, MatchedPaths, PartName, Percentage, text::chain};
use fair_queue::FairQueue;
use formats::{Counter, Coverage};
use objects::{Reports, ReportsError};
use std::sync::Arc;
use store::{
    NewChange, NewLines, NewRecord, Published, RecordDetails, RecordNames, Stated, Store,
    StoreError, StoredReport, UploadedPart, WaitingHistories, actor::Actor,
};

/// What the client states about its upload.
#[derive(Clone, Debug)]
pub struct Upload {
    /// The names of the record, and the statements about its commit.
    pub stated: Stated,
    /// The author of the commit.
    pub author: CommitAuthor,
    /// The name or path of the coverage file in the archive. Not needed without an archive.
    pub coverage_file: Option<CoverageFileName>,
    /// The folders of the job.
    pub of_job: JobFolders,
    /// The part of the commit.
    pub part: PartName,
    /// The sender for which the upload counts when permits are shared.
    pub sender: String,
    /// The hash of a token that may serve several repositories, if `sender` depends on the repository.
    pub credential: Option<String>,
}

/// The folders of a job. They help to find the file of the repository for a path in the coverage file. They are not stored.
#[derive(Clone, Debug, Default)]
pub struct JobFolders {
    /// The folder of the checkout on the job's machine.
    pub root: Option<String>,
    /// The folder of the coverage file within the repository.
    pub report: Option<String>,
}

impl Upload {
    /// Returns whether the upload uses more than the archive: parts, or data about a pull request.
    pub fn is_extended(&self) -> bool {
        let Stated {
            announced, change, ..
        } = &self.stated;
        self.part.is_named() || !announced.is_empty() || *change != NewChange::default()
    }
}

/// The result of an accepted upload.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// The record.
    pub published: Published,
    /// The format of the coverage file, as a short lower-case name. `None` without an archive.
    pub report_format: Option<&'static str>,
    /// The number of files in the archive.
    pub files: u64,
    /// How many paths of the coverage file are files of the repository, if the upload listed them.
    pub paths: Option<MatchedPaths>,
    /// What was left out of the upload, one sentence each.
    pub notices: Vec<String>,
}

impl Accepted {
    /// Returns the result of an upload without an archive.
    pub fn without_archive(published: Published) -> Self {
        Self {
            published,
            report_format: None,
            files: 0,
            paths: None,
            notices: Vec::new(),
        }
    }
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
    pub queue: FairQueue,
    /// The grace period of replaced HTML reports.
    pub grace: ReportGrace,
    /// One union or analysis at a time.
    pub turns: Turns,
    /// Whether source text is kept.
    pub accepts_sources: bool,
}

impl Ingest {
    /// Analyses a new record, and stores the result with the verdict of the gate. A failure is logged; the next reader of the
    /// record tries again.
    pub async fn analyse(&self, record_id: i64) {
        let Some(names) = self.names(record_id).await else {
            return;
        };
        let Some(_turn) = self.turns.analyse(&names.repository).await else {
            return;
        };
        let analysed = async {
            self.store.writer().analyse(record_id).await?;
            self.store.writer().keep_verdict(record_id).await
        };
        if let Err(error) = analysed.await {
            tracing::error!(record_id, cause = chain(&error), "cannot analyse a record");
        }
    }

    /// Stores the history of a record's lines, if the record belongs to the main branch. If another task stores histories of the
    /// repository, leaves the record to it. `is_over` says when records that can wait for the next upload do so.
    pub async fn keep_line_history(&self, record_id: i64, is_over: impl Fn() -> bool + Send) {
        let Some(names) = self.names(record_id).await else {
            return;
        };
        match self.store.writer().is_on_main(record_id).await {
            Ok(Some(store::Flag(true))) => {}
            Ok(_) => return,
            Err(error) => return logged(record_id, Err(error)),
        }
        let asked = self.turns.histories(&names.repository);
        if !asked.ask(record_id) {
            return;
        }
        let mut waiting = WaitingHistories::default();
        while let Some(ids) = asked.take(waiting.is_empty()) {
            if ids.is_empty() && is_over() {
                return;
            }
            for id in ids {
                logged(id, waiting.add(&self.store, id).await);
            }
            // A turn for each record: an upload of the repository never waits for more than one.
            let Some(_turn) = self.turns.analyse(&names.repository).await else {
                tracing::warn!(
                    record_id,
                    "no turn was free for the history of lines: the next upload computes it"
                );
                return;
            };
            logged(record_id, waiting.compute_next(&self.store).await);
            if waiting.is_empty() {
                let counted = self.store.writer().count_new_code_beside(record_id).await;
                logged(record_id, counted);
            }
        }
    }

    /// Searches the main branch for lines that flicker, if the record belongs to it.
    pub async fn find_flicker(&self, record_id: i64) {
        let Some(names) = self.names(record_id).await else {
            return;
        };
        let search = async {
            if let Err(error) = self.store.writer().find_flicker(record_id).await {
                let cause = chain(&error);
                tracing::error!(record_id, cause, "cannot search for lines that flicker");
            }
        };
        self.turns.search(&names, search).await;
    }

    /// Returns the names of a record. `None` if it was deleted, or if the database fails, which is logged.
    async fn names(&self, record_id: i64) -> Option<RecordNames> {
        let names = self.store.everything().names_of_record(record_id).await;
        names.unwrap_or_else(|error| {
            tracing::error!(record_id, cause = chain(&error), "cannot analyse a record");
            None
        })
    }

    /// If the storage was full, removes replaced reports early, so that the next attempt finds room.
    async fn with_room<T>(&self, result: Result<T, IngestError>) -> Result<T, IngestError> {
        let is_full = match &result {
            Err(IngestError::Reports(ReportsError::Full(_))) => true,
            // Database and reports are probably on the same disk.
            Err(IngestError::Store(StoreError::Full(_))) => {
                !self.store.is_shared() && self.reports.are_files()
            }
            _ => false,
        };
        if is_full {
            let wanted = self.limits.max_upload_bytes;
            let freed = removal::make_room(&self.store, &self.reports, wanted).await;
            if let Err(error) = freed {
                tracing::warn!(cause = chain(&error), "cannot make room for reports");
            }
        }
        result
    }
}

fn logged(record_id: i64, kept: Result<(), StoreError>) {
    if let Err(error) = kept {
        let cause = chain(&error);
        tracing::error!(record_id, cause, "cannot store the history of lines");
    }
}

fn new_record(
    upload: Upload,
    by: Actor,
    report: &formats::Report,
    (details, line_states): (RecordDetails, Option<NewLines>),
    ignore: GlobList,
    object: Option<StoredReport>,
) -> NewRecord {
    for warning in &report.warnings {
        tracing::warn!(repository = %upload.stated.repository, format = %report.format, "{warning}");
    }
    NewRecord {
        stated: upload.stated,
        author: upload.author,
        percentage: Percentage::from_basis_points(report.total.basis_points()),
        // The percentage may count instructions or other elements instead.
        lines: match report.total {
            Coverage::Counts(count, Counter::Line | Counter::Statement) => {
                Some(details::domain(count))
            }
            _ => None,
        },
        branches: report.counters.get(Counter::Branch).map(details::domain),
        functions: report.counters.get(Counter::Function).map(details::domain),
        report_format: report.format.name(),
        details,
        ignore,
        line_states,
        sources: Vec::new(),
        report: object,
        by,
        part: UploadedPart {
            name: upload.part,
            ..UploadedPart::default()
        },
    }
}
