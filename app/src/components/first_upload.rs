//! The dashboard before its first upload.

use crate::{components::copy_button::CopyButton, components::refresh::Refresh, links};
use leptos::prelude::*;

/// Interval between checks for the first upload, in seconds.
const SECONDS: u32 = 5;

/// How to upload, with a command for this server. The page reloads until the first upload has arrived.
#[component]
pub(crate) fn FirstUpload(command: String) -> impl IntoView {
    view! {
        <section class="card message" aria-labelledby="first-upload">
            <h2 id="first-upload">"Waiting for the first upload"</h2>
            <p>
                "A CI job runs the tests with coverage, and then a script of this service, which finds the coverage file and the HTML report, and posts them. "
                "There are recipes for each CI system and language, filled in for this server:"
            </p>
            <p class="actions">
                <a class="btn" href=links::SETUP>"Set up uploads"</a>" "
                <a class="btn" href=links::UPLOADS>"See what was refused"</a>
            </p>
            <div class="recipe">
                <p>"Or try it from a shell, in the folder of a project whose tests ran with coverage, and with the token that the server printed at its first start:"</p>
                <CopyButton text=command.clone() label="the upload command".to_owned()/>
                <pre tabindex="0" aria-label="the upload command">{command}</pre>
            </div>
            <Refresh seconds=SECONDS/>
        </section>
    }
}
