//! The main branches with the changes of their counted lines on each day, whose sums the trend of orgs reads. Every transaction
//! that changes the records or the main branch of a repository updates them before it ends; triggers keep `org_days`, the sums.

use crate::{StoreError, main_repositories, run::Run};
use domain::{Day, Repository, Timestamp};
use sqlx::{AnyConnection, FromRow};

/// A part of a `with recursive`: the main branch of each of some repositories `p`, with each language that it ever had. Skips
/// from one language to the next in an index.
macro_rules! main_series {
    ($condition:literal) => {
        concat!(
            "with recursive chosen (repository_id, branch_id, org_name, repo_name) as (
                 select p.id, ",
            $crate::main_branch::shown_branch_id!(),
            ", p.org_name, p.repo_name
                 from repositories p where ",
            $condition,
            "),
             languages (repository_id, branch_id, org_name, repo_name, language) as (
                 select c.repository_id, c.branch_id, c.org_name, c.repo_name,
                        (select r.language from records r where r.branch_id = c.branch_id and r.unconfirmed_at is null
                         order by r.language limit 1)
                 from chosen c
                 union all
                 select l.repository_id, l.branch_id, l.org_name, l.repo_name,
                        (select r.language from records r
                         where r.branch_id = l.branch_id and r.language > l.language and r.unconfirmed_at is null
                         order by r.language limit 1)
                 from languages l where l.language is not null
             )
             select l.repository_id, l.language, l.org_name, l.repo_name, l.branch_id,
                    (select h.updated_at from records h
                     where h.branch_id = l.branch_id and h.language = l.language and h.unconfirmed_at is null
                     order by h.updated_at limit 1) as first_at,
                    (select h.updated_at from records h
                     where h.branch_id = l.branch_id and h.language = l.language and h.unconfirmed_at is null
                     order by h.updated_at desc limit 1) as last_at,
                    (select h.superseded_at from records h
                     where h.branch_id = l.branch_id and h.language = l.language and h.unconfirmed_at is null
                     order by h.updated_at desc limit 1) as ended_at,
                    (select h.updated_at / 86400000000 from records h
                     where h.branch_id = l.branch_id and h.language = l.language and h.unconfirmed_at is null
                       and h.lines_total > 0 and h.lines_total <= 1000000000000
                     order by h.updated_at limit 1) as counted_day
             from languages l where l.language is not null"
        )
    };
}

/// The changes of some rows `s` of `main_series` since the day `$since`: of the last record of each day that has a count, and of
/// the end. Reads the last record before that day too. The migration that created the table had the same query.
macro_rules! main_days {
    ($since:literal, $condition:literal) => {
        concat!(
            "select d.repository_id, d.language, d.day, d.org_name, d.lines_covered, d.lines_total
             from (select k.repository_id, k.language, k.day, k.org_name,
                          k.covered - coalesce(lag(k.covered) over (partition by k.repository_id, k.language order by k.day), 0)
                              as lines_covered,
                          k.total - coalesce(lag(k.total) over (partition by k.repository_id, k.language order by k.day), 0)
                              as lines_total
                   from (select s.repository_id, s.language, s.org_name, r.updated_at / 86400000000 as day,
                                case when r.lines_covered < r.lines_total then r.lines_covered else r.lines_total end as covered,
                                r.lines_total as total,
                                row_number() over (partition by s.repository_id, s.language, r.updated_at / 86400000000
                                                   order by r.updated_at desc, r.id desc) as place
                         from main_series s
                         cross join records r
                         where r.branch_id = s.branch_id and r.language = s.language and r.unconfirmed_at is null
                           and r.lines_total > 0 and r.lines_total <= 1000000000000
                           and (s.ended_at is null or r.updated_at / 86400000000 < s.ended_at / 86400000000)
                           and r.updated_at >= coalesce((
                               select h.updated_at from records h
                               where h.branch_id = s.branch_id and h.language = s.language and h.unconfirmed_at is null
                                 and h.lines_total > 0 and h.lines_total <= 1000000000000
                                 and h.updated_at < ", $since, " * 86400000000
                               order by h.updated_at desc limit 1), 0)
                           and ", $condition,
            "            union all
                         select s.repository_id, s.language, s.org_name, s.ended_at / 86400000000, 0, 0, 1
                         from main_series s where s.ended_at is not null and ", $condition,
            "            ) k
                   where k.place = 1) d
             where d.day >= ", $since, " and (d.lines_covered <> 0 or d.lines_total <> 0)"
        )
    };
}

pub(crate) use {main_days, main_series};

/// A change of one language of a main branch: its records since this time may have changed, and no earlier ones.
#[derive(Clone, Copy)]
pub(crate) struct Changed<'a> {
    pub(crate) language: &'a str,
    pub(crate) since: Timestamp,
}

#[derive(FromRow, PartialEq, Eq)]
struct Series {
    language: String,
    branch_id: i64,
    ended_at: Option<i64>,
}

