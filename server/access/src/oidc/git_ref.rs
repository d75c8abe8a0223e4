//! The git ref on which a job runs: a branch, a pull request, or another ref, such as a tag.

/// The git ref of a job, as its identity states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GitRef {
    Branch(String),
    /// The name of a branch or a tag; the issuer does not state which.
    Unclear(String),
    /// A pull request, with all its names.
    PullRequest(Vec<String>),
    /// Another ref. Only its full name, because a tag may have the name of a branch.
    Other(String),
}

const BRANCHES: &str = "refs/heads/";

impl GitRef {
    /// Reads a full name, such as `refs/heads/main`.
    pub(super) fn of_full_name(name: &str) -> Self {
        match name.strip_prefix(BRANCHES) {
            Some(branch) => Self::Branch(branch.to_owned()),
            None => Self::Other(name.to_owned()),
        }
    }

    /// Reads a full or short name.
    pub(super) fn of_any_name(name: &str) -> Self {
        if name.starts_with("refs/") {
            Self::of_full_name(name)
        } else {
            Self::Unclear(name.to_owned())
        }
    }

    /// Reads a pull request: its full name, the short form of this name, and its source branch.
    ///
    /// A source branch with the name of the base belongs to a fork, and must not count as the base.
    pub(super) fn of_pull_request(name: &str, head: Option<&str>, base: Option<&str>) -> Self {
        let Some(short) = name
            .strip_prefix("refs/")
            .filter(|_| !name.starts_with(BRANCHES))
            .and_then(|rest| rest.split_once('/'))
            .map(|(_, short)| short)
        else {
            return Self::of_full_name(name);
        };
        let head = head.filter(|_| head != base);
        let names = [head, Some(name), Some(short)];
        Self::PullRequest(names.into_iter().flatten().map(str::to_owned).collect())
    }

    /// Returns the names that a client may send as `branch_name`.
    pub(super) fn names(&self) -> &[String] {
        match self {
            Self::Branch(name) | Self::Unclear(name) | Self::Other(name) => {
                std::slice::from_ref(name)
            }
            Self::PullRequest(names) => names,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_has_its_short_name_and_a_tag_its_full_one() {
        let names = |name: &str| GitRef::of_full_name(name).names().to_vec();
        assert_eq!(names("refs/heads/feature/ü"), ["feature/ü"]);
        assert_eq!(names("refs/heads/refs/heads/x"), ["refs/heads/x"]);
        assert_eq!(names("refs/tags/main"), ["refs/tags/main"]);
        assert_eq!(GitRef::of_any_name("main").names(), ["main"]);
        let is_branch = |name| matches!(GitRef::of_any_name(name), GitRef::Branch(_));
        assert!(!is_branch("main") && is_branch("refs/heads/main"));
    }

    #[test]
    fn a_pull_request_has_the_name_of_its_head_or_its_own() {
        let of = GitRef::of_pull_request;
        let pull = of("refs/pull/5/merge", Some("fix"), Some("main"));
        assert_eq!(pull.names(), ["fix", "refs/pull/5/merge", "5/merge"]);
        assert!(!matches!(pull, GitRef::Branch(_)));
        let merged = of("refs/heads/main", Some("fix"), Some("main"));
        assert_eq!(merged, GitRef::Branch("main".to_owned()));
    }

    #[test]
    fn a_pull_request_from_a_branch_named_like_its_base_is_not_the_base() {
        let pull = GitRef::of_pull_request("refs/pull/5/merge", Some("main"), Some("main"));
        assert_eq!(pull.names(), ["refs/pull/5/merge", "5/merge"]);
    }
}
