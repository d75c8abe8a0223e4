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
}
