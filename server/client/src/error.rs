//! Why a command for laptops and jobs ends without a result.

use domain::Repository;
use std::io;
use thiserror::Error;

/// Why there is no result: one sentence that says what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The service is not named.
    #[error("set COVERAGE_URL or --url to the address of the dashboard")]
    NoUrl,
    /// The repository is not named.
    #[error("the repository is not known from the git remote origin: add --org and --repo")]
    NoRepository,
    /// There is no git, or no working tree.
    #[error("git does not answer: {0}")]
    Git(String),
    /// git printed something else than expected.
    #[error("the output of git diff cannot be read")]
    Diff(#[source] lines::ChangesError),
    /// The service cannot be reached.
    #[error("{url} does not answer")]
    Unreachable {
        /// Its address.
        url: String,
        /// Why.
        #[source]
        source: reqwest::Error,
    },
    /// The service refuses.
    #[error("{url} answers {status}: {detail}")]
    Refused {
        /// The address that was asked.
        url: String,
        /// The HTTP status.
        status: u16,
        /// Its sentence.
        detail: String,
    },
    /// The answer is not from a coverage dashboard, or too large.
    #[error("{url} is no coverage dashboard, or its answer is too large")]
    Strange {
        /// The address that was asked.
        url: String,
    },
    /// There is no such record.
    #[error("{repository} has no record of {what}")]
    NoRecord {
        /// The repository.
        repository: Repository,
        /// What was asked for.
        what: String,
    },
    /// The commit has records in several languages, which cannot be compared with one file.
    #[error("the base has records in {0}: choose one with --language")]
    SeveralLanguages(String),
    /// The record has no lines.
    #[error(
        "the lines of record {record} are not kept: its coverage file has none, or they have expired"
    )]
    NoLines {
        /// The record.
        record: i64,
    },
    /// The lines cannot be read.
    #[error("the lines of record {record} cannot be read")]
    BadLines {
        /// The record.
        record: i64,
        /// Why.
        #[source]
        source: formats::ReportError,
    },
    /// The output is closed.
    #[error(transparent)]
    Output(#[from] io::Error),
}
