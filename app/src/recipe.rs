//! Upload recipes to copy: for a shell, for each CI system, and for each language's tools.
//!
//! The templates are complete recipes for a placeholder service. The manual (`docs/src/upload`) includes them unchanged,
//! and tests run all of them.

mod ci;
mod tools;

pub use ci::{CI_SYSTEMS, CiSystem, Proof, Recipe};
pub use tools::{LANGUAGES, Runtime, Tool, ToolLanguage};

/// The service, repository and coverage file in the templates.
pub const PLACEHOLDER: Upload<'static> = Upload {
    public_url: "https://coverage.example.com",
    org: "acme",
    repo: "payments",
    language: "python",
    packed: "htmlcov coverage.xml",
    report: "coverage.xml",
    files: "",
    tests: "pip install -r requirements.txt pytest-cov\npytest --cov --cov-report=html --cov-report=xml",
    image: "python:3",
    prepare: "",
    setup: "- uses: actions/setup-python@v5\n  with:\n    python-version: 3.x",
};

/// What a recipe uploads, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Upload<'a> {
    /// The address of the service, without a trailing `/`.
    pub public_url: &'a str,
    /// The org, for CI systems that do not know it.
    pub org: &'a str,
    /// The repository, for CI systems that do not know it.
    pub repo: &'a str,
    /// The language.
    pub language: &'a str,
    /// The packed files: HTML report and coverage file.
    pub packed: &'a str,
    /// The coverage file: its name, or its path in the archive.
    pub report: &'a str,
    /// The coverage files that the script uploads, if it must not search for them.
    pub files: &'a str,
    /// The commands that run the tests.
    pub tests: &'a str,
    /// The container image for the tests.
    pub image: &'a str,
    /// The commands that complete the image.
    pub prepare: &'a str,
    /// The steps before the tests on a virtual machine of GitHub or Gitea Actions.
    pub setup: &'a str,
}

impl Upload<'_> {
    /// Replaces the placeholder's values in `template` with the values of this upload.
    fn fill(&self, template: &str) -> String {
        let from = PLACEHOLDER;
        let mut text = template.to_owned();
        // Inserted values contain no later placeholder: names have no spaces and no `=`.
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

/// Returns a command that uploads the coverage of the project in this folder to the service at `public_url`.
///
/// The token is in double quotes, so that it can be a shell variable.
pub fn upload_command(public_url: &str, token: &str) -> String {
    format!(
        "curl -fsS {public_url}/upload.sh | COVERAGE_TOKEN=\"{token}\" sh -s -- --org acme --repo demo"
    )
}

#[cfg(test)]
mod tests;
