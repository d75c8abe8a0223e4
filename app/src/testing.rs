//! Renders pages in tests, with a read model that returns what the test provides.

use crate::{
    App, AppError, AuditAccess, PublicUrl, ReadModel, ServiceFacts, SharedReadModel,
    SharedStorageModel, StorageModel, Target, VisibleSettings, links::ReportLinks,
};
use async_trait::async_trait;
use domain::{
    Arrivals, AuditPage, AuditQuery, AuthorDetail, AuthorQuery, ColdList, ColdQuery, CommitAuthor,
    Compare, CompareQuery, Deletable, Excerpt, FlickerList, GateHistory, GatePreview, GateRules,
    GatesQuery, LedgerPage, LedgerQuery, OrgHistory, OrgName, OrgOwners, OrgQuery, Overview,
    OverviewQuery, Percentage, PeriodReport, PullRequest, PullRequestDetail, PullRequestList,
    RecordDetail, RecordQuery, RecordTestsDetail, ReportPeriodError, ReportQuery, Repository,
    RepositoryDetail, RepositoryQuery, Scope, ServiceSettings, SourceDetail, SourceQuery, Storage,
    TestsQuery, TokenList, Views, ViewsQuery, WantedLines,
};
use leptos::{prelude::*, reactive::owner::Owner};
use leptos_axum::ResponseOptions;
use leptos_router::location::RequestUrl;
use std::sync::Arc;

/// Answers each query from its field, or as an unreachable database if the field is `None`.
#[derive(Default)]
pub(crate) struct FakeModel {
    pub(crate) overview: Option<Overview>,
    pub(crate) repository: Option<Option<RepositoryDetail>>,
    pub(crate) pull_request: Option<Option<PullRequestDetail>>,
    pub(crate) pull_requests: Option<Option<PullRequestList>>,
    pub(crate) record: Option<Option<RecordDetail>>,
    pub(crate) source: Option<Option<SourceDetail>>,
    pub(crate) excerpts: Vec<Excerpt>,
    pub(crate) tests: Option<Option<RecordTestsDetail>>,
    pub(crate) flicker: Option<Option<FlickerList>>,
    pub(crate) cold: Option<Option<ColdList>>,
    pub(crate) views: Option<Option<Views>>,
    pub(crate) owners: Option<Option<OrgOwners>>,
    pub(crate) gates: Option<Option<GateHistory>>,
    pub(crate) report: Option<Option<PeriodReport>>,
    pub(crate) compare: Option<Compare>,
    pub(crate) org: Option<Option<OrgHistory>>,
    pub(crate) author: Option<Option<AuthorDetail>>,
    pub(crate) ledger: Option<LedgerPage>,
    pub(crate) arrivals: Option<Arrivals>,
    pub(crate) audit: Option<AuditPage>,
    /// The rows of the audit log that the reader may see.
    pub(crate) audit_access: Option<Scope>,
    pub(crate) tokens: Option<TokenList>,
    pub(crate) gate_preview: Option<Option<GatePreview>>,
    pub(crate) deletable: Option<Option<Deletable>>,
    /// The configuration that the reader may see.
    pub(crate) settings: Option<ServiceSettings>,
    pub(crate) similar: Option<Vec<Repository>>,
    pub(crate) similar_authors: Option<Vec<CommitAuthor>>,
    /// The operator's settings.
    pub(crate) facts: ServiceFacts,
    pub(crate) storage: Option<Arc<Storage>>,
}

#[async_trait]
impl StorageModel for FakeModel {
    async fn storage(&self) -> Result<Arc<Storage>, AppError> {
        self.storage.clone().ok_or(AppError::Unavailable)
    }
}

#[async_trait]
impl ReadModel for FakeModel {
    async fn overview(&self, _: OverviewQuery, _: Percentage) -> Result<Overview, AppError> {
        self.overview.clone().ok_or(AppError::Unavailable)
    }

    async fn org(&self, _: &OrgQuery, _: Percentage) -> Result<Option<OrgHistory>, AppError> {
        self.org.clone().ok_or(AppError::Unavailable)
    }

    async fn repositories_of(&self, _: &OrgName) -> Result<Vec<Repository>, AppError> {
        Ok(self.similar.clone().unwrap_or_default())
    }

    async fn repository(
        &self,
        _: &Repository,
        _: &RepositoryQuery,
    ) -> Result<Option<RepositoryDetail>, AppError> {
        self.repository.clone().ok_or(AppError::Unavailable)
    }

    async fn pull_request(
        &self,
        _: &Repository,
        _: &PullRequest,
        _: u32,
    ) -> Result<Option<PullRequestDetail>, AppError> {
        self.pull_request.clone().ok_or(AppError::Unavailable)
    }

    async fn pull_requests(
        &self,
        _: &Repository,
        _: Option<i64>,
    ) -> Result<Option<PullRequestList>, AppError> {
        self.pull_requests.clone().ok_or(AppError::Unavailable)
    }

    async fn record(&self, _: &RecordQuery) -> Result<Option<RecordDetail>, AppError> {
        self.record.clone().ok_or(AppError::Unavailable)
    }

