//! The history as a whole: reads all records in chunks, and imports old ones.

mod import;
mod line_histories;
#[cfg(test)]
mod tests;

pub use import::Imported;
pub(super) use import::note_last_upload;
pub use line_histories::ImportedHistories;
#[cfg(test)]
pub(super) use line_histories::NAMED;

use super::{
    Flag, Operator, RecordChain, Store, StoreError, Unsigned, line_history,
    lines::NewLines,
    publish::StoredReport,
    run::Run,
    sources::{Exported, NewSource},
    totals::Totals,
};
use domain::{
    BranchName, CommitAuthor, CommitHash, Count, Language, OrgName, Percentage, Repository,
    Timestamp,
};
use sqlx::FromRow;

/// Records per query.
const CHUNK: i64 = 1_000;

/// Records per query if their lines are read as well: these take up to some MiB for each record.
const CHUNK_WITH_LINES: i64 = 1;

/// All numbers of a record, with their times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryRecord {
    /// Its repository.
    pub repository: Repository,
    /// Its branch.
    pub branch: BranchName,
    /// The commit that was measured.
    pub commit: CommitHash,
    /// Who made the commit.
    pub author: CommitAuthor,
    /// Its language.
    pub language: Language,
    /// Total line coverage.
    pub percentage: Percentage,
    /// Covered and total lines, if known.
    pub lines: Option<Count>,
    /// Covered and total branches, if known.
    pub branches: Option<Count>,
    /// Covered and total functions, if known.
    pub functions: Option<Count>,
    /// The format of its coverage file, as a short lower-case name.
    pub report_format: String,
    /// When it was first uploaded.
    pub created_at: Timestamp,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// When it stopped being the current record of its branch and language.
    pub superseded_at: Option<Timestamp>,
    /// When it was uploaded without the right to change the main branch.
    pub unconfirmed_at: Option<Timestamp>,
    /// The state of every line, if kept and asked for.
    pub line_states: Option<NewLines>,
    /// The text of its source files, if kept and asked for.
    pub sources: Vec<NewSource>,
    /// The history of its lines, if kept and asked for.
    pub chain: Option<RecordChain>,
    /// Its HTML report, if stored and asked for.
    pub report: Option<StoredReport>,
}

const REPOSITORIES: &str = "
    select p.id, p.org_name, p.repo_name from repositories p
    where (p.org_name, p.repo_name) > ($1, $2) and ($3 is null or p.org_name = $3)
      and ($4 is null or p.repo_name = $4)
    order by p.org_name, p.repo_name limit 1";

/// The records after the record `$2`, created at `$3`, that was read last. Its place changes if records are deleted or
/// added meanwhile. If it is deleted itself, the remaining records before it are counted.
///
/// A record of which some parts do not name their tests has none here: an imported record has no parts that would say so.
const RECORDS: &str = "
    select r.id, b.name as branch_name, r.commit_hash, r.commit_author, r.language, r.percentage_basis_points, r.lines_covered,
           r.lines_total, r.branches_covered, r.branches_total, r.functions_covered, r.functions_total, r.report_format,
           r.created_at, r.updated_at, r.superseded_at, r.unconfirmed_at, l.covered, l.coverable, l.lines,
           case when l.tests is not null and not exists (
               select 1 from record_parts q
               where q.record_id = r.id and q.skip_reason is null and q.lines is not null and q.tests is null)
           and not exists (select 1 from carried_parts k where k.record_id = r.id and k.has_tests = 0)
           then l.tests end as tests,
           c.record_id as chain_id, h.history,
           case when $5 = 1 then r.report_key end as report_key, r.report_start_page, coalesce(r.report_bytes, 0) as report_bytes
    from records r
    join branches b on b.id = r.branch_id
    left join record_lines l on l.record_id = r.id and $5 = 1
    left join record_chain c on c.record_id = r.id and $5 = 1
    left join record_histories h on h.record_id = r.id and h.revision = r.revision and $5 = 1
    where r.repository_id = $1
      and r.place > case when $2 = 0 then 0 else coalesce(
          (select l.place from records l where l.id = $2 and l.repository_id = $1),
          (select count(*) from records e
           where e.repository_id = $1 and (e.created_at < $3 or (e.created_at = $3 and e.id < $2)))) end
    order by r.place limit $4";

#[derive(FromRow)]
struct RepositoryRow {
    id: i64,
    #[sqlx(flatten)]
    repository: Repository,
}

#[derive(FromRow)]
struct Row {
    id: i64,
    #[sqlx(rename = "branch_name")]
    branch: BranchName,
    #[sqlx(rename = "commit_hash")]
    commit: CommitHash,
    #[sqlx(rename = "commit_author")]
    author: CommitAuthor,
    language: Language,
    #[sqlx(rename = "percentage_basis_points")]
    percentage: Percentage,
    #[sqlx(flatten)]
    totals: Totals,
    report_format: String,
    created_at: Timestamp,
    updated_at: Timestamp,
    superseded_at: Option<Timestamp>,
    unconfirmed_at: Option<Timestamp>,
    covered: Option<Unsigned>,
    coverable: Option<Unsigned>,
    lines: Option<Vec<u8>>,
    tests: Option<Vec<u8>>,
    chain_id: Option<i64>,
    history: Option<Vec<u8>>,
    report_key: Option<String>,
    report_start_page: Option<String>,
    report_bytes: Unsigned,
}

