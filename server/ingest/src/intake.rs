//! An upload while the parts of its form arrive, in any order. Nothing is published before all parts have arrived.

use super::{
    Accepted, CoverageFileName, Ingest, IngestError, JobFolders, MAX_CHANGES_BYTES, Upload, body,
    details::{Checkout, take_details},
    fair_queue::Permit,
    publish,
    queue::enter,
    repository_paths::{MAX_PATHS_BYTES, RepositoryPaths},
    settings::{MAX_SETTINGS_BYTES, Settings},
    unpack::{self, Unpacked},
};
use bytes::Bytes;
use domain::{PartName, RepoName};
use formats::Report;
use futures::{Stream, StreamExt};
use lines::{Changes, ChangesParser, TooLarge};
use objects::Reports;
use store::{ForgeChanges, NewLines, RecordDetails, RecordSettings, StoredReport, actor::Actor};
use tokio::task;

/// The notice if the form after the archive cannot be read.
const CUT: &str = "The form after the archive cannot be read, so later parts were ignored; send other parts before the archive, and no unknown parts.";

/// The parts of an upload that have arrived. An intake holds a permit, so the memory of all intakes is limited.
pub struct Intake {
    upload: Upload,
    archive: Option<Unpacked>,
    /// The output of `git ls-files -z`, plain or compressed.
    paths: Option<Vec<u8>>,
    settings: Option<Settings>,
    changes: Option<Changes>,
    /// Whether the rest of the form after the archive could not be read.
    pub is_cut: bool,
    _permit: Permit,
}

impl Ingest {
    /// Waits for a permit to receive an upload.
    ///
    /// # Errors
    ///
    /// [`IngestError::Busy`] if too many uploads wait already, or if the wait takes too long.
    pub async fn begin(&self, upload: Upload) -> Result<Intake, IngestError> {
        let credential = upload.credential.as_deref();
        let repository = &upload.stated.repository;
        let permit = enter(&self.queue, &upload.sender, repository, credential);
        Ok(Intake {
            _permit: permit.await?,
            upload,
            archive: None,
            paths: None,
            settings: None,
            changes: None,
            is_cut: false,
        })
    }
}

impl Intake {
    /// Returns whether the archive has arrived.
    pub fn has_archive(&self) -> bool {
        self.archive.is_some()
    }

    /// Returns whether the repository's paths have arrived.
    pub fn has_paths(&self) -> bool {
        self.paths.is_some()
    }

    /// Returns whether the settings have arrived.
    pub fn has_settings(&self) -> bool {
        self.settings.is_some()
    }

    /// Returns whether the changes have arrived.
    pub fn has_changes(&self) -> bool {
        self.changes.is_some()
    }

    /// Returns the upload without its parts.
    pub fn upload(&self) -> &Upload {
        &self.upload
    }

    /// Stores the changes of the pull request according to the forge.
    pub fn take_forge_changes(&mut self, of_forge: ForgeChanges) {
        self.upload.stated.change.of_forge = Some(of_forge);
    }

    /// Reads the archive.
    ///
    /// # Errors
    ///
    /// If the archive or its coverage file cannot be read, or exceeds a limit. Then no file is left.
    pub async fn take_archive(
        &mut self,
        ingest: &Ingest,
        body: impl Stream<Item = Result<Bytes, IngestError>> + Unpin,
    ) -> Result<(), IngestError> {
        let wanted = self.upload.coverage_file.clone();
        let wanted = wanted.ok_or(IngestError::CoverageFileNotNamed)?;
        let read = read_archive(ingest, wanted, body).await;
        self.archive = Some(ingest.with_room(read).await?);
        Ok(())
    }

    /// Reads the repository's paths. Of a list over the limit, only enough is kept to detect this.
    ///
    /// # Errors
    ///
    /// If the body is interrupted.
    pub async fn take_paths(
        &mut self,
        mut body: impl Stream<Item = Result<Bytes, IngestError>> + Unpin,
    ) -> Result<(), IngestError> {
        let mut paths = Vec::new();
        while let Some(chunk) = body.next().await {
            let chunk = chunk?;
            let room = (MAX_PATHS_BYTES + 1).saturating_sub(paths.len());
            paths.extend_from_slice(&chunk[..chunk.len().min(room)]);
        }
        self.paths = Some(paths);
        Ok(())
    }

    /// Reads the settings: the contents of `coverage-dashboard.toml`.
    ///
    /// # Errors
    ///
    /// If the settings are too long or cannot be used, or if the body is interrupted.
    pub async fn take_settings(
        &mut self,
        mut body: impl Stream<Item = Result<Bytes, IngestError>> + Unpin,
    ) -> Result<(), IngestError> {
        let mut sent = Vec::new();
        while let Some(chunk) = body.next().await {
            sent.extend_from_slice(&chunk?);
            if sent.len() > MAX_SETTINGS_BYTES {
                return Err(IngestError::LongSettings);
            }
        }
        let settings = Settings::read(&sent).map_err(IngestError::InvalidSettings)?;
        self.settings = Some(settings);
        Ok(())
    }

