//! The tests of a record, for their page and their list.

use crate::{Reader, RecordTests, StoreError, run::Run};
use domain::{
    PullRequest, RecordTestsDetail, ShownTests, TestFile, TestLines, TestList, TestRow, TestsQuery,
    ranges_of,
};
use lines::TestSets;
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
        Ok(Some(listed(known, "", before, most)))
    }

    /// Returns what the page about the tests of a record shows; `None` if the record does not exist.
    ///
    /// # Errors
    ///
    /// If the database fails. Damaged tests count as unknown.
    pub async fn tests_page(
        &self,
        query: &TestsQuery,
    ) -> Result<Option<RecordTestsDetail>, StoreError> {
        let Some(names) = self.names_of_record(query.id).await? else {
            return Ok(None);
        };
        let known = match self.record_tests(query.id).await {
            Err(error @ StoreError::Lines { .. }) => {
                let cause = domain::text::chain(&error);
                tracing::error!(cause, "the page of tests shows none");
                None
            }
            known => known?.filter(|known| !known.tests.is_empty()),
        };
        let shown = known.map(|known| match &query.test {
            Some(name) => ShownTests::One(of_test(&known.tests, name)),
            None => ShownTests::List(listed(known, &query.find, 0, TestList::MAX_SHOWN)),
        });
        Ok(Some(RecordTestsDetail {
            record_id: query.id,
            repository: names.repository,
            commit: names.commit,
            pull_request: self.pull_request_of(query.id).await?,
            shown,
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

/// `most` of the tests with `part` in their name, after the first `before`.
fn listed(known: RecordTests, part: &str, before: u64, most: u64) -> TestList {
    let of = known.count();
    let part = part.to_lowercase();
    let runs = known.tests.names().zip(known.tests.runs());
    let found = runs.filter(|(name, _)| part.is_empty() || name.to_lowercase().contains(&part));
    let mut rows: Vec<_> = found.collect();
    let found = rows.len() as u64;
    rows.sort_by_key(|(_, run)| Reverse((run.only, run.lines)));
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let rows = rows.into_iter().skip(number(before)).take(number(most));
    let tests = rows.map(|(name, run)| TestRow {
        name: name.to_owned(),
        lines: run.lines,
        only: run.only,
    });
    TestList {
        tests: tests.collect(),
        of,
        found,
        parts_without: known.parts_without,
    }
}

/// What one test ran.
fn of_test(tests: &TestSets, name: &str) -> Option<TestLines> {
    let files = tests.of_test(name).into_iter();
    let files = files.map(|(path, lines)| {
        let only = || lines.iter().filter(|(_, is_only)| *is_only);
        TestFile {
            path: path.to_owned(),
            lines: lines.len() as u64,
            only: only().count() as u64,
            ranges: ranges_of(lines.iter().map(|(line, _)| *line)),
            only_ranges: ranges_of(only().map(|(line, _)| *line)),
        }
    });
    let mut files: Vec<_> = files.collect();
    files.sort_by_key(|file| Reverse((file.only, file.lines)));
    let row = TestRow {
        name: name.to_owned(),
        lines: files.iter().map(|file| file.lines).sum(),
        only: files.iter().map(|file| file.only).sum(),
    };
    let of = files.len() as u64;
    files.truncate(TestLines::MAX_SHOWN);
    (of > 0).then_some(TestLines { row, files, of })
}
