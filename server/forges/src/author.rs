//! The author of a commit according to its forge, for uploads whose clients do not state it.

use crate::{Api, digest, forge::good_body};
use domain::{CommitAuthor, CommitHash, Repository};
use reqwest::Method;
use tokio::time::timeout;

impl Api {
    /// Returns the author of a commit; `None` if the forge does not say. It is asked once about each commit, unless it fails.
    pub(super) async fn author(
        &self,
        token: &str,
        repository: &Repository,
        commit: &CommitHash,
    ) -> Option<CommitAuthor> {
        let asking = async {
            let url = self.forge.commit_url(&self.listed.url, repository, commit);
            let call = self.call(self.outbound(token), token, (Method::GET, url, None));
            let answer = timeout(self.changes_within, call).await.ok()?.ok()?;
            let body = good_body(&answer)?;
            let name = self.forge.commit_author(&body);
            Some(name.and_then(|name| name.trim().parse().ok()))
        };
        let key = digest(&[&repository.key(), commit.as_str()]);
        let asked = async { asking.await.ok_or(()) };
        self.authors.try_get_with(key, asked).await.ok().flatten()
    }
}