    async fn excerpts(&self, _: Vec<WantedLines>) -> Result<Vec<Excerpt>, AppError> {
        Ok(self.excerpts.clone())
    }

    async fn source(&self, _: &SourceQuery) -> Result<Option<SourceDetail>, AppError> {
        self.source.clone().ok_or(AppError::Unavailable)
    }

    async fn tests(&self, _: &TestsQuery) -> Result<Option<RecordTestsDetail>, AppError> {
        self.tests.clone().ok_or(AppError::Unavailable)
    }

    async fn flicker(&self, _: &Repository) -> Result<Option<FlickerList>, AppError> {
        self.flicker.clone().ok_or(AppError::Unavailable)
    }

    async fn cold(&self, _: &Repository, _: &ColdQuery) -> Result<Option<ColdList>, AppError> {
        self.cold.clone().ok_or(AppError::Unavailable)
    }

    async fn views(&self, _: &Repository, _: &ViewsQuery) -> Result<Option<Views>, AppError> {
        self.views.clone().ok_or(AppError::Unavailable)
    }

    async fn owners(&self, _: &OrgName, _: &ViewsQuery) -> Result<Option<OrgOwners>, AppError> {
        self.owners.clone().ok_or(AppError::Unavailable)
    }

    async fn gates(&self, _: &GatesQuery) -> Result<Option<GateHistory>, AppError> {
        self.gates.clone().ok_or(AppError::Unavailable)
    }

    async fn report(
        &self,
        _: &ReportQuery,
    ) -> Result<Option<(PeriodReport, Option<ReportPeriodError>)>, AppError> {
        let report = self.report.clone().ok_or(AppError::Unavailable)?;
        Ok(report.map(|report| (report, None)))
    }

    async fn compare(&self, _: &CompareQuery) -> Result<Compare, AppError> {
        self.compare.clone().ok_or(AppError::Unavailable)
    }

    async fn author(&self, _: &AuthorQuery) -> Result<Option<AuthorDetail>, AppError> {
        self.author.clone().ok_or(AppError::Unavailable)
    }

    async fn ledger_page(&self, query: &LedgerQuery) -> Result<LedgerPage, AppError> {
        let page = self.ledger.clone().ok_or(AppError::Unavailable)?;
        Ok(LedgerPage {
            query: query.clone(),
            ..page
        })
    }

    async fn audit_page(&self, query: &AuditQuery, _: &[Scope]) -> Result<AuditPage, AppError> {
        let page = self.audit.clone().ok_or(AppError::Unavailable)?;
        Ok(AuditPage {
            query: query.clone(),
            ..page
        })
    }

    async fn tokens(&self, _: &[Scope]) -> Result<TokenList, AppError> {
        self.tokens.clone().ok_or(AppError::Unavailable)
    }

    async fn gate_preview(
        &self,
        _: &Repository,
        _: &GateRules,
    ) -> Result<Option<GatePreview>, AppError> {
        self.gate_preview.clone().ok_or(AppError::Unavailable)
    }

    async fn deletable(&self, _: i64) -> Result<Option<Deletable>, AppError> {
        self.deletable.clone().ok_or(AppError::Unavailable)
    }

    async fn arrivals(&self, _: Option<&Repository>) -> Result<Arrivals, AppError> {
        self.arrivals.clone().ok_or(AppError::Unavailable)
    }

    async fn repositories_like(&self, _: &str) -> Result<Vec<Repository>, AppError> {
        self.similar.clone().ok_or(AppError::Unavailable)
    }

    async fn authors_like(&self, _: &str) -> Result<Vec<CommitAuthor>, AppError> {
        self.similar_authors.clone().ok_or(AppError::Unavailable)
    }
}

/// The status and the HTML of the page at `path`, without markers. A path is such as `/repos/acme/payments?branch_name=main`.
pub(crate) async fn render(model: FakeModel, path: &str) -> (u16, String) {
    // Fails if another test of this process has already done it.
    let _ = any_spawner::Executor::init_tokio();
    let response = ResponseOptions::default();
    let owner = Owner::new_root(Some(Arc::new(hydration_context::SsrSharedContext::new())));
    let html = owner.with(|| {
        provide_context(model.facts.clone());
        provide_context(AuditAccess(
            model.audit_access.clone().map(|scope| [scope].into()),
        ));
        provide_context(VisibleSettings(model.settings.clone().map(Arc::new)));
        let model = Arc::new(model);
        let (pages, storage): (SharedReadModel, SharedStorageModel) = (model.clone(), model);
        provide_context(pages);
        provide_context(storage);
        provide_context(response.clone());
        provide_context(ReportLinks::default());
        provide_context(PublicUrl("https://coverage.example".into()));
        provide_context(Target(Percentage::from_basis_points(8_000)));
        provide_context(RequestUrl::new(path));
        provide_context(leptos_meta::ServerMetaContext::new().0);
        App().into_view().to_html_stream_in_order()
    });
    let html: String = futures::StreamExt::collect(html).await;
    let html = crate::without_markers(&html).replace("<!---->", "");
    let status = response.0.read().expect("the answer").status;
    let status = status.map_or(200, |status| status.as_u16());
    (status, html)
}
