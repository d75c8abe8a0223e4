//! How to upload, in words that can be pasted into a shell.

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
