//! What a person sees at the start: where the service is, and how to upload to it.

/// The address, the first token if there is one, and an upload that can be pasted.
pub(crate) fn text(public_url: &str, first_token: Option<&str>) -> String {
    let token = match first_token {
        Some(token) => format!("Upload token, shown this once: {token}"),
        None => "For a token to upload with: coverage-dashboard token create --name ci".to_owned(),
    };
    let command = app::upload_command(public_url, first_token.unwrap_or("$TOKEN"), "    ");
    format!(
        "\n  Coverage dashboard: {public_url}\n\n  {token}\n\n  Upload an archive with a tool's HTML and XML:\n\n{command}\n\n"
    )
}
