//! The addresses of pull requests.

use super::{repository, with, with_query};
use crate::{GatesQuery, PullRequest, Repository};

/// The part of an address between a repository and its pull requests.
const PULLS: &str = "/pulls";

/// What an address below a repository is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PullRequestAddress {
    /// The pull requests of a repository.
    All(Repository),
    /// One pull request.
    One(Repository, PullRequest),
}

impl PullRequestAddress {
    /// Reads the part of an address after `/repos/`; `None` if it is about no pull requests.
    pub fn of(name: &str) -> Option<Self> {
        if let Some(repository) = name.strip_suffix(PULLS) {
            return repository.parse().ok().map(Self::All);
        }
        let (repository, number) = name.rsplit_once('/')?;
        let repository = repository.strip_suffix(PULLS)?;
        Some(Self::One(repository.parse().ok()?, number.parse().ok()?))
    }
}

/// The page of a pull request.
pub fn pull_request(of: &Repository, number: &PullRequest) -> String {
    format!("{}/{number}", pull_requests(of))
}

/// A page of the uploads of a pull request.
pub fn pull_request_uploads(of: &Repository, number: &PullRequest, page: u32) -> String {
    let page = (page > 1).then(|| page.to_string());
    let address = with_query(&pull_request(of, number), &[("p", page.as_deref())]);
    format!("{address}#uploads")
}

/// The pull requests of a repository.
pub fn pull_requests(of: &Repository) -> String {
    format!("{}{PULLS}", repository(of))
}

/// The pull requests of a repository before the place of a record.
pub fn pull_requests_before(of: &Repository, place: i64) -> String {
    with(&pull_requests(of), &[("before", place.to_string())])
}

/// The gates of pull requests over time.
pub fn gates(query: &GatesQuery) -> String {
    with("/gates", &query.parameters())
}

/// The gates of pull requests over time as a CSV file.
pub fn gates_csv(query: &GatesQuery) -> String {
    with("/coverages-api/gates.csv", &query.parameters())
}

#[cfg(test)]
mod tests {
    use super::{super::REPOSITORIES, *};

    #[test]
    fn an_address_of_a_pull_request_is_read_as_it_is_written() {
        let of: Repository = "acme/platform/payments".parse().expect("a repository");
        let number: PullRequest = "1421".parse().expect("a number");
        let one = pull_request(&of, &number);
        assert_eq!(one, "/repos/acme/platform/payments/pulls/1421");
        let read = |address: &str| PullRequestAddress::of(address.strip_prefix(REPOSITORIES)?);
        let expected = PullRequestAddress::One(of.clone(), number.clone());
        assert_eq!(read(&one), Some(expected));
        let all = pull_requests(&of);
        assert_eq!(read(&all), Some(PullRequestAddress::All(of.clone())));
        for other in [
            "/repos/acme/payments",
            "/repos/acme/payments/pulls/",
            "/repos/acme/payments/pulls/new",
            "/repos/acme/pulls",
            "/repos/pulls/12",
            "/repos/acme/pulls/12",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
        assert_eq!(
            pull_request_uploads(&of, &number, 2),
            format!("{one}?p=2#uploads")
        );
        assert_eq!(pull_requests_before(&of, 7), format!("{all}?before=7"));
    }
}
