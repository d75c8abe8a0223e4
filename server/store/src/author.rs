//! An author's page: the records of the author, newest first. In other orders there is only the first page: its records are found
//! among all records of the author.

use super::{Reader, StoreError, Unsigned, paging::cut, time::now};
use crate::{
    record::listed_columns,
    sql::{ScopedText, readable_record},
};
use domain::{
    AuthorColumn, AuthorDetail, AuthorQuery, AuthorRecord, AuthorSummary, CommitAuthor, Language,
    Order, RecordPosition, Repository, Timestamp,
};
use sqlx::FromRow;
use std::collections::BTreeSet;

const PAGE_SIZE: usize = 50;

/// The number of records that one page searches, and the maximum that is counted: bots have many more records than people.
const LOOKED_THROUGH: u64 = 5_000;

pub(super) const SUMMARY: ScopedText = ScopedText::new(concat!(
    "select p.org_name, p.repo_name, g.language, g.records, g.last_upload
    from (
        select w.repository_id, w.language, count(*) as records, max(w.updated_at) as last_upload
        from (
            select r.repository_id, r.language, r.updated_at from records r
            where r.commit_author = $1 and ",
    readable_record!("r"),
    "
            order by r.updated_at desc, r.id desc limit $2
        ) w
        group by w.repository_id, w.language
    ) g
    join repositories p on p.id = g.repository_id
    order by g.last_upload desc, p.id, g.language"
));

/// The last record that a page searches, and the record after it.
pub(super) const WINDOW_END: ScopedText = ScopedText::new(concat!(
    "select r.updated_at, r.id as record_id from records r
    where r.commit_author = $1 and (r.updated_at, r.id) < ($2, $3) and ",
    readable_record!("r"),
    "
    order by r.updated_at desc, r.id desc limit 2 offset $4"
));

/// The percentage of the previous confirmed record of the same branch and language.
macro_rules! before {
    ($record:literal) => {
        concat!(
            "(select h.percentage_basis_points from records h
              where h.branch_id = ",
            $record,
            ".branch_id and h.language = ",
            $record,
            ".language and h.updated_at < ",
            $record,
            ".updated_at and h.unconfirmed_at is null
              order by h.updated_at desc limit 1)"
        )
    };
}

/// The columns of an [`AuthorRecord`].
macro_rules! columns {
    () => {
        concat!(
            "p.org_name, p.repo_name, b.name as branch, ",
            listed_columns!(concat!("r.percentage_basis_points - ", before!("r")))
        )
    };
}

/// From the inside out: the records to search, the records to show, and their details. A filter that is not set is null.
pub(super) const RECORDS: ScopedText = ScopedText::new(concat!(
    "select ",
    columns!(),
    " from (
        select w.id from (
            select a.id, a.updated_at, a.repository_id, a.language from records a
            where a.commit_author = $1 and (a.updated_at, a.id) < ($2, $3) and ",
    readable_record!("a"),
    "
            order by a.updated_at desc, a.id desc limit $4
        ) w
        where ($5 is null or w.language = $5)
          and ($6 is null or w.repository_id = (select k.id from repositories k where k.name_key = $6))
        order by w.updated_at desc, w.id desc limit $7
    ) k
    join records r on r.id = k.id
    join repositories p on p.id = r.repository_id
    join branches b on b.id = r.branch_id
    order by r.updated_at desc, r.id desc"
));

/// The first records of the author `$1` in the order of a value, filtered by the language `$2` and the key of a
/// repository `$3` if these are set. They are found among all records of the author. Records without a value are last.
macro_rules! sorted {
    ($value:expr, $order:literal) => {
        ScopedText::new(concat!(
            "select ",
            columns!(),
            " from (
                 select f.id, f.value from (
                     select a.id, a.updated_at, ",
            $value,
            " as value from records a
                     where a.commit_author = $1 and ",
            readable_record!("a"),
            " and ($2 is null or a.language = $2)
                       and ($3 is null or a.repository_id = (select k.id from repositories k where k.name_key = $3))
                 ) f
                 order by case when f.value is null then 1 else 0 end, f.value ",
            $order,
            ", f.updated_at desc, f.id desc
                 limit $4
             ) k
             join records r on r.id = k.id
             join repositories p on p.id = r.repository_id
             join branches b on b.id = r.branch_id
             order by case when k.value is null then 1 else 0 end, k.value ",
            $order,
            ", r.updated_at desc, r.id desc"
        ))
    };
}

