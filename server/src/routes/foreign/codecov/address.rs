//! The addresses that Codecov's clients call.

use access::Ticket;
use axum::http::Method;
use percent_encoding::percent_decode_str;

/// The start of the last segment of an address for a body. The log leaves out what follows a dot and is as long as a ticket.
pub(super) const BODY: &str = "at.";

/// A repository, and the service that the client believes it is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Of {
    /// Such as `github` or `gitlab_enterprise`: the client guesses it by the name of a host.
    pub(super) service: String,
    pub(super) org: String,
    pub(super) repo: String,
}

/// What an address is for.
#[derive(Debug)]
pub(super) enum Call {
    /// An upload in one call.
    Upload(Of),
    /// The first of three calls: a commit.
    Commits(Of),
    /// The second: a report of the commit.
    Reports,
    /// The third: an upload for the commit.
    Uploads(Of, String),
    /// No further upload will come for the commit.
    Complete(Of, String),
    /// The commit needs no upload.
    Empty(Of, String),
    /// The results of an upload.
    Results,
    /// The base of a pull request.
    Base(Of, String),
    TestResults,
    /// The legacy interface: parameters in the query.
    Legacy,
    /// Its former form, with the body in the same request.
    LegacyBody,
    /// The address for a body.
    Body(Ticket),
    /// A call that is not supported.
    Other,
}

impl Call {
    /// Reads a path. Doubled slashes count as one.
    pub(super) fn of(path: &str) -> Option<Self> {
        let segments: Option<Vec<_>> = path
            .split('/')
            .filter(|segment| !segment.is_empty())
            .map(|segment| Some(percent_decode_str(segment).decode_utf8().ok()?.into_owned()))
            .collect();
        let segments = segments?;
        let segments: Vec<_> = segments.iter().map(String::as_str).collect();
        match segments.as_slice() {
            ["upload", rest @ ..] => Self::of_upload(rest),
            ["api", "v1", service, org @ .., repo, "pulls", number] if !org.is_empty() => {
                let of = Of {
                    service: (*service).to_owned(),
                    org: org.join("/"),
                    repo: (*repo).to_owned(),
                };
                Some(Self::Base(of, (*number).to_owned()))
            }
            _ => None,
        }
    }

    fn of_upload(rest: &[&str]) -> Option<Self> {
        Some(match rest {
            ["bodies", last] => Self::Body(Ticket::read(last.strip_prefix(BODY)?)?),
            ["v4"] => Self::Legacy,
            ["v2"] => Self::LegacyBody,
            ["test_results", "v1"] => Self::TestResults,
            [service, slug, rest @ ..] => match (Of::read(service, slug), rest) {
                (Some(of), ["upload-coverage"]) => Self::Upload(of),
                (Some(of), ["commits"]) => Self::Commits(of),
                (Some(_), ["commits", _, "reports"]) => Self::Reports,
                (Some(of), ["commits", sha, "reports", _, "uploads"]) => {
                    Self::Uploads(of, (*sha).to_owned())
                }
                (Some(of), ["commits", sha, "upload-complete"]) => {
                    Self::Complete(of, (*sha).to_owned())
                }
                (Some(of), ["commits", sha, "empty-upload"]) => Self::Empty(of, (*sha).to_owned()),
                (Some(_), ["commits", _, "reports", _, "results"]) => Self::Results,
                _ => Self::Other,
            },
            _ => return None,
        })
    }

    /// Whether the address supports a method.
    pub(super) fn has_method(&self, method: &Method) -> bool {
        match self {
            Self::Body(_) | Self::Base(..) => method == Method::PUT,
            Self::Results => [Method::GET, Method::POST].contains(method),
            _ => method == Method::POST,
        }
    }
}

impl Of {
    /// Reads the name of a repository in an address: `acme:::group::::app`.
    pub(super) fn read(service: &str, slug: &str) -> Option<Self> {
        let (org, repo) = slug.rsplit_once("::::")?;
        Some(Self {
            service: service.to_owned(),
            org: org.replace(":::", "/"),
            repo: repo.to_owned(),
        })
    }

    /// Reads a plain name: `acme/group/app`.
    pub(super) fn read_plain(service: &str, slug: &str) -> Option<Self> {
        let (org, repo) = slug.rsplit_once('/')?;
        Some(Self {
            service: service.to_owned(),
            org: org.to_owned(),
            repo: repo.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nested_group_and_doubled_slashes_are_read() {
        let of = |path| match Call::of(path) {
            Some(Call::Upload(of)) => Some((of.org, of.repo)),
            _ => None,
        };
        let expected = |org: &str| Some((org.to_owned(), "app".to_owned()));
        assert_eq!(
            of("/upload/github/acme::::app/upload-coverage"),
            expected("acme")
        );
        assert_eq!(
            of("//upload/gitlab/acme:::group::::app/upload-coverage"),
            expected("acme/group")
        );
        assert_eq!(
            of("/upload/github/acme%3A%3A%3A%3Aapp/upload-coverage"),
            expected("acme")
        );
        assert_eq!(of("/upload/github/acme/upload-coverage"), None);
    }

    #[test]
    fn an_address_of_a_body_has_a_whole_ticket() {
        let ticket = "a".repeat(64);
        let path = format!("/upload/bodies/at.{ticket}");
        assert!(matches!(Call::of(&path), Some(Call::Body(_))));
        assert!(Call::of("/upload/bodies/at.abc").is_none());
    }
}
