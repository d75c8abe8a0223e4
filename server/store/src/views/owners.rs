//! The owners of an org over its repositories, from counts that are kept with each repository.

mod ahead;

use super::{
    list::{Trends, default_start},
    owner_lines,
};
use crate::{
    Reader, Store, StoreError,
    org::Bounds,
    packed::{packed, unpacked},
    repository::Main,
    run::Run,
    sql::{ScopedText, readable},
    time::now,
};
use domain::{
    Day, OrgName, OrgOwners, OwnedRepository, OwnerRow, Repository, Timestamp, ViewCounts,
    ViewKind, ViewName, Views, ViewsQuery, text::chain,
};
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use std::collections::BTreeMap;

/// The most repositories of an org that are counted.
const MAX_REPOSITORIES: i64 = 20_000;

/// The most bytes of the counts of a repository.
const MAX_BYTES: u64 = 16 << 20;

/// The repositories of an org and of its groups, with the state of their main branches and the counts that are kept.
pub(crate) const REPOSITORIES: ScopedText = ScopedText::new(concat!(
    "select p.id, p.org_name, p.repo_name, coalesce(p.forge, p.reporting_forge) as forge, b.id as branch_id, b.name,
            s.records, s.updated_at, s.ids, s.revisions, s.new_covered, s.new_total, s.new_unknown,
            o.state, o.owners
     from (
         select m.repository_id, count(*) as records, max(m.updated_at) as updated_at,
                cast(sum(m.record_id) as bigint) as ids, cast(sum(r.revision) as bigint) as revisions,
                cast(sum(m.new_covered) as bigint) as new_covered, cast(sum(m.new_total) as bigint) as new_total,
                cast(sum(m.new_unknown) as bigint) as new_unknown
         from main_records m
         join records r on r.id = m.record_id
         where (m.org_name = $1 or (m.org_name > $2 and m.org_name < $3)) and ",
    readable!("m"),
    "    group by m.repository_id
     ) s
     join repositories p on p.id = s.repository_id
     join branches b on b.id = p.main_branch_id
     left join repository_owners o on o.repository_id = p.id
     order by p.org_name, p.repo_name limit $4"
));

const KEEP: &str = "
    insert into repository_owners (repository_id, state, owners)
    select p.id, $2, $3 from repositories p where p.id = $1
    on conflict (repository_id) do update set state = excluded.state, owners = excluded.owners";

#[derive(FromRow)]
struct Row {
    #[sqlx(flatten)]
    main: Main,
    records: i64,
    updated_at: i64,
    ids: i64,
    revisions: i64,
    new_covered: Option<i64>,
    new_total: Option<i64>,
    new_unknown: Option<i64>,
    state: Option<String>,
    #[sqlx(default)]
    owners: Option<Vec<u8>>,
}

/// The counts of a repository, as they are kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    whole: Option<ViewCounts>,
    other: Option<(i64, i64)>,
    views: Vec<(ViewName, ViewCounts)>,
    notices: Vec<String>,
    /// The time of the record at the beginning of the period. Counts that were kept without it are counted again.
    from: i64,
}

impl Row {
    /// Changes with the day, because periods end today, with every change of the main branch, and when its new code was counted: a
    /// history of lines is computed after the upload.
    fn state(&self, now: Timestamp) -> String {
        let Self {
            records,
            updated_at,
            ids,
            revisions,
            ..
        } = self;
        let new = [self.new_covered, self.new_total, self.new_unknown];
        let new = new.map(|count| count.map_or("-".to_owned(), |count| count.to_string()));
        format!(
            "{} {records} {updated_at} {ids} {revisions} {}",
            Day::of(now),
            new.join(" ")
        )
    }
}

