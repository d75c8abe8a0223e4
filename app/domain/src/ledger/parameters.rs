//! The missing or wrong parameters of an upload, in this service's words and without the client's text.

/// The parameters of an upload.
const NAMES: [&str; 21] = [
    "org_name",
    "repo_name",
    "branch_name",
    "commit_hash",
    "commit_author",
    "language",
    "coverage_xml_file_name",
    "vcs_api_url",
    "github_api_url",
    "part",
    "parts",
    "finish",
    "skip",
    "reason",
    "pull_request",
    "target_branch",
    "base_commit",
    "base_tree",
    "tree_hash",
    "summary",
    "run_url",
];

/// Returns the public sentence for the `answer` that the client got: `Correct these parameters …: a is missing; b must ….`
pub(super) fn wrong_parameters(answer: &str) -> Option<String> {
    let (_, list) = answer.split_once(": ")?;
    let named = list.trim_end_matches('.').split("; ").filter_map(|item| {
        let (first, rest) = item.split_once(' ')?;
        let name = NAMES.iter().find(|name| **name == first)?;
        let fault = match rest {
            "is missing" => "is missing",
            _ => "is not valid",
        };
        Some(format!("{name} {fault}"))
    });
    let named: Vec<_> = named.collect();
    (!named.is_empty()).then(|| format!("Correct these parameters: {}.", named.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameter_errors_repeat_no_client_input() {
        let answer = "Correct these parameters and send the request again: branch_name is missing; commit_hash must be <b>x</b>; \
                    <b>evil is missing; language is missing.";
        assert_eq!(
            wrong_parameters(answer).as_deref(),
            Some(
                "Correct these parameters: branch_name is missing; commit_hash is not valid; language is missing."
            )
        );
        for other in [
            "",
            "Correct these parameters.",
            "Say: org_name",
            "a: b c; d",
        ] {
            assert_eq!(wrong_parameters(other), None, "{other}");
        }
    }
}
