//! A client of the service: reads records and their lines.

use crate::{answer_cache::AnswerCache, error::ClientError};
use config::Secret;
use domain::{
    BranchName, CommitHash, Language, Percentage, Repository,
    text::{hexadecimal, printed},
};
use ingest::source_lines;
use lines::Lines;
use reqwest::{Client, Response, StatusCode, Url, header, redirect::Policy};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

/// The most bytes of an answer. A record of 350,000 lines has 4 MB.
const MAX_ANSWER: usize = 256 << 20;

/// Time limits of connecting, and of a pause in an answer.
const CONNECT: Duration = Duration::from_secs(10);
const STILL: Duration = Duration::from_secs(30);

/// Pages of the history of a repository in which the record of an ancestor is searched, with 1,000 records each.
const PAGES: u32 = 5;

/// A record of the API, with its ten fields.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub(crate) struct Found {
    pub(crate) id: i64,
    org_name: String,
    repo_name: String,
    branch_name: String,
    pub(crate) commit_hash: String,
    commit_author: String,
    pub(crate) language: String,
    percentage: Value,
    created_at: String,
    pub(crate) updated_at: String,
}

impl Found {
    /// `None` if the value is no percentage.
    pub(crate) fn percentage(&self) -> Option<Percentage> {
        let hundredths = (self.percentage.as_f64()? * 100.0).round();
        let is_one = (0.0..=10_000.0).contains(&hundredths);
        is_one.then(|| Percentage::from_basis_points(hundredths as u16))
    }

    /// Whether it is in this language; `None` is any language.
    pub(crate) fn is_in(&self, language: Option<&Language>) -> bool {
        language.is_none_or(|language| language.as_str() == self.language)
    }

    pub(crate) fn about(&self) -> String {
        let commit = self.commit_hash.get(..8).unwrap_or(&self.commit_hash);
        let (commit, language) = (printed(commit), printed(&self.language));
        format!(
            "record {} (commit {commit}, {} % in {language})",
            self.id, self.percentage
        )
    }
}

/// A page of `GET /coverages-api`.
#[derive(Deserialize)]
struct Listing {
    has_next: bool,
    data: HashMap<String, Vec<Found>>,
}

/// An answer of `GET /coverages-api/records`.
#[derive(Deserialize)]
struct Records {
    records: Vec<Found>,
}

pub(crate) struct Service {
    client: Client,
    url: Url,
    token: Option<Secret>,
    cache: AnswerCache,
}

