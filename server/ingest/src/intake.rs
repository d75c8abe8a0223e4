//! An upload while the parts of its form arrive, in any order. Nothing is published before all parts have arrived.

use super::{
    Accepted, CoverageFileName, Ingest, IngestError, JobFolders, MAX_CHANGES_BYTES, Upload, body,
    details::{Checkout, take_details},
    fair_queue::Permit,
    foreign_files::ForeignFiles,
    lines::{Content, stored},
    publish::{self, Naming},
    queue::enter,
    repository_paths::{Job, MAX_PATHS_BYTES, RepositoryPaths},
    settings::{MAX_SETTINGS_BYTES, Settings},
    sources::{self, SentSources},
    unpack::{self, Unpacked},
};
use bytes::Bytes;
use domain::{CommitAuthor, GlobList, OwnersOf, PartName, RepoName};
use formats::Report;
use futures::{Stream, StreamExt};
use lines::{Changes, ChangesParser, TooLarge};
use objects::Reports;
use owners::Owners;
use std::time::Duration;
use store::{ForgeChanges, NewLines, RecordDetails, StoredReport, actor::Actor};
use tokio::task;

/// The notice if the form after the archive cannot be read.
const CUT: &str = "The form after the archive cannot be read, so later fields were ignored; send other fields before the archive, and no unknown fields.";

const LONG_OWNERS: &str = "The CODEOWNERS file has more than 3 MiB, so it was ignored.";

/// A field of the form of an upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormField {
    /// The archive.
    File,
    /// The repository's paths: the output of `git ls-files -z`, plain or compressed.
    Paths,
    /// The contents of `coverage-dashboard.toml`.
    Settings,
    /// The output of `git diff`.
    Changes,
    /// A CODEOWNERS file.
    Owners,
    /// A tar of source files.
    Sources,
}

/// The parts of an upload that have arrived. An intake holds a permit, so the memory of all intakes is limited.
pub struct Intake {
    upload: Upload,
    archive: Option<Unpacked>,
    paths: Option<Vec<u8>>,
    settings: Option<Settings>,
    changes: Option<Changes>,
    owners: Option<Vec<u8>>,
    sources: Option<SentSources>,
    foreign: Option<ForeignFiles>,
    /// Whether the rest of the form after the archive could not be read.
    pub is_cut: bool,
    _permit: Permit,
}

impl Ingest {
    /// Waits for a permit to receive an upload. With a time of its own, `wait`, it waits even if too many wait already.
    ///
    /// # Errors
    ///
    /// [`IngestError::Busy`] if too many uploads wait already, or if the wait takes too long.
    pub async fn begin(
        &self,
        upload: Upload,
        wait: Option<Duration>,
    ) -> Result<Intake, IngestError> {
        let credential = upload.credential.as_deref();
        let repository = &upload.stated.repository;
        let permit = enter(&self.queue, &upload.sender, repository, credential, wait);
        Ok(Intake {
            _permit: permit.await?,
            upload,
            archive: None,
            paths: None,
            settings: None,
            changes: None,
            owners: None,
            sources: None,
            foreign: None,
            is_cut: false,
        })
    }
}

impl Intake {
    /// Returns whether a field has arrived.
    pub fn has(&self, field: FormField) -> bool {
        match field {
            FormField::File => self.archive.is_some() || self.foreign.is_some(),
            FormField::Paths => self.paths.is_some(),
            FormField::Settings => self.settings.is_some(),
            FormField::Changes => self.changes.is_some(),
            FormField::Owners => self.owners.is_some(),
            FormField::Sources => self.sources.is_some(),
        }
    }

    /// Whether its coverage files arrived without an archive.
    pub fn is_foreign(&self) -> bool {
        self.foreign.is_some()
    }

    /// Takes coverage files that arrived without an archive.
    pub fn take_foreign(&mut self, files: ForeignFiles) {
        self.foreign = Some(files);
    }

    /// Returns the upload, its coverage files without an archive, and its permit.
    pub(super) fn into_foreign(self) -> (Upload, Option<ForeignFiles>, Permit) {
        (self.upload, self.foreign, self._permit)
    }

