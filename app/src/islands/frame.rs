//! What the server writes around an island: its data, and hints to load its code early.

use leptos::{prelude::*, reactive::owner::Owner};
use serde::Serialize;
use std::{collections::HashMap, sync::Arc};

/// The files with the code of each island, as addresses.
#[derive(Clone, Debug, Default)]
pub struct Chunks(pub Arc<HashMap<String, Vec<String>>>);

/// An island whose view the browser hydrates.
pub(super) fn island<V: IntoView + 'static>(
    name: &'static str,
    data: &impl Serialize,
    view: impl FnOnce() -> V + 'static,
) -> AnyView {
    let Chunks(chunks) = use_context().unwrap_or_default();
    let preloads = chunks.get(name).into_iter().flatten().map(|href| {
        view! { <link rel="preload" href=href.clone() r#as="fetch" r#type="application/wasm" crossorigin="anonymous"/> }
    });
    let preloads = preloads.collect_view();
    let view = Owner::with_hydration(move || view().into_any());
    view! {
        {preloads}
        {without_hydration(name, data, view)}
    }
    .into_any()
}

/// An island whose view stays as it is until the browser replaces it.
pub(super) fn without_hydration(
    name: &'static str,
    data: &impl Serialize,
    view: impl IntoView + 'static,
) -> AnyView {
    // Serialising plain data into text does not fail. Without it, the island is not hydrated.
    let data = serde_json::to_string(data).unwrap_or_default();
    // Text of a script element ends at `</script`, and changes its meaning at `<!--`.
    let data = data.replace('<', "\\u003c");
    view! {
        <div class="island" data-island=name>
            <script type="application/json" inner_html=data></script>
            <div>{view}</div>
        </div>
    }
    .into_any()
}