impl Reader {
    /// Returns the owners of an org and of its groups, over the repositories that the reader sees; `None` if there are no repositories.
    /// `period` has the days in which changes are counted, and since when lines are new.
    pub async fn owners(
        &self,
        org: &OrgName,
        period: &ViewsQuery,
    ) -> Result<Option<OrgOwners>, StoreError> {
        let bounds = Bounds::of(Some(&self.stored_org(org).await?));
        let rows: Vec<Row> = self
            .all(REPOSITORIES.with((&bounds, MAX_REPOSITORIES)))
            .await?;
        if rows.is_empty() {
            return Ok(None);
        }
        let query = ViewsQuery {
            kind: Some(ViewKind::Owner),
            ..period.clone()
        };
        let now = now();
        let until = period.to.map_or(now, Day::end);
        let mut sum = OrgOwners {
            from: period.from.map_or_else(|| default_start(until), Day::start),
            ..OrgOwners::empty(now)
        };
        let mut owners: BTreeMap<ViewName, Vec<(Repository, ViewCounts)>> = BTreeMap::new();
        // Names are the same without regard to case. The first spelling counts.
        let mut spellings: BTreeMap<String, ViewName> = BTreeMap::new();
        for row in rows {
            let kept = self.within_found().owners_of(&row, &query).await?;
            sum.by_repository.push(OwnedRepository {
                repository: row.main.repository.clone(),
                has_owners: kept.as_ref().is_some_and(|kept| !kept.views.is_empty()),
                is_new: kept.as_ref().is_some_and(|kept| kept.from >= sum.from.0),
                counts: kept.as_ref().and_then(|kept| kept.whole),
            });
            let Some(kept) = kept.filter(|kept| !kept.views.is_empty()) else {
                sum.undefined += 1;
                continue;
            };
            let repository = &row.main.repository;
            sum.repositories += 1;
            sum.whole = sum.whole.zip(kept.whole).map(|(sum, own)| sum.plus(own));
            sum.other = sum
                .other
                .zip(kept.other)
                .map(|((a, b), (c, d))| (a + c, b + d));
            let notices = kept.notices.iter();
            sum.notices
                .extend(notices.map(|notice| format!("{repository}: {notice}")));
            for (owner, counts) in kept.views {
                let spelling = spellings.entry(owner.name().to_ascii_lowercase());
                let owner = spelling.or_insert(owner).clone();
                let own = (repository.clone(), counts);
                owners.entry(owner).or_default().push(own);
            }
        }
        let owners = owners.into_iter().map(|(owner, repositories)| {
            let counts = repositories.iter().map(|(_, counts)| *counts);
            OwnerRow {
                owner,
                counts: counts.fold(ViewCounts::zero(), ViewCounts::plus),
                repositories,
            }
        });
        sum.owners = owners.collect();
        Ok(Some(sum))
    }
}

impl Store {
    /// The owners of a repository: as they are kept for the default period, else counted.
    async fn owners_of(&self, row: &Row, query: &ViewsQuery) -> Result<Option<Kept>, StoreError> {
        let is_default = query.from.is_none() && query.to.is_none() && query.since.is_none();
        let state = row.state(now());
        if is_default
            && row.state.as_ref() == Some(&state)
            && let Some(kept) = &row.owners
            && let Some(kept) = unpacked(kept, MAX_BYTES)
        {
            return Ok(Some(kept));
        }
        let Some(views) = self.views(&row.main, query, Trends::Omitted).await? else {
            return Ok(None);
        };
        let kept = Kept::from(views);
        if is_default && let Some(bytes) = packed(&kept, MAX_BYTES) {
            // The next reader counts again.
            if let Err(error) = self
                .keep(row.main.repository_id, (state, bytes), &kept)
                .await
            {
                tracing::warn!(
                    cause = chain(&error),
                    "the owners of a repository were not kept"
                );
            }
        }
        Ok(Some(kept))
    }

    async fn keep(
        &self,
        repository: i64,
        (state, bytes): (String, Vec<u8>),
        kept: &Kept,
    ) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        transaction.run(KEEP, (repository, state, bytes)).await?;
        owner_lines::keep(&mut transaction, repository, &kept.views).await?;
        transaction.commit().await
    }
}

impl From<Views> for Kept {
    fn from(views: Views) -> Self {
        Self {
            whole: views.whole,
            other: views.other,
            views: views.views,
            notices: views.notices,
            from: views.from.0,
        }
    }
}
