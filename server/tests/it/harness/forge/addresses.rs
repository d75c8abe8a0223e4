//! The addresses of each forge's API: which status or comparison a request is for.

use super::{Compared, Kind};
use axum::http::Uri;
use percent_encoding::percent_decode_str;

impl Kind {
    /// The repository and the commit in the path of a status; `None` for any other path.
    pub(super) fn target(self, path: &str) -> Option<(String, String)> {
        let path = path.strip_prefix(self.base())?;
        let segments: Vec<_> = path.split('/').skip(1).collect();
        let decoded = |segment: &str| percent_decode_str(segment).decode_utf8_lossy().into_owned();
        match (self, &segments[..]) {
            (Self::GitLab, ["projects", project, "statuses", sha]) => {
                Some((decoded(project), decoded(sha)))
            }
            (Self::GitHub | Self::Gitea, ["repos", org, repo, "statuses", sha]) => {
                Some((format!("{}/{}", decoded(org), decoded(repo)), decoded(sha)))
            }
            _ => None,
        }
    }

    /// The names in a comparison; `None` for any other address.
    pub(super) fn compared(self, uri: &Uri) -> Option<Compared> {
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let path = uri.path().strip_prefix(self.base())?;
        let query = uri.query().unwrap_or_default();
        let (repository, branch, sha) = match self {
            Self::GitLab => {
                let project = path.strip_prefix("/projects/")?;
                let project = project.strip_suffix("/repository/merge_base")?;
                let refs: Vec<_> = query
                    .split('&')
                    .map(|pair| decoded(pair.strip_prefix("refs%5B%5D=").unwrap()))
                    .collect();
                let [branch, sha] = &refs[..] else {
                    panic!("{query}")
                };
                (decoded(project), branch.clone(), sha.clone())
            }
            Self::GitHub | Self::Gitea => {
                let (repository, compared) =
                    path.strip_prefix("/repos/")?.split_once("/compare/")?;
                let (branch, sha) = compared.split_once("...").unwrap();
                assert!(query.contains(if self == Self::GitHub {
                    "per_page=1"
                } else {
                    "files=false"
                }));
                (decoded(repository), decoded(branch), decoded(sha))
            }
        };
        let branch = match self {
            Self::Gitea => branch,
            _ => branch.strip_prefix("refs/heads/").unwrap().to_owned(),
        };
        Some(Compared {
            repository,
            branch,
            sha,
        })
    }
}
