//! Why a command for laptops and jobs ends without a result.

use domain::Repository;
use std::io;
use thiserror::Error;

/// One sentence that states what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(crate) enum ClientError {
    #[error("set COVERAGE_URL or --url to the address of the dashboard")]
    NoUrl,
    #[error("the repository is not known from the git remote origin: add --org and --repo")]
    NoRepository,
    /// There is no git, or no working tree.
    #[error("git does not answer: {0}")]
    Git(String),
    #[error("the output of git diff cannot be read")]
    Diff(#[source] lines::ChangesError),
    #[error("{url} does not answer")]
    Unreachable {
        url: String,
        #[source]
        source: reqwest::Error,
    },
    #[error("{url} answers {status}: {detail}")]
    Refused {
        url: String,
        status: u16,
        detail: String,
    },
    #[error("{url} is no coverage dashboard, or its answer is too large")]
    Strange { url: String },
    #[error("{repository} has no record of {what}")]
    NoRecord {
        repository: Repository,
        what: String,
    },
    /// Several languages cannot be compared with one file.
    #[error("the base has records in {0}: choose one with --language")]
    SeveralLanguages(String),
    #[error(
        "the lines of record {record} are not kept: its coverage file has none, or they have expired"
    )]
    NoLines { record: i64 },
    #[error("the lines of record {record} cannot be read")]
    BadLines {
        record: i64,
        #[source]
        source: formats::ReportError,
    },
    #[error("cannot run the uploader with sh")]
    Shell(#[source] io::Error),
    #[error(transparent)]
    Output(#[from] io::Error),
}