/// The id and the time of creation of the record that was read last; 0 before the first record of a repository.
type LastRead = (i64, Timestamp);

/// A position in the history, for reading it in chunks: by org and repository, oldest record first.
#[derive(Debug)]
pub struct HistoryReading<'a> {
    store: &'a Store,
    org: Option<OrgName>,
    repo: Option<domain::RepoName>,
    with_details: bool,
    /// The source text of the repository that was read already.
    sources: Exported,
    /// The repository that is being read, and the last record of it that was read.
    at: Option<(i64, Repository, LastRead)>,
    is_over: bool,
    /// Whether `org` and `repo` are the stored spellings.
    is_resolved: bool,
}

impl<'a> Operator<'a> {
    /// Reads the history of the service, of an org or of a repository. `with_details`: with the state of every line, and with where
    /// HTML reports are stored.
    pub fn read_history(
        self,
        org: Option<OrgName>,
        repo: Option<domain::RepoName>,
        with_details: bool,
    ) -> HistoryReading<'a> {
        HistoryReading {
            store: self.store,
            org,
            repo,
            with_details,
            sources: Exported::default(),
            at: None,
            is_over: false,
            is_resolved: false,
        }
    }
}

impl HistoryReading<'_> {
    /// Returns the next records; empty at the end.
    pub async fn next(&mut self) -> Result<Vec<HistoryRecord>, StoreError> {
        if !self.is_resolved {
            self.resolve().await?;
            self.is_resolved = true;
        }
        let chunk = match self.with_details {
            true => CHUNK_WITH_LINES,
            false => CHUNK,
        };
        while !self.is_over {
            if let Some((id, repository, last_read)) = self.at.take() {
                let values = (id, last_read.0, last_read.1, chunk, Flag(self.with_details));
                let rows: Vec<Row> = self.store.all(RECORDS, values).await?;
                if let Some(last) = rows.last() {
                    let last_read = (last.id, last.created_at);
                    let mut records = Vec::with_capacity(rows.len());
                    for row in rows {
                        let chain = row.chain(self.store).await?;
                        let sources = match self.with_details {
                            true => self.sources.of_record(self.store, row.id).await?,
                            false => Vec::new(),
                        };
                        records.push(HistoryRecord {
                            chain,
                            sources,
                            ..row.of(&repository)
                        });
                    }
                    self.at = Some((id, repository, last_read));
                    return Ok(records);
                }
                self.go_to_repository_after(Some(&repository)).await?;
            } else {
                self.go_to_repository_after(None).await?;
            }
        }
        Ok(Vec::new())
    }

    /// Replaces the names with their stored spellings.
    async fn resolve(&mut self) -> Result<(), StoreError> {
        if let Some(org) = self.org.clone() {
            let names = self.store.everything();
            let (org, repo) = names.stored_names(org, self.repo.clone()).await?;
            (self.org, self.repo) = (Some(org), repo);
        }
        Ok(())
    }

    async fn go_to_repository_after(
        &mut self,
        before: Option<&Repository>,
    ) -> Result<(), StoreError> {
        let values = (
            before.map_or("", |before| before.org.as_str()),
            before.map_or("", |before| before.repo.as_str()),
            self.org.as_ref().map(OrgName::as_str),
            self.repo.as_ref().map(domain::RepoName::as_str),
        );
        let row: Option<RepositoryRow> = self.store.first(REPOSITORIES, values).await?;
        let Some(row) = row else {
            self.is_over = true;
            return Ok(());
        };
        self.sources = Exported::default();
        self.at = Some((row.id, row.repository, LastRead::default()));
        Ok(())
    }
}

impl Row {
    async fn chain(&self, store: &Store) -> Result<Option<RecordChain>, StoreError> {
        let Some(id) = self.chain_id else {
            return Ok(None);
        };
        let (deleted, base) = line_history::bases(store, id).await?;
        Ok(Some(RecordChain {
            id,
            deleted,
            base,
            history: self.history.clone(),
        }))
    }

    fn of(self, repository: &Repository) -> HistoryRecord {
        let line_states = self.lines.map(|encoded| NewLines {
            covered: self.covered.unwrap_or_default().into(),
            coverable: self.coverable.unwrap_or_default().into(),
            encoded,
            branches: None,
            tests: self.tests,
        });
        let report = self.report_key.map(|key| StoredReport {
            key,
            start_page: self.report_start_page,
            bytes: self.report_bytes.into(),
        });
        HistoryRecord {
            repository: repository.clone(),
            branch: self.branch,
            commit: self.commit,
            author: self.author,
            language: self.language,
            percentage: self.percentage,
            lines: self.totals.lines,
            branches: self.totals.branches,
            functions: self.totals.functions,
            report_format: self.report_format,
            created_at: self.created_at,
            updated_at: self.updated_at,
            superseded_at: self.superseded_at,
            unconfirmed_at: self.unconfirmed_at,
            line_states,
            sources: Vec::new(),
            chain: None,
            report,
        }
    }
}
