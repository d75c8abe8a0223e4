//! Checks whether the data derived from records is correct: places, counts, main branches and their summary.
//!
//! Each check is one statement, so that it sees the changes of a concurrent upload completely or not at all.

use crate::{
    Operator, StoreError,
    main_branch::main_branch_id,
    main_days::{main_days, main_series},
    main_records::{copied, main_records, week_ago::is_wrong},
    main_repositories::{columns, main_repositories},
    repository::trend_spans,
    run::Run,
};
use sqlx::FromRow;

const PAGE: i64 = 100;

/// The maximum number of rows per query; more would not help a reader.
const MOST: i64 = 1_000;

/// Data of a repository that does not match its records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongSummary {
    /// The kind of data, as a name in lower case.
    pub kind: &'static str,
    /// The id of the repository.
    pub repository_id: i64,
    /// The name of the repository.
    pub repository: String,
    /// The stored value, and the correct one.
    pub detail: String,
    /// Whether it is derived from the records, so that it can be recomputed.
    pub is_computed: bool,
}

/// Counts of an org that do not match its repositories.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct WrongOrg {
    /// The org.
    pub org_name: String,
    /// The stored value, and the correct one.
    pub detail: String,
}

/// Each query with its name, and whether the correct value is derived from the records.
const QUERIES: [(&str, bool, &str); 12] = [
    ("wrong_counts", true, COUNTS),
    ("wrong_branch_count", true, BRANCH_COUNTS),
    ("wrong_places", true, PLACES),
    ("wrong_main_branch", true, MAIN_BRANCH),
    ("wrong_summary", true, SUMMARY),
    ("wrong_week_ago", true, WEEK_AGO),
    ("wrong_trend", true, TREND),
    ("wrong_series", true, SERIES),
    ("wrong_days", true, DAYS),
    ("wrong_sums", true, SUMS),
    ("several_current", false, SEVERAL_CURRENT),
    ("other_repository", false, OTHER_REPOSITORY),
];

const COUNTS: &str = "
    select p.id, p.org_name, p.repo_name,
           'it says ' || p.record_count || ' records, ' || p.current_count || ' of them current; there are '
           || n.records || ' and ' || n.current_records as detail
    from repositories p
    join (select q.id, count(r.id) as records,
                 sum(case when r.id is not null and r.superseded_at is null then 1 else 0 end) as current_records
          from repositories q left join records r on r.repository_id = q.id
          where q.id > $1 and q.id <= $2 group by q.id) n on n.id = p.id
    where p.record_count <> n.records or p.current_count <> n.current_records
    order by p.id limit $3";

const BRANCH_COUNTS: &str = "
    select p.id, p.org_name, p.repo_name,
           'branch ' || b.name || ' says ' || b.record_count || ' records; there are ' || n.records as detail
    from branches b
    join repositories p on p.id = b.repository_id
    join (select c.id, count(r.id) as records
          from branches c
          left join records r on r.branch_id = c.id and r.unconfirmed_at is null
          where c.repository_id > $1 and c.repository_id <= $2 group by c.id) n on n.id = b.id
    where b.record_count <> n.records
    order by b.id limit $3";

const PLACES: &str = "
    select p.id, p.org_name, p.repo_name,
           n.records || ' records have ' || n.places || ' different places, from ' || n.first_place || ' to '
           || n.last_place as detail
    from (select r.repository_id, count(*) as records, count(distinct r.place) as places,
                 min(r.place) as first_place, max(r.place) as last_place
          from records r where r.repository_id > $1 and r.repository_id <= $2 group by r.repository_id) n
    join repositories p on p.id = n.repository_id
    where n.places <> n.records or n.first_place <> 1 or n.last_place <> n.records
    order by p.id limit $3";

const MAIN_BRANCH: &str = concat!(
    "select p.id, p.org_name, p.repo_name, 'the main branch is not the one that the rule finds' as detail
     from repositories p
     where p.id > $1 and p.id <= $2 and p.main_branch_id is distinct from ",
    main_branch_id!(),
    " order by p.id limit $3"
);

