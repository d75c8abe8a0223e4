//! A job of the CI system of a forge, which knows what the job measured.

use serde::{Deserialize, Serialize};

/// A job, by the number that the forge gave to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Job {
    /// A job of GitLab.
    GitLab(u64),
    /// A workflow run of GitHub, Gitea or Forgejo.
    Run(u64),
}

impl Job {
    /// Reads the address of its page.
    pub fn at(url: &str) -> Option<Self> {
        let number = |place: &str| {
            let (_, rest) = url.split_once(place)?;
            rest.split(['/', '?', '#']).next()?.parse().ok()
        };
        let of_gitlab = number("/-/jobs/").map(Self::GitLab);
        of_gitlab.or_else(|| number("/actions/runs/").map(Self::Run))
    }

    /// Reads the number that a client states beside the name of the CI system.
    pub fn numbered(system: &str, number: &str) -> Option<Self> {
        let number = number.parse().ok()?;
        match system {
            "gitlab" | "gitlab-ci" => Some(Self::GitLab(number)),
            "github" | "github-actions" => Some(Self::Run(number)),
            _ => None,
        }
    }
}

/// A job as its client states it.
#[derive(Clone, Copy, Debug)]
pub struct StatedJob<'a> {
    /// The system and the number.
    pub job: Job,
    /// The address of its page.
    pub url: Option<&'a str>,
}

impl StatedJob<'_> {
    /// Whether it is the job with this page. Other forges repeat the number, and Gitea repeats it in each repository. Without an
    /// address, the job is one of the forge that knows the client's token.
    pub(crate) fn is_at(&self, page: Option<&str>) -> bool {
        let Some(url) = self.url else {
            return true;
        };
        let stated = repository_at(url);
        stated.is_some() && stated == page.and_then(repository_at)
    }
}

/// The address of the repository of a job's page, without its scheme.
fn repository_at(url: &str) -> Option<String> {
    let (_, place) = url.split_once("://")?;
    let pages = ["/-/", "/actions/runs/"].into_iter();
    let (repository, _) = pages.filter_map(|page| place.split_once(page)).next()?;
    Some(repository.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_known_by_its_address_or_its_number() {
        for (url, expected) in [
            (
                "https://git.example.com/acme/group/app/-/jobs/77",
                Some(Job::GitLab(77)),
            ),
            (
                "https://git.example.com/acme/app/-/jobs/77#L1",
                Some(Job::GitLab(77)),
            ),
            (
                "https://git.example.com/acme/app/actions/runs/9/jobs/0",
                Some(Job::Run(9)),
            ),
            ("https://git.example.com/acme/app/-/pipelines/77", None),
            ("https://ci.example.com/acme/app/actions/runs/x", None),
        ] {
            assert_eq!(Job::at(url), expected, "{url}");
        }
        assert_eq!(Job::numbered("gitlab-ci", "77"), Some(Job::GitLab(77)));
        assert_eq!(Job::numbered("github", "9"), Some(Job::Run(9)));
        assert_eq!(Job::numbered("jenkins", "9"), None);
        assert_eq!(Job::numbered("gitlab-ci", "test"), None);
    }

    #[test]
    fn a_job_is_at_a_page_of_its_own_repository() {
        let is_at = |url, page| {
            let job = Job::Run(9);
            StatedJob { job, url }.is_at(page)
        };
        let run = Some("https://git.example.com/acme/app/actions/runs/9");
        // Gitea has another number in the address.
        let page = Some("http://Git.example.com/acme/app/actions/runs/3");
        assert!(is_at(run, page));
        assert!(is_at(None, page));
        assert!(is_at(None, None));
        assert!(!is_at(run, None));
        let other = Some("https://git.example.com/acme/fork/actions/runs/9");
        assert!(!is_at(other, page));
        assert!(!is_at(
            Some("https://mirror.example.com/acme/app/actions/runs/9"),
            page
        ));
        assert!(!is_at(
            Some("https://ci.example.com/9"),
            Some("https://ci.example.com/9")
        ));
        let job = Some("https://git.example.com/acme/app/-/jobs/9");
        assert!(is_at(
            Some("https://git.example.com/acme/app/-/pipelines/5"),
            job
        ));
    }
}
