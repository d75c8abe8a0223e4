//! What a client states about an upload, in the words of a native upload.

use crate::routes::parameters::Parameters;
use config::access::queue_base;
use domain::{BranchName, CommitAuthor, CommitHash, PullRequest, RunUrl};
use forges::Job;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The author of a commit that neither the client nor its forge names.
pub(super) const AUTHOR: &str = "unknown";

/// The language until the coverage files are read.
const LANGUAGE: &str = "unknown";

/// The name of the coverage file in an upload without an archive.
const FILE: &str = "coverage";

/// The most bytes of the name of a part.
const PART_BYTES: usize = 64;

/// The statement of a client.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Statement {
    /// The client, for the ledger.
    pub(super) client: Option<String>,
    pub(super) org: String,
    pub(super) repo: String,
    pub(super) branch: String,
    pub(super) commit: String,
    /// The commit that was measured, if it is another one.
    pub(super) measured_commit: Option<String>,
    /// The job, if its forge may know what it measured.
    pub(super) job: Option<Job>,
    pub(super) author: Option<String>,
    pub(super) part: Option<String>,
    /// A part for which the record waits.
    pub(super) expected: Option<String>,
    pub(super) pull_request: Option<String>,
    pub(super) target_branch: Option<String>,
    pub(super) base_commit: Option<String>,
    pub(super) run_url: Option<String>,
    pub(super) vcs_api_url: Option<String>,
    /// Only for an upload without a coverage file.
    pub(super) language: Option<String>,
    pub(super) finish: bool,
    /// A part that will not come, and why.
    pub(super) skip: Option<(String, String)>,
}

impl Statement {
    /// The statement of a request whose token is checked although something else is missing.
    pub(super) fn unknown(org: &str, repo: &str) -> Self {
        Self {
            org: org.to_owned(),
            repo: repo.to_owned(),
            branch: "unknown".to_owned(),
            commit: "0".repeat(40),
            ..Self::default()
        }
    }

    /// The statement without optional texts that no parameter may have: a client does not let people correct them, and nothing keeps
    /// a text of any length.
    pub(super) fn plain(self) -> Self {
        fn if_valid<T: FromStr>(text: Option<String>) -> Option<String> {
            text.filter(|text| text.parse::<T>().is_ok())
        }
        Self {
            author: if_valid::<CommitAuthor>(self.author),
            pull_request: if_valid::<PullRequest>(self.pull_request),
            run_url: if_valid::<RunUrl>(self.run_url),
            target_branch: if_valid::<BranchName>(self.target_branch),
            base_commit: if_valid::<CommitHash>(self.base_commit),
            ..self
        }
    }

    /// The statement as parameters.
    pub(super) fn parameters(&self) -> Parameters {
        let plain = self.clone().plain();
        let known = |text: &Option<String>| text.clone().unwrap_or_default();
        let (skip, reason) = self.skip.clone().unwrap_or_default();
        let has_file = !self.finish && skip.is_empty();
        // The name of a queue's branch has the entry before, which no client states.
        let queued = queue_base(&self.branch).filter(|_| has_file);
        let base = plain.base_commit.or(queued.map(str::to_owned));
        let texts = [
            ("org_name", self.org.clone()),
            ("repo_name", self.repo.clone()),
            ("branch_name", self.branch.clone()),
            ("commit_hash", self.commit.clone()),
            (
                "commit_author",
                plain.author.unwrap_or_else(|| AUTHOR.to_owned()),
            ),
            (
                "language",
                self.language.clone().unwrap_or(LANGUAGE.to_owned()),
            ),
            (
                "coverage_xml_file_name",
                if has_file { FILE } else { "" }.to_owned(),
            ),
            ("part", known(&self.part)),
            ("parts", known(&self.expected)),
            ("pull_request", known(&plain.pull_request)),
            ("target_branch", known(&plain.target_branch)),
            ("base_commit", known(&base)),
            ("run_url", known(&plain.run_url)),
            ("vcs_api_url", known(&self.vcs_api_url)),
            ("finish", if self.finish { "1" } else { "" }.to_owned()),
            ("skip", skip),
            ("reason", reason),
        ];
        // A flag without a value is on.
        let known = texts.into_iter().filter(|(_, text)| !text.is_empty());
        Parameters::of_members(known)
    }
}

/// The name of a part for flags: joined by `-`, in lower case. `None` without flags.
pub(super) fn part_of<'a>(flags: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let flags: Vec<_> = flags.into_iter().filter(|flag| !flag.is_empty()).collect();
    let plain = |char: char| match char.to_ascii_lowercase() {
        char @ ('a'..='z' | '0'..='9' | '.' | '_' | '-') => char,
        _ => '-',
    };
    let name: String = flags.join("-").chars().map(plain).collect();
    let name = name.trim_start_matches(['.', '_', '-']);
    let name = &name[..name.len().min(PART_BYTES)];
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::parameters::Flag;
    use domain::PartName;

    #[test]
    fn flags_make_the_name_of_a_part() {
        let part = |flags: &[&str]| part_of(flags.iter().copied());
        assert_eq!(part(&["unit", "Py 3.12"]).as_deref(), Some("unit-py-3.12"));
        assert_eq!(part(&["-ü-", ""]).as_deref(), None);
        assert_eq!(part(&[]), None);
        let long = part(&[&"x".repeat(100)]).expect("a name");
        assert!(long.parse::<PartName>().is_ok());
    }

    #[test]
    fn optional_texts_that_are_not_possible_are_left_out() {
        let statement = Statement {
            pull_request: Some("false".to_owned()),
            target_branch: Some("a\nb".to_owned()),
            base_commit: Some("HEAD~1".to_owned()),
            run_url: Some("no address".to_owned()),
            author: Some(String::new()),
            ..Statement::default()
        };
        let mut parameters = statement.parameters();
        assert_eq!(parameters.text("pull_request"), None);
        assert_eq!(parameters.text("run_url"), None);
        assert_eq!(parameters.text("target_branch"), None);
        assert_eq!(parameters.text("base_commit"), None);
        assert_eq!(parameters.text("commit_author"), Some("unknown"));
        let finish = parameters.read("finish");
        assert!(matches!(finish, Some(Flag(false))));
    }

    #[test]
    fn a_statement_is_kept_without_texts_of_any_length() {
        let long = Some("9".repeat(60_000));
        let statement = Statement {
            pull_request: long.clone(),
            run_url: long.clone(),
            base_commit: long,
            ..Statement::default()
        };
        assert_eq!(statement.plain(), Statement::default());
    }
}
