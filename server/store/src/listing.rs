//! The paginated listing over all repositories.

mod counted;
mod filtered;
#[cfg(test)]
pub(super) mod tests;

use super::{Reader, Record, StoreError, paging::cut, record::record_columns, text::can_be_name};

/// Selects the records of a listing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ListingFilter {
    /// Every record instead of the current one of each branch and language.
    pub full: bool,
    /// This org, ignoring ASCII case.
    pub org_name: Option<String>,
    /// This repository, ignoring ASCII case.
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
    /// The total length of the texts, in bytes.
    pub fn text_bytes(&self) -> usize {
        self.texts().map(String::len).sum()
    }

    fn texts(&self) -> impl Iterator<Item = &String> {
        let names = [
            &self.org_name,
            &self.repo_name,
            &self.branch_name,
            &self.language,
            &self.commit_author,
            &self.keyword,
        ];
        names.into_iter().flatten()
    }

    fn can_match(&self) -> bool {
        self.texts().all(|text| can_be_name(text))
    }

    /// Whether the filter selects whole repositories, whose records are counted.
    fn is_of_repositories(&self) -> bool {
        self.branch_name.is_none() && self.language.is_none() && self.commit_author.is_none()
    }
}

/// One page of records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The records, by org and repository, newest first.
    pub records: Vec<Record>,
    /// Whether there is a next page.
    pub has_next: bool,
}

/// The range of matching records for a page, plus one record that shows whether there is a next page.
#[derive(Clone, Copy)]
struct Window {
    /// The number of records before the range.
    start: i64,
    /// The number of records up to the end of the range.
    end: i64,
}

impl Reader {
    /// Returns `size` records after the first `offset` ones.
    pub async fn list(
        &self,
        filter: &ListingFilter,
        offset: u64,
        size: u32,
    ) -> Result<Page, StoreError> {
        let end = offset.saturating_add(u64::from(size) + 1);
        let (Ok(start), Ok(end), true) = (offset.try_into(), end.try_into(), filter.can_match())
        else {
            return Ok(Page::default());
        };
        let window = Window { start, end };
        let filter = &self.with_stored_names(filter).await?;
        let is_counted = filter.is_of_repositories();
        if !is_counted && self.is_past_the_end(filter, window).await? {
            return Ok(Page::default());
        }
        let query = if is_counted {
            counted::query(filter, window, self.scope().is_all())
        } else {
            let is_rare = self.has_fewer_than(filter, filtered::MOST_GATHERED);
            filtered::query(filter, window, is_rare.await?)
        };
        let mut records: Vec<Record> = self.all(query).await?;
        let has_next = cut(&mut records, size as usize);
        Ok(Page { records, has_next })
    }

    /// Replaces names with their stored spelling, so that whole columns of indexes can be compared. A repository name
    /// without an org may exist in several orgs with different spellings.
    async fn with_stored_names(&self, filter: &ListingFilter) -> Result<ListingFilter, StoreError> {
        let mut stored = filter.clone();
        let repo = filter.repo_name.as_deref().map(str::parse).transpose();
        let org = filter
            .org_name
            .as_deref()
            .and_then(|name| name.parse().ok());
        if let (Some(org), Ok(repo)) = (org, repo) {
            let (org, repo) = self.stored_names(org, repo).await?;
            stored.org_name = Some(org.into());
            stored.repo_name = repo.map(String::from);
        }
        Ok(stored)
    }
}
