//! The other parts of a commit, for uniting them after an upload or a deletion of one part.

use super::Completion;
use crate::{
    Flag, MainRight, RecordKey, Store, StoreError, Writer, blocking,
    matched_paths::PathsRow,
    names,
    run::Run,
    standing::{Series, Trust, branch_id, earlier_upload},
    text::Texts,
};
use domain::{IgnoredFiles, MatchedPaths, PartName, Timestamp, sql::IfReadable};
use lines::{Limits, Lines, NamedBranches, TestSets};
use sqlx::FromRow;

/// The measured parts of a commit, except one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OtherParts {
    /// The record; `None` if the commit has no record.
    pub record_id: Option<i64>,
    /// Whether the excepted part was measured too.
    pub has_part: bool,
    /// The parts, by name.
    pub parts: Vec<OtherPart>,
}

/// A measured part.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct OtherPart {
    /// What its union keeps besides its lines.
    #[sqlx(flatten)]
    pub details: PartDetails,
    /// The time of the upload.
    pub arrived_at: Timestamp,
    /// Whether its coverage file has lines.
    #[sqlx(try_from = "Flag")]
    pub has_lines: bool,
    /// Whether its lines are still kept.
    #[sqlx(try_from = "Flag")]
    pub are_lines_kept: bool,
}

/// A measured part without its lines.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct PartDetails {
    /// The name of the part.
    #[sqlx(rename = "part")]
    pub name: PartName,
    /// The tool that wrote its coverage file.
    pub tool: Option<String>,
    /// Problems in its coverage file.
    #[sqlx(try_from = "Texts")]
    pub warnings: Vec<String>,
    /// How many of its paths are files of the repository, if its upload listed the files.
    #[sqlx(flatten, try_from = "PathsRow")]
    pub paths: Option<MatchedPaths>,
    /// The files that the rules of the record leave out; `None` without rules.
    #[sqlx(try_from = "IfReadable<IgnoredFiles>")]
    pub ignored: Option<IgnoredFiles>,
    /// The folder that was removed from its paths; often empty.
    pub root: String,
    /// Whether the coverage file states that folder.
    #[sqlx(try_from = "Flag")]
    pub is_root_stated: bool,
}

/// The measured parts of the records that a condition selects. A record without rows has one part, which has the record's lines.
macro_rules! measured_parts {
    ($($where:tt)+) => {
        concat!(
    "select r.id as record_id, coalesce(q.part, '') as part, coalesce(q.arrived_at, r.updated_at) as arrived_at,
            case when q.part is null then d.tool else q.tool end as tool,
            coalesce(q.warnings, d.warnings, '[]') as warnings,
            case when q.part is null then d.paths_matched else q.paths_matched end as paths_matched,
            case when q.part is null then d.paths_of else q.paths_of end as paths_of,
            case when q.part is null then d.paths_unmatched else q.paths_unmatched end as paths_unmatched,
            case when q.part is null then d.ignored else q.ignored end as ignored,
            coalesce(q.root, d.files_root, '') as root,
            coalesce(q.is_root_stated, d.is_root_stated, 0) as is_root_stated,
            case when q.part is null or q.coverable is not null then 1 else 0 end as has_lines,
            case when q.lines is not null
                   or (l.record_id is not null and not exists (
                       select 1 from record_parts o
                       where o.record_id = r.id and o.skip_reason is null and o.part <> q.part))
                 then 1 else 0 end as are_lines_kept
     from records r
     join branches b on b.id = r.branch_id
     left join record_parts q on q.record_id = r.id and q.skip_reason is null
     left join record_details d on d.record_id = r.id
     left join record_lines l on l.record_id = r.id
     where ",
    $($where)+,
    " and (q.part is not null or not exists (select 1 from record_parts s where s.record_id = r.id and s.skip_reason is null))
     order by q.part"
        )
    };
}

pub(crate) const OF_COMMIT: &str = measured_parts!(
    "b.repository_id = (select k.id from repositories k where k.name_key = $1)
     and b.name = $2 and r.language = $3 and r.commit_hash = $4"
);

const OF_RECORD: &str = measured_parts!("r.id = $1");

/// A column of a part, or of the record, if the part is its only measured one.
macro_rules! of_part {
    ($column:literal) => {
        of_part!(value concat!("coalesce(q.", $column, ", l.", $column, ")"))
    };
    (value $($value:tt)+) => {
        concat!(
            "select ", $($value)+, " from records r
             left join record_parts q on q.record_id = r.id and q.part = $2
             left join record_lines l on l.record_id = r.id and not exists (
                 select 1 from record_parts o where o.record_id = r.id and o.skip_reason is null and o.part <> $2)
             where r.id = $1"
        )
    };
}

const LINES: &str = of_part!("lines");

const BRANCHES: &str = of_part!("branches");

/// If `record_lines` has the lines of the part, it has the tests of the part too. Otherwise the tests of the record are united, and the
/// part has its own.
const TESTS: &str = of_part!(value "case when q.lines is null then l.tests else q.tests end");

