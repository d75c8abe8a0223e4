//! The form of a page that asks for confirmation.

use leptos::prelude::*;

/// Sends `fields` to `action` if the reader confirms with a button called `label`; otherwise leads to `back`.
pub(crate) fn confirm(
    action: &'static str,
    fields: Vec<(&'static str, String)>,
    label: &'static str,
    back: String,
) -> AnyView {
    let fields = fields.into_iter();
    let fields = fields.map(|(name, value)| view! { <input type="hidden" name=name value=value/> });
    view! {
        <form class="confirm" method="post" action=action>
            {fields.collect_view()}
            <button class="btn danger" type="submit">{label}</button>
            <a class="btn" href=back>"Cancel"</a>
        </form>
    }
    .into_any()
}
