//! The choices on the setup page.

use super::{NameError, OrgName, RepoName, Repository, choice::choices, query::query};

choices! {
    /// A service whose clients can upload to this one.
    FormerService:
    /// Codecov.
    Codecov = "codecov" => "Codecov",
    /// Coveralls.
    Coveralls = "coveralls" => "Coveralls",
}

query! {
    /// The choices as entered. A key that no recipe has is ignored.
    #[derive(Default)]
    pub struct SetupQuery {
        /// The org in the recipes.
        pub org: String = "org_name",
        /// The repository in the recipes; the page waits for its first upload.
        pub repo: String = "repo_name",
        /// The CI system.
        pub ci: String = "ci",
        /// The language.
        pub language: String = "language",
        /// The tool of that language.
        pub tool: String = "tool",
        /// The other service that the job uploads to now. `None` if the reader has not chosen one.
        pub from: Option<FormerService> = "from",
    }
}

impl SetupQuery {
    /// The repository; `None` while its org or name is missing or invalid.
    pub fn repository(&self) -> Option<Repository> {
        Some(Repository {
            org: self.org.parse().ok()?,
            repo: self.repo.parse().ok()?,
        })
    }

    /// The errors in the entered org and repository.
    pub fn mistakes(&self) -> Vec<(&'static str, NameError)> {
        let org = self.org.parse::<OrgName>().err();
        let repo = self.repo.parse::<RepoName>().err();
        [("Org", &self.org, org), ("Repository", &self.repo, repo)]
            .into_iter()
            .filter(|(_, typed, _)| !typed.is_empty())
            .filter_map(|(name, _, error)| Some((name, error?)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_for_a_repository_starts_when_both_names_are_valid() {
        let typed = |org: &str, repo: &str| SetupQuery {
            org: org.to_owned(),
            repo: repo.to_owned(),
            ..SetupQuery::default()
        };
        let query = typed("acme/platform", "payments");
        let repository = query.repository().map(|repository| repository.to_string());
        assert_eq!(repository.as_deref(), Some("acme/platform/payments"));
        assert!(query.mistakes().is_empty());
        for (org, repo, wrong) in [
            ("", "", vec![]),
            ("acme", "", vec![]),
            ("a b", "payments", vec!["Org"]),
            ("..", "a/b", vec!["Org", "Repository"]),
        ] {
            let query = typed(org, repo);
            assert_eq!(query.repository(), None);
            let mistakes: Vec<_> = query.mistakes().into_iter().map(|(name, _)| name).collect();
            assert_eq!(mistakes, wrong);
        }
    }
}