impl Series {
    fn is_current_in(&self, language: &str) -> bool {
        self.language == language && self.ended_at.is_none()
    }
}

/// A row of `main_days` of one language.
#[derive(FromRow, PartialEq, Eq)]
struct Change {
    day: i64,
    org_name: String,
    lines_covered: i64,
    lines_total: i64,
}

/// Two transactions that change several days of one org wait for each other here, not for the days in different orders. So call
/// it only if days change, and late.
const HOLD: &str = "
    update orgs set record_count = record_count
    where org_name in (select p.org_name from repositories p where p.id = $1
                       union select s.org_name from main_series s where s.repository_id = $1)";

/// Computes the rows of a repository again. After a change in one language that stays current on the same branch, computes only
/// the days since the change: the cost of an upload does not grow with the history.
pub(crate) async fn renew(
    connection: &mut AnyConnection,
    repository_id: i64,
    changed: Option<Changed<'_>>,
) -> Result<(), StoreError> {
    const CLEAR_SERIES: &str =
        "delete from main_series where repository_id = $1 returning language, branch_id, ended_at";
    const FILL_SERIES: &str = concat!(
        "insert into main_series (repository_id, language, org_name, repo_name, branch_id, first_at, last_at, ended_at, counted_day) ",
        main_series!("p.id = $1"),
        " returning language, branch_id, ended_at"
    );
    let before: Vec<Series> = connection.all(CLEAR_SERIES, [repository_id]).await?;
    let after: Vec<Series> = connection.all(FILL_SERIES, [repository_id]).await?;
    let is_still_current = |changed: &Changed<'_>| {
        let mut before = before.iter();
        before.any(|one| one.is_current_in(changed.language) && after.contains(one))
    };
    match changed.filter(is_still_current) {
        Some(Changed { language, since }) => {
            let since = i64::from(Day::of(since).0);
            renew_days(connection, (repository_id, since, language)).await?;
        }
        None => {
            const LANGUAGES: &str = "
                select s.language from main_series s where s.repository_id = $1
                union select m.language from main_days m where m.repository_id = $1";
            let languages: Vec<String> = connection.values(LANGUAGES, [repository_id]).await?;
            for language in languages {
                renew_days(connection, (repository_id, 0, &language)).await?;
            }
        }
    }
    main_repositories::renew(connection, repository_id).await
}

/// Computes the days of a repository from `since` on again, in one language.
async fn renew_days(
    connection: &mut AnyConnection,
    (repository_id, since, language): (i64, i64, &str),
) -> Result<(), StoreError> {
    const STORED: &str = "
        select day, org_name, lines_covered, lines_total from main_days
        where repository_id = $1 and day >= $2 and language = $3 order by day";
    const COMPUTED: &str = concat!(
        "select c.day, c.org_name, c.lines_covered, c.lines_total from (",
        main_days!("$2", "s.repository_id = $1 and s.language = $3"),
        ") c order by c.day"
    );
    const CLEAR: &str =
        "delete from main_days where repository_id = $1 and day >= $2 and language = $3";
    const FILL: &str = concat!(
        "insert into main_days (repository_id, language, day, org_name, lines_covered, lines_total) ",
        main_days!("$2", "s.repository_id = $1 and s.language = $3")
    );
    let values = || (repository_id, since, language);
    let stored: Vec<Change> = connection.all(STORED, values()).await?;
    let computed: Vec<Change> = connection.all(COMPUTED, values()).await?;
    if stored != computed {
        connection.run(HOLD, [repository_id]).await?;
        connection.run(CLEAR, values()).await?;
        connection.run(FILL, values()).await?;
    }
    Ok(())
}

/// Removes the rows of a repository.
pub(crate) async fn clear(
    connection: &mut AnyConnection,
    repository_id: i64,
) -> Result<(), StoreError> {
    const STATEMENTS: [&str; 3] = [
        HOLD,
        "delete from main_days where repository_id = $1",
        "delete from main_series where repository_id = $1",
    ];
    for statement in STATEMENTS {
        connection.run(statement, [repository_id]).await?;
    }
    main_repositories::clear(connection, repository_id).await
}

/// Gives the rows of a repository its new name.
pub(crate) async fn rename(
    connection: &mut AnyConnection,
    repository_id: i64,
    to: &Repository,
) -> Result<(), StoreError> {
    const SERIES: &str =
        "update main_series set org_name = $2, repo_name = $3 where repository_id = $1";
    const DAYS: &str = "update main_days set org_name = $2 where repository_id = $1";
    const REPOSITORY: &str = "update main_repositories set org_name = $2 where repository_id = $1";
    connection
        .run(SERIES, (repository_id, &to.org, &to.repo))
        .await?;
    connection.run(DAYS, (repository_id, &to.org)).await?;
    connection.run(REPOSITORY, (repository_id, &to.org)).await
}
