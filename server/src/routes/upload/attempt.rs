//! The row of an upload in the ledger, and the proof with which its forge gets the results.

use crate::{
    http::{error::ApiError, request_log::RequestId},
    routes::parameters::Parameters,
};
use access::Admission;
use axum::{extract::Request, http::StatusCode};
use domain::RunUrl;
use forges::Proof;
use ingest::Accepted;
use std::time::{Duration, Instant};
use store::{LedgerEntry, Standing, now};

/// The most bytes of a name and of a sentence in the ledger. Clients choose both.
const NAME_BYTES: usize = 255;
const SENTENCE_BYTES: usize = 1_000;

/// An upload under way, with its future row in the ledger.
pub(in crate::routes) struct Attempt {
    since: Instant,
    entry: LedgerEntry,
    /// Whether it is only a call before an upload, which has no row unless it is refused.
    is_call: bool,
    /// The means to report to the forge, also if it did not authorize the upload.
    pub(in crate::routes) proof: Option<Proof>,
    /// Whether that forge says what the branches of the repository contain.
    pub(in crate::routes) knows_branches: bool,
}

impl Attempt {
    pub(in crate::routes) fn of(request: &Request) -> Self {
        let id = request.extensions().get::<RequestId>();
        let id = id.and_then(|id| id.0.to_str().ok());
        Self {
            since: Instant::now(),
            proof: None,
            knows_branches: false,
            is_call: false,
            entry: LedgerEntry {
                received_at: now(),
                request_id: id.unwrap_or_default().to_owned(),
                ..LedgerEntry::default()
            },
        }
    }

    /// Notes that it is a call before an upload.
    pub(in crate::routes) fn calls(&mut self) {
        self.is_call = true;
    }

    /// Notes that the call was an upload, without a body.
    pub(in crate::routes) fn is_upload(&mut self) {
        self.is_call = false;
    }

    /// Whether it has no row.
    pub(in crate::routes) fn is_call(&self) -> bool {
        self.is_call
    }

    /// Notes the client of another service.
    pub(in crate::routes) fn is_by(&mut self, client: Option<&str>) {
        self.entry.client = client.map(|client| cut(client, NAME_BYTES).to_owned());
    }

    /// Notes the names in the request, valid or not.
    pub(in crate::routes) fn names(&mut self, parameters: &Parameters) {
        let name = |name| Some(cut(parameters.text(name)?, NAME_BYTES).to_owned());
        self.entry.org_name = name("org_name");
        self.entry.repo_name = name("repo_name");
        self.entry.branch_name = name("branch_name");
        self.entry.commit_hash = name("commit_hash");
        self.entry.language = name("language");
        self.entry.part = name("part");
    }

    pub(in crate::routes) fn runs_at(&mut self, run_url: Option<&RunUrl>) {
        if let Some(url) = run_url {
            self.entry.run_url = Some(url.to_string());
        }
    }

    /// Notes that the token is valid.
    pub(in crate::routes) fn admitted(&mut self, admission: Admission) {
        self.runs_at(admission.run_url.as_ref());
        self.entry.token_name = Some(cut(&admission.name, NAME_BYTES).to_owned());
        self.entry.token_id = admission.token_id;
        self.proof = admission.proof;
    }