pub(super) const fn sorted_by(order: Order<AuthorColumn>) -> ScopedText {
    macro_rules! by {
        ($value:expr) => {
            [sorted!($value, ""), sorted!($value, "desc")]
        };
    }
    let [ascending, descending] = match order.column {
        AuthorColumn::Name => by!(
            "(select lower(n.org_name || '/' || n.repo_name || ' ' || m.name) || ' ' || a.language
              from repositories n join branches m on m.repository_id = n.id
              where n.id = a.repository_id and m.id = a.branch_id)"
        ),
        AuthorColumn::Coverage => by!("a.percentage_basis_points"),
        AuthorColumn::Change => by!(concat!("a.percentage_basis_points - ", before!("a"))),
        AuthorColumn::Uploaded => by!("a.updated_at"),
    };
    if order.is_descending {
        descending
    } else {
        ascending
    }
}

#[derive(FromRow)]
struct GroupRow {
    #[sqlx(flatten)]
    repository: Repository,
    language: Language,
    records: Unsigned,
    last_upload: Timestamp,
}

impl Reader {
    /// Returns an author with one page of the requested records; `None` if no record names the author.
    pub async fn author(&self, query: &AuthorQuery) -> Result<Option<AuthorDetail>, StoreError> {
        let Some(summary) = self.author_summary(&query.author).await? else {
            return Ok(None);
        };
        let mut query = query.clone();
        if let Some(requested) = &query.repository
            && let Some(stored) = self.stored_repository(requested).await?
        {
            query.repository = Some(stored);
        }
        let query = &query;
        let order = query.order.filter(|_| query.after.is_none());
        let mut records = match order {
            Some(order) => self.sorted_author_records(query, order).await?,
            None => self.author_records(query).await?,
        };
        let has_more = cut(&mut records, PAGE_SIZE);
        let next = if order.is_some() {
            None
        } else if has_more {
            records.last().map(|last| last.record.position())
        } else {
            self.end_of_author_window(query).await?
        };
        let is_whole = !has_more && next.is_none() && query.after.is_none();
        Ok(Some(AuthorDetail {
            now: now(),
            query: query.clone(),
            summary,
            records,
            next,
            is_whole,
        }))
    }

    async fn author_summary(
        &self,
        author: &CommitAuthor,
    ) -> Result<Option<AuthorSummary>, StoreError> {
        let sql = SUMMARY.with((author, Unsigned(LOOKED_THROUGH + 1)));
        let rows: Vec<GroupRow> = self.all(sql).await?;
        let Some(last_upload) = rows.first().map(|row| row.last_upload) else {
            return Ok(None);
        };
        let records: u64 = rows.iter().map(|row| row.records.0).sum();
        let mut repositories: Vec<(Repository, u32)> = Vec::new();
        let mut languages = BTreeSet::new();
        for row in rows {
            languages.insert(row.language);
            let count: u32 = row.records.into();
            match repositories
                .iter_mut()
                .find(|(known, _)| *known == row.repository)
            {
                Some((_, known)) => *known += count,
                None => repositories.push((row.repository, count)),
            }
        }
        Ok(Some(AuthorSummary {
            records: Unsigned(records.min(LOOKED_THROUGH)).into(),
            is_cut: records > LOOKED_THROUGH,
            repositories,
            languages: languages.into_iter().collect(),
            last_upload,
        }))
    }

    /// Returns the records of a page, and one more if there is a next page.
    async fn author_records(&self, query: &AuthorQuery) -> Result<Vec<AuthorRecord>, StoreError> {
        let after = query.after.unwrap_or(RecordPosition::START);
        let values = (
            &query.author,
            after.updated_at,
            after.record_id,
            Unsigned(LOOKED_THROUGH),
            query.language.as_ref(),
            query.repository.as_ref(),
            Unsigned::from(PAGE_SIZE + 1),
        );
        self.all(RECORDS.with(values)).await
    }

    /// Returns the first records in another order than newest first, and one more if there are more.
    async fn sorted_author_records(
        &self,
        query: &AuthorQuery,
        order: Order<AuthorColumn>,
    ) -> Result<Vec<AuthorRecord>, StoreError> {
        let values = (
            &query.author,
            query.language.as_ref(),
            query.repository.as_ref(),
            Unsigned::from(PAGE_SIZE + 1),
        );
        self.all(sorted_by(order).with(values)).await
    }

    /// Where the next page continues if this page finds no more among the records that it searches.
    async fn end_of_author_window(
        &self,
        query: &AuthorQuery,
    ) -> Result<Option<RecordPosition>, StoreError> {
        let after = query.after.unwrap_or(RecordPosition::START);
        let searched = Unsigned(LOOKED_THROUGH - 1);
        let values = (&query.author, after.updated_at, after.record_id, searched);
        let rows: Vec<RecordPosition> = self.all(WINDOW_END.with(values)).await?;
        Ok(match rows.as_slice() {
            &[last, _] => Some(last),
            _ => None,
        })
    }
}