    /// Returns the upload without its parts.
    pub fn upload(&self) -> &Upload {
        &self.upload
    }

    /// Stores the changes of the pull request according to the forge.
    pub fn take_forge_changes(&mut self, of_forge: ForgeChanges) {
        self.upload.stated.change.of_forge = Some(of_forge);
    }

    /// Sets the author of the commit.
    pub fn take_author(&mut self, author: CommitAuthor) {
        self.upload.author = author;
    }

    /// Reads a field. The rest of a field that is too long is not read.
    ///
    /// # Errors
    ///
    /// If the field is too long or cannot be used, or if the body is interrupted. Then no file is left. Paths over their limit
    /// are not an error.
    pub async fn take(
        &mut self,
        field: FormField,
        ingest: &Ingest,
        body: impl Stream<Item = Result<Bytes, IngestError>> + Unpin,
    ) -> Result<(), IngestError> {
        match field {
            FormField::File => {
                let wanted = self.upload.coverage_file.clone();
                let wanted = wanted.ok_or(IngestError::CoverageFileNotNamed)?;
                let read = read_archive(ingest, wanted, body).await;
                self.archive = Some(ingest.with_room(read).await?);
            }
            FormField::Paths => self.paths = Some(start_of(body, MAX_PATHS_BYTES + 1).await?),
            FormField::Settings => {
                let sent = start_of(body, MAX_SETTINGS_BYTES + 1).await?;
                if sent.len() > MAX_SETTINGS_BYTES {
                    return Err(IngestError::LongSettings);
                }
                let settings = Settings::read(&sent).map_err(IngestError::InvalidSettings)?;
                self.settings = Some(settings);
            }
            FormField::Changes => self.changes = Some(read_changes(body).await?),
            FormField::Owners => self.owners = Some(start_of(body, Owners::MAX_BYTES + 1).await?),
            FormField::Sources => {
                let read = sources::receive(body, &ingest.limits, ingest.accepts_sources).await?;
                self.sources = Some(read);
            }
        }
        Ok(())
    }

