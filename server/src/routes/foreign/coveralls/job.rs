//! What the JSON of a job states about its upload. Clients differ: numbers may be texts, members may be missing or `null`.

use super::super::statement::{Statement, part_of};
use config::access::ApiKind;
use domain::Repository;
use forges::Job as ForgeJob;
use serde::Deserialize;
use serde_json::Value;

/// The members of a job or of a webhook that have a meaning here.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Job {
    repo_token: Text,
    repo_name: Text,
    service_name: Text,
    service_number: Text,
    service_job_id: Text,
    service_branch: Text,
    service_pull_request: Text,
    service_job_url: Text,
    service_build_url: Text,
    commit_sha: Text,
    flag_name: Text,
    parallel: Text,
    compare_ref: Text,
    compare_sha: Text,
    git: Option<Git>,
    payload: Option<Payload>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Git {
    branch: Text,
    head: Option<Head>,
    remotes: Option<Vec<Remote>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Head {
    id: Text,
    author_name: Text,
    message: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Remote {
    name: Text,
    url: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Payload {
    build_num: Text,
    status: Text,
}

/// A text, a number or a flag; anything else counts as missing, as does an empty text.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Value")]
pub(super) struct Text(Option<String>);

impl From<Value> for Text {
    fn from(value: Value) -> Self {
        Self(match value {
            Value::String(text) if text.trim().is_empty() => None,
            Value::String(text) => Some(text.trim().to_owned()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            _ => None,
        })
    }
}

impl Text {
    pub(super) fn as_str(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

/// The commit of a job.
#[derive(Debug, PartialEq, Eq)]
struct Commit<'a> {
    hash: &'a str,
    /// The commit that was measured, if it is another one: the merge that the forge made for a pull request.
    measured: Option<&'a str>,
    /// The base of that merge.
    base: Option<&'a str>,
}

impl Job {
    pub(super) fn read(json: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(json).map_err(|error| {
            format!("The JSON of the job cannot be read ({error}); send the job again.")
        })
    }

    /// Reads the form of a webhook.
    pub(super) fn of_form(form: &[u8]) -> Self {
        let (mut job, mut payload) = (Self::default(), Payload::default());
        for (name, value) in form_urlencoded::parse(form) {
            let field = match &*name {
                "repo_token" => &mut job.repo_token,
                "repo_name" => &mut job.repo_name,
                "service_name" => &mut job.service_name,
                "payload[build_num]" => &mut payload.build_num,
                "payload[status]" => &mut payload.status,
                _ => continue,
            };
            *field = Text::from(Value::String(value.into_owned()));
        }
        job.payload = Some(payload);
        job
    }

    pub(super) fn token(&self) -> Option<&str> {
        self.repo_token.as_str()
    }

    /// The repository that the job names.
    pub(super) fn named_repository(&self) -> Result<Option<Repository>, String> {
        let name = self.repo_name.as_str();
        let repository = name.map(str::parse).transpose();
        repository.map_err(|error| format!("`repo_name` {error}."))
    }

    /// The repository of a remote of the job's clone, of which `origin` comes first.
    pub(super) fn cloned_repository(&self) -> Option<Repository> {
        let git = self.git.as_ref();
        let remotes = git.and_then(|git| git.remotes.as_deref());
        let mut remotes: Vec<&Remote> = remotes.unwrap_or_default().iter().collect();
        remotes.sort_by_key(|remote| remote.name.as_str() != Some("origin"));
        let urls = remotes.into_iter().filter_map(|remote| remote.url.as_str());
        urls.filter_map(repository_of).next()
    }

    /// The kind of forge whose token the job may send.
    pub(super) fn forge(&self) -> Option<ApiKind> {
        match self.service_name.as_str()? {
            "github" | "github-actions" => Some(ApiKind::GitHub),
            "gitlab" | "gitlab-ci" => Some(ApiKind::GitLab),
            _ => None,
        }
    }

    /// The upload that the job states, by `client`.
    pub(super) fn statement(
        &self,
        repository: &Repository,
        client: Option<String>,
    ) -> Result<Statement, String> {
        let git = self.git.as_ref();
        let author = git.and_then(|git| git.head.as_ref()?.author_name.as_str());
        let commit = self.commit()?;
        let run_url = self.service_job_url.as_str();
        let run_url = run_url.or(self.service_build_url.as_str());
        let numbered =
            || ForgeJob::numbered(self.service_name.as_str()?, self.service_job_id.as_str()?);
        let base = self.compare_sha.as_str().or(commit.base);
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Ok(Statement {
            client,
            org: repository.org.to_string(),
            repo: repository.repo.to_string(),
            branch: self.branch()?.to_owned(),
            commit: commit.hash.to_owned(),
            measured_commit: owned(commit.measured),
            job: run_url.and_then(ForgeJob::at).or_else(numbered),
            author: owned(author),
            part: self.flag_name.as_str().and_then(|flag| part_of([flag])),
            pull_request: owned(self.service_pull_request.as_str()),
            target_branch: owned(self.compare_ref.as_str()),
            base_commit: owned(base),
            run_url: owned(run_url),
            ..Statement::default()
        })
    }

    /// On GitHub, a job of a pull request measures the merge that GitHub makes of its head and its base, which is on no branch. The
    /// message of that merge names both.
    fn commit(&self) -> Result<Commit<'_>, String> {
        let head = self.git.as_ref().and_then(|git| git.head.as_ref());
        let stated = self.commit_sha.as_str();
        let stated = stated.or_else(|| head.and_then(|head| head.id.as_str()));
        let hash = stated.ok_or("The job names no commit: `git.head.id` is missing.")?;
        let message = head.and_then(|head| head.message.as_str());
        let number = self.service_pull_request.as_str();
        let is_request = number.is_some_and(|number| number.parse::<u64>().is_ok());
        Ok(match message.and_then(merged) {
            Some((head, base)) if is_request && head != hash => Commit {
                hash: head,
                measured: Some(hash),
                base: Some(base),
            },
            _ => Commit {
                hash,
                measured: None,
                base: None,
            },
        })
    }

    /// A clone without a branch states the branch `HEAD`.
    fn branch(&self) -> Result<&str, String> {
        let of_git = self.git.as_ref().and_then(|git| git.branch.as_str());
        let branch = of_git.filter(|branch| *branch != "HEAD");
        let branch = branch.or(self.service_branch.as_str());
        Ok(branch.ok_or(
            "The job does not say its branch, because the clone has none; set the variable CI_BRANCH to the branch.",
        )?)
    }

    /// The number of the build, which the webhook of a parallel build repeats.
    pub(super) fn build(&self) -> Option<&str> {
        let number = self.service_number.as_str();
        number.or(self.service_job_id.as_str())
    }

    pub(super) fn is_parallel(&self) -> bool {
        self.parallel.as_str() == Some("true")
    }

    /// The number of the build that a webhook ends, and whether it says that the build is done.
    pub(super) fn ended_build(&self) -> Option<(&str, bool)> {
        let payload = self.payload.as_ref()?;
        let is_done = payload
            .status
            .as_str()
            .is_none_or(|status| status == "done");
        Some((payload.build_num.as_str()?, is_done))
    }
}

/// The head and the base in the message `Merge <head> into <base>`.
fn merged(message: &str) -> Option<(&str, &str)> {
    let rest = message.lines().next()?.strip_prefix("Merge ")?;
    let both = rest.split_once(" into ")?;
    let is_hash =
        |hash: &str| hash.len() == 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_hash(both.0) && is_hash(both.1)).then_some(both)
}

/// The repository of a remote's address: `https://host/org/repo.git`, `git@host:org/repo.git`, `ssh://git@host:22/org/repo`.
fn repository_of(url: &str) -> Option<Repository> {
    let path = match url.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?.1,
        None => url.split_once(':')?.1,
    };
    let path = path.trim_matches('/');
    path.strip_suffix(".git").unwrap_or(path).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const HEAD: &str = "35805cc0a1b2c3d4e5f60718293a4b5c6d7e8f90";
    const BASE: &str = "0123456789abcdef0123456789abcdef01234567";
    const MERGE: &str = "fedcba9876543210fedcba9876543210fedcba98";

    fn job(members: &Value) -> Job {
        Job::read(members.to_string().as_bytes()).expect("a job")
    }

    fn merge(number: Value, message: &str) -> Job {
        let git = json!({"head": {"id": MERGE, "message": message}});
        job(&json!({"git": git, "service_pull_request": number}))
    }

    #[test]
    fn the_merge_of_a_pull_request_counts_for_its_head() {
        let message = format!("Merge {HEAD} into {BASE}");
        let of_head = Commit {
            hash: HEAD,
            measured: Some(MERGE),
            base: Some(BASE),
        };
        for number in [json!("7"), json!(7)] {
            assert_eq!(merge(number, &message).commit().as_ref(), Ok(&of_head));
        }
        let of_merge = Commit {
            hash: MERGE,
            measured: None,
            base: None,
        };
        for (number, message) in [
            (json!(null), &*message),
            (json!(false), &*message),
            (json!("7"), "Merge branch main into topic"),
            (json!("7"), "Merge 35805cc into 0123456"),
            (json!("7"), ""),
        ] {
            let job = merge(number, message);
            assert_eq!(job.commit().as_ref(), Ok(&of_merge), "{message}");
        }
    }

    #[test]
    fn the_repository_is_named_or_the_one_of_the_remote_origin() {
        let remotes = |urls: &[(&str, &str)]| {
            let remotes = urls.iter();
            let remotes = remotes.map(|(name, url)| json!({"name": name, "url": url}));
            json!({"git": {"remotes": remotes.collect::<Vec<_>>()}})
        };
        let named = job(&json!({"repo_name": "acme/app"})).named_repository();
        assert!(named.is_ok_and(|name| name.is_some_and(|it| it.to_string() == "acme/app")));
        let nameless = job(&json!({"repo_name": ""})).named_repository();
        assert_eq!(nameless, Ok(None));
        for (members, expected) in [
            (json!({"git": {"remotes": null}}), None),
            (
                remotes(&[
                    ("up", "https://h/up/app"),
                    ("origin", "https://u:t@h/acme/app.git"),
                ]),
                Some("acme/app"),
            ),
            (
                remotes(&[("a", "git@h:acme/group/app.git")]),
                Some("acme/group/app"),
            ),
            (
                remotes(&[("a", "ssh://git@h:22/acme/app/")]),
                Some("acme/app"),
            ),
            (
                remotes(&[("a", "/srv/app"), ("b", "https://h/acme/app")]),
                Some("acme/app"),
            ),
            (remotes(&[("a", "file:///app")]), None),
        ] {
            let found = job(&members).cloned_repository();
            let found = found.map(|repository| repository.to_string());
            assert_eq!(found.as_deref(), expected, "{members}");
        }
        let bad = job(&json!({"repo_name": "app"})).named_repository();
        assert!(bad.is_err());
    }

    #[test]
    fn a_clone_without_a_branch_needs_a_branch_of_its_service() {
        let branch = |members: Value| job(&members).branch().map(str::to_owned);
        assert_eq!(branch(json!({"git": {"branch": "x"}})).as_deref(), Ok("x"));
        let detached = json!({"service_branch": "y", "git": {"branch": "HEAD"}});
        assert_eq!(branch(detached).as_deref(), Ok("y"));
        let nothing = branch(json!({"git": {"branch": "HEAD"}})).expect_err("no branch");
        assert!(nothing.contains("CI_BRANCH"), "{nothing}");
    }

    #[test]
    fn texts_numbers_and_flags_are_read_alike() {
        for parallel in [json!(true), json!("true")] {
            assert!(job(&json!({"parallel": parallel})).is_parallel());
        }
        for parallel in [json!(false), json!("false"), json!(null), json!([])] {
            assert!(!job(&json!({"parallel": parallel})).is_parallel());
        }
        assert_eq!(
            job(&json!({"service_number": 77, "service_job_id": "1"})).build(),
            Some("77")
        );
        assert_eq!(job(&json!({"service_job_id": "1"})).build(), Some("1"));
    }

    #[test]
    fn a_webhook_is_json_or_a_form() {
        let of_json =
            job(&json!({"repo_token": "t", "payload": {"build_num": 77, "status": "done"}}));
        let of_form =
            Job::of_form(b"repo_token=t&payload%5Bbuild_num%5D=77&payload%5Bstatus%5D=done");
        for webhook in [of_json, of_form] {
            assert_eq!(webhook.token(), Some("t"));
            assert_eq!(webhook.ended_build(), Some(("77", true)));
        }
        assert_eq!(job(&json!({})).ended_build(), None);
        let open = Job::of_form(b"payload[build_num]=77&payload[status]=open");
        assert_eq!(open.ended_build(), Some(("77", false)));
    }
}
