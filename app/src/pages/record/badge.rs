//! The badge of this record, with its Markdown to copy.

use crate::{PublicUrl, components::copy_button::CopyButton, links};
use domain::RecordDetail;
use leptos::prelude::*;

pub(super) fn badge(detail: &RecordDetail) -> impl IntoView + use<> {
    let PublicUrl(url) = expect_context();
    let image = links::record_badge(detail.id, detail.updated_at, detail.percentage);
    let markdown = format!(
        "[![coverage]({url}{image})]({url}{})",
        links::record(detail.id)
    );
    let alt = format!("coverage: {}%", detail.percentage);
    view! {
        <section class="card known" aria-labelledby="badge">
            <h2 id="badge">"Badge of this record"</h2>
            <p class="muted">
                "This badge changes only if the same commit is uploaded again, so you can use it in release notes. The repository's page has a badge that follows a branch."
            </p>
            <p><img src=image alt=alt height="20"/></p>
            <div class="snippet">
                <pre tabindex="0" aria-label="Markdown of the badge">{markdown.clone()}</pre>
                <CopyButton text=markdown label="the badge's Markdown".to_owned()/>
            </div>
        </section>
    }
}
