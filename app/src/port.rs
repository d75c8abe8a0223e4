//! The interface between pages and server: the queries of pages, and the settings that pages may know.

use crate::AppError;
use async_trait::async_trait;
use domain::{
    Arrivals, AuditPage, AuditQuery, AuthorDetail, AuthorQuery, ColdList, ColdQuery, CommitAuthor,
    Compare, CompareQuery, Deletable, Excerpt, FlickerList, ForgeSites, FormerService, GateHistory,
    GatePreview, GateRules, GatesQuery, LedgerPage, LedgerQuery, OrgHistory, OrgName, OrgOwners,
    OrgQuery, Overview, OverviewQuery, Percentage, PeriodReport, PullRequest, PullRequestDetail,
    PullRequestList, RecordDetail, RecordQuery, RecordTestsDetail, ReportPeriodError, ReportQuery,
    Repository, RepositoryDetail, RepositoryQuery, Scope, ServiceSettings, SourceDetail,
    SourceQuery, Storage, TestsQuery, TokenList, Views, ViewsQuery, WantedLines,
};
use std::sync::Arc;

/// The queries of pages, answered by the server's store.
#[async_trait]
pub trait ReadModel: Send + Sync {
    /// Returns one page of repositories; a page number past the end gives the last page. Repositories with less coverage
    /// than `target` need attention.
    async fn overview(
        &self,
        query: OverviewQuery,
        target: Percentage,
    ) -> Result<Overview, AppError>;

    /// Returns an org with the values of its repositories in a period; `None` if nothing was ever uploaded. Its sums count the
    /// repositories that have at least `target`.
    async fn org(
        &self,
        query: &OrgQuery,
        target: Percentage,
    ) -> Result<Option<OrgHistory>, AppError>;

    /// Returns repositories of an org and of its groups, also without a current record.
    async fn repositories_of(&self, org: &OrgName) -> Result<Vec<Repository>, AppError>;

    /// Returns a repository for `query`; `None` if nothing was ever uploaded to it. A branch without uploads has no
    /// languages.
    async fn repository(
        &self,
        repository: &Repository,
        query: &RepositoryQuery,
    ) -> Result<Option<RepositoryDetail>, AppError>;

    /// Returns a pull request with a page of its uploads; `None` if nothing was ever uploaded to its repository.
    async fn pull_request(
        &self,
        repository: &Repository,
        number: &PullRequest,
        page: u32,
    ) -> Result<Option<PullRequestDetail>, AppError>;

    /// Returns the pull requests of a repository, perhaps before the place of a record; `None` if nothing was ever uploaded to
    /// it.
    async fn pull_requests(
        &self,
        repository: &Repository,
        before: Option<i64>,
    ) -> Result<Option<PullRequestList>, AppError>;

    /// Returns a record with the data of its page; `None` if it does not exist.
    async fn record(&self, query: &RecordQuery) -> Result<Option<RecordDetail>, AppError>;

    /// Returns the code of wanted lines, of at most [`Excerpt::MOST_FILES`] files. Files without text are left out.
    async fn excerpts(&self, wanted: Vec<WantedLines>) -> Result<Vec<Excerpt>, AppError>;

    /// Returns a source file of a record; `None` if the record does not exist.
    async fn source(&self, query: &SourceQuery) -> Result<Option<SourceDetail>, AppError>;

    /// Returns the tests of a record, or the lines of one; `None` if the record does not exist.
    async fn tests(&self, query: &TestsQuery) -> Result<Option<RecordTestsDetail>, AppError>;

    /// Returns the lines of a repository that are known to flicker; `None` if nothing was ever uploaded to it.
    async fn flicker(&self, repository: &Repository) -> Result<Option<FlickerList>, AppError>;

    /// Returns the lines of a repository that nothing runs; `None` if nothing was ever uploaded to it.
    async fn cold(
        &self,
        repository: &Repository,
        query: &ColdQuery,
    ) -> Result<Option<ColdList>, AppError>;

    /// Returns the views of a repository, with their trends; `None` if nothing was ever uploaded to it.
    async fn views(
        &self,
        repository: &Repository,
        query: &ViewsQuery,
    ) -> Result<Option<Views>, AppError>;

    /// Returns the owners of an org in the period of a query, by default the last three months; `None` if nothing was ever
    /// uploaded to it.
    async fn owners(
        &self,
        org: &OrgName,
        period: &ViewsQuery,
    ) -> Result<Option<OrgOwners>, AppError>;

    /// Returns the gates of pull requests over time, of a repository, an org or all orgs; `None` if nothing was ever uploaded to
    /// it.
    async fn gates(&self, query: &GatesQuery) -> Result<Option<GateHistory>, AppError>;

    /// Returns the report of an org about some days, perhaps only of an owner; `None` if nothing was ever uploaded to it, or if
    /// no repository has this owner. If there is no report about the requested days, it is about the default days, with the
    /// error.
    async fn report(
        &self,
        query: &ReportQuery,
    ) -> Result<Option<(PeriodReport, Option<ReportPeriodError>)>, AppError>;

    /// Returns two records side by side; a side that is not requested or not found is `None`.
    async fn compare(&self, query: &CompareQuery) -> Result<Compare, AppError>;

