//! The paginated listing over all repositories.

use super::{Record, Store, StoreError, record::RecordRow, sql::Sql, text::can_be_name};

/// Which records a listing holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListingFilter {
    /// Every record instead of the current one of each branch and language.
    pub full: bool,
    /// Exactly this organisation.
    pub org_name: Option<String>,
    /// Exactly this repository.
    pub repo_name: Option<String>,
    /// Exactly this branch.
    pub branch_name: Option<String>,
    /// Exactly this language.
    pub language: Option<String>,
    /// Exactly this author.
    pub commit_author: Option<String>,
    /// A case-insensitive part of `org/repo`.
    pub keyword: Option<String>,
}

impl ListingFilter {
    /// Whether any record can have what is asked for.
    fn can_match(&self) -> bool {
        let names = [
            &self.org_name,
            &self.repo_name,
            &self.branch_name,
            &self.language,
            &self.commit_author,
        ];
        names.into_iter().flatten().all(|name| can_be_name(name))
    }
}

/// One page of records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The records, by organisation, repository, then newest first.
    pub records: Vec<Record>,
    /// Whether a further page exists.
    pub has_next: bool,
}

impl Store {
    /// The `size` records that follow the first `offset` ones.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn list(
        &self,
        filter: &ListingFilter,
        offset: u64,
        size: u32,
    ) -> Result<Page, StoreError> {
        let Some(offset) = i64::try_from(offset).ok().filter(|_| filter.can_match()) else {
            return Ok(Page::default());
        };
        let mut query = Sql::new(
            "select r.id, p.org_name, p.repo_name, b.name as branch_name, r.commit_hash, r.commit_author, r.language,
                    r.percentage_basis_points, r.created_at, r.updated_at
             from repositories p
             join records r on r.repository_id = p.id
             join branches b on b.id = r.branch_id
             where 1 = 1",
        );
        if !filter.full {
            query.push(" and r.superseded_at is null");
        }
        for (condition, value) in [
            (" and p.org_name = ", &filter.org_name),
            (" and p.repo_name = ", &filter.repo_name),
            (" and b.name = ", &filter.branch_name),
            (" and r.language = ", &filter.language),
            (" and r.commit_author = ", &filter.commit_author),
        ] {
            if let Some(value) = value {
                query.push(condition).push_bind(value.clone());
            }
        }
        if let Some(keyword) = &filter.keyword {
            query
                .push(" and lower(p.org_name || '/' || p.repo_name) like ")
                .push_bind(containing(keyword))
                .push(" escape '!'");
        }
        query.push(" order by p.org_name, p.repo_name, r.created_at desc, r.id desc");
        query
            .push(" limit ")
            .push_bind(i64::from(size) + 1)
            .push(" offset ")
            .push_bind(offset);
        let mut rows: Vec<RecordRow> = query.rows().fetch_all(&self.readers).await?;
        let has_next = rows.len() > size as usize;
        rows.truncate(size as usize);
        let records = rows
            .into_iter()
            .map(Record::try_from)
            .collect::<Result<_, _>>()?;
        Ok(Page { records, has_next })
    }
}

/// No `org/repo` is longer.
const LONGEST_NAME: usize = 511;

/// A `like` pattern, with `!` for its escape, that finds `part` anywhere. Names are ASCII, so lower case is enough. What no
/// name can hold gives a pattern that finds nothing.
pub(super) fn containing(part: &str) -> String {
    containing_as_written(&part.to_lowercase())
}

/// The same for names that may have other letters: how engines fold those differs.
pub(super) fn containing_as_written(part: &str) -> String {
    if part.len() > LONGEST_NAME || part.chars().any(char::is_control) {
        return String::new();
    }
    let escaped = part
        .replace('!', "!!")
        .replace('%', "!%")
        .replace('_', "!_");
    format!("%{escaped}%")
}
