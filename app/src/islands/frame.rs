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
    // The addresses of the files to load early.
    let code = chunks.get(name).map(|hrefs| hrefs.join(" "));
    let html = Owner::with_hydration(move || view().into_view().to_html());
    let html = with_kept_markers(&html);
    // Serialising plain data into text does not fail. Without the data, the island is not hydrated.
    let data = serde_json::to_string(data).unwrap_or_default();
    // Text of a script element ends at `</script`, and changes its meaning at `<!--`.
    let data = data.replace('<', "\\u003c");
    view! {
        <div class="island" data-island=name data-code=code>
            <script type="application/json" inner_html=data></script>
            <div inner_html=html></div>
        </div>
    }
    .into_any()
}
