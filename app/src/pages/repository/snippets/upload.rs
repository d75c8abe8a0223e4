//! The command that uploads to this repository.

use crate::links;
use domain::Repository;

/// Returns a shell command. The script finds the rest: branch, commit, author, coverage files and languages.
pub(super) fn command(public_url: &str, repository: &Repository) -> String {
    let Repository { org, repo } = repository;
    let script = links::UPLOADER;
    // Names of orgs and repositories need no quotes; one may begin with a dash.
    format!("curl -fsS {public_url}{script} | sh -s -- --org={org} --repo={repo}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_names_the_repository() {
        let repository = "acme/platform/-payments".parse().expect("a repository");
        assert_eq!(
            command("https://coverage.example", &repository),
            "curl -fsS https://coverage.example/upload.sh | sh -s -- --org=acme/platform --repo=-payments"
        );
    }
}
