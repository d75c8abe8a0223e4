//! The dashboard before its first upload.

use leptos::prelude::*;

/// How to upload, with a command for this server.
#[component]
pub(crate) fn FirstUpload(
    /// The command.
    command: String,
) -> impl IntoView {
    view! {
        <section class="card message" aria-labelledby="first-upload">
            <h2 id="first-upload">"Waiting for the first upload"</h2>
            <ol>
                <li>
                    "Run your tests with coverage, and let the tool write both its HTML and its XML (Cobertura, JaCoCo or Clover), for example with "
                    <code>"coverage html && coverage xml"</code>
                    "."
                </li>
                <li>"Pack both into one archive: "<code>"tar -czf coverage.tar.gz htmlcov coverage.xml"</code></li>
                <li>
                    "Upload it with the token that the server printed at its first start:"
                    <pre tabindex="0">{command}</pre>
                </li>
            </ol>
            <p class="muted">"Then reload this page."</p>
        </section>
    }
}