    /// Returns an author with one page of records; `None` if no record has this author.
    async fn author(&self, query: &AuthorQuery) -> Result<Option<AuthorDetail>, AppError>;

    /// Returns one page of the ledger of uploads.
    async fn ledger_page(&self, query: &LedgerQuery) -> Result<LedgerPage, AppError>;

    /// Returns one page of the audit log, limited to the rows in `scopes`.
    async fn audit_page(&self, query: &AuditQuery, scopes: &[Scope])
    -> Result<AuditPage, AppError>;

    /// Returns the gate of a repository, and what it would have said about the last pull requests if these rules were set for the
    /// repository; `None` if nothing was ever uploaded to it.
    async fn gate_preview(
        &self,
        repository: &Repository,
        rules: &GateRules,
    ) -> Result<Option<GatePreview>, AppError>;

    /// Returns what the deletion of a record would delete; `None` if there is no such record.
    async fn deletable(&self, record: i64) -> Result<Option<Deletable>, AppError>;

    /// Returns the tokens that cover only repositories in `scopes`.
    async fn tokens(&self, scopes: &[Scope]) -> Result<TokenList, AppError>;

    /// Returns what has arrived for a repository, or for all repositories in the last hour.
    async fn arrivals(&self, repository: Option<&Repository>) -> Result<Arrivals, AppError>;

    /// Returns a few repositories with names similar to `name`, the most similar first.
    async fn repositories_like(&self, name: &str) -> Result<Vec<Repository>, AppError>;

    /// Returns a few authors whose names have the words of `name`, the most similar first.
    async fn authors_like(&self, name: &str) -> Result<Vec<CommitAuthor>, AppError>;
}

/// What HTML reports and the database use. Apart from the [`ReadModel`], because the answer depends on the settings of the
/// service too.
#[async_trait]
pub trait StorageModel: Send + Sync {
    /// Returns what was read a short time ago, or reads it.
    async fn storage(&self) -> Result<Arc<Storage>, AppError>;
}

/// The storage in the context of pages.
pub type SharedStorageModel = Arc<dyn StorageModel>;

/// The read model in the context of pages.
pub type SharedReadModel = Arc<dyn ReadModel>;

/// What the reader may administer, and so which rows of the audit log and which tokens the reader may see; `None` for a reader
/// who is no administrator. The server sets it after it has checked the token or the session.
#[derive(Clone, Debug, Default)]
pub struct AuditAccess(pub Option<Arc<[Scope]>>);

impl AuditAccess {
    /// The limits as text, such as `acme/…, labs/payments`; `None` for all repositories.
    pub fn limit(&self) -> Option<String> {
        let limits = self.0.iter().flat_map(|scopes| scopes.iter());
        let limits: Option<Vec<_>> = limits.map(Scope::limit).collect();
        limits.map(|limits| limits.join(", "))
    }

    /// Whether the reader may administer a repository.
    pub fn covers(&self, repository: &Repository) -> bool {
        let mut scopes = self.0.iter().flat_map(|scopes| scopes.iter());
        scopes.any(|scope| scope.covers(repository))
    }

    /// Whether the reader may administer all repositories of an org.
    pub fn includes_org(&self, org: &OrgName) -> bool {
        let org = Scope::Org(org.clone());
        let mut scopes = self.0.iter().flat_map(|scopes| scopes.iter());
        scopes.any(|scope| scope.includes(&org))
    }
}

/// The effective configuration; `None` unless the reader has an admin token for every repository. The server sets it after it
/// has checked the token.
#[derive(Clone, Debug, Default)]
pub struct VisibleSettings(pub Option<Arc<ServiceSettings>>);

/// Whether the reader may see some orgs only: then pages about the whole service are refused, and nothing links to them.
#[derive(Clone, Copy, Debug, Default)]
pub struct SomeOrgsOnly(pub bool);

/// The public address of the service, for people and CI jobs, without a trailing `/`.
#[derive(Clone, Debug)]
pub struct PublicUrl(pub Arc<str>);

/// The operator's settings that matter for uploads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceFacts {
    /// Whether pages need a read token.
    pub is_reading_protected: bool,
    /// Whether badges and trends need no reader, if reading is protected.
    pub are_badges_open: bool,
    /// The issuers whose identity tokens may upload.
    pub issuers: Arc<[Listed]>,
    /// The APIs of the forges whose tokens may upload.
    pub apis: Arc<[Listed]>,
    /// The services whose clients may upload.
    pub accepts: Arc<[FormerService]>,
    /// The forges that pages link to.
    pub sites: Arc<ForgeSites>,
}

/// An issuer or an API that the operator lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its kind, as in the setting: `github`, `gitlab`, `gitea` or `other`.
    pub kind: &'static str,
    /// Its address.
    pub address: String,
}

/// The browser's session, if it has one: pages show a logout button.
#[derive(Clone, Debug, Default)]
pub struct BrowserSession {
    /// Whether there is one.
    pub exists: bool,
    /// The name of the person who logged in at an issuer; `None` for a token.
    pub person: Option<Arc<str>>,
}