const CARRIED_LINES: &str = "
    select k.lines from carried_parts k where k.record_id = $1 and k.part = $2 and k.lines is not null";

#[derive(FromRow)]
struct Row {
    record_id: i64,
    #[sqlx(flatten)]
    part: OtherPart,
}

impl Writer<'_> {
    /// Returns the measured parts of a commit with which an upload is united, except the part with the name of the upload. An upload that
    /// counts more than all earlier ones replaces their parts.
    pub async fn other_parts(
        self,
        commit: RecordKey<'_>,
        right: &MainRight,
        part: &PartName,
    ) -> Result<OtherParts, StoreError> {
        let rows: Vec<Row> = self.store.all(OF_COMMIT, [commit]).await?;
        if !rows.is_empty() && self.store.replaces_all(commit, right).await? {
            return Ok(OtherParts::default());
        }
        Ok(others(rows, Some(part)))
    }

    /// Returns the measured parts of a record, except the one with this name.
    pub async fn other_parts_of(
        self,
        record_id: i64,
        part: Option<&PartName>,
    ) -> Result<OtherParts, StoreError> {
        let rows = self.store.all(OF_RECORD, [record_id]).await?;
        Ok(others(rows, part))
    }

    /// Returns the lines of a part; `None` if they are not kept.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if the lines are damaged.
    pub async fn part_lines(
        self,
        record_id: i64,
        part: &PartName,
    ) -> Result<Option<Lines>, StoreError> {
        match self.store.encoded_part_lines(record_id, part).await? {
            Some(blob) => blocking::lines(record_id, blob).await.map(Some),
            None => Ok(None),
        }
    }

    /// Returns the branches of a part; `None` if they are not kept, because its coverage file does not name all of them.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if they are damaged.
    pub async fn part_branches(
        self,
        record_id: i64,
        part: &PartName,
    ) -> Result<Option<NamedBranches>, StoreError> {
        let blob: Option<Option<Vec<u8>>> =
            self.store.first_value(BRANCHES, (record_id, part)).await?;
        let Some(blob) = blob.flatten() else {
            return Ok(None);
        };
        let decode = move || NamedBranches::decode(&blob, &Limits::default());
        blocking::decoding(record_id, decode).await.map(Some)
    }

    /// Returns the tests of a part; empty if its coverage file does not name them.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if they are damaged.
    pub async fn part_tests(self, record_id: i64, part: &PartName) -> Result<TestSets, StoreError> {
        let blob: Option<Option<Vec<u8>>> =
            self.store.first_value(TESTS, (record_id, part)).await?;
        blocking::tests(record_id, blob.flatten()).await
    }
}

impl Store {
    async fn replaces_all(
        &self,
        commit: RecordKey<'_>,
        right: &MainRight,
    ) -> Result<bool, StoreError> {
        let mut connection = self.read_pool.acquire().await?;
        let connection = &mut *connection;
        let repository: Option<i64> = connection
            .first_value(names::ID, [commit.repository])
            .await?;
        let Some(repository) = repository else {
            return Ok(false);
        };
        let Some(branch_id) = branch_id(connection, repository, commit.branch).await? else {
            return Ok(false);
        };
        let series = Series {
            branch_id,
            language: commit.language.as_str(),
        };
        let Some(earlier) = earlier_upload(connection, series, commit.commit).await? else {
            return Ok(false);
        };
        let asked = (commit, right);
        let trust = Trust::of_upload(connection, repository, series, asked, Some(&earlier)).await?;
        let completion = Completion::of_record(connection, earlier.id).await?;
        Ok(trust.replaces(completion.trust_of(&earlier), right))
    }

    /// Returns the stored encoding of the lines of a part.
    pub(crate) async fn encoded_part_lines(
        &self,
        record_id: i64,
        part: &PartName,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let lines: Option<Option<_>> = self.first_value(LINES, (record_id, part)).await?;
        Ok(lines.flatten())
    }

    /// Returns the lines of a part that was measured or carried forward; `None` if they are not kept.
    pub(crate) async fn united_part_lines(
        &self,
        record_id: i64,
        part: &PartName,
    ) -> Result<Option<Lines>, StoreError> {
        let carried: Option<Vec<u8>> = self.first_value(CARRIED_LINES, (record_id, part)).await?;
        match carried {
            Some(blob) => blocking::lines(record_id, blob).await.map(Some),
            None => self.writer().part_lines(record_id, part).await,
        }
    }
}

fn others(rows: Vec<Row>, part: Option<&PartName>) -> OtherParts {
    let record_id = rows.first().map(|row| row.record_id);
    let (same, parts): (Vec<_>, _) = rows
        .into_iter()
        .map(|row| row.part)
        .partition(|other| Some(&other.details.name) == part);
    OtherParts {
        record_id,
        has_part: !same.is_empty(),
        parts,
    }
}
