//! What the server writes around an island: its data, and hints to load its code early.

use crate::markers::with_kept_markers;
use leptos::{prelude::*, reactive::owner::Owner};
use serde::Serialize;
use std::{collections::HashMap, sync::Arc};

/// The files with the code of each island, as addresses.
#[derive(Clone, Debug, Default)]
pub struct Chunks(pub Arc<HashMap<String, Vec<String>>>);

/// An island whose view the browser hydrates: it keeps its markers. Each part of its view has one element: between several
/// elements, the server writes markers that the browser does not expect (see `.cargo/config.toml`).
pub(super) fn island<V: IntoView + 'static>(
    name: &'static str,
    data: &impl Serialize,
    view: impl FnOnce() -> V + 'static,
) -> AnyView {
    let Chunks(chunks) = use_context().unwrap_or_default();
    let code = chunks.get(name).map(|hrefs| hrefs.join(" "));
    let html = Owner::with_hydration(move || view().into_view().to_html());
    let html = with_kept_markers(&html);
    with_code(name, data, code, view! { <div inner_html=html></div> })
}

/// An island whose view stays as it is until the browser replaces it.
pub(super) fn without_hydration(
    name: &'static str,
    data: &impl Serialize,
    view: impl IntoView + 'static,
) -> AnyView {
    with_code(name, data, None, view! { <div>{view}</div> })
}

/// `code` has the addresses of the files to load early, with spaces between them.
fn with_code(
    name: &'static str,
    data: &impl Serialize,
    code: Option<String>,
    view: impl IntoView + 'static,
) -> AnyView {
    // Serialising plain data into text does not fail. Without the data, the island is not hydrated.
    let data = serde_json::to_string(data).unwrap_or_default();
    // Text of a script element ends at `</script`, and changes its meaning at `<!--`.
    let data = data.replace('<', "\\u003c");
    view! {
        <div class="island" data-island=name data-code=code>
            <script type="application/json" inner_html=data></script>
            {view}
        </div>
    }
    .into_any()
}
