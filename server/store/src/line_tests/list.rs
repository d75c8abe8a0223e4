//! The tests of a record, for their page and their list.

use crate::{Reader, StoreError, run::Run};
use domain::{PullRequest, RecordTestsDetail, TestList, TestRow};
use std::cmp::Reverse;

const PULL_REQUEST: &str = "select pull_request from record_changes where record_id = $1";

impl Reader {
    /// Returns some of the tests of a record: `most` tests after the first `before`. First come the tests that alone ran most lines,
    /// then those that ran most lines. `None` if the record does not exist or has no tests.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if they are damaged.
    pub async fn test_list(
        &self,
        id: i64,
        before: u64,
        most: u64,
    ) -> Result<Option<TestList>, StoreError> {
        let known = self.record_tests(id).await?;
        let Some(known) = known.filter(|known| !known.tests.is_empty()) else {
            return Ok(None);
        };
        let runs = known.tests.names().zip(known.tests.runs());
        let mut rows: Vec<_> = runs.collect();
        rows.sort_by_key(|(_, run)| Reverse((run.only, run.lines)));
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let rows = rows.into_iter().skip(number(before)).take(number(most));
        let tests = rows.map(|(name, run)| TestRow {
            name: name.to_owned(),
            lines: run.lines,
            only: run.only,
        });
        Ok(Some(TestList {
            tests: tests.collect(),
            of: known.count(),
            parts_without: known.parts_without,
        }))
    }

    /// Returns the tests of a record for their page; `None` if the record does not exist.
    ///
    /// # Errors
    ///
    /// If the database fails. Damaged tests count as unknown.
    pub async fn tests_page(&self, id: i64) -> Result<Option<RecordTestsDetail>, StoreError> {
        let Some(names) = self.names_of_record(id).await? else {
            return Ok(None);
        };
        let list = match self.test_list(id, 0, TestList::MAX_SHOWN).await {
            Err(error @ StoreError::Lines { .. }) => {
                let cause = domain::text::chain(&error);
                tracing::error!(cause, "the page of tests shows none");
                None
            }
            list => list?,
        };
        Ok(Some(RecordTestsDetail {
            record_id: id,
            repository: names.repository,
            commit: names.commit,
            pull_request: self.pull_request_of(id).await?,
            list,
        }))
    }

    /// The pull request that a record belongs to, if an upload named it.
    async fn pull_request_of(&self, id: i64) -> Result<Option<PullRequest>, StoreError> {
        let Some(store) = self.sees_record(id).await? else {
            return Ok(None);
        };
        let found: Option<Option<String>> = store.first_value(PULL_REQUEST, [id]).await?;
        Ok(found.flatten().and_then(|text| text.parse().ok()))
    }
}
