//! What HTML reports and the database use, what the retention removes next, and a forecast.

mod age;
mod forecast;
#[cfg(test)]
mod tests;

pub use age::Age;
pub use forecast::{FORECAST_DAYS, Forecast, Growth, MONTH_DAYS, days_until};

use crate::{BranchName, CommitHash, Language, Named, Order, Repository, StorageColumn, Timestamp};

/// The maximum number of repositories in [`Storage`].
pub const MAX_REPOSITORIES: usize = 200;

/// The maximum number of quotas, and of pinned reports, in [`Storage`].
pub const MAX_LISTED: usize = 50;

/// A number of HTML reports and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct Stored {
    /// The number of reports.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Unsigned"))]
    pub reports: u64,
    /// Their bytes.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Unsigned"))]
    pub bytes: u64,
}

impl Stored {
    /// The sum with `other`.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            reports: self.reports.saturating_add(other.reports),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }

    /// This part of `whole`, in tenths of a percent of the bytes; `None` if the whole has no bytes.
    pub fn share_of(self, whole: Self) -> Option<u64> {
        let share = u128::from(self.bytes) * 1_000;
        let share = share.checked_div(u128::from(whole.bytes))?;
        u64::try_from(share).ok()
    }
}

/// What HTML reports and the database use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Storage {
    /// When the database was read.
    pub at: Timestamp,
    /// The reports of records by age, the youngest first.
    pub ages: [Stored; Age::ALL.len()],
    /// The number of reports whose size is not known. They count as 0 bytes.
    pub without_size: u64,
    /// The largest repositories first, at most [`MAX_REPOSITORIES`].
    pub repositories: Vec<RepositoryStorage>,
    /// The first repositories in each order, at most [`MAX_REPOSITORIES`].
    pub sorted: Vec<(Order<StorageColumn>, Vec<RepositoryStorage>)>,
    /// The repositories that are not in `repositories`.
    pub more: MoreRepositories,
    /// The forecast; `None` if the service is too new.
    pub forecast: Option<Forecast>,
    /// The quotas of the fullest orgs and repositories, at most [`MAX_LISTED`] of each.
    pub quotas: Vec<QuotaUse>,
    /// What the retention removes.
    pub retention: Retention,
    /// Pinned reports.
    pub pins: Pins,
    /// Reports that no record points to any more.
    pub released: Released,
    /// The bytes of the database; `None` if its size cannot be read.
    pub database_bytes: Option<u64>,
    /// The disk of the folder of HTML reports; `None` for a bucket, or if the disk cannot be read.
    pub reports_disk: Option<Disk>,
    /// The disk of the database; `None` for PostgreSQL, or if the disk cannot be read.
    pub database_disk: Option<Disk>,
}

/// A disk of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disk {
    /// Tells disks apart.
    pub device: u64,
    /// The bytes that the service can still write.
    pub free: u64,
}

impl Storage {
    /// The reports of all records.
    pub fn total(&self) -> Stored {
        self.ages.into_iter().fold(Stored::default(), Stored::plus)
    }

    /// The first repositories in an order, by default the largest ones, and the sums of the other repositories.
    pub fn listed(
        &self,
        order: Option<Order<StorageColumn>>,
    ) -> (&[RepositoryStorage], MoreRepositories) {
        let found = self.sorted.iter().find(|(other, _)| Some(*other) == order);
        let Some((_, rows)) = found else {
            return (&self.repositories, self.more);
        };
        let sum = |rows: &[RepositoryStorage]| {
            let stored = rows.iter().map(|row| row.stored);
            stored.fold(Stored::default(), Stored::plus)
        };
        let all = sum(&self.repositories).plus(self.more.stored);
        let listed = sum(rows);
        let more = MoreRepositories {
            repositories: self.more.repositories,
            stored: Stored {
                reports: all.reports.saturating_sub(listed.reports),
                bytes: all.bytes.saturating_sub(listed.bytes),
            },
        };
        (rows, more)
    }
}

/// The HTML reports of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryStorage {
    /// The repository.
    pub repository: Repository,
    /// Its reports.
    pub stored: Stored,
    /// When the oldest one was uploaded.
    pub oldest: Timestamp,
}

/// The repositories that are not listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoreRepositories {
    /// Their number.
    pub repositories: u64,
    /// Their reports.
    pub stored: Stored,
}

/// How much of a quota is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuotaUse {
    /// What the quota applies to.
    pub of: Named,
    /// The bytes in use.
    pub bytes: u64,
    /// The quota.
    pub limit: u64,
    /// In how many days it is reached; 0 if it is reached already, `None` if it is never reached at the present rate.
    pub days_left: Option<u64>,
}

/// The retention rules; a rule that is `None` keeps all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetentionRules {
    /// Days for which every HTML report is kept.
    pub all_days: Option<u32>,
    /// Days for which the newest HTML report of each week is kept.
    pub weekly_days: Option<u32>,
    /// The largest number of HTML reports of a branch and language.
    pub most: Option<u32>,
}

/// What the retention removes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Retention {
    /// There are no rules.
    KeepsAll,
    /// The rules contradict each other; the text says how.
    Contradicts(String),
    /// There are rules.
    Rules(Prune),
}

impl Retention {
    /// What the rules remove; `None` without valid rules.
    pub fn prune(&self) -> Option<&Prune> {
        match self {
            Self::Rules(prune) => Some(prune),
            Self::KeepsAll | Self::Contradicts(_) => None,
        }
    }
}

/// What the retention rules remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prune {
    /// The rules.
    pub rules: RetentionRules,
    /// When the service prunes next; `None` if only the command prunes.
    pub next: Option<Timestamp>,
    /// What is removed at that time, or now.
    pub removed: Stored,
    /// What stays regardless of the rules: pinned reports and the newest one of each main branch.
    pub exempt: Stored,
}

/// Pinned HTML reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pins {
    /// All pinned reports.
    pub all: Stored,
    /// The reports that were pinned most recently, at most [`MAX_LISTED`].
    pub newest: Vec<PinnedReport>,
}

/// A pinned HTML report.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct PinnedReport {
    /// The id of its record.
    pub record_id: i64,
    /// The repository.
    #[cfg_attr(feature = "sql", sqlx(flatten))]
    pub repository: Repository,
    /// The branch.
    pub branch: BranchName,
    /// The language.
    pub language: Language,
    /// The commit.
    #[cfg_attr(feature = "sql", sqlx(rename = "commit_hash"))]
    pub commit: CommitHash,
    /// Its bytes.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Unsigned"))]
    pub bytes: u64,
    /// When it was pinned.
    pub pinned_at: Timestamp,
}

/// HTML reports in their grace period: replaced and pruned ones whose files still exist.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Released {
    /// All these reports.
    pub stored: Stored,
    /// When the grace period of the oldest one ends.
    pub next_end: Option<Timestamp>,
    /// The grace period, such as `7 days`; `None` if files are removed at once.
    pub grace: Option<String>,
}
