//! What a person sees at the start: where the service is, and how to upload to it.

/// Prints the address, the first token if there is one, and an upload that can be pasted.
#[expect(
    clippy::print_stdout,
    reason = "this is for the person at the terminal; the log is for machines"
)]
pub(crate) fn print(public_url: &str, first_token: Option<&str>) {
    println!("\n  Coverage dashboard: {public_url}\n");
    match first_token {
        Some(token) => println!("  Upload token, shown this once: {token}\n"),
        None => println!(
            "  Upload with the token from the first start, or with UPLOAD_TOKEN if it is set.\n"
        ),
    }
    println!("  Upload a report (an archive with the tool's HTML and XML):\n");
    println!(
        "{}\n",
        app::upload_command(public_url, first_token.unwrap_or("$TOKEN"), "    ")
    );
}
