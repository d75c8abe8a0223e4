//! `GET /coverages-api/storage`: the first repositories with HTML reports.

use domain::{
    ListOrder, MoreRepositories, NameError, Repository, RepositoryStorage, Storage, StorageColumn,
    Stored, Timestamp,
};
use serde::{Deserialize, Serialize};

/// The first repositories with HTML reports, in the requested order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "ssr", schema(as = Storage))]
pub struct StorageAnswer {
    /// When the database was read, in microseconds since 1970.
    #[cfg_attr(feature = "ssr", schema(value_type = i64))]
    pub at: Timestamp,
    /// The number of all HTML reports of records.
    pub reports: u64,
    /// Their bytes.
    pub bytes: u64,
    /// At most 200 repositories.
    pub rows: Vec<StorageRow>,
    /// The number of the other repositories.
    pub more: u64,
    /// The number of HTML reports of the other repositories.
    pub more_reports: u64,
    /// The bytes of the HTML reports of the other repositories.
    pub more_bytes: u64,
}

/// The HTML reports of one repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct StorageRow {
    /// The org.
    pub org_name: String,
    /// The repository.
    pub repo_name: String,
    /// The number of its HTML reports.
    pub reports: u64,
    /// Their bytes.
    pub bytes: u64,
    /// When the oldest one was uploaded, in microseconds since 1970.
    #[cfg_attr(feature = "ssr", schema(value_type = i64))]
    pub oldest: Timestamp,
}

impl StorageAnswer {
    /// The first repositories in an order, by default the largest ones.
    pub fn new(storage: &Storage, order: Option<ListOrder<StorageColumn>>) -> Self {
        let (total, (rows, more)) = (storage.total(), storage.listed(order));
        Self {
            at: storage.at,
            reports: total.reports,
            bytes: total.bytes,
            rows: rows.iter().map(StorageRow::from).collect(),
            more: more.repositories,
            more_reports: more.stored.reports,
            more_bytes: more.stored.bytes,
        }
    }

    /// All HTML reports of records.
    pub fn total(&self) -> Stored {
        Stored {
            reports: self.reports,
            bytes: self.bytes,
        }
    }

    /// The other repositories.
    pub fn others(&self) -> MoreRepositories {
        MoreRepositories {
            repositories: self.more,
            stored: Stored {
                reports: self.more_reports,
                bytes: self.more_bytes,
            },
        }
    }
}

impl From<&RepositoryStorage> for StorageRow {
    fn from(row: &RepositoryStorage) -> Self {
        Self {
            org_name: row.repository.org.to_string(),
            repo_name: row.repository.repo.to_string(),
            reports: row.stored.reports,
            bytes: row.stored.bytes,
            oldest: row.oldest,
        }
    }
}

impl TryFrom<StorageRow> for RepositoryStorage {
    type Error = NameError;

    fn try_from(row: StorageRow) -> Result<Self, NameError> {
        Ok(Self {
            repository: Repository {
                org: row.org_name.parse()?,
                repo: row.repo_name.parse()?,
            },
            stored: Stored {
                reports: row.reports,
                bytes: row.bytes,
            },
            oldest: row.oldest,
        })
    }
}