    pub(in crate::routes) fn accepted(&mut self, accepted: &Accepted) {
        let record = &accepted.published.record;
        let (status, code) = match accepted.published.standing {
            Standing::Kept(_) => (StatusCode::OK, "kept"),
            _ if accepted.report_format.is_none() => (StatusCode::OK, "closed"),
            _ if accepted.published.is_new => (StatusCode::CREATED, "created"),
            _ => (StatusCode::OK, "replaced"),
        };
        self.entry.status = status.as_u16().into();
        self.entry.code = code.to_owned();
        let (id, percentage) = (record.id, record.percentage);
        let has = format!("Record {id} has {percentage} %");
        self.entry.detail = match &accepted.published.standing {
            Standing::Current => format!("{has}."),
            Standing::Superseded => format!("{has}. A newer commit is current."),
            Standing::Incomplete(missing) => {
                format!("Record {id} had {percentage} % then, and waited for {missing}.")
            }
            Standing::Provisional => {
                format!("{has}. A merge queue tests its commit, so it is not current.")
            }
            Standing::Unconfirmed(reason) => format!("{has}, but is not current: {reason}"),
            Standing::Kept(reason) => {
                format!("Record {id} was confirmed before and keeps its {percentage} %: {reason}")
            }
        };
        let is_kept = matches!(accepted.published.standing, Standing::Kept(_));
        let paths = accepted.paths.as_ref().filter(|_| !is_kept);
        if let Some(paths) = paths.filter(|paths| paths.are_few()) {
            let of = format!(
                " Only {} of {} paths in its coverage file are files of the repository.",
                paths.matched, paths.of
            );
            self.entry.detail.push_str(&of);
        }
        self.entry.record_id = Some(record.id);
        self.entry.report_format = accepted.report_format.map(str::to_owned);
        if accepted.report_format.is_some() {
            self.entry.files = i64::try_from(accepted.files).ok();
        }
    }

    /// Notes the records of an upload in several languages.
    pub(in crate::routes) fn all_accepted(&mut self, all: &[Accepted]) {
        let mut details = Vec::new();
        for accepted in all.iter().rev() {
            self.accepted(accepted);
            details.insert(0, std::mem::take(&mut self.entry.detail));
        }
        self.entry.detail = cut(&details.join(" "), SENTENCE_BYTES).to_owned();
        let languages = all
            .iter()
            .map(|accepted| accepted.published.record.language.as_str());
        let languages: Vec<_> = languages.collect();
        self.entry.language = Some(languages.join(", ")).filter(|names| !names.is_empty());
    }

    /// Notes that a request was answered, and that nothing is stored.
    pub(in crate::routes) fn answered(&mut self, code: &'static str, detail: &str) {
        self.is_call = false;
        self.entry.status = StatusCode::OK.as_u16().into();
        self.entry.code = code.to_owned();
        self.entry.detail = detail.to_owned();
    }

    /// Notes that a part of a commit without a record is skipped.
    pub(in crate::routes) fn remembered(&mut self) {
        self.entry.status = StatusCode::ACCEPTED.as_u16().into();
        self.entry.code = "skipped".to_owned();
        self.entry.detail = "The part is skipped; its commit has no record yet.".to_owned();
    }

    pub(in crate::routes) fn refused(&mut self, refusal: &ApiError) {
        self.is_call = false;
        self.entry.status = refusal.status().as_u16().into();
        self.entry.code = refusal.code.as_str().to_owned();
        self.entry.detail = cut(&refusal.detail, SENTENCE_BYTES).to_owned();
    }

    pub(in crate::routes) fn age(&self) -> Duration {
        self.since.elapsed()
    }

    /// Returns its row in the ledger, with the number of received bytes.
    pub(in crate::routes) fn finish(mut self, bytes: u64) -> LedgerEntry {
        self.entry.milliseconds = i64::try_from(self.age().as_millis()).unwrap_or(i64::MAX);
        self.entry.bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        self.entry
    }
}

/// Logs an upload. Names are unchecked input; the log escapes control characters.
pub(super) fn log(entry: &LedgerEntry) {
    tracing::info!(
        org = entry.org_name,
        repo = entry.repo_name,
        branch = entry.branch_name,
        commit = entry.commit_hash,
        language = entry.language,
        token = entry.token_name,
        result = entry.code,
        bytes = entry.bytes,
        seconds = entry.milliseconds as f64 / 1_000.0,
        "upload"
    );
}

/// Returns at most `bytes` bytes of a text, whole characters only.
fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_text_is_truncated_between_characters() {
        assert_eq!(cut("aü", 2), "a");
        assert_eq!(cut("aü", 3), "aü");
        assert_eq!(cut("aü", 255), "aü");
    }
}
