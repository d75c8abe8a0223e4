//! The data of the ledger page: every upload attempt, accepted or refused.

mod advice;
mod parameters;

pub use advice::{Advice, REFUSALS, advice};

use super::{
    BranchName, Count, Language, Percentage, Repository, RunUrl, Timestamp, choice::choices,
    query::query, record::changed_lines,
};
use parameters::wrong_parameters;

choices! {
    /// How an attempt to upload ended.
    Outcome:
    /// Accepted: a record exists.
    Taken = "taken",
    /// Refused: no record was stored.
    Refused = "refused",
}

choices! {
    /// Whether the token of an attempt was accepted.
    Sender:
    /// The token was accepted.
    Known = "known",
    /// The token was not accepted, or the attempt was refused before its token was checked.
    Unknown = "unknown",
}

#[cfg(feature = "sql")]
impl From<crate::sql::Flag> for Sender {
    fn from(crate::sql::Flag(is_known): crate::sql::Flag) -> Self {
        if is_known { Self::Known } else { Self::Unknown }
    }
}

query! {
    /// A query for the ledger page.
    #[derive(Default)]
    pub struct LedgerQuery {
        /// Only attempts with this outcome.
        pub outcome: Option<Outcome> = "outcome",
        /// Only attempts of this kind of sender.
        pub sender: Option<Sender> = "sender",
        /// Only attempts whose `org/repo` contains this text, ignoring case; empty for all.
        pub repository: String = "repo",
        /// Only attempts with this code; empty for all.
        pub code: String = "code",
        /// Only attempts before this id; the newest attempts if `None`.
        pub before: Option<i64> = "before",
    }
}

impl LedgerQuery {
    /// Whether a filter is set.
    pub fn has_filter(&self) -> bool {
        self.outcome.is_some()
            || self.sender.is_some()
            || !self.repository.is_empty()
            || !self.code.is_empty()
    }
}

/// One page of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerPage {
    /// When the page was built; ages are relative to it.
    pub now: Timestamp,
    /// The query.
    pub query: LedgerQuery,
    /// The attempts of the last 24 hours.
    pub last_day: LastDay,
    /// The attempts, the newest first.
    pub attempts: Vec<UploadAttempt>,
    /// The `before` value of the next page; `None` on the last page.
    pub next: Option<i64>,
}

/// Counts over the attempts of the last 24 hours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct LastDay {
    /// The number of attempts.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Unsigned"))]
    pub attempts: u32,
    /// The number of refused attempts.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Unsigned"))]
    pub refused: u32,
    /// The number of attempts without an accepted token.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Unsigned"))]
    pub unknown: u32,
    /// Whether more attempts were not counted.
    #[cfg_attr(feature = "sql", sqlx(skip))]
    pub is_cut: bool,
}

/// One upload attempt. Its names are as the client sent them, cut to length and not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct UploadAttempt {
    /// Its place in the ledger.
    pub id: i64,
    /// When the request arrived.
    pub received_at: Timestamp,
    /// Time until the answer, in milliseconds.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Unsigned"))]
    pub milliseconds: u64,
    /// The request id, as in the log lines.
    pub request_id: Option<String>,
    /// The org that the client sent.
    #[cfg_attr(feature = "sql", sqlx(rename = "org_name"))]
    pub org: Option<String>,
    /// The repository that the client sent.
    #[cfg_attr(feature = "sql", sqlx(rename = "repo_name"))]
    pub repo: Option<String>,
    /// The branch that the client sent.
    #[cfg_attr(feature = "sql", sqlx(rename = "branch_name"))]
    pub branch: Option<String>,
    /// The commit that the client sent.
    #[cfg_attr(feature = "sql", sqlx(rename = "commit_hash"))]
    pub commit: Option<String>,
    /// The language that the client sent.
    pub language: Option<String>,
    /// The part that the client sent.
    pub part: Option<String>,
    /// Whether its token was accepted.
    #[cfg_attr(
        feature = "sql",
        sqlx(rename = "is_known", try_from = "crate::sql::Flag")
    )]
    pub sender: Sender,
    /// The name of that token.
    pub token_name: Option<String>,
    /// The answer's HTTP status.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Unsigned"))]
    pub status: u16,
    /// `created`, `replaced`, `kept`, or the code of the refusal.
    pub code: String,
    /// The sentence in the answer to the client; `None` if the reader may not see it.
    pub detail: Option<String>,
    /// The record, if there is one.
    pub record_id: Option<i64>,
    /// The format of the coverage file.
    pub report_format: Option<String>,
    /// The page of the CI run that uploaded.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::IfReadable<RunUrl>"))]
    pub run_url: Option<RunUrl>,
    /// The client of another service that sent it, such as `codecov-cli 11.3.1`.
    pub client: Option<String>,
    /// Bytes of the request's body that were read.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Unsigned"))]
    pub bytes: u64,
    /// Covered and coverable changed lines of the record as it is now; `None` if its changes or lines are not known.
    #[cfg_attr(feature = "sql", sqlx(flatten, try_from = "crate::sql::LineColumns"))]
    pub changed_lines: Option<Count>,
}

impl UploadAttempt {
    /// The changed lines in words.
    pub fn changed_lines_sentence(&self) -> Option<String> {
        let Count { covered, total } = self.changed_lines?;
        Some(changed_lines(covered, total))
    }

    /// The outcome.
    pub fn outcome(&self) -> Outcome {
        match self.status {
            100..400 => Outcome::Taken,
            _ => Outcome::Refused,
        }
    }

    /// The repository; `None` if the names that the client sent are not valid.
    pub fn repository(&self) -> Option<Repository> {
        let (org, repo) = (self.org.as_deref()?, self.repo.as_deref()?);
        Some(Repository {
            org: org.parse().ok()?,
            repo: repo.parse().ok()?,
        })
    }

    /// The attempt as everybody may see it if reading is open: without the token name. Without an accepted token, the only
    /// text of the client that remains is a valid repository name, so that nobody can write onto the page. Missing or wrong
    /// parameters are named in this service's own words.
    pub fn for_everybody(mut self) -> Self {
        self.token_name = None;
        if self.sender == Sender::Unknown {
            if self.repository().is_none() {
                self.org = None;
                self.repo = None;
            }
            self.branch = None;
            self.commit = None;
            self.language = None;
            self.part = None;
            self.client = None;
            self.request_id = None;
            let detail = self.detail.take();
            self.detail = match self.code.as_str() {
                "invalid_parameter" => detail.and_then(|detail| wrong_parameters(&detail)),
                _ => None,
            };
        }
        self
    }
}

/// The newest attempts and the newest record of one repository, or of all, for the setup page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrivals {
    /// When the page was built.
    pub now: Timestamp,
    /// The newest attempts, the newest first.
    pub attempts: Vec<UploadAttempt>,
    /// The newest record, if there is any.
    pub newest: Option<NewestRecord>,
}

/// The record that was uploaded last.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct NewestRecord {
    /// The record.
    pub record_id: i64,
    /// The repository.
    #[cfg_attr(feature = "sql", sqlx(flatten))]
    pub repository: Repository,
    /// The branch.
    pub branch: BranchName,
    /// The language.
    pub language: Language,
    /// Its coverage.
    pub percentage: Percentage,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// Whether its HTML report is stored.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Flag"))]
    pub has_report: bool,
}

#[cfg(test)]
mod tests;