/// Rows that are stored but not computed, and rows that are computed but not stored.
const SUMMARY: &str = concat!(
    "select p.id, p.org_name, p.repo_name, 'the summary of its main branch does not match its records' as detail
     from repositories p
     where p.id in (
         select k.repository_id from (
             select ",
    copied!(),
    "        from main_records where repository_id > $1 and repository_id <= $2
             except ",
    main_records!(),
    "        where p.id > $1 and p.id <= $2) k
         union
         select c.repository_id from (",
    main_records!(),
    "        where p.id > $1 and p.id <= $2
             except
             select ",
    copied!(),
    "        from main_records where repository_id > $1 and repository_id <= $2) c)
     order by p.id limit $3"
);

const WEEK_AGO: &str = concat!(
    "select s.repository_id as id, s.org_name, s.repo_name,
            'the percentage of a week ago in ' || s.language || ' does not match its records' as detail
     from main_records s
     where s.repository_id > $1 and s.repository_id <= $2 and ",
    is_wrong!(),
    " order by s.repository_id, s.language limit $3"
);

/// Spans that are stored but not computed, and spans of the same branches that are computed but not stored.
pub(crate) const TREND: &str = concat!(
    "select p.id, p.org_name, p.repo_name, 'the trend of branch ' || b.name || ' does not match its records' as detail
     from branches b
     join repositories p on p.id = b.repository_id
     where b.id in (
         select k.branch_id from (
             select t.branch_id, t.language, t.span, t.records, t.lowest, t.highest
             from trend_spans t join branches o on o.id = t.branch_id
             where o.repository_id > $1 and o.repository_id <= $2
             except ",
    trend_spans!(
        "r.repository_id > $1 and r.repository_id <= $2
         and exists (select 1 from trend_spans t where t.branch_id = r.branch_id)"
    ),
    "        ) k
         union
         select c.branch_id from (",
    trend_spans!(
        "r.repository_id > $1 and r.repository_id <= $2
         and exists (select 1 from trend_spans t where t.branch_id = r.branch_id)"
    ),
    "        except
             select t.branch_id, t.language, t.span, t.records, t.lowest, t.highest
             from trend_spans t join branches o on o.id = t.branch_id
             where o.repository_id > $1 and o.repository_id <= $2) c)
     order by b.id limit $3"
);

pub(crate) const SERIES: &str = concat!(
    "select p.id, p.org_name, p.repo_name, 'the languages of its main branch do not match its records' as detail
     from repositories p
     where p.id in (
         select k.repository_id from (
             select repository_id, language, org_name, repo_name, branch_id, first_at, last_at, ended_at, counted_day
             from main_series where repository_id > $1 and repository_id <= $2
             except select * from (",
    main_series!("p.id > $1 and p.id <= $2"),
    "        ) c) k
         union
         select w.repository_id from (select * from (",
    main_series!("p.id > $1 and p.id <= $2"),
    "        ) c except
             select repository_id, language, org_name, repo_name, branch_id, first_at, last_at, ended_at, counted_day
             from main_series where repository_id > $1 and repository_id <= $2) w)
     order by p.id limit $3"
);

pub(crate) const DAYS: &str = concat!(
    "select p.id, p.org_name, p.repo_name, 'the lines of its days do not match its records' as detail
     from repositories p
     where p.id in (
         select k.repository_id from (
             select repository_id, language, day, org_name, lines_covered, lines_total
             from main_days where repository_id > $1 and repository_id <= $2
             except ",
    main_days!("0", "s.repository_id > $1 and s.repository_id <= $2"),
    "        ) k
         union
         select c.repository_id from (",
    main_days!("0", "s.repository_id > $1 and s.repository_id <= $2"),
    "        except
             select repository_id, language, day, org_name, lines_covered, lines_total
             from main_days where repository_id > $1 and repository_id <= $2) c)
     order by p.id limit $3"
);

pub(crate) const SUMS: &str = concat!(
    "select p.id, p.org_name, p.repo_name, 'the sum over the languages of its main branch is wrong' as detail
     from repositories p
     where p.id in (
         select k.repository_id from (
             select ",
    columns!(),
    "        from main_repositories where repository_id > $1 and repository_id <= $2
             except ",
    main_repositories!("s.repository_id > $1 and s.repository_id <= $2"),
    "        ) k
         union
         select c.repository_id from (",
    main_repositories!("s.repository_id > $1 and s.repository_id <= $2"),
    "        except
             select ",
    columns!(),
    "        from main_repositories where repository_id > $1 and repository_id <= $2) c)
     order by p.id limit $3"
);

const SEVERAL_CURRENT: &str = "
    select p.id, p.org_name, p.repo_name,
           'branch ' || b.name || ' has ' || count(*) || ' current records of ' || r.language as detail
    from records r
    join branches b on b.id = r.branch_id
    join repositories p on p.id = r.repository_id
    where r.superseded_at is null and r.repository_id > $1 and r.repository_id <= $2
    group by p.id, p.org_name, p.repo_name, b.id, b.name, r.language
    having count(*) > 1
    order by p.id limit $3";

const OTHER_REPOSITORY: &str = "
    select p.id, p.org_name, p.repo_name,
           'record ' || r.id || ' is on a branch of another repository' as detail
    from records r
    join repositories p on p.id = r.repository_id
    join branches b on b.id = r.branch_id
    where r.repository_id > $1 and r.repository_id <= $2 and b.repository_id <> r.repository_id
    order by r.id limit $3";

/// The orgs after `$1` until `$2`. Days belong to the org of their repository, which an index finds.
pub(crate) const ORGS: &str = "
    select o.org_name, 'it says ' || o.record_count || ' records, ' || o.current_count || ' of them current; its repositories have '
           || coalesce(n.records, 0) || ' and ' || coalesce(n.current_records, 0) as detail
    from orgs o
    left join (select p.org_name, sum(p.record_count) as records, sum(p.current_count) as current_records
               from repositories p where p.org_name > $1 and p.org_name <= $2 group by p.org_name) n on n.org_name = o.org_name
    where o.org_name > $1 and o.org_name <= $2
      and (o.record_count <> coalesce(n.records, 0) or o.current_count <> coalesce(n.current_records, 0))
    union all
    select p.org_name, 'it has no counts' as detail from repositories p
    where p.org_name > $1 and p.org_name <= $2 and p.record_count > 0
      and not exists (select 1 from orgs o where o.org_name = p.org_name)
    group by p.org_name
    union all
    select n.org_name, 'its lines on ' || count(*) || ' days do not match its repositories' as detail
    from (select k.org_name, k.day
          from (select d.org_name, d.day, d.lines_covered, d.lines_total, d.changes from org_days d
                where d.org_name > $1 and d.org_name <= $2
                union all
                select p.org_name, m.day, -m.lines_covered, -m.lines_total, -1
                from repositories p cross join main_days m
                where p.org_name > $1 and p.org_name <= $2 and m.repository_id = p.id) k
          group by k.org_name, k.day
          having sum(k.lines_covered) <> 0 or sum(k.lines_total) <> 0 or sum(k.changes) <> 0) n
    group by n.org_name
    order by 1 limit 1000";

#[derive(FromRow)]
struct Row {
    id: i64,
    org_name: String,
    repo_name: String,
    detail: String,
}

impl Operator<'_> {
    /// Returns the last id of the next repositories after the given one; `None` if there are no more.
    pub async fn next_repositories(self, after: i64) -> Result<Option<i64>, StoreError> {
        const LAST: &str = "
            select max(n.id) from (select id from repositories where id > $1 order by id limit $2) n";
        self.store.value(LAST, (after, PAGE)).await
    }

    /// Returns incorrect data of the repositories with ids after `after` up to `last`.
    pub async fn wrong_summaries(
        self,
        after: i64,
        last: i64,
    ) -> Result<Vec<WrongSummary>, StoreError> {
        let mut wrong = Vec::new();
        for (kind, is_computed, query) in QUERIES {
            let rows: Vec<Row> = self.store.all(query, (after, last, MOST)).await?;
            wrong.extend(rows.into_iter().map(|row| WrongSummary {
                kind,
                repository_id: row.id,
                repository: format!("{}/{}", row.org_name, row.repo_name),
                detail: row.detail,
                is_computed,
            }));
        }
        Ok(wrong)
    }

    /// Returns the orgs after a name whose counts do not match their repositories, and the last name that was read; `None` after
    /// the last org.
    pub async fn wrong_orgs(
        self,
        after: &str,
    ) -> Result<(Vec<WrongOrg>, Option<String>), StoreError> {
        const LAST: &str = "
            select max(n.org_name) from (select o.org_name from orgs o where o.org_name > $1 order by o.org_name limit $2) n";
        let last: Option<String> = self.store.value(LAST, (after, PAGE)).await?;
        // `~` comes after all characters of names.
        let until = last.as_deref().unwrap_or("~");
        let wrong = self.store.all(ORGS, (after, until)).await?;
        Ok((wrong, last))
    }
}
