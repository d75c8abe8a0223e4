//! How to upload, in words that can be pasted: for a shell, for each CI system, and for what each language's tool writes.
//!
//! The templates are whole recipes for a placeholder service. The manual (`docs/src/upload`) shows them as they are, and
//! tests run all of them.

mod ci;
mod tools;

pub use ci::{CI_SYSTEMS, CiSystem, Proof, Recipe};
pub use tools::{LANGUAGES, Tool, ToolLanguage};

/// The service, repository and report of which a template speaks.
pub const PLACEHOLDER: Upload<'static> = Upload {
    public_url: "https://coverage.example.com",
    org: "acme",
    repo: "payments",
    language: "python",
    packed: "htmlcov coverage.xml",
    report: "coverage.xml",
};

/// What a recipe uploads, and where to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Upload<'a> {
    /// The address of the service, without a trailing `/`.
    pub public_url: &'a str,
    /// The org, for CI systems that do not know it.
    pub org: &'a str,
    /// The repository, likewise.
    pub repo: &'a str,
    /// The language.
    pub language: &'a str,
    /// What is packed: HTML and coverage report.
    pub packed: &'a str,
    /// The coverage report: its name, or its path in the archive.
    pub report: &'a str,
}

impl Upload<'_> {
    /// `template`, with all that it says of the placeholder said of this upload.
    fn fill(&self, template: &str) -> String {
        let from = PLACEHOLDER;
        let mut text = template.to_owned();
        // What is put in holds none of what is still to be replaced: names have no spaces and no `=`.
        for (before, placeholder, value) in [
            ("org_name=", from.org, self.org),
            ("ORG=", from.org, self.org),
            ("ORG: ", from.org, self.org),
            ("repo_name=", from.repo, self.repo),
            ("REPO=", from.repo, self.repo),
            ("REPO: ", from.repo, self.repo),
            ("language=", from.language, self.language),
            ("coverage_xml_file_name=", from.report, self.report),
            ("coverage.tar.gz ", from.packed, self.packed),
            ("", from.public_url, self.public_url),
        ] {
            text = text.replace(
                &format!("{before}{placeholder}"),
                &format!("{before}{value}"),
            );
        }
        text
    }
}

/// A `curl` command that uploads a report to the service at `public_url`; `indent` stands before each of its lines.
///
/// The token stands in double quotes, so that it may be a shell variable.
pub fn upload_command(public_url: &str, token: &str, indent: &str) -> String {
    let parameters = "org_name=acme&repo_name=demo&branch_name=main&commit_hash=$(git rev-parse HEAD)&commit_author=${USER:-me}\
                      &language=python&coverage_xml_file_name=coverage.xml";
    [
        format!("{indent}curl --fail-with-body -H \"Authorization: Bearer {token}\" -F file=@coverage.tar.gz \\"),
        format!("{indent}  \"{public_url}/coverages-api?{parameters}\""),
    ]
    .join("\n")
}

#[cfg(test)]
mod tests;
