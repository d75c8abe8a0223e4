//! The pages of a repository on its forge.
//!
//! Paths: <https://docs.github.com/en/get-started>, GitLab's `/-/` routes, Gitea's `routers/web/web.go`, and
//! <https://support.atlassian.com/bitbucket-cloud/>.

use super::RESERVED;
use crate::{
    BranchName, CommitHash, ForgeKind, ForgeSite, ForgeSites, PullRequest, Repository, RunUrl,
};
use percent_encoding::{AsciiSet, utf8_percent_encode};

/// Everything in a path except its slashes.
const RESERVED_IN_PATH: &AsciiSet = &RESERVED.remove(b'/');

/// The digits of the shortest commit that forges find.
const SHORTEST_COMMIT: usize = 7;

/// Builds the addresses of a repository's pages on its forge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgePages {
    site: ForgeSite,
    repository: Repository,
}

impl ForgePages {
    /// The pages of a repository; `None` if its forge is not known. `forge` is the name of the forge that authorized an upload.
    /// `run` is the page of a job; the forge is derived from it if nothing else names the forge.
    pub fn of(
        sites: &ForgeSites,
        repository: &Repository,
        forge: Option<&str>,
        run: Option<&RunUrl>,
    ) -> Option<Self> {
        let site = sites.of(repository, forge).cloned();
        Some(Self {
            site: site.or_else(|| sites.of_run(repository, run?))?,
            repository: repository.clone(),
        })
    }

    /// The name of the forge, such as `github.com`.
    pub fn name(&self) -> &str {
        &self.site.name
    }

    /// The repository's page. Names of orgs and repositories need no encoding.
    pub fn repository(&self) -> String {
        format!("{}/{}", self.site.url, self.repository)
    }

    /// A commit; `None` if it is not a hash.
    pub fn commit(&self, commit: &CommitHash) -> Option<String> {
        let path = match self.site.kind {
            ForgeKind::GitHub | ForgeKind::Gitea => "commit",
            ForgeKind::GitLab => "-/commit",
            ForgeKind::Bitbucket => "commits",
        };
        Some(self.below(path, hash(commit)?))
    }

    /// A branch; `None` for other refs, such as a tag, and for the branches of forks.
    pub fn branch(&self, branch: &BranchName) -> Option<String> {
        let name = branch.as_str();
        if name.starts_with("refs/") || name.starts_with("pull/") {
            return None;
        }
        let path = match self.site.kind {
            ForgeKind::GitHub => "tree",
            ForgeKind::GitLab => "-/tree",
            ForgeKind::Gitea => "src/branch",
            ForgeKind::Bitbucket => "branch",
        };
        Some(self.below(path, &in_path(name)?))
    }

    /// A pull request.
    pub fn pull_request(&self, number: &PullRequest) -> String {
        let path = match self.site.kind {
            ForgeKind::GitHub => "pull",
            ForgeKind::GitLab => "-/merge_requests",
            ForgeKind::Gitea => "pulls",
            ForgeKind::Bitbucket => "pull-requests",
        };
        self.below(path, &number.to_string())
    }

    /// What changed between two commits; `None` if one of them is not a hash.
    pub fn changes(&self, base: &CommitHash, head: &CommitHash) -> Option<String> {
        let (base, head) = (hash(base)?, hash(head)?);
        let (path, range) = match self.site.kind {
            ForgeKind::GitHub | ForgeKind::Gitea => ("compare", format!("{base}...{head}")),
            ForgeKind::GitLab => ("-/compare", format!("{base}...{head}")),
            ForgeKind::Bitbucket => ("branches/compare", format!("{head}%0D{base}")),
        };
        Some(self.below(path, &range))
    }

    /// A source file at a commit, and a line in it; `None` if the commit is not a hash, or if the path has no address.
    pub fn source(&self, commit: &CommitHash, path: &str, line: Option<u32>) -> Option<String> {
        let (folder, anchor) = match self.site.kind {
            ForgeKind::GitHub => ("blob", "L"),
            ForgeKind::GitLab => ("-/blob", "L"),
            ForgeKind::Gitea => ("src/commit", "L"),
            ForgeKind::Bitbucket => ("src", "lines-"),
        };
        let file = format!(
            "{}/{}",
            hash(commit)?,
            in_path(path.trim_start_matches('/'))?
        );
        let anchor = line.map(|line| format!("#{anchor}{line}"));
        Some(self.below(folder, &file) + &anchor.unwrap_or_default())
    }

