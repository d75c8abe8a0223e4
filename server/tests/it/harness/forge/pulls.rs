//! Pull requests of the forge stand-ins: the answers about them, in the format of each forge.

use super::{ForgeBehaviour, GOOD, Kind, Shared, answers::misbehave, answers::refuse};
use axum::{
    http::{HeaderMap, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

/// The tree of the head in [`OpenPull::adding_a_line_to`], as `git mktree` prints it for its entry.
pub const TREE_OF_HEAD: &str = "c753bdf33eec91a4ddc29ef40f0e2e160360f647";
const EMPTY_FILE: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

/// A pull request, and what the forge answers about it.
#[derive(Clone, Debug)]
pub struct OpenPull {
    pub number: u64,
    pub head: String,
    pub base: String,
    pub merge_base: String,
    /// The head after the first call about the pull request.
    pub next_head: Option<String>,
    pub is_stated: bool,
    /// The tree of the head, and the entries of its root folder: mode, name, identifier.
    pub tree: String,
    /// The merge with the target branch, and its tree. Gitea has none.
    pub merge: Option<(String, String)>,
    /// What the forge answers about its job or workflow run 77. It has no other one.
    pub job: Option<Value>,
    pub entries: Vec<(&'static str, String, String)>,
    /// The whole diff; `None` if the forge finds it too large.
    pub diff: Option<String>,
    /// Rows, as the forge lists files.
    pub rows: Vec<Value>,
    /// The number of files that the forge states.
    pub files: Option<u64>,
    /// After how many pages the behaviour changes, and to what.
    pub fails_after: Option<(u64, ForgeBehaviour)>,
}

impl Kind {
    /// Whether a request is about a pull request, or about what belongs to one.
    pub(super) fn is_about_pulls(self, uri: &Uri) -> bool {
        let path = uri.path();
        let is_compared = || uri.query().is_some_and(|query| query.ends_with("page=2"));
        path.contains("/pulls/")
            || path.contains("/merge_requests/")
            || path.contains("/git/")
            || path.ends_with("/repository/tree")
            || path.contains("/repository/commits/")
            || path.contains("/jobs/")
            || path.contains("/actions/runs/")
            || (self == Self::GitHub && path.contains("/compare/") && is_compared())
    }
}

impl Shared {
    pub(super) async fn answer_about_pulls(&self, uri: &Uri, headers: &HeaderMap) -> Response {
        let asked = uri.to_string().split_off(self.kind.base().len());
        self.read.lock().unwrap().push(asked.clone());
        let behaviour = self.reading.lock().unwrap().clone();
        let failing = self.fails_now(&asked);
        match failing.unwrap_or(behaviour) {
            ForgeBehaviour::Documented => self.documented_pull(&asked, headers),
            other => misbehave(other).await,
        }
    }

    fn fails_now(&self, asked: &str) -> Option<ForgeBehaviour> {
        let pull = self.pull.lock().unwrap();
        let (pages, behaviour) = pull.as_ref()?.fails_after.clone()?;
        (number(asked, "page")? > pages && asked.contains("per_page")).then_some(behaviour)
    }

    fn documented_pull(&self, asked: &str, headers: &HeaderMap) -> Response {
        let authorization = headers[header::AUTHORIZATION].to_str().unwrap();
        if authorization.split_once(' ').unwrap().1 != GOOD {
            return match self.kind {
                Kind::GitHub => refuse(403, "Resource not accessible by integration"),
                Kind::GitLab => refuse(403, "insufficient_scope"),
                Kind::Gitea => refuse(404, "GetPullRequestByIndex"),
            };
        }
        let mut pulls = self.pull.lock().unwrap();
        let Some(pull) = pulls.as_mut() else {
            return refuse(404, "Not Found");
        };
        let accept: Vec<_> = headers.get_all(header::ACCEPT).iter().collect();
        assert_eq!(accept.len(), 1, "{accept:?}");
        let wants_diff = accept[0] == "application/vnd.github.v3.diff";
        match self.kind {
            Kind::GitHub => pull.of_github(asked, wants_diff),
            Kind::GitLab => pull.of_gitlab(asked),
            Kind::Gitea => pull.of_gitea(asked),
        }
    }
}

impl OpenPull {
    /// A pull request that adds the second line of a file, and whose merge has this tree.
    pub fn adding_a_line_to(path: &str, head: &str, merge: (&str, &str)) -> Self {
        let base = "b".repeat(40);
        let file = format!("diff --git a/{path} b/{path}\nindex 1..2 100644\n");
        let hunk = "@@ -1 +1,2 @@\n a\n+b\n";
        let of_gitlab = json!({
            "diff": hunk, "collapsed": false, "too_large": false, "new_path": path, "old_path": path, "a_mode": "100644",
            "b_mode": "100644", "new_file": false, "renamed_file": false, "deleted_file": false,
        });
        Self {
            number: 7,
            head: head.to_owned(),
            merge_base: base.clone(),
            base,
            next_head: None,
            is_stated: false,
            tree: TREE_OF_HEAD.to_owned(),
            merge: Some((merge.0.to_owned(), merge.1.to_owned())),
            job: None,
            entries: vec![("100644", "fee.py".to_owned(), EMPTY_FILE.to_owned())],
            diff: Some(format!("{file}--- a/{path}\n+++ b/{path}\n{hunk}")),
            rows: vec![of_gitlab],
            files: Some(1),
            fails_after: None,
        }
    }

    /// The same with a job of the forge, which measured a commit.
    pub fn measured_at(self, kind: Kind, commit: &str) -> Self {
        let job = match kind {
            Kind::GitLab => json!({
                "id": 77, "status": "running", "ref": "refs/merge-requests/7/head", "commit": { "id": commit, "title": "More" },
                "pipeline": { "id": 6, "sha": commit, "status": "running" },
            }),
            _ => {
                json!({ "id": 77, "event": "pull_request", "head_sha": commit, "status": "in_progress" })
            }
        };
        Self {
            job: Some(job),
            ..self
        }
    }

    /// The answer about a job, if the request is about one.
    fn about_job(&self, asked: &str) -> Option<Response> {
        // The page of a run of Gitea has the number of the run in its repository.
        let pages = [
            ("/jobs/77", "web_url", "-/jobs/77"),
            ("/actions/runs/77", "html_url", "actions/runs/3"),
        ];
        let (_, name, page) = pages.into_iter().find(|(end, ..)| asked.ends_with(end))?;
        let mut job = self.job.clone()?;
        job[name] = format!("https://git.example.com/acme/payments/{page}").into();
        Some(axum::Json(job).into_response())
    }

    /// The head that this call states.
    fn stated_head(&mut self) -> String {
        let is_first = !std::mem::replace(&mut self.is_stated, true);
        let next = self.next_head.clone().filter(|_| !is_first);
        next.unwrap_or_else(|| self.head.clone())
    }

    fn of_github(&mut self, asked: &str, wants_diff: bool) -> Response {
        let of_pull = format!("/repos/acme/payments/pulls/{}", self.number);
        let commit = format!("/repos/acme/payments/git/commits/{}", self.head);
        let compared = format!("/repos/acme/payments/compare/{}...", self.base);
        if asked == of_pull && wants_diff {
            return match &self.diff {
                Some(diff) => diff.clone().into_response(),
                None => too_large(),
            };
        }
        if asked == of_pull {
            return axum::Json(json!({
                "number": self.number, "state": "open", "title": "More",
                "base": { "ref": "main", "sha": self.base },
                "merge_commit_sha": self.merge.as_ref().map_or(&"f".repeat(40), |(merge, _)| merge),
                "additions": 4, "deletions": 1, "changed_files": self.files,
                "head": { "ref": "feature", "sha": self.stated_head() },
            }))
            .into_response();
        }
        if asked == commit {
            let tree = json!({ "sha": self.tree, "url": "" });
            let commit =
                json!({ "sha": self.head, "message": "More", "tree": tree, "parents": [] });
            return axum::Json(commit).into_response();
        }
        if let Some((merge, tree)) = &self.merge
            && asked == format!("/repos/acme/payments/git/commits/{merge}")
        {
            return axum::Json(json!({ "sha": merge, "tree": { "sha": tree } })).into_response();
        }
        if asked.starts_with(&compared) {
            return axum::Json(json!({
                "status": "diverged", "ahead_by": 1, "behind_by": 2, "total_commits": 1,
                "merge_base_commit": { "sha": self.merge_base }, "commits": [],
            }))
            .into_response();
        }
        if asked.starts_with(&format!("{of_pull}/files?")) {
            return self.page(asked, 100);
        }
        refuse(404, "Not Found")
    }

    fn of_gitlab(&mut self, asked: &str) -> Response {
        let of_pull = format!("/projects/acme%2Fpayments/merge_requests/{}", self.number);
        if asked == of_pull {
            let files = self.files.map(|files| files.to_string());
            return axum::Json(json!({
                "iid": self.number, "state": "opened", "sha": self.head, "changes_count": files,
                "diff_refs": {
                    "base_sha": self.merge_base, "start_sha": self.base, "head_sha": self.stated_head()
                },
            }))
            .into_response();
        }
        if asked.starts_with("/projects/acme%2Fpayments/repository/tree?") {
            let is_other = match &self.merge {
                Some((merge, tree)) if asked.contains(&format!("ref={merge}")) => {
                    *tree != self.tree
                }
                _ => {
                    assert!(asked.contains(&format!("ref={}", self.head)), "{asked}");
                    false
                }
            };
            let more = ("100644", "more.py".to_owned(), EMPTY_FILE.to_owned());
            let entries =
                self.entries
                    .iter()
                    .chain(is_other.then_some(&more))
                    .map(|(mode, name, id)| {
                        let kind = if *mode == "040000" { "tree" } else { "blob" };
                        json!({ "id": id, "name": name, "type": kind, "path": name, "mode": mode })
                    });
            let rows: Vec<_> = entries.collect();
            return axum::Json(page_of(&rows, asked, 100)).into_response();
        }
        if asked.starts_with(&format!("{of_pull}/diffs?")) {
            return self.page(asked, 30);
        }
        self.about_job(asked)
            .unwrap_or_else(|| refuse(404, "404 Not found"))
    }

    fn of_gitea(&mut self, asked: &str) -> Response {
        let of_pull = format!("/repos/acme/payments/pulls/{}", self.number);
        if asked == of_pull {
            return axum::Json(json!({
                "number": self.number, "state": "open", "merge_base": self.merge_base,
                "base": { "label": "main", "ref": "main", "sha": self.base },
                "head": { "label": "feature", "ref": "feature", "sha": self.stated_head() },
            }))
            .into_response();
        }
        if asked == format!("{of_pull}.diff") {
            return self.diff.clone().unwrap_or_default().into_response();
        }
        if asked.starts_with(&format!("/repos/acme/payments/git/trees/{}", self.head)) {
            let entries = self.entries.iter().map(|(mode, name, id)| {
                json!({ "path": name, "mode": mode, "type": "blob", "size": 0, "sha": id, "url": "" })
            });
            let entries: Vec<_> = entries.collect();
            // As Gitea does, the identifier of the commit.
            let tree = json!({
                "sha": self.head, "url": "", "tree": entries, "truncated": false, "page": 1,
                "total_count": self.entries.len(),
            });
            return axum::Json(tree).into_response();
        }
        self.about_job(asked)
            .unwrap_or_else(|| refuse(404, "not found"))
    }

    fn page(&self, asked: &str, most: u64) -> Response {
        axum::Json(page_of(&self.rows, asked, most)).into_response()
    }
}

/// The rows of a page, of which the forge returns at most `most`.
fn page_of(rows: &[Value], asked: &str, most: u64) -> Vec<Value> {
    let length = number(asked, "per_page").unwrap().min(most);
    let before = (number(asked, "page").unwrap() - 1) * length;
    let rows = rows.iter().skip(before as usize).take(length as usize);
    rows.cloned().collect()
}

fn number(asked: &str, name: &str) -> Option<u64> {
    let (_, query) = asked.split_once('?')?;
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(other, _)| *other == name)?.1.parse().ok()
}

fn too_large() -> Response {
    let message = "Sorry, the diff exceeded the maximum number of files (300). Consider using 'List pull requests files' API or locally cloning the repository instead.";
    let error = json!({ "resource": "PullRequest", "field": "diff", "code": "too_large" });
    let body =
        json!({ "message": message, "errors": [error], "documentation_url": "", "status": "406" });
    (StatusCode::NOT_ACCEPTABLE, axum::Json(body)).into_response()
}
