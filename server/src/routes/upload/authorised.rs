//! Authorises an upload: its parameters first, then its token.

use super::{
    attempt::Attempt,
    parameters::{self, PlainText, UploadParameters, vcs_api_url},
};
use crate::{
    http::error::ApiError,
    routes::parameters::{Parameters, Required},
    state::AppState,
};
use access::{ClientRequest, Subject};
use axum::http::HeaderMap;
use config::PartsTimeout;
use domain::Repository;
use forges::Proof;
use ingest::{JobFolders, Upload};
use review::{Wants, status};
use std::net::IpAddr;
use store::{Announced, MainRight, NewChange, Stated, actor::Actor};

/// A request to upload, before its body is read.
pub(in crate::routes) struct Asked<'a> {
    pub(in crate::routes) parameters: Parameters,
    pub(in crate::routes) headers: &'a HeaderMap,
    pub(in crate::routes) peer: IpAddr,
    /// The commit status that is pending during the upload; `None` for the status of its language.
    pub(in crate::routes) context: Option<&'static str>,
}

/// Returns an upload that may be stored, its actor, and what it requests besides its record.
pub(in crate::routes) async fn authorised(
    state: &AppState,
    asked: Asked<'_>,
    attempt: &mut Attempt,
) -> Result<(Upload, Actor, Wants), ApiError> {
    let Asked {
        mut parameters,
        headers,
        peer,
        context,
    } = asked;
    attempt.names(&parameters);
    let vcs_api_url = vcs_api_url(&mut parameters);
    let names = parameters::read(parameters)?;
    let wants_summary = names.summary.0;
    let run_url = names.run_url.clone();
    let mut upload = upload_of(names, state.parts_timeout);
    let client = ClientRequest {
        headers,
        peer,
        vcs_api_url: vcs_api_url.as_deref(),
    };
    let of_language = || status::context(&upload.stated.language);
    let context = context.map_or_else(of_language, str::to_owned);
    let admission = state
        .uploaders
        .admit(client, subject_of(&upload, &context))
        .await?;
    upload.stated.forge_claim = admission.forge_claim.clone();
    upload.sender = admission.sender(&upload.stated.repository);
    upload.credential = admission.credential();
    upload.stated.main_right = admission.main_right.clone();
    upload.stated.change.measured_commit = admission.measured_commit.clone();
    let by = admission.actor(state.uploaders.address(client));
    let is_by_forge = admission.proof.is_some();
    let queued_for = admission.queued_for.clone();
    let claim = admission.forge_claim.clone();
    // Another forge may have a repository of the same name.
    let trusts = |proof: &Proof| claim.as_ref().is_none_or(|it| it.forge == proof.forge());
    attempt.knows_branches = is_by_forge;
    // Only now: a page must not link to an address from an upload that was not authorized.
    attempt.runs_at(run_url.as_ref());
    attempt.admitted(admission);
    let mut wants = Wants {
        summary: wants_summary,
        whole_status: wants_summary || upload.is_extended(),
        notice: None,
        only_reports: !is_by_forge,
    };
    if !is_by_forge {
        match state
            .uploaders
            .reporter(client, subject_of(&upload, &context))
        {
            Ok(reporter) => {
                attempt.knows_branches = reporter.as_ref().is_some_and(trusts);
                attempt.proof = reporter;
            }
            Err(notice) => wants.notice = Some(notice),
        }
    }
    // The forge knows the queue's branch, and the record belongs to the branch for which the queue tests it.
    if let Some(target) = queued_for {
        upload.stated.branch = target;
    }
    Ok((upload, by, wants))
}

fn subject_of<'a>(upload: &'a Upload, status_context: &'a str) -> Subject<'a> {
    Subject {
        repository: &upload.stated.repository,
        branch: Some(&upload.stated.branch),
        target_branch: upload.stated.change.target_branch.as_ref(),
        commit: &upload.stated.commit,
        status_context,
    }
}

/// Returns an upload without the data that authorization adds.
fn upload_of(names: UploadParameters, timeout: PartsTimeout) -> Upload {
    let (Required(org), Required(repo)) = (names.org_name, names.repo_name);
    let parts = names.parts.unwrap_or_default();
    let (expected, only_here) = (
        parts.of(&names.language.0),
        parts.only_of(&names.language.0),
    );
    Upload {
        stated: Stated {
            repository: Repository { org, repo },
            branch: names.branch_name.0,
            commit: names.commit_hash.0,
            language: names.language.0,
            announced: Announced {
                expected,
                only_here,
                is_finished: names.finish.0,
                skipped: names.skip.zip(names.reason.map(|PlainText(reason)| reason)),
                timeout: timeout.0,
            },
            change: NewChange {
                pull_request: names.pull_request,
                target_branch: names.target_branch,
                base_commit: names.base_commit,
                base_tree: names.base_tree,
                tree_hash: names.tree_hash,
                measured_commit: None,
                changes: None,
                of_forge: None,
            },
            settings: None,
            owners: None,
            forge_claim: None,
            main_right: MainRight::Granted,
        },
        author: names.commit_author.0,
        coverage_file: names.coverage_xml_file_name,
        of_job: JobFolders {
            root: names.root.map(|PlainText(root)| root),
            report: names.report_folder.map(|PlainText(folder)| folder),
        },
        part: names.part.unwrap_or_default(),
        sender: String::new(),
        credential: None,
    }
}
