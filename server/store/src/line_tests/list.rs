//! The tests of a record, for their page and their list.

use crate::{Reader, RecordTests, StoreError, run::Run};
use domain::{
    PullRequest, RecordTestsDetail, ShownTests, TestFile, TestLines, TestList, TestRow, TestsQuery,
    ranges_of,
};
use lines::{FileRun, TestSets};
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
        Ok(Some(listed(&known, "", before, most)))
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
            None => ShownTests::List(on_page(&known, &query.find)),
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

/// `most` of the tests with `part` in their name, after the first `before`; without their files.
fn listed(known: &RecordTests, part: &str, before: u64, most: u64) -> TestList {
    let part = part.to_lowercase();
    let runs = known.tests.names().zip(known.tests.runs());
    let found = runs.filter(|(name, _)| part.is_empty() || name.to_lowercase().contains(&part));
    let mut rows: Vec<_> = found.collect();
    let found = rows.len() as u64;
    rows.sort_by_key(|(_, run)| Reverse((run.only, run.lines)));
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let rows = rows.into_iter().skip(number(before)).take(number(most));
    let tests = rows.map(|(name, run)| TestLines {
        row: TestRow {
            name: name.to_owned(),
            lines: run.lines,
            only: run.only,
        },
        files: Vec::new(),
        of: 0,
    });
    TestList {
        tests: tests.collect(),
        of: known.count(),
        found,
        parts_without: known.parts_without.clone(),
    }
}

/// The most lines of all listed tests together whose files are found, which takes a few milliseconds.
const LISTED_LINES: u64 = 500_000;

/// The tests on the page: the first of them with their files.
fn on_page(known: &RecordTests, part: &str) -> TestList {
    let mut list = listed(known, part, 0, TestList::MAX_SHOWN);
    let mut room = LISTED_LINES;
    let names = list.tests.iter().map_while(|TestLines { row, .. }| {
        room = room.checked_sub(row.lines)?;
        Some(row.name.as_str())
    });
    let names: Vec<_> = names.collect();
    let ran = known.tests.of_tests(&names).into_iter();
    let files: Vec<_> = ran.map(|ran| files(ran, TestList::MAX_FILES)).collect();
    for (test, (files, of)) in list.tests.iter_mut().zip(files) {
        (test.files, test.of) = (files, of);
    }
    list
}

/// What one test ran.
fn of_test(tests: &TestSets, name: &str) -> Option<TestLines> {
    let ran = tests.of_tests(&[name]).pop()?;
    let sum = |of_file: fn(&FileRun<'_>) -> usize| ran.iter().map(of_file).sum::<usize>() as u64;
    let row = TestRow {
        name: name.to_owned(),
        lines: sum(|(_, lines)| lines.len()),
        only: sum(|(_, lines)| lines.iter().filter(|(_, is_only)| *is_only).count()),
    };
    let (files, of) = files(ran, TestLines::MAX_SHOWN);
    (of > 0).then_some(TestLines { row, files, of })
}

/// The first `most` files that a test ran, and the number of all: first those with most lines that it alone ran, then those with
/// most lines.
fn files(mut ran: Vec<FileRun<'_>>, most: usize) -> (Vec<TestFile>, u64) {
    let of = ran.len() as u64;
    let only = |lines: &[(u32, bool)]| lines.iter().filter(|(_, is_only)| *is_only).count();
    ran.sort_by_cached_key(|(_, lines)| Reverse((only(lines), lines.len())));
    let files = ran.into_iter().take(most).map(|(path, lines)| {
        let of_only = lines.iter().filter(|(_, is_only)| *is_only);
        TestFile {
            path: path.to_owned(),
            lines: lines.len() as u64,
            only: only(&lines) as u64,
            ranges: ranges_of(lines.iter().map(|(line, _)| *line)),
            only_ranges: ranges_of(of_only.map(|(line, _)| *line)),
        }
    });
    (files.collect(), of)
}
