//! The command that uploads to this repository.

use domain::{BranchName, Language, Repository};

/// Returns a shell command; `curl` encodes the values.
pub(super) fn command(
    public_url: &str,
    repository: &Repository,
    branch: &BranchName,
    language: Option<&Language>,
) -> String {
    let language = language.map_or("python", Language::as_str);
    [
        "tar -czf coverage.tar.gz htmlcov coverage.xml".to_owned(),
        "curl --fail-with-body -H \"Authorization: Bearer $COVERAGE_TOKEN\" -F file=@coverage.tar.gz \\".to_owned(),
        format!("  --url-query org_name={} \\", repository.org),
        format!("  --url-query repo_name={} \\", repository.repo),
        format!("  --url-query {} \\", quoted(&format!("branch_name={branch}"))),
        "  --url-query \"commit_hash=$(git rev-parse HEAD)\" \\".to_owned(),
        "  --url-query \"commit_author=$(git log -1 --format=%an)\" \\".to_owned(),
        format!("  --url-query {} \\", quoted(&format!("language={language}"))),
        "  --url-query coverage_xml_file_name=coverage.xml \\".to_owned(),
        format!("  {public_url}/coverages-api"),
    ]
    .join("\n")
}

/// Quotes text as one word of a shell, only if needed.
fn quoted(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=+".contains(&byte);
    if text.bytes().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_quotes_the_repository_name_for_the_shell() {
        let command = command(
            "https://coverage.example",
            &"acme/platform/payments".parse().expect("a repository"),
            &"fix/$(id)'`x` 🚀".parse().expect("a branch"),
            Some(&"c++".parse().expect("a language")),
        );
        for line in [
            "--url-query org_name=acme/platform \\",
            "--url-query repo_name=payments \\",
            "--url-query 'branch_name=fix/$(id)'\\''`x` 🚀' \\",
            "--url-query language=c++ \\",
            "  https://coverage.example/coverages-api",
        ] {
            assert!(command.contains(line), "{line} is not in {command}");
        }
    }
}