    /// Reads the changes: the output of `git diff`. Its text is dropped as it arrives.
    ///
    /// # Errors
    ///
    /// If the changes are too long or not a diff, or if the body is interrupted.
    pub async fn take_changes(
        &mut self,
        mut body: impl Stream<Item = Result<Bytes, IngestError>> + Unpin,
    ) -> Result<(), IngestError> {
        let (mut parser, mut bytes) = (ChangesParser::default(), 0);
        while let Some(chunk) = body.next().await {
            let chunk = chunk?;
            bytes += chunk.len();
            if bytes > MAX_CHANGES_BYTES {
                return Err(IngestError::LongChanges);
            }
            parser.feed(&chunk).map_err(IngestError::InvalidChanges)?;
        }
        let changes = parser.finish().map_err(IngestError::InvalidChanges)?;
        self.changes = Some(changes);
        Ok(())
    }

    /// Publishes the record. Without an archive, returns the upload.
    pub(super) async fn publish(
        self,
        ingest: &Ingest,
        by: Actor,
    ) -> Result<Result<Accepted, Box<Upload>>, IngestError> {
        let Self {
            mut upload,
            archive,
            paths,
            settings,
            changes,
            is_cut,
            _permit,
        } = self;
        let mut notices = Vec::new();
        if let Some(settings) = settings {
            let (parts, language) = (&settings.parts, &upload.stated.language);
            let announced = &mut upload.stated.announced;
            announced.expected.extend(parts.of(language).names());
            announced.only_here.extend(parts.only_of(language).names());
            upload.stated.settings = Some(RecordSettings {
                rules: settings.rules,
                carry: settings.carry,
            });
            notices = settings.notices;
        }
        if let Some(changes) = changes {
            upload.stated.change.changes = Some(encoded(changes).await?);
        }
        let Some(unpacked) = archive else {
            return Ok(Err(Box::new(upload)));
        };
        let (of_job, part) = (std::mem::take(&mut upload.of_job), upload.part.clone());
        let repository = upload.stated.repository.repo.clone();
        let read = task::spawn_blocking(move || {
            details_of(unpacked.report, paths, &of_job, &repository, &part)
        });
        let (report, taken, of_paths) = read.await??;
        notices.splice(..0, of_paths);
        if is_cut {
            notices.push(CUT.to_owned());
        }
        let report_format = report.format.name();
        let object = if unpacked.start_page.has_pages() {
            let (key, bytes) = publish::store_report(ingest, unpacked.staged).await?;
            Some(StoredReport {
                key,
                start_page: unpacked.start_page.path(),
                bytes,
            })
        } else {
            None
        };
        let paths = taken.0.paths.clone();
        let new = super::new_record(upload, by, &report, taken, object);
        let (published, of_parts) = publish::store_record(ingest, new).await?;
        notices.extend(of_parts);
        Ok(Ok(Accepted {
            published,
            report_format: Some(report_format),
            files: unpacked.files,
            paths,
            notices,
        }))
    }
}

async fn read_archive(
    ingest: &Ingest,
    wanted: CoverageFileName,
    body: impl Stream<Item = Result<Bytes, IngestError>> + Unpin,
) -> Result<Unpacked, IngestError> {
    let (sender, reader) = body::pipe();
    let unpacking = task::spawn_blocking({
        let (reports, limits) = (ingest.reports.clone(), ingest.limits.clone());
        move || {
            let staged = reports.stage(&Reports::new_key())?;
            unpack::unpack(reader, &wanted, &limits, staged)
        }
    });
    let sent = body::forward(body, sender).await;
    let unpacked = unpacking.await?;
    // Return the error of an interrupted body first: it is the cause of an incomplete archive.
    sent?;
    unpacked
}

async fn encoded(changes: Changes) -> Result<Vec<u8>, IngestError> {
    let encoded = task::spawn_blocking(move || changes.encode()).await?;
    encoded.map_err(|TooLarge| IngestError::LongChanges)
}

/// The details of a coverage file, and its lines if it has lines.
type Taken = (RecordDetails, Option<NewLines>);

/// Blocks.
fn details_of(
    mut report: Report,
    paths: Option<Vec<u8>>,
    of_job: &JobFolders,
    repository: &RepoName,
    part: &PartName,
) -> Result<(Report, Taken, Vec<String>), IngestError> {
    let (listed, notices) = match paths.map(RepositoryPaths::read).transpose() {
        Ok(listed) => (listed, Vec::new()),
        Err(error) if error.is_refused() => return Err(IngestError::InvalidPaths(error)),
        Err(error) => (None, vec![error.to_string()]),
    };
    let checkout = listed.as_ref().map(|listed| Checkout {
        listed,
        root: of_job.root.as_deref(),
        report_folder: of_job.report.as_deref(),
        repository: repository.as_str(),
        part,
    });
    let (mut details, lines) = take_details(&mut report, checkout.as_ref());
    details.warnings.extend_from_slice(&notices);
    Ok((report, (details, lines), notices))
}
