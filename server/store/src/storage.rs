//! The bytes of HTML reports and of the database: sums by age and by repository, pinned reports, and reports in their grace
//! period.

pub(super) mod lists;

pub use lists::RepositoryUse;

use super::{Operator, StoreError, Unsigned, engine::Engine, run::Run};
use domain::{Age, Stored, Timestamp};

/// The count, the bytes and the number without a size; then the count and the bytes of the reports that are younger than each age
/// limit.
pub(super) const BY_AGE: &str = "
    select count(*), cast(coalesce(sum(r.report_bytes), 0) as bigint),
        count(*) filter (where r.report_bytes is null),
        count(*) filter (where r.updated_at > $1),
        cast(coalesce(sum(r.report_bytes) filter (where r.updated_at > $1), 0) as bigint),
        count(*) filter (where r.updated_at > $2),
        cast(coalesce(sum(r.report_bytes) filter (where r.updated_at > $2), 0) as bigint),
        count(*) filter (where r.updated_at > $3),
        cast(coalesce(sum(r.report_bytes) filter (where r.updated_at > $3), 0) as bigint),
        count(*) filter (where r.updated_at > $4),
        cast(coalesce(sum(r.report_bytes) filter (where r.updated_at > $4), 0) as bigint)
    from records r where r.report_key is not null";

const RELEASED: &str = "
    select count(*), cast(coalesce(sum(l.bytes), 0) as bigint), min(l.released_at)
    from orphaned_reports l where l.released_at is not null";

/// The HTML reports of all records by age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportAges {
    /// The reports by age, the youngest first.
    pub ages: [Stored; Age::ALL.len()],
    /// The number of reports with unknown size.
    pub without_size: u64,
}

impl Operator<'_> {
    /// Sums up the HTML reports of all records by their age at `now`.
    pub async fn report_ages(self, now: Timestamp) -> Result<ReportAges, StoreError> {
        let (reports, bytes, without_size, n1, b1, n2, b2, n3, b3, n4, b4) =
            self.store.one(BY_AGE, Age::limits(now)).await?;
        // Each sum includes the younger reports.
        let up_to = [(n1, b1), (n2, b2), (n3, b3), (n4, b4), (reports, bytes)];
        let mut younger = Stored::default();
        let ages = up_to.map(|(reports, bytes)| {
            let all = stored(reports, bytes);
            let age = Stored {
                reports: all.reports.saturating_sub(younger.reports),
                bytes: all.bytes.saturating_sub(younger.bytes),
            };
            younger = all;
            age
        });
        Ok(ReportAges {
            ages,
            without_size: Unsigned::into(without_size),
        })
    }

    /// Returns the HTML reports in their grace period, and the time when the first of them was released.
    pub async fn released_storage(self) -> Result<(Stored, Option<Timestamp>), StoreError> {
        let (reports, bytes, first) = self.store.one(RELEASED, ()).await?;
        Ok((stored(reports, bytes), first))
    }

    /// Returns the time when the first repository was created.
    pub async fn first_repository(self) -> Result<Option<Timestamp>, StoreError> {
        const FIRST: &str = "select min(created_at) from repositories";
        self.store.value(FIRST, ()).await
    }

    /// Returns the size of the database in bytes.
    pub async fn database_bytes(self) -> Result<u64, StoreError> {
        const SQLITE: &str = "
            select c.page_count * s.page_size from pragma_page_count() c cross join pragma_page_size() s";
        const POSTGRES: &str = "select pg_database_size(current_database())";
        let query = match self.store.engine {
            Engine::Sqlite => SQLITE,
            Engine::Postgres => POSTGRES,
        };
        let Unsigned(bytes) = self.store.value(query, ()).await?;
        Ok(bytes)
    }
}

fn stored(reports: Unsigned, bytes: Unsigned) -> Stored {
    Stored {
        reports: reports.into(),
        bytes: bytes.into(),
    }
}
