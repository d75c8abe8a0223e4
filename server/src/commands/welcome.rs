//! The message at startup: the address of the service, and how to upload to it.

/// Returns the address, the first token if one was created, and an upload command to paste.
pub(crate) fn text(public_url: &str, first_token: Option<&str>) -> String {
    let token = match first_token {
        Some(token) => format!("Upload token, shown only once: {token}"),
        None => "To create an upload token: coverage-dashboard token create --name ci".to_owned(),
    };
    let command = app::upload_command(public_url, first_token.unwrap_or("$COVERAGE_TOKEN"));
    format!(
        "\n  Coverage dashboard: {public_url}\n\n  {token}\n\n  Upload the coverage of a project, in its folder, after its tests ran with coverage:\n\n    {command}\n\n"
    )
}
