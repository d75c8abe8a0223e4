//! The ledger of uploads as its page shows it: every attempt, whatever became of it.

mod advice;
mod parameters;

pub use advice::{Advice, REFUSALS, advice};

use super::{BranchName, Language, Percentage, Repository, Timestamp};
use parameters::wrong_parameters;

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is a record of it.
    Taken,
    /// There is none.
    Refused,
}

impl Outcome {
    /// As it stands in an address.
    pub fn as_text(self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::Refused => "refused",
        }
    }

    /// From an address.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Taken, Self::Refused]
            .into_iter()
            .find(|outcome| outcome.as_text() == text)
    }
}

/// Whether an attempt showed a token that was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// It did.
    Known,
    /// It did not, or was refused before anybody looked at its token.
    Unknown,
}

impl Sender {
    /// As it stands in an address.
    pub fn as_text(self) -> &'static str {
        match self {
            Self::Known => "known",
            Self::Unknown => "unknown",
        }
    }

    /// From an address.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Known, Self::Unknown]
            .into_iter()
            .find(|sender| sender.as_text() == text)
    }
}

/// What a visitor of the ledger asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LedgerQuery {
    /// Only attempts with this outcome.
    pub outcome: Option<Outcome>,
    /// Only attempts of such senders.
    pub sender: Option<Sender>,
    /// Only attempts whose `org/repo` holds this, whatever its case; empty for all.
    pub repository: String,
    /// Only attempts with this code; empty for all.
    pub code: String,
    /// Only attempts before this one; the newest ones without.
    pub before: Option<i64>,
}

impl LedgerQuery {
    /// Whether it asks for some attempts only.
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
    /// When it was put together; ages are relative to it.
    pub now: Timestamp,
    /// What was asked for.
    pub query: LedgerQuery,
    /// The attempts of the last 24 hours.
    pub last_day: LastDay,
    /// The attempts, the newest first.
    pub attempts: Vec<UploadAttempt>,
    /// What the next page begins before; none on the last one.
    pub next: Option<i64>,
}

/// The attempts of the last 24 hours, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastDay {
    /// How many there were.
    pub attempts: u32,
    /// How many of them were refused.
    pub refused: u32,
    /// How many of them showed no token that was accepted.
    pub unknown: u32,
    /// Whether there were more, which were not counted.
    pub is_cut: bool,
}

impl LastDay {
    /// The refused ones among all; none where there are none.
    pub fn refused_share(self) -> Option<Percentage> {
        let basis_points = (u64::from(self.refused) * u64::from(Percentage::FULL))
            .checked_div(u64::from(self.attempts))?;
        u16::try_from(basis_points)
            .ok()
            .map(Percentage::from_basis_points)
    }
}

/// One attempt to upload. Its names are what the client said, cut to length and not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadAttempt {
    /// Its place in the ledger.
    pub id: i64,
    /// When its request came.
    pub received_at: Timestamp,
    /// How long it took until it was answered.
    pub milliseconds: u64,
    /// The request's id, which the log lines carry too.
    pub request_id: Option<String>,
    /// What the client called its org.
    pub org: Option<String>,
    /// What the client called its repository.
    pub repo: Option<String>,
    /// What the client called its branch.
    pub branch: Option<String>,
    /// What the client called its commit.
    pub commit: Option<String>,
    /// What the client called its language.
    pub language: Option<String>,
    /// Whether it showed a token that was accepted.
    pub sender: Sender,
    /// The name of that token.
    pub token_name: Option<String>,
    /// The answer's HTTP status.
    pub status: u16,
    /// `created`, `replaced`, `kept`, or the code of the refusal.
    pub code: String,
    /// The sentence that the client was told; none where it is not for whoever reads.
    pub detail: Option<String>,
    /// The record, where there is one.
    pub record_id: Option<i64>,
    /// The format of the coverage report.
    pub report_format: Option<String>,
    /// Bytes of the request's body, as far as it was read.
    pub bytes: u64,
}

impl UploadAttempt {
    /// What became of it.
    pub fn outcome(&self) -> Outcome {
        match self.status {
            ..400 => Outcome::Taken,
            _ => Outcome::Refused,
        }
    }

    /// The repository, where what the client said is one.
    pub fn repository(&self) -> Option<Repository> {
        let (org, repo) = (self.org.as_deref()?, self.repo.as_deref()?);
        Some(Repository {
            org: org.parse().ok()?,
            repo: repo.parse().ok()?,
        })
    }

    /// As everybody may see it where reading is open: no token's name, and of one who showed no good token nothing that
    /// such a client could write onto the page but a valid name of a repository. Parameters that were missing or wrong are
    /// named: those are words of this service.
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
            self.request_id = None;
            let told = self.detail.take();
            self.detail = match self.code.as_str() {
                "invalid_parameter" => told.and_then(|told| wrong_parameters(&told)),
                _ => None,
            };
        }
        self
    }
}

/// What has come in for a repository, or for all of them: what somebody who sets uploads up waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrivals {
    /// When it was put together.
    pub now: Timestamp,
    /// The newest attempts, the newest first.
    pub attempts: Vec<UploadAttempt>,
    /// The newest record, where there is any.
    pub newest: Option<NewestRecord>,
}

/// The record that came last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewestRecord {
    /// The record.
    pub record_id: i64,
    /// The repository.
    pub repository: Repository,
    /// The branch.
    pub branch: BranchName,
    /// The language.
    pub language: Language,
    /// Its coverage.
    pub percentage: Percentage,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// Whether its HTML is there.
    pub has_report: bool,
}

#[cfg(test)]
mod tests;