impl Service {
    pub(super) fn new(url: Url, token: Option<Secret>) -> Result<Self, ClientError> {
        let agent = concat!("coverage-dashboard/", env!("CARGO_PKG_VERSION"));
        #[expect(
            clippy::disallowed_methods,
            reason = "a command calls the service that its user names"
        )]
        let client = Client::builder()
            .user_agent(agent)
            .connect_timeout(CONNECT)
            .read_timeout(STILL)
            // A redirect may lead to a login page, or the token to another host.
            .redirect(Policy::none())
            .build();
        let client = client.map_err(|source| ClientError::Unreachable {
            url: url.to_string(),
            source,
        })?;
        Ok(Self {
            client,
            url,
            token: token.filter(|token| !token.expose().is_empty()),
            cache: AnswerCache::of_user(),
        })
    }

    /// The newest record of a commit in each language. A commit may have records on several branches.
    pub(crate) async fn of_commit(
        &self,
        repository: &Repository,
        commit: &CommitHash,
    ) -> Result<Vec<Found>, ClientError> {
        let filters = [("commit_hash", commit.as_str())];
        let url = self.address("/coverages-api/records", repository, &filters);
        let Records { mut records } = self.json(url).await?;
        // They are listed from the newest to the oldest.
        let mut languages = HashSet::new();
        records.retain(|record| languages.insert(record.language.clone()));
        Ok(records)
    }

    /// The current records of a branch, one for each language.
    pub(crate) async fn of_branch(
        &self,
        repository: &Repository,
        branch: &BranchName,
    ) -> Result<Vec<Found>, ClientError> {
        let filters = [("branch_name", branch.as_str()), ("per_page", "1000")];
        let url = self.address("/coverages-api", repository, &filters);
        let listing: Listing = self.json(url).await?;
        Ok(listing.data.into_values().flatten().collect())
    }

    /// The records of the first listed commit that has one in this language; `None` is any language.
    pub(crate) async fn of_nearest(
        &self,
        repository: &Repository,
        commits: &[CommitHash],
        language: Option<&Language>,
    ) -> Result<Vec<Found>, ClientError> {
        let commits = commits.iter().map(CommitHash::as_str);
        let places: HashMap<&str, usize> = commits.zip(0..).collect();
        for page in 1..=PAGES {
            let page = page.to_string();
            let filters = [("full", "1"), ("per_page", "1000"), ("p", &page)];
            let url = self.address("/coverages-api", repository, &filters);
            let listing: Listing = self.json(url).await?;
            let all = listing.data.into_values().flatten();
            let known = all.filter(|found| found.is_in(language));
            let known: Vec<_> = known
                .filter_map(|found| Some((*places.get(found.commit_hash.as_str())?, found)))
                .collect();
            if let Some(nearest) = known.iter().map(|(place, _)| *place).min() {
                let own = known.into_iter().filter(|(place, _)| *place == nearest);
                return Ok(own.map(|(_, found)| found).collect());
            }
            if !listing.has_next {
                break;
            }
        }
        Ok(Vec::new())
    }

    pub(crate) async fn lcov(&self, record: &Found) -> Result<Vec<u8>, ClientError> {
        let record = record.id;
        let path = format!("/coverages-api/records/{record}/report.lcov");
        match self.get(self.below(&path)).await {
            Err(ClientError::Refused { status: 404, .. }) => Err(ClientError::NoLines { record }),
            answer => answer,
        }
    }

    pub(crate) async fn lines(&self, record: &Found) -> Result<Lines, ClientError> {
        let lcov = self.lcov(record).await?;
        let report = formats::read_with_lines(lcov.as_slice(), &formats::Limits::default());
        let report = report.map_err(|source| ClientError::BadLines {
            record: record.id,
            source,
        })?;
        let mut lines = Lines::default();
        for (path, states) in source_lines(report) {
            lines.add(path, states);
        }
        Ok(lines)
    }

    /// Appends a path to the path of the service.
    fn below(&self, path: &str) -> Url {
        let mut url = self.url.clone();
        url.set_path(&format!("{}{path}", self.url.path().trim_end_matches('/')));
        url
    }

    fn address(&self, path: &str, repository: &Repository, others: &[(&str, &str)]) -> Url {
        let mut url = self.below(path);
        url.query_pairs_mut()
            .append_pair("org_name", repository.org.as_str())
            .append_pair("repo_name", repository.repo.as_str())
            .extend_pairs(others);
        url
    }

    async fn json<T: for<'a> Deserialize<'a>>(&self, url: Url) -> Result<T, ClientError> {
        let address = url.to_string();
        let body = self.get(url).await?;
        serde_json::from_slice(&body).map_err(|_| ClientError::Strange { url: address })
    }

    /// Sends a request. An unchanged answer comes from the cache.
    async fn get(&self, url: Url) -> Result<Vec<u8>, ClientError> {
        let address = url.to_string();
        let unreachable = |source| ClientError::Unreachable {
            url: address.clone(),
            source,
        };
        let reader = self.token.as_ref();
        let reader = reader.map(|token| hexadecimal(&Sha256::digest(token.expose())));
        let reader = reader.unwrap_or_default();
        let kept = self.cache.get(&address, &reader);
        let mut request = self.client.get(url);
        if let Some(token) = &self.token {
            request = request.bearer_auth(token.expose());
        }
        if let Some(kept) = &kept {
            request = request.header(header::IF_NONE_MATCH, &kept.etag);
        }
        let response = request.send().await.map_err(unreachable)?;
        if let (StatusCode::NOT_MODIFIED, Some(kept)) = (response.status(), kept) {
            return Ok(kept.body);
        }
        let status = response.status();
        let etag = response.headers().get(header::ETAG).cloned();
        let body = body_of(response).await.map_err(unreachable)?;
        let Some(body) = body else {
            return Err(ClientError::Strange { url: address });
        };
        if status != StatusCode::OK {
            return Err(ClientError::Refused {
                url: address,
                status: status.as_u16(),
                detail: detail_of(&body),
            });
        }
        if let Some(etag) = etag.as_ref().and_then(|etag| etag.to_str().ok()) {
            self.cache.put(&address, &reader, etag, &body);
        }
        Ok(body)
    }
}

/// Returns the body; `None` if it is too large.
async fn body_of(mut response: Response) -> Result<Option<Vec<u8>>, reqwest::Error> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > MAX_ANSWER {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body))
}

/// The sentence of a problem document (RFC 9457).
fn detail_of(body: &[u8]) -> String {
    let problem: Value = serde_json::from_slice(body).unwrap_or_default();
    let detail = problem.get("detail").and_then(Value::as_str);
    detail.unwrap_or("no reason given").to_owned()
}
