//! `coverage-dashboard export` and `import`: writes records to a file and reads them from one. The service may be running.

use crate::{
    commands::{
        CommandError,
        database::{DatabaseArguments, StorageArguments},
        refuse,
    },
    history::{self, HistoryFormat, HistoryWriter},
};
use clap::Args;
use domain::{OrgName, RepoName};
use objects::{Reports, ReportsError};
use std::{
    error::Error,
    ffi::OsStr,
    fs::File,
    io::{BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
};
use store::{HistoryRecord, Imported, ImportedHistories, Store, now};

/// Writes all records to a file, repository by repository, oldest first. HTML reports stay in their storage.
#[derive(Clone, Debug, Args)]
pub struct ExportArguments {
    /// The file to write [default: standard output].
    pub file: Option<PathBuf>,

    /// The format [default: by the file name, else ndjson].
    #[arg(long, value_enum)]
    pub format: Option<HistoryFormat>,

    /// Also writes the state of every line, the stored source text and the keys of HTML reports, for a service with this release or a later one. Only as
    /// ndjson.
    #[arg(long)]
    pub lines: bool,

    /// Only the records of this org.
    #[arg(long)]
    pub org: Option<OrgName>,

    /// Only the records of this repository of the org.
    #[arg(long, requires = "org")]
    pub repo: Option<RepoName>,

    #[command(flatten)]
    pub database: DatabaseArguments,
}

/// Imports records from another system, with their own times. A commit that exists already stays unchanged, so importing
/// a file twice is safe. HTML reports of records that were exported with --lines must be stored already.
#[derive(Clone, Debug, Args)]
pub struct ImportArguments {
    /// The file to read [default: standard input].
    pub file: Option<PathBuf>,

    /// The format [default: by the file name].
    #[arg(long, value_enum)]
    pub format: Option<HistoryFormat>,

    #[command(flatten)]
    pub storage: StorageArguments,

    #[command(flatten)]
    pub database: DatabaseArguments,
}

/// The maximum number of records in one transaction. Uploads wait while it writes.
const MAX_AT_ONCE: usize = 5_000;

/// A transaction ends when the lines of its records reach this size.
const MAX_LINES_BYTES_AT_ONCE: usize = 16 << 20;

/// Progress is printed after this many records.
const PROGRESS_EVERY: u64 = 100_000;

fn failed_with<E: Into<Box<dyn Error + Send + Sync>>>(file: &Path) -> impl Fn(E) -> CommandError {
    move |cause| CommandError::failed(format!("cannot use {}", file.display()))(cause)
}

/// Writes the records to a file, or to `out`. Messages for people go to `notes`.
pub(crate) async fn export(
    arguments: ExportArguments,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
    let file = arguments.file.as_deref();
    let format = arguments
        .format
        .or_else(|| file.and_then(format_of))
        .unwrap_or(HistoryFormat::Ndjson);
    if arguments.lines && format != HistoryFormat::Ndjson {
        return refuse("--lines needs --format ndjson: CSV cannot hold the state of every line");
    }
    let write = async |store: &Store, _: &mut _| {
        let Some(file) = file else {
            return write_history(store, &arguments, format, out).await;
        };
        let mut opened = BufWriter::new(File::create(file).map_err(failed_with(file))?);
        let written = write_history(store, &arguments, format, &mut opened).await;
        opened.flush().map_err(failed_with(file))?;
        written.map_err(|error| match error {
            CommandError::Output(source) => failed_with(file)(source),
            error => error,
        })
    };
    let written = arguments.database.with(notes, write).await?;
    writeln!(notes, "{written} records")?;
    Ok(())
}

async fn write_history(
    store: &Store,
    arguments: &ExportArguments,
    format: HistoryFormat,
    out: impl Write,
) -> Result<u64, CommandError> {
    let (org, repo) = (arguments.org.clone(), arguments.repo.clone());
    let mut reading = store.operator().read_history(org, repo, arguments.lines);
    let mut written = 0;
    let mut file = HistoryWriter::start(format, out)?;
    loop {
        let records = reading.next().await?;
        if records.is_empty() {
            file.finish()?;
            return Ok(written);
        }
        for record in &records {
            file.write(record)?;
            written += 1;
        }
    }
}

/// Imports the records of a file, or of `input`. Messages for people go to `notes`.
pub(crate) async fn import(
    arguments: ImportArguments,
    input: impl BufRead,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
    let file = arguments.file.as_deref();
    let format = arguments.format.or_else(|| file.and_then(format_of));
    let Some(format) = format else {
        return refuse(
            "add --format ndjson or --format csv: the file's name does not end with .ndjson, .jsonl or .csv",
        );
    };
    let mut reports = ReportsOfRecords {
        arguments: &arguments,
        opened: None,
        missing: 0,
    };
    let read = async |store: &Store, notes: &mut _| match file {
        None => read_history(store, format, input, &mut reports, notes).await,
        Some(file) => {
            let opened = BufReader::new(File::open(file).map_err(failed_with(file))?);
            read_history(store, format, opened, &mut reports, notes).await
        }
    };
    let Imported { added, known } = arguments.database.with(notes, read).await?;
    writeln!(notes, "{added} records added, {known} existed already")?;
    if reports.missing > 0 {
        writeln!(
            notes,
            "{} HTML reports are not in {}: their records have none",
            reports.missing, arguments.storage.reports_url
        )?;
    }
    Ok(())
}

/// Imports consecutive lines of the same repository in one transaction.
async fn read_history(
    store: &Store,
    format: HistoryFormat,
    file: impl BufRead,
    reports: &mut ReportsOfRecords<'_>,
    notes: &mut impl Write,
) -> Result<Imported, CommandError> {
    let (mut all, mut steps) = (Imported::default(), 0);
    let (mut together, mut lines_bytes) = (Vec::<HistoryRecord>::new(), 0);
    let mut records = history::read(format, file, now());
    let (operator, mut histories) = (store.operator(), ImportedHistories::default());
    loop {
        let record = records.next();
        let goes_on = match (&record, together.first()) {
            (Some(Ok(record)), Some(first)) => {
                record.repository == first.repository
                    && together.len() < MAX_AT_ONCE
                    && lines_bytes < MAX_LINES_BYTES_AT_ONCE
            }
            (Some(Ok(_)), None) => true,
            _ => false,
        };
        if !goes_on && let Some(first) = together.first() {
            let imported = store
                .operator()
                .import(&first.repository, &together)
                .await?;
            operator.import_histories(&mut histories, &together).await?;
            all.added += imported.added;
            all.known += imported.known;
            together.clear();
            lines_bytes = 0;
            if (all.added + all.known) / PROGRESS_EVERY > steps {
                steps = (all.added + all.known) / PROGRESS_EVERY;
                writeln!(notes, "{} records so far", all.added + all.known)?;
            }
        }
        match record {
            None => {
                operator.import_histories(&mut histories, &[]).await?;
                return Ok(all);
            }
            Some(record) => {
                let mut record = record.map_err(CommandError::failed(
                    "the import stopped at this line; earlier lines are imported, and importing the file again is safe",
                ))?;
                reports.find(&mut record).await?;
                lines_bytes += record.line_states.as_ref().map_or(0, |lines| {
                    lines.encoded.len() + lines.tests.as_ref().map_or(0, Vec::len)
                });
                let history = record
                    .chain
                    .as_ref()
                    .and_then(|chain| chain.history.as_ref());
                lines_bytes += history.map_or(0, Vec::len);
                let texts = record
                    .sources
                    .iter()
                    .filter_map(|source| source.text.as_ref());
                lines_bytes += texts.map(Vec::len).sum::<usize>();
                together.push(record);
            }
        }
    }
}

/// The storage with the HTML reports of imported records. It is opened when the first record names a report.
struct ReportsOfRecords<'a> {
    arguments: &'a ImportArguments,
    opened: Option<Reports>,
    missing: u64,
}

impl ReportsOfRecords<'_> {
    /// Notes the size of the record's report, or removes the report from the record if it is not stored.
    async fn find(&mut self, record: &mut HistoryRecord) -> Result<(), CommandError> {
        let Some(report) = &mut record.report else {
            return Ok(());
        };
        let storage = &self.arguments.storage;
        let reports = match &self.opened {
            Some(opened) => opened,
            None => self
                .opened
                .insert(storage.open("cannot use HTML reports").await?),
        };
        let url = &storage.reports_url;
        let failed = |cause: Box<dyn Error + Send + Sync>| {
            CommandError::failed(format!("cannot use HTML reports in {url}"))(cause)
        };
        match reports.size(&report.key).await {
            Ok(bytes) => report.bytes = bytes,
            Err(ReportsError::Missing) => {
                self.missing += 1;
                record.report = None;
            }
            Err(error) => return Err(failed(error.into())),
        }
        Ok(())
    }
}

fn format_of(file: &Path) -> Option<HistoryFormat> {
    match file.extension().and_then(OsStr::to_str) {
        Some("ndjson" | "jsonl") => Some(HistoryFormat::Ndjson),
        Some("csv") => Some(HistoryFormat::Csv),
        _ => None,
    }
}