    fn below(&self, path: &str, rest: &str) -> String {
        format!("{}/{path}/{rest}", self.repository())
    }
}

/// A commit as forges name it.
fn hash(commit: &CommitHash) -> Option<&str> {
    let text = commit.as_str();
    let is_hash =
        text.len() >= SHORTEST_COMMIT && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then_some(text)
}

/// Encodes a path; `None` if it has a segment that browsers remove, because the address would lead to another page.
fn in_path(path: &str) -> Option<String> {
    let leads_away = path
        .split('/')
        .any(|segment| matches!(segment, "." | ".." | ""));
    (!leads_away).then(|| utf8_percent_encode(path, RESERVED_IN_PATH).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(kind: ForgeKind) -> ForgePages {
        ForgePages {
            site: ForgeSite {
                kind,
                name: "git.example".to_owned(),
                url: "https://git.example".to_owned(),
            },
            repository: "acme/tools/pay".parse().expect("a repository"),
        }
    }

    #[test]
    fn each_kind_of_forge_has_its_own_paths() {
        let commit: CommitHash = "56018461a2".parse().expect("a commit");
        let base: CommitHash = "5b174c2aa0".parse().expect("a commit");
        let branch: BranchName = "fix/ü & #1".parse().expect("a branch");
        let number: PullRequest = "7".parse().expect("a number");
        let all = |kind| {
            let pages = pages(kind);
            [
                pages.commit(&commit),
                pages.branch(&branch),
                Some(pages.pull_request(&number)),
                pages.changes(&base, &commit),
                pages.source(&commit, "src/a b.rs", Some(41)),
            ]
            .map(|address| {
                let address = address.expect("an address");
                let own = "https://git.example/acme/tools/pay/";
                address.strip_prefix(own).expect("its page").to_owned()
            })
        };
        assert_eq!(
            all(ForgeKind::GitHub),
            [
                "commit/56018461a2",
                "tree/fix/%C3%BC%20%26%20%231",
                "pull/7",
                "compare/5b174c2aa0...56018461a2",
                "blob/56018461a2/src/a%20b.rs#L41",
            ]
        );
        assert_eq!(
            all(ForgeKind::GitLab),
            [
                "-/commit/56018461a2",
                "-/tree/fix/%C3%BC%20%26%20%231",
                "-/merge_requests/7",
                "-/compare/5b174c2aa0...56018461a2",
                "-/blob/56018461a2/src/a%20b.rs#L41",
            ]
        );
        assert_eq!(
            all(ForgeKind::Gitea),
            [
                "commit/56018461a2",
                "src/branch/fix/%C3%BC%20%26%20%231",
                "pulls/7",
                "compare/5b174c2aa0...56018461a2",
                "src/commit/56018461a2/src/a%20b.rs#L41",
            ]
        );
        assert_eq!(
            all(ForgeKind::Bitbucket),
            [
                "commits/56018461a2",
                "branch/fix/%C3%BC%20%26%20%231",
                "pull-requests/7",
                "branches/compare/56018461a2%0D5b174c2aa0",
                "src/56018461a2/src/a%20b.rs#lines-41",
            ]
        );
    }

    #[test]
    fn what_a_forge_does_not_have_is_no_link() {
        let pages = pages(ForgeKind::GitHub);
        for commit in ["c1", "release-7", "abcdef", "5b174c2x"] {
            assert_eq!(
                pages.commit(&commit.parse().expect("a name")),
                None,
                "{commit}"
            );
        }
        for branch in ["refs/tags/v1", "pull/7"] {
            assert_eq!(
                pages.branch(&branch.parse().expect("a name")),
                None,
                "{branch}"
            );
        }
    }

    #[test]
    fn a_path_stays_below_its_repository() {
        let commit = "5b174c2aa0".parse().expect("a commit");
        let of = |path| pages(ForgeKind::GitHub).source(&commit, path, None);
        for path in ["../../../evil", "a/../../b", "a//b", "./a", ""] {
            assert_eq!(of(path), None, "{path}");
        }
        assert_eq!(
            of("a?x#y%2e%2e").as_deref(),
            Some("https://git.example/acme/tools/pay/blob/5b174c2aa0/a%3Fx%23y%252e%252e")
        );
        assert_eq!(
            of("/app/a.py").as_deref(),
            Some("https://git.example/acme/tools/pay/blob/5b174c2aa0/app/a.py")
        );
    }
}
