//! The names that clients send. A name is checked once, when it is parsed; a parsed name is safe to show, store and link.

mod part;
mod repository;

pub use part::PartName;
pub use repository::Repository;

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// Why a name was refused: a phrase that follows the parameter's name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NameError(&'static str);

macro_rules! name {
    ($(#[$doc:meta])* $name:ident, $check:path, $rule:literal) => {
        $(#[$doc])*
        #[doc = concat!("\n\nRule: it ", $rule, ".")]
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = NameError;

            fn from_str(text: &str) -> Result<Self, NameError> {
                if $check(text) { Ok(Self(text.to_owned())) } else { Err(NameError($rule)) }
            }
        }

        impl TryFrom<String> for $name {
            type Error = NameError;

            fn try_from(text: String) -> Result<Self, NameError> {
                if $check(&text) { Ok(Self(text)) } else { Err(NameError($rule)) }
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name!(
    /// An org, possibly a nested group such as `acme/platform`.
    OrgName,
    is_org,
    "must be 1 to 255 bytes: segments of A-Z a-z 0-9 . _ - joined by /, none of them . or .."
);
name!(
    /// A repository within its org.
    RepoName,
    is_segment,
    "must be 1 to 255 bytes of A-Z a-z 0-9 . _ -, and neither . nor .."
);
name!(
    /// A branch; any Unicode, `/` included.
    BranchName,
    is_text,
    "must be 1 to 255 bytes without control characters"
);
name!(
    /// A commit's identifier.
    CommitHash,
    is_commit,
    "must be 1 to 64 of A-Z a-z 0-9 . _ -"
);
name!(
    /// Who made a commit.
    CommitAuthor,
    is_text,
    "must be 1 to 255 bytes without control characters"
);
name!(
    /// The language of what was measured, in lower case.
    Language,
    is_language,
    "must be 1 to 32 lower-case letters, digits or + # . -"
);

name!(
    /// The identifier of a commit's tree: what `git rev-parse HEAD^{tree}` prints.
    TreeHash,
    is_tree,
    "must be 40 or 64 hexadecimal digits"
);
name!(
    /// The number of a pull request: GitLab's `iid`.
    PullRequest,
    is_number,
    "must be 1 to 20 digits"
);

name!(
    /// A pattern that matches whole paths of a repository. As a component, `**` stands for any number of folders, and at the end
    /// for everything in the folder before it. Within a component, `*` stands for any characters and `?` for one. All other
    /// characters stand for themselves.
    PathGlob,
    is_glob,
    "must be a path in the repository such as billing/**: 1 to 255 bytes without control characters, and no / or ./ at its beginning and no / at its end"
);
name!(
    /// The address of the page of a CI run.
    RunUrl,
    is_web_address,
    "must be an http or https URL of at most 2048 ASCII characters, without a user"
);

impl RunUrl {
    /// Its host, with a port if it has one.
    pub fn host(&self) -> &str {
        let rest = self.0.split_once("://").map_or("", |(_, rest)| rest);
        rest.split(['/', '?', '#']).next().unwrap_or_default()
    }
}

impl CommitHash {
    /// Its first 8 characters, for people.
    pub fn short(&self) -> &str {
        self.0.get(..8).unwrap_or(&self.0)
    }
}

impl OrgName {
    /// The key for comparisons: names that differ only in ASCII case are the same.
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// Whether `other` is this org or any group below it.
    pub fn contains(&self, other: &Self) -> bool {
        self.rest_of(other)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The rest of `other` after this name; `None` if `other` does not begin with it.
    fn rest_of<'a>(&self, other: &'a Self) -> Option<&'a str> {
        let (begin, rest) = other.0.split_at_checked(self.0.len())?;
        begin.eq_ignore_ascii_case(&self.0).then_some(rest)
    }

    /// The group directly within this org that is or contains `other`; `None` if `other` is this org or outside it.
    pub fn group_of(&self, other: &Self) -> Option<Self> {
        let below = self.rest_of(other)?.strip_prefix('/')?;
        let segment = below.split('/').next()?;
        Some(Self(format!("{}/{segment}", self.0)))
    }

    /// The org at the top, which has no parent: its first segment.
    pub fn top(&self) -> Self {
        let top = self.0.split('/').next().unwrap_or_default();
        Self(top.to_owned())
    }

    /// The parent org of this group; `None` if it is not nested.
    pub fn parent(&self) -> Option<Self> {
        let (parent, _) = self.0.rsplit_once('/')?;
        Some(Self(parent.to_owned()))
    }
}

fn is_segment_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-')
}

fn is_segment(text: &str) -> bool {
    (1..=255).contains(&text.len())
        && text.bytes().all(is_segment_byte)
        && text != "."
        && text != ".."
}

fn is_org(text: &str) -> bool {
    text.len() <= 255 && text.split('/').all(is_segment)
}

fn is_text(text: &str) -> bool {
    (1..=255).contains(&text.len()) && !text.chars().any(char::is_control)
}

fn is_glob(text: &str) -> bool {
    is_text(text) && !text.starts_with('/') && !text.starts_with("./") && !text.ends_with('/')
}

fn is_tree(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_web_address(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let rest = lower
        .strip_prefix("https://")
        .or_else(|| lower.strip_prefix("http://"));
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next());
    host.is_some_and(|host| !host.is_empty() && !host.contains(['@', '\\']))
        && text.len() <= 2_048
        && text.bytes().all(|byte| byte.is_ascii_graphic())
}

fn is_number(text: &str) -> bool {
    (1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_commit(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(is_segment_byte)
}

fn is_language(text: &str) -> bool {
    let allowed =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+#.-".contains(&byte);
    (1..=32).contains(&text.len()) && text.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_org_may_be_a_nested_group_but_never_a_parent_path() {
        for good in [
            "acme",
            "acme/platform/core",
            "a.b_c-1",
            "...",
            &"a".repeat(255),
        ] {
            assert!(good.parse::<OrgName>().is_ok(), "{good}");
        }
        for bad in [
            "",
            "/",
            "acme/",
            "/acme",
            "a//b",
            ".",
            "a/../b",
            "a b",
            "ä",
            "a\\b",
            "a\0",
            &"a".repeat(256),
        ] {
            assert!(bad.parse::<OrgName>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_group_matches_by_whole_segments() {
        let org = |name: &str| name.parse::<OrgName>().expect("an org");
        let group = |of: &str, other: &str| org(of).group_of(&org(other));
        assert_eq!(
            group("acme", "acme/platform/core"),
            Some(org("acme/platform"))
        );
        assert_eq!(group("acme", "acme/platform"), Some(org("acme/platform")));
        for outside in ["acme", "acmes", "acmes/x", "other/acme/x"] {
            assert_eq!(group("acme", outside), None, "{outside}");
        }
        assert_eq!(
            org("acme/platform/core").parent(),
            Some(org("acme/platform"))
        );
        assert_eq!(org("acme").parent(), None);
        assert_eq!(org("acme/platform/core").top(), org("acme"));
        assert_eq!(org("acme").top(), org("acme"));
    }

    #[test]
    fn orgs_and_repositories_are_compared_without_ascii_case() {
        let org = |name: &str| name.parse::<OrgName>().expect("an org");
        assert!(org("acme").contains(&org("ACME")));
        assert!(org("Acme").contains(&org("aCME/Platform")));
        assert!(!org("acme").contains(&org("ACMES")));
        assert!(!org("acme/platform").contains(&org("ACME")));
        assert_eq!(org("ACME/Platform").key(), "acme/platform");
        let repository = |name: &str| name.parse::<Repository>().expect("a repository");
        let payments = repository("acme/payments");
        assert!(payments.has_name_of(&repository("ACME/Payments")));
        assert!(!payments.has_name_of(&repository("ACME/Payment")));
        assert_eq!(repository("ACME/Pay.Ments").key(), "acme/pay.ments");
    }

    #[test]
    fn a_repository_is_one_segment() {
        assert!("payments".parse::<RepoName>().is_ok());
        assert!("a/b".parse::<RepoName>().is_err());
        assert!("..".parse::<RepoName>().is_err());
    }

    #[test]
    fn a_branch_may_be_any_text_without_control_characters() {
        for good in [
            "main",
            "feature/x",
            "fix/مرحبا",
            "🚀",
            "a b",
            "<script>",
            &"x".repeat(255),
        ] {
            assert!(good.parse::<BranchName>().is_ok(), "{good}");
        }
        for bad in ["", "a\nb", "a\u{7f}", "\u{85}", &"ä".repeat(128)] {
            assert!(bad.parse::<BranchName>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn commits_and_languages_allow_few_characters() {
        assert!("9be01d2".parse::<CommitHash>().is_ok());
        assert!("a/b".parse::<CommitHash>().is_err());
        assert!("x".repeat(65).parse::<CommitHash>().is_err());
        for good in ["rust", "c++", "c#", "objective-c", "f90"] {
            assert!(good.parse::<Language>().is_ok(), "{good}");
        }
        for bad in ["", "Rust", "c/c", &"x".repeat(33)] {
            assert!(bad.parse::<Language>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_pattern_that_no_path_can_match_is_refused() {
        for bad in ["", "/src", "./src", "src/", "a\nb", &"a".repeat(256)] {
            assert!(bad.parse::<PathGlob>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn trees_and_pull_requests_are_digits() {
        let digits = "0123456789abcdef".repeat(4);
        for good in [&digits[..40], &digits, &"A".repeat(40)] {
            assert!(good.parse::<TreeHash>().is_ok(), "{good}");
        }
        for bad in ["", &digits[..39], &digits[..41], &"g".repeat(40)] {
            assert!(bad.parse::<TreeHash>().is_err(), "{bad}");
        }
        for good in ["7", "0", &"9".repeat(20)] {
            assert!(good.parse::<PullRequest>().is_ok(), "{good}");
        }
        for bad in ["", "-1", "7a", "٣", &"9".repeat(21)] {
            assert!(bad.parse::<PullRequest>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_last_segment_of_a_full_name_is_the_repository() {
        let nested: Repository = "acme/platform/payments".parse().expect("a full name");
        assert_eq!(
            (nested.org.as_str(), nested.repo.as_str()),
            ("acme/platform", "payments")
        );
        assert_eq!(nested.to_string(), "acme/platform/payments");
        assert!("payments".parse::<Repository>().is_err());
    }
}