    /// Publishes the record of an upload after all its parts have arrived. Without an archive, returns the upload. `by` is the
    /// uploader.
    ///
    /// Must not be cancelled: cancelling leaves an orphaned report until the sweep at the next start.
    ///
    /// # Errors
    ///
    /// An error leaves no record and no file, and the branch's previous report unchanged.
    pub async fn publish(
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
            owners,
            sources,
            is_cut,
            foreign: _,
            _permit,
        } = self;
        let (mut notices, mut owners_of) = (Vec::new(), OwnersOf::default());
        if let Some(settings) = settings {
            let (parts, language) = (&settings.parts, &upload.stated.language);
            let announced = &mut upload.stated.announced;
            announced.expected.extend(parts.of(language).names());
            announced.only_here.extend(parts.only_of(language).names());
            notices = settings.notices;
            owners_of = settings.stored.owners_of;
            upload.stated.settings = Some(settings.stored);
        }
        if let Some(file) = owners {
            let (packed, of_owners) = read_owners(file, owners_of).await?;
            upload.stated.owners = packed;
            notices.extend(of_owners);
        }
        if let Some(changes) = changes {
            upload.stated.change.changes = Some(encoded(changes).await?);
        }
        let Some(unpacked) = archive else {
            return Ok(Err(Box::new(upload)));
        };
        let (of_job, part) = (std::mem::take(&mut upload.of_job), upload.part.clone());
        let repository = upload.stated.repository.repo.clone();
        let rules = ingest.store.writer().ignore_rules(&upload.stated).await?;
        let ignore = rules.clone();
        let read = task::spawn_blocking(move || {
            let checkout = (&of_job, &repository, &part);
            details_of((unpacked.report, unpacked.notices), paths, checkout, &rules)
        });
        let (report, taken, content, of_file) = read.await??;
        notices.splice(..0, of_file);
        if is_cut {
            notices.push(CUT.to_owned());
        }
        let (details, states) = &taken;
        let sources = sources.map(|sent| sent.of(details, states.is_some()));
        let (sources, of_sources) = sources.unwrap_or_default();
        notices.extend(of_sources);
        let report_format = report.format.name();
        let object = if unpacked.start_page.has_pages() {
            let stored = publish::store_report(ingest, unpacked.staged).await;
            let (key, bytes) = ingest.with_room(stored).await?;
            Some(StoredReport {
                key,
                start_page: unpacked.start_page.path(),
                bytes,
            })
        } else {
            None
        };
        let paths = taken.0.paths.clone();
        let mut new = super::new_record(upload, by, &report, taken, ignore, object);
        new.sources = sources;
        let stored = publish::store_record(ingest, new, content, Naming::AsStated).await;
        let (published, of_parts) = ingest.with_room(stored).await?;
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

/// Returns the first bytes of a body, at most `most`.
async fn start_of(
    mut body: impl Stream<Item = Result<Bytes, IngestError>> + Unpin,
    most: usize,
) -> Result<Vec<u8>, IngestError> {
    let mut start = Vec::new();
    while start.len() < most
        && let Some(chunk) = body.next().await.transpose()?
    {
        let room = most - start.len();
        start.extend_from_slice(&chunk[..chunk.len().min(room)]);
    }
    Ok(start)
}

/// Reads a diff. Its text is dropped as it arrives.
async fn read_changes(
    mut body: impl Stream<Item = Result<Bytes, IngestError>> + Unpin,
) -> Result<Changes, IngestError> {
    let (mut parser, mut bytes) = (ChangesParser::default(), 0);
    while let Some(chunk) = body.next().await.transpose()? {
        bytes += chunk.len();
        if bytes > MAX_CHANGES_BYTES {
            return Err(IngestError::LongChanges);
        }
        parser.feed(&chunk).map_err(IngestError::InvalidChanges)?;
    }
    parser.finish().map_err(IngestError::InvalidChanges)
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

/// Packs a CODEOWNERS file for the store, and returns its problems. A file that is too long is left out.
async fn read_owners(
    file: Vec<u8>,
    of: OwnersOf,
) -> Result<(Option<Vec<u8>>, Vec<String>), IngestError> {
    if file.len() > Owners::MAX_BYTES {
        return Ok((None, vec![LONG_OWNERS.to_owned()]));
    }
    let read = move || {
        let notices = Owners::read(&file, of).notices().to_vec();
        Ok((Some(store::packed_owners(&file)?), notices))
    };
    task::spawn_blocking(read).await?
}

async fn encoded(changes: Changes) -> Result<Vec<u8>, IngestError> {
    let encoded = task::spawn_blocking(move || changes.encode()).await?;
    encoded.map_err(|TooLarge| IngestError::LongChanges)
}

/// The details of a coverage file, and its lines if it has lines.
type Taken = (RecordDetails, Option<NewLines>);

/// Returns the report, what is stored of it, and the content of a part that has a name, which is probably united soon. Blocks.
fn details_of(
    (mut report, mut notices): (Report, Vec<String>),
    paths: Option<Vec<u8>>,
    (of_job, repository, part): (&JobFolders, &RepoName, &PartName),
    rules: &GlobList,
) -> Result<(Report, Taken, Option<Content>, Vec<String>), IngestError> {
    let listed = match paths.map(RepositoryPaths::read).transpose() {
        Ok(listed) => listed,
        Err(error) if error.is_refused() => return Err(IngestError::InvalidPaths(error)),
        Err(error) => {
            notices.push(error.to_string());
            None
        }
    };
    let checkout = listed.as_ref().map(|listed| Checkout {
        listed,
        job: Job {
            root: of_job.root.as_deref(),
            report_folder: of_job.report.as_deref().unwrap_or_default(),
            repository: repository.as_str(),
            ..Job::default()
        },
        part,
    });
    let (mut details, mut content, why_not) = take_details(&mut report, checkout.as_ref(), rules);
    let lines = content.as_mut();
    let lines = lines.and_then(|content| stored(content, &mut details.warnings));
    details.warnings.extend_from_slice(&notices);
    notices.extend(why_not.map(str::to_owned));
    let content = content.filter(|_| part.is_named());
    Ok((report, (details, lines), content, notices))
}
