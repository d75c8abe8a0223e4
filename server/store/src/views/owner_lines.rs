//! The lines of owners in SQL, where searches and metrics find them without reading the counts of each repository.

use crate::{Operator, StoreError, run::Run};
use domain::{Count, ViewCounts, ViewName};
use sqlx::{AnyConnection, FromRow};
use std::collections::BTreeMap;

const KNOWN: &str =
    "select o.name, o.lines_covered, o.lines_total from owner_lines o where o.repository_id = $1";

const KEEP: &str = "
    insert into owner_lines (name, repository_id, lines_covered, lines_total) values ($1, $2, $3, $4)
    on conflict (name, repository_id)
    do update set lines_covered = excluded.lines_covered, lines_total = excluded.lines_total";

const FORGET: &str = "delete from owner_lines where name = $1 and repository_id = $2";

/// The owners of the oldest repositories come first, so that a new repository replaces none of them. Names are the same without
/// regard to case.
const OWNERS: &str = "
    select p.org_name as org, min(o.name) as owner, cast(sum(o.lines_covered) as bigint) as covered,
           cast(sum(o.lines_total) as bigint) as total, count(*) over () as owners
    from owner_lines o
    join repositories p on p.id = o.repository_id
    where exists (select 1 from main_records m where m.repository_id = o.repository_id)
    group by p.org_name, lower(o.name) order by min(o.repository_id), min(o.name) limit $1";

/// The lines of an owner over the repositories of an org, without the repositories of its groups.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct OwnerLines {
    /// The org.
    pub org: String,
    /// The owner; `none` for the files without an owner.
    pub owner: String,
    /// Lines that tests cover.
    pub covered: i64,
    /// Lines that tests can cover.
    pub total: i64,
    /// The number of all owners, each counted once for each org.
    owners: i64,
}

/// Changes the rows of a repository to the counts of its owners. Unchanged rows are not written.
pub(super) async fn keep(
    connection: &mut AnyConnection,
    repository_id: i64,
    views: &[(ViewName, ViewCounts)],
) -> Result<(), StoreError> {
    let known: Vec<(String, i64, i64)> = connection.all(KNOWN, [repository_id]).await?;
    let known = known.into_iter();
    let mut known: BTreeMap<_, _> = known
        .map(|(name, covered, total)| (name, (covered, total)))
        .collect();
    for (owner, counts) in views {
        let Count { covered, total } = counts.now.lines;
        let lines = [covered, total].map(|lines| i64::try_from(lines).unwrap_or(i64::MAX));
        if known.remove(owner.name()) != Some(lines.into()) {
            let [covered, total] = lines;
            let values = (owner.name().to_owned(), repository_id, covered, total);
            connection.run(KEEP, values).await?;
        }
    }
    for name in known.into_keys() {
        connection.run(FORGET, (name, repository_id)).await?;
    }
    Ok(())
}

impl Operator<'_> {
    /// Returns the lines of owners as they were counted last, at most `most` owners, and the number of the others.
    pub async fn owner_lines(self, most: u32) -> Result<(Vec<OwnerLines>, i64), StoreError> {
        let rows: Vec<OwnerLines> = self.store.all(OWNERS, [i64::from(most)]).await?;
        let all = rows.first().map_or(0, |row| row.owners);
        let others = all.saturating_sub_unsigned(rows.len() as u64);
        Ok((rows, others))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestStore, new_record};
    use domain::FileSum;

    fn owner(name: Option<&str>, covered: u64, total: u64) -> (ViewName, ViewCounts) {
        let now = FileSum {
            files: 1,
            lines: Count { covered, total },
        };
        let counts = ViewCounts {
            now,
            ..ViewCounts::default()
        };
        (ViewName::of_owner(name), counts)
    }

    async fn kept(store: &TestStore, repository_id: i64, views: &[(ViewName, ViewCounts)]) {
        let mut transaction = store.begin().await.expect("a transaction");
        let kept = keep(&mut transaction, repository_id, views).await;
        kept.expect("rows");
        transaction.commit().await.expect("a commit");
    }

    #[tokio::test]
    async fn the_lines_of_an_owner_add_up_in_its_org_and_vanished_owners_go() {
        let store = TestStore::new().await;
        let mut ids = Vec::new();
        for repository in ["zoo/a", "acme/a", "acme/b"] {
            let record = new_record(repository, "main", "c1");
            let published = store.writer().publish(&record).await;
            ids.push(published.expect("published").record.id);
        }
        let repository = |place: usize| {
            const OF: &str = "select r.repository_id from records r where r.id = $1";
            store.value::<i64>(OF, [ids[place]])
        };
        let (zoo, a, b) = (
            repository(0).await,
            repository(1).await,
            repository(2).await,
        );
        let (zoo, a, b) = (zoo.expect("zoo"), a.expect("a"), b.expect("b"));
        kept(
            &store,
            b,
            &[owner(Some("@x"), 3, 4), owner(Some("@y"), 1, 1)],
        )
        .await;
        kept(&store, b, &[owner(Some("@x"), 2, 4), owner(None, 0, 9)]).await;
        kept(&store, a, &[owner(Some("@X"), 1, 3)]).await;
        kept(&store, zoo, &[owner(Some("@x"), 5, 5)]).await;
        let (rows, others) = store.operator().owner_lines(2).await.expect("rows");
        let rows: Vec<_> = rows
            .iter()
            .map(|row| (row.org.as_str(), row.owner.as_str(), row.covered, row.total))
            .collect();
        assert_eq!(rows, [("zoo", "@x", 5, 5), ("acme", "@X", 3, 7)]);
        assert_eq!(others, 1);
    }
}
