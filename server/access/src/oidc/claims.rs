//! The claims with the repository, branch and commit, for each kind of issuer.

use super::{
    identity::{Claim, GitRef, Identity},
    key_set::Claims,
    shown, text,
};
use crate::error::AccessError;
use config::access::{ClaimNames, IssuerKind};
use serde_json::Value;
use store::ForgeIds;

/// Reads the claims of a verified identity.
pub(super) fn identity(
    kind: IssuerKind,
    names: &ClaimNames,
    claims: &Claims,
    forge: String,
) -> Result<Identity, AccessError> {
    let needed = |name: &str| needed(claims, name);
    let text = |name| text(claims, name);
    let number = |name| number(claims, name);
    let (ci, repository, at, commit, git_ref, actor, ids, run_page);
    match kind {
        IssuerKind::GitHub => {
            ci = "Actions";
            (repository, at, commit) = (needed("repository")?, needed("ref")?, needed("sha")?);
            git_ref = match text("event_name") {
                // Not `pull_request_target`: its job runs on the base.
                Some("pull_request") => {
                    GitRef::of_pull_request(&at.value, text("head_ref"), text("base_ref"))
                }
                _ => GitRef::of_full_name(&at.value),
            };
            actor = text("actor");
            ids = ids_of(claims, "repository_id", "repository_owner_id");
            let page = |id| format!("{}/actions/runs/{id}", repository.value);
            run_page = number("run_id").map(page);
        }
        IssuerKind::GitLab => {
            ci = "GitLab CI";
            (repository, at, commit) = (needed("project_path")?, needed("ref")?, needed("sha")?);
            let is_branch = needed("ref_type")?.value == "branch";
            git_ref = if is_branch {
                gitlab_branch(claims, &at.value)
            } else {
                GitRef::Other(format!("refs/tags/{}", at.value))
            };
            actor = text("user_login");
            ids = ids_of(claims, "project_id", "namespace_id");
            let page = |id| format!("{}/-/jobs/{id}", repository.value);
            run_page = number("job_id").map(page);
        }
        IssuerKind::Other => {
            ci = "CI";
            repository = needed(&names.repository)?;
            (at, commit) = (needed(&names.r#ref)?, needed(&names.sha)?);
            git_ref = GitRef::of_any_name(&at.value);
            actor = None;
            ids = None;
            run_page = None;
        }
    }
    // A job of a fork states another project.
    let may_be_train = kind == IssuerKind::GitLab
        && text("pipeline_source") == Some("merge_request_event")
        && text("job_project_path") == Some(repository.value.as_str());
    let mut name = format!("{ci} of {} at {forge}", shown(&repository.value));
    if let Some(actor) = actor {
        name = format!("{name} ({})", shown(actor));
    }
    Ok(Identity {
        name,
        forge,
        repository,
        at,
        git_ref,
        commit,
        may_be_train,
        ids,
        run_page,
    })
}

/// Returns the git ref of a GitLab pipeline with the `ref_type` `branch`. Merge requests have this `ref_type` too: there, and in
/// their child pipelines, `ref` and `ref_path` are the source branch, which may belong to a fork (`source_ref_path` of
/// `app/models/ci/pipeline.rs`). Until GitLab 18.2, `project_path` was still the project of the target. A child pipeline
/// certainly runs on the branch itself only if the branch is protected: branches of forks never are.
///
/// <https://docs.gitlab.com/ci/secrets/id_token_authentication/#token-payload>
fn gitlab_branch(claims: &Claims, name: &str) -> GitRef {
    let text = |name| text(claims, name);
    let of_merge_request = || GitRef::PullRequest(vec![name.to_owned()]);
    let is_of_fork = text("job_project_path").is_some_and(|job| text("project_path") != Some(job));
    if is_of_fork {
        return of_merge_request();
    }
    match text("ref_path") {
        Some(path) if path.strip_prefix("refs/heads/") != Some(name) => {
            return GitRef::Other(path.to_owned());
        }
        _ => {}
    }
    match text("pipeline_source") {
        None => GitRef::Branch(name.to_owned()),
        Some(source) if OF_BRANCHES.contains(&source) => GitRef::Branch(name.to_owned()),
        Some("parent_pipeline") if text("ref_protected") == Some("true") => {
            GitRef::Branch(name.to_owned())
        }
        Some(_) => of_merge_request(),
    }
}

/// The sources of GitLab pipelines that run on a branch of the project itself.
///
/// <https://docs.gitlab.com/ci/jobs/job_rules/#ci_pipeline_source-predefined-variable>
const OF_BRANCHES: [&str; 8] = [
    "push", "web", "webide", "schedule", "api", "trigger", "chat", "pipeline",
];

/// Returns the ids of a repository and its owner, if the identity has both.
fn ids_of(claims: &Claims, repository: &str, owner: &str) -> Option<ForgeIds> {
    Some(ForgeIds {
        repository: id(claims, repository)?,
        owner: id(claims, owner)?,
    })
}

/// Returns an id. Some forges write it as a number.
fn id(claims: &Claims, name: &str) -> Option<String> {
    match claims.get(name)? {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns the number of a run. It must be digits, because it becomes part of an address.
fn number(claims: &Claims, name: &str) -> Option<String> {
    id(claims, name).filter(|id| id.bytes().all(|byte| byte.is_ascii_digit()))
}

fn needed(claims: &Claims, name: &str) -> Result<Claim, AccessError> {
    let missing = || {
        AccessError::not_for_repository(format!(
            "This identity has no claim `{name}`, which is needed to authorize the upload; ask the operator to check the kind of its issuer in OIDC_ISSUERS."
        ))
    };
    Ok(Claim {
        name: name.to_owned(),
        value: text(claims, name).ok_or_else(missing)?.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Subject;
    use serde_json::json;

    fn of(kind: IssuerKind, claims: Value) -> Result<Identity, AccessError> {
        let names = "repository=repo,ref=branch,sha=commit"
            .parse()
            .expect("names");
        let claims = claims.as_object().expect("claims");
        identity(kind, &names, claims, "git.example.com".to_owned())
    }

    fn agrees(identity: &Identity, branch: Option<&str>) -> bool {
        let repository = "acme/payments".parse().expect("a repository");
        let branch = branch.map(|name| name.parse().expect("a branch"));
        let subject = Subject {
            repository: &repository,
            branch: branch.as_ref(),
            target_branch: None,
            commit: &"c1".parse().expect("a commit"),
            status_context: "coverage/rust",
        };
        identity.agrees_with(subject).is_ok()
    }

    fn github(at: &str, event: &str) -> Identity {
        let claims = json!({
            "repository": "acme/payments", "ref": at, "sha": "c1", "event_name": event,
            "head_ref": "fix", "base_ref": "main", "actor": "kim",
        });
        of(IssuerKind::GitHub, claims).expect("an identity")
    }

    #[test]
    fn a_merge_train_is_a_job_of_the_project_itself() {
        let of_job = |project: &str| {
            let claims = json!({
                "project_path": "acme/payments", "job_project_path": project, "ref": "fix", "ref_type": "branch",
                "sha": "c1", "pipeline_source": "merge_request_event", "user_login": "kim",
            });
            of(IssuerKind::GitLab, claims).expect("an identity")
        };
        let (own, fork) = (of_job("acme/payments"), of_job("kim/payments"));
        let train = Some("refs/merge-requests/7/train");
        assert!(agrees(&own, train) && !agrees(&fork, train));
        assert!(agrees(&own, Some("fix")) && !agrees(&own, Some("refs/merge-requests/7/head")));
    }

    fn gitlab(at: &str, kind: &str, source: &str) -> Identity {
        let claims = json!({
            "project_path": "acme/payments", "ref": at, "ref_type": kind, "sha": "c1",
            "pipeline_source": source, "user_login": "kim",
        });
        of(IssuerKind::GitLab, claims).expect("an identity")
    }

    #[test]
    fn only_a_job_of_a_branch_may_list_active_branches() {
        assert!(agrees(&github("refs/heads/main", "push"), None));
        assert!(agrees(&github("refs/heads/main", "schedule"), None));
        assert!(!agrees(&github("refs/pull/5/merge", "pull_request"), None));
        assert!(!agrees(&github("refs/tags/v1", "push"), None));
        assert!(agrees(&gitlab("main", "branch", "push"), None));
        assert!(!agrees(
            &gitlab("fix", "branch", "merge_request_event"),
            None
        ));
        assert!(!agrees(&gitlab("v1", "tag", "push"), None));
        let other = |at: &str| {
            let claims = json!({ "repo": "acme/payments", "branch": at, "commit": "c1" });
            of(IssuerKind::Other, claims).expect("an identity")
        };
        assert!(agrees(&other("refs/heads/main"), None));
        assert!(!agrees(&other("main"), None), "it may be a tag");
        assert!(agrees(&other("main"), Some("main")));
    }

    #[test]
    fn a_merge_request_is_for_its_source_branch() {
        let request = gitlab("fix", "branch", "merge_request_event");
        assert!(agrees(&request, Some("fix")) && !agrees(&request, Some("main")));
    }

    #[test]
    fn the_name_of_an_identity_has_forge_repository_and_user() {
        assert_eq!(
            github("refs/heads/main", "push").name,
            "Actions of acme/payments at git.example.com (kim)"
        );
        assert_eq!(
            gitlab("main", "branch", "push").name,
            "GitLab CI of acme/payments at git.example.com (kim)"
        );
        let claims = json!({ "repo": "acme/payments", "branch": "main", "commit": "c1" });
        let other = of(IssuerKind::Other, claims).expect("an identity");
        assert_eq!(other.name, "CI of acme/payments at git.example.com");
    }

    #[test]
    fn a_missing_empty_or_non_text_claim_is_named() {
        for sha in [json!(null), json!(""), json!(7), json!(["c1"])] {
            let claims = json!({ "repository": "a/b", "ref": "refs/heads/main", "sha": sha });
            let refusal = of(IssuerKind::GitHub, claims).expect_err("no commit");
            assert_eq!(refusal.kind, crate::error::Kind::NotForRepository);
            assert!(refusal.detail.contains("no claim `sha`"));
        }
        let no_kind = json!({ "project_path": "a/b", "ref": "main", "sha": "c1" });
        assert!(of(IssuerKind::GitLab, no_kind).is_err());
    }
}
