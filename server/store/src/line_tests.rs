//! Which tests ran the lines of a record: united over its parts, and stored with its lines.

mod list;

use super::{Reader, Store, StoreError, blocking, run::Run};
use domain::{PartName, SourceQuery, SourceTests, text::chain};
use lines::{Changes, Limits, Moves, TestSets};

/// The tests of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordTests {
    /// The tests; empty if no coverage file names them, or if the lines have expired.
    pub tests: TestSets,
    /// The parts whose coverage files do not name the tests: their tests ran further lines.
    pub parts_without: Vec<PartName>,
}

/// The tests of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineTests {
    /// The tests that ran the line, in ascending order.
    pub tests: Vec<String>,
    /// The number of all tests of the record.
    pub of: u64,
    /// The parts whose tests are not known.
    pub parts_without: Vec<PartName>,
    /// If no test ran the line, but tests ran it at the base record.
    pub former: Option<FormerTests>,
}

/// The tests that ran a line at the base record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormerTests {
    /// The base record.
    pub record_id: i64,
    /// The tests, in ascending order.
    pub tests: Vec<String>,
}

const TESTS: &str = "
    select l.tests from records r
    left join record_lines l on l.record_id = r.id
    where r.id = $1";

/// The lines of the only part of a record are stored with the record, and so are its tests.
const WITHOUT: &str = "
    select q.part from record_parts q
    where q.record_id = $1 and q.skip_reason is null and q.lines is not null and q.tests is null
    union
    select k.part from carried_parts k where k.record_id = $1 and k.has_tests = 0
    order by 1";

const CHANGES: &str = "
    select c.changes from record_changes c where c.record_id = $1 and c.changes is not null";

impl RecordTests {
    /// The number of tests.
    pub fn count(&self) -> u64 {
        self.tests.names().len() as u64
    }
}

impl Reader {
    /// Returns the tests of a record; `None` if the record does not exist.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if they are damaged.
    pub async fn record_tests(&self, id: i64) -> Result<Option<RecordTests>, StoreError> {
        let Some(store) = self.sees_record(id).await? else {
            return Ok(None);
        };
        let row: Option<Option<Vec<u8>>> = store.first_value(TESTS, [id]).await?;
        let Some(blob) = row else { return Ok(None) };
        let tests = blocking::tests(id, blob).await?;
        let parts_without = match tests.is_empty() {
            true => Vec::new(),
            false => store.values(WITHOUT, [id]).await?,
        };
        Ok(Some(RecordTests {
            tests,
            parts_without,
        }))
    }

    /// Returns the tests of a line; `None` if the record does not exist or has no tests.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if they are damaged.
    pub async fn line_tests(
        &self,
        id: i64,
        path: &str,
        line: u32,
    ) -> Result<Option<LineTests>, StoreError> {
        let known = self.record_tests(id).await?;
        let Some(known) = known.filter(|known| !known.tests.is_empty()) else {
            return Ok(None);
        };
        let tests = owned(known.tests.of_line(path, line));
        let former = match tests.is_empty() {
            true => self.within_found().former_tests(id, path, line).await?,
            false => None,
        };
        Ok(Some(LineTests {
            of: known.count(),
            tests,
            parts_without: known.parts_without,
            former,
        }))
    }

    /// Returns the tests of a source file, and of the line that is named; `None` if they are not known. Damage is logged, and counts as
    /// not known.
    pub(crate) async fn source_tests(
        &self,
        query: &SourceQuery,
    ) -> Result<Option<SourceTests>, StoreError> {
        let known = match self.record_tests(query.id).await {
            Err(error @ StoreError::Lines { .. }) => {
                tracing::error!(
                    cause = chain(&error),
                    "the page of a source file shows no tests"
                );
                None
            }
            known => known?.filter(|known| !known.tests.is_empty()),
        };
        let Some(known) = known else { return Ok(None) };
        let lines = known.tests.of_file(&query.path);
        let mut tests = SourceTests {
            lines: lines.map(|(line, tests)| (line, tests as u64)).collect(),
            of: known.count(),
            ..SourceTests::default()
        };
        let line = query.lines.filter(|(first, last)| first == last);
        if let Some((line, _)) = line
            && let Some(of_line) = self.line_tests(query.id, &query.path, line).await?
        {
            let former = of_line.former.map(|former| former.tests);
            tests.are_former = former.is_some();
            tests.named = former.unwrap_or(of_line.tests);
        }
        Ok(Some(tests))
    }
}

impl Store {
    /// Returns the tests that ran a line at the base record; `None` if no test did, or if the line is not known to be the same there.
    async fn former_tests(
        &self,
        id: i64,
        path: &str,
        line: u32,
    ) -> Result<Option<FormerTests>, StoreError> {
        let base = self.writer().base(id).await?;
        let changes: Option<Vec<u8>> = self.first_value(CHANGES, [id]).await?;
        let base = base.filter(|base| base.found_by.is_exact());
        let (Some(base), Some(changes)) = (base, changes) else {
            return Ok(None);
        };
        let record_id = base.record.id;
        let blob: Option<Option<Vec<u8>>> = self.first_value(TESTS, [record_id]).await?;
        let before = blocking::tests(record_id, blob.flatten()).await?;
        let moved = move || {
            let moves = Moves::of(&Changes::decode(&changes)?);
            Ok(before.moved(&moves, &Limits::default())?)
        };
        let moved = blocking::decoding(id, moved).await?;
        let tests = owned(moved.of_line(path, line));
        Ok((!tests.is_empty()).then_some(FormerTests { record_id, tests }))
    }
}

fn owned(names: Vec<&str>) -> Vec<String> {
    names.into_iter().map(str::to_owned).collect()
}
